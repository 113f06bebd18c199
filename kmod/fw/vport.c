// SPDX-License-Identifier: GPL-2.0
/*
 * The vport contexts: how the drivers ask for the state, the addresses and the
 * tables of the InfiniBand port (ib_virt). A function has one vport and port.
 */
#include <linux/errno.h>

#include "fw/internal.h"

#define ALL_ENTRIES		0xffff
#define STATE_UP		1

/* Capability bits that belong to the host's software, not to the port: SM,
 * communication, SNMP, reinit, device, vendor, boot management.
 */
#define HOST_CAP_BITS \
	(BIT(1) | BIT(16) | BIT(17) | BIT(18) | BIT(19) | BIT(20) | BIT(23))

static int pick_port(struct shca_cmd *cmd, struct shca_port **port)
{
	/* The layout's head is the same in all of these commands. The drivers
	 * leave the port number out when there is one port.
	 */
	u8 num = MLX5_GET(query_hca_vport_context_in, cmd->in, port_num);

	if (MLX5_GET(query_hca_vport_context_in, cmd->in, vport_number))
		return shca_cmd_refuse(cmd, -EINVAL, SHCA_SYND_VPORT);
	if (num > 1)
		return shca_cmd_refuse(cmd, -EINVAL, SHCA_SYND_PORT);
	*port = shca_hw_port(cmd->fn, 1);
	return 0;
}

int shca_cmd_query_hca_vport_context(struct shca_cmd *cmd)
{
	void *ctx = MLX5_ADDR_OF(query_hca_vport_context_out, cmd->out,
				 hca_vport_context);
	struct shca_port_info info;
	struct shca_port *port;
	int err;

	err = pick_port(cmd, &port);
	if (err)
		return err;
	shca_port_query(port, &info);
	MLX5_SET(hca_vport_context, ctx, has_smi, 1);
	MLX5_SET(hca_vport_context, ctx, port_physical_state, info.phys_state);
	MLX5_SET(hca_vport_context, ctx, port_state, info.state);
	MLX5_SET(hca_vport_context, ctx, vport_state, info.state);
	MLX5_SET64(hca_vport_context, ctx, system_image_guid, info.sys_guid);
	MLX5_SET64(hca_vport_context, ctx, port_guid, info.port_guid);
	MLX5_SET64(hca_vport_context, ctx, node_guid, info.node_guid);
	MLX5_SET(hca_vport_context, ctx, cap_mask1, info.cap_mask);
	MLX5_SET(hca_vport_context, ctx, cap_mask1_field_select, HOST_CAP_BITS);
	MLX5_SET(hca_vport_context, ctx, lid, info.lid);
	MLX5_SET(hca_vport_context, ctx, lmc, info.lmc);
	MLX5_SET(hca_vport_context, ctx, init_type_reply, info.init_type_reply);
	MLX5_SET(hca_vport_context, ctx, subnet_timeout, info.subnet_timeout);
	MLX5_SET(hca_vport_context, ctx, sm_lid, info.sm_lid);
	MLX5_SET(hca_vport_context, ctx, sm_sl, info.sm_sl);
	MLX5_SET(hca_vport_context, ctx, qkey_violation_counter,
		 info.qkey_violations);
	MLX5_SET(hca_vport_context, ctx, pkey_violation_counter,
		 info.pkey_violations);
	return 0;
}

int shca_cmd_modify_hca_vport_context(struct shca_cmd *cmd)
{
	void *ctx = MLX5_ADDR_OF(modify_hca_vport_context_in, cmd->in,
				 hca_vport_context);
	u32 mask = MLX5_GET(hca_vport_context, ctx, cap_mask1_field_select);
	struct shca_port *port;
	int err;

	err = pick_port(cmd, &port);
	if (err)
		return err;
	/* GUIDs and the state policy are for virtual functions' vports. */
	if (MLX5_GET(hca_vport_context, ctx, field_select) ||
	    (mask & ~HOST_CAP_BITS))
		return shca_cmd_refuse(cmd, -EINVAL, SHCA_SYND_VPORT_FIELD);
	shca_port_cap_set(port, mask,
			  MLX5_GET(hca_vport_context, ctx, cap_mask1));
	return 0;
}

