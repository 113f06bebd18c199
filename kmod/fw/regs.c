// SPDX-License-Identifier: GPL-2.0
/*
 * ACCESS_REG: the registers that the drivers read on an InfiniBand card.
 * Others are refused, as firmware does with what it does not know.
 */
#include <linux/errno.h>
#include <linux/mlx5/driver.h>
#include <linux/mlx5/port.h>
#include <linux/string.h>

#include "fw/internal.h"

#define REG_READ		1	/* op_mod */
#define NODE_DESC_LEN		64
#define HOST_ENDIANNESS_LEN	16
#define BOOT_IMAGE		1	/* MCQS identifier */
#define MCQI_VERSION		1	/* MCQI info type */

struct reg {
	u16 id;
	u16 len;	/* of the data that must be there */
	int (*read)(struct shca_cmd *cmd, const void *in, void *out);
	int (*write)(struct shca_cmd *cmd, const void *in);
};

static u32 data_room(struct shca_cmd *cmd)
{
	return cmd->outlen - MLX5_ST_SZ_BYTES(access_register_out);
}

static struct shca_port *reg_port(struct shca_cmd *cmd, u8 local_port)
{
	struct shca_port *port = NULL;

	if (local_port == 1)
		port = shca_hw_port(cmd->fn, local_port);
	if (!port)
		shca_cmd_refuse(cmd, -EINVAL, SHCA_SYND_REG_PORT);
	return port;
}

/* The byte order of the host matters to no register that is here. */
static int host_endianness_write(struct shca_cmd *cmd, const void *in)
{
	return 0;
}

static int node_desc_read(struct shca_cmd *cmd, const void *in, void *out)
{
	struct shca_port_info info;

	shca_port_query(shca_hw_port(cmd->fn, 1), &info);
	memcpy(out, info.node_desc, NODE_DESC_LEN);
	return 0;
}

static int node_desc_write(struct shca_cmd *cmd, const void *in)
{
	shca_port_node_desc_set(shca_hw_port(cmd->fn, 1), in);
	return 0;
}

/* IBTA numbers the widths 1x, 4x, 8x, 12x and, later, 2x. */
static u16 ptys_width(u8 ibta)
{
	return (ibta & 1 ? MLX5_PTYS_WIDTH_1X : 0) |
	       (ibta & 2 ? MLX5_PTYS_WIDTH_4X : 0) |
	       (ibta & 4 ? MLX5_PTYS_WIDTH_8X : 0) |
	       (ibta & 8 ? MLX5_PTYS_WIDTH_12X : 0) |
	       (ibta & 16 ? MLX5_PTYS_WIDTH_2X : 0);
}

/* One bit a speed: SDR, DDR, QDR, FDR10, FDR, EDR, HDR, NDR. */
static u16 ptys_speed(u8 speed, u8 ext)
{
	return (speed & 0x7) | (ext & 0xf) << 4;
}

static u16 ptys_speed_active(const struct shca_port_info *info)
{
	if (info->link_speed_ext_active)
		return ptys_speed(0, info->link_speed_ext_active);
	return ptys_speed(info->link_speed_active, 0);
}

static int ptys_read(struct shca_cmd *cmd, const void *in, void *out)
{
	struct shca_port *port = reg_port(cmd, MLX5_GET(ptys_reg, in,
							local_port));
	struct shca_port_info info;

	if (!port)
		return -EINVAL;
	shca_port_query(port, &info);
	MLX5_SET(ptys_reg, out, local_port, 1);
	MLX5_SET(ptys_reg, out, proto_mask, MLX5_PTYS_IB);
	MLX5_SET(ptys_reg, out, ib_link_width_capability,
		 ptys_width(info.link_width_sup));
	MLX5_SET(ptys_reg, out, ib_proto_capability,
		 ptys_speed(info.link_speed_sup, info.link_speed_ext_sup));
	MLX5_SET(ptys_reg, out, ib_link_width_admin,
		 ptys_width(info.link_width_enabled));
	MLX5_SET(ptys_reg, out, ib_proto_admin,
		 ptys_speed(info.link_speed_enabled,
			    info.link_speed_ext_enabled));
	MLX5_SET(ptys_reg, out, ib_link_width_oper,
		 ptys_width(info.link_width_active));
	MLX5_SET(ptys_reg, out, ib_proto_oper, ptys_speed_active(&info));
	return 0;
}

static u32 mtu_bytes(u8 ibta)
{
	return ibta ? 128U << ibta : 0;
}

static int pmtu_read(struct shca_cmd *cmd, const void *in, void *out)
{
	struct shca_port *port = reg_port(cmd, MLX5_GET(pmtu_reg, in,
							local_port));
	struct shca_port_info info;

	if (!port)
		return -EINVAL;
	shca_port_query(port, &info);
	MLX5_SET(pmtu_reg, out, local_port, 1);
	MLX5_SET(pmtu_reg, out, max_mtu, mtu_bytes(info.mtu_cap));
	MLX5_SET(pmtu_reg, out, admin_mtu, mtu_bytes(info.mtu_cap));
	MLX5_SET(pmtu_reg, out, oper_mtu, mtu_bytes(info.mtu_active));
	return 0;
}

/* The register counts lanes; IBTA has codes for 1, 2, 4, 8 and 15 of them. */
static u8 vl_count(u8 ibta)
{
	static const u8 count[] = { 0, 1, 2, 4, 8, 15 };

	return ibta < ARRAY_SIZE(count) ? count[ibta] : 0;
}

static int pvlc_read(struct shca_cmd *cmd, const void *in, void *out)
{
	struct shca_port *port = reg_port(cmd, MLX5_GET(pvlc_reg, in,
							local_port));
	struct shca_port_info info;

	if (!port)
		return -EINVAL;
	shca_port_query(port, &info);
	MLX5_SET(pvlc_reg, out, local_port, 1);
	MLX5_SET(pvlc_reg, out, vl_hw_cap, vl_count(info.vl_cap));
	MLX5_SET(pvlc_reg, out, vl_admin, vl_count(info.vl_cap));
	MLX5_SET(pvlc_reg, out, vl_operational, vl_count(info.vl_oper));
	return 0;
}

/* Which of the management registers exist: these three. */
static int mcam_read(struct shca_cmd *cmd, const void *in, void *out)
{
	u8 group = MLX5_GET(mcam_reg, in, access_reg_group);

	MLX5_SET(mcam_reg, out, feature_group,
		 MLX5_GET(mcam_reg, in, feature_group));
	MLX5_SET(mcam_reg, out, access_reg_group, group);
	if (group != MLX5_MCAM_REGS_FIRST_128)
		return 0;
	MLX5_SET(mcam_reg, out, mng_access_reg_cap_mask.access_regs.mcqi, 1);
	MLX5_SET(mcam_reg, out, mng_access_reg_cap_mask.access_regs.mcqs, 1);
	return 0;
}

/* One component, the firmware image, with no update under way. */
static int mcqs_read(struct shca_cmd *cmd, const void *in, void *out)
{
	if (MLX5_GET(mcqs_reg, in, component_index))
		return shca_cmd_refuse(cmd, -EINVAL, SHCA_SYND_REG_VALUE);
	MLX5_SET(mcqs_reg, out, last_index_flag, 1);
	MLX5_SET(mcqs_reg, out, identifier, BOOT_IMAGE);
	return 0;
}

static int mcqi_read(struct shca_cmd *cmd, const void *in, void *out)
{
	const struct shca_profile *p = cmd->fw->profile;
	u32 version = p->fw_major << 24 | p->fw_minor << 16 | p->fw_sub;
	void *data = MLX5_ADDR_OF(mcqi_reg, out, data);

	if (MLX5_GET(mcqi_reg, in, component_index) ||
	    MLX5_GET(mcqi_reg, in, offset) ||
	    MLX5_GET(mcqi_reg, in, info_type) != MCQI_VERSION)
		return shca_cmd_refuse(cmd, -EINVAL, SHCA_SYND_REG_VALUE);
	if (data_room(cmd) < MLX5_ST_SZ_BYTES(mcqi_reg) +
			     MLX5_ST_SZ_BYTES(mcqi_version))
		return shca_cmd_refuse(cmd, -EMSGSIZE, SHCA_SYND_REG_LEN);
	MLX5_SET(mcqi_reg, out, info_type, MCQI_VERSION);
	MLX5_SET(mcqi_reg, out, info_size, MLX5_ST_SZ_BYTES(mcqi_version));
	MLX5_SET(mcqi_reg, out, data_size, MLX5_ST_SZ_BYTES(mcqi_version));
	MLX5_SET(mcqi_version, data, version, version);
	return 0;
}