/* Entry @index, or the whole table when it is ALL_ENTRIES. */
static int pick_range(struct shca_cmd *cmd, u16 index, u32 size, u32 entry,
		      u32 head, enum shca_syndrome why, u32 *first, u32 *n)
{
	*first = index == ALL_ENTRIES ? 0 : index;
	*n = index == ALL_ENTRIES ? size : 1;
	if (*first >= size)
		return shca_cmd_refuse(cmd, -EINVAL, why);
	if ((cmd->outlen - head) / entry < *n)
		return shca_cmd_refuse(cmd, -EMSGSIZE, SHCA_SYND_OUTLEN);
	return 0;
}

int shca_cmd_query_hca_vport_gid(struct shca_cmd *cmd)
{
	u16 index = MLX5_GET(query_hca_vport_gid_in, cmd->in, gid_index);
	__be64 *gid = MLX5_ADDR_OF(query_hca_vport_gid_out, cmd->out, gid);
	struct shca_port_info info;
	struct shca_port *port;
	u32 first, n, i;
	u64 guid;
	int err;

	err = pick_port(cmd, &port);
	if (err)
		return err;
	err = pick_range(cmd, index, shca_hw_limits.gid_table, 2 * sizeof(*gid),
			 MLX5_ST_SZ_BYTES(query_hca_vport_gid_out),
			 SHCA_SYND_GID_INDEX, &first, &n);
	if (err)
		return err;
	shca_port_query(port, &info);
	for (i = 0; i < n; i++) {
		err = shca_port_guid(port, first + i, &guid);
		if (err)
			return err;
		*gid++ = cpu_to_be64(info.subnet_prefix);
		*gid++ = cpu_to_be64(guid);
	}
	MLX5_SET(query_hca_vport_gid_out, cmd->out, gids_num, n);
	return 0;
}

int shca_cmd_query_hca_vport_pkey(struct shca_cmd *cmd)
{
	u16 index = MLX5_GET(query_hca_vport_pkey_in, cmd->in, pkey_index);
	void *out = MLX5_ADDR_OF(query_hca_vport_pkey_out, cmd->out, pkey);
	struct shca_port *port;
	u32 first, n, i;
	u16 pkey;
	int err;

	err = pick_port(cmd, &port);
	if (err)
		return err;
	err = pick_range(cmd, index, shca_hw_limits.pkey_table,
			 MLX5_ST_SZ_BYTES(pkey),
			 MLX5_ST_SZ_BYTES(query_hca_vport_pkey_out),
			 SHCA_SYND_PKEY_INDEX, &first, &n);
	if (err)
		return err;
	for (i = 0; i < n; i++) {
		err = shca_port_pkey(port, first + i, &pkey);
		if (err)
			return err;
		MLX5_SET(pkey, out, pkey, pkey);
		out += MLX5_ST_SZ_BYTES(pkey);
	}
	return 0;
}

int shca_cmd_query_vport_state(struct shca_cmd *cmd)
{
	struct shca_port_info info;
	struct shca_port *port;
	int err;

	err = pick_port(cmd, &port);
	if (err)
		return err;
	if (cmd->op_mod)
		return shca_cmd_refuse(cmd, -EINVAL, SHCA_SYND_OP_MOD);
	shca_port_query(port, &info);
	MLX5_SET(query_vport_state_out, cmd->out, admin_state, STATE_UP);
	if (info.phys_state == SHCA_PHYS_LINKUP)
		MLX5_SET(query_vport_state_out, cmd->out, state, STATE_UP);
	return 0;
}