#define DTOR_SET(field, unit, value) do {				\
	void *_to = MLX5_ADDR_OF(dtor_reg, out, field);			\
									\
	MLX5_SET(default_timeout, _to, to_multiplier, unit);		\
	MLX5_SET(default_timeout, _to, to_value, value);		\
} while (0)

/* Once the init segment has time-outs the driver takes all of them from here,
 * zeros included where it is an older one: each that all of them know is filled.
 */
static int dtor_read(struct shca_cmd *cmd, const void *in, void *out)
{
	enum { MS, SECONDS };

	DTOR_SET(pcie_toggle_to, MS, 2000);
	DTOR_SET(health_poll_to, MS, 2000);
	DTOR_SET(full_crdump_to, SECONDS, 60);
	DTOR_SET(fw_reset_to, SECONDS, 60);
	DTOR_SET(flush_on_err_to, MS, 2000);
	DTOR_SET(pci_sync_update_to, SECONDS, 5);
	DTOR_SET(tear_down_to, SECONDS, 3);
	DTOR_SET(fsm_reactivate_to, SECONDS, 5);
	DTOR_SET(reclaim_pages_to, SECONDS, 5);
	DTOR_SET(reclaim_vfs_pages_to, SECONDS, 120);
	return 0;
}

static const struct reg regs[] = {
	{ MLX5_REG_HOST_ENDIANNESS, HOST_ENDIANNESS_LEN, NULL,
	  host_endianness_write },
	{ MLX5_REG_NODE_DESC, NODE_DESC_LEN, node_desc_read, node_desc_write },
	{ MLX5_REG_PTYS, MLX5_ST_SZ_BYTES(ptys_reg), ptys_read, NULL },
	{ MLX5_REG_PMTU, MLX5_ST_SZ_BYTES(pmtu_reg), pmtu_read, NULL },
	{ MLX5_REG_PVLC, MLX5_ST_SZ_BYTES(pvlc_reg), pvlc_read, NULL },
	{ MLX5_REG_MCAM, MLX5_ST_SZ_BYTES(mcam_reg), mcam_read, NULL },
	{ MLX5_REG_MCQS, MLX5_ST_SZ_BYTES(mcqs_reg), mcqs_read, NULL },
	{ MLX5_REG_MCQI, MLX5_ST_SZ_BYTES(mcqi_reg), mcqi_read, NULL },
	{ MLX5_REG_DTOR, MLX5_ST_SZ_BYTES(dtor_reg), dtor_read, NULL },
};

static const struct reg *find_reg(u16 id)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(regs); i++)
		if (regs[i].id == id)
			return &regs[i];
	return NULL;
}

int shca_cmd_access_reg(struct shca_cmd *cmd)
{
	u16 id = MLX5_GET(access_register_in, cmd->in, register_id);
	void *in = MLX5_ADDR_OF(access_register_in, cmd->in, register_data);
	void *out = MLX5_ADDR_OF(access_register_out, cmd->out, register_data);
	u32 inlen = cmd->inlen - MLX5_ST_SZ_BYTES(access_register_in);
	const struct reg *reg = find_reg(id);

	if (!reg)
		return shca_cmd_refuse(cmd, -EINVAL, SHCA_SYND_REG_ID);
	if (inlen < reg->len)
		return shca_cmd_refuse(cmd, -E2BIG, SHCA_SYND_REG_LEN);
	if (cmd->op_mod != REG_READ) {
		if (!reg->write)
			return shca_cmd_refuse(cmd, -EINVAL,
					       SHCA_SYND_REG_READONLY);
		return reg->write(cmd, in);
	}
	if (!reg->read)
		return shca_cmd_refuse(cmd, -EINVAL, SHCA_SYND_OP_MOD);
	if (data_room(cmd) < reg->len)
		return shca_cmd_refuse(cmd, -EMSGSIZE, SHCA_SYND_REG_LEN);
	return reg->read(cmd, in, out);
}
