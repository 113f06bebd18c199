// SPDX-License-Identifier: GPL-2.0
/*
 * fabric/sma_port_info: PortInfo (IBTA 14.2.5.6) of a CA port.
 *
 * A set is checked as a whole before anything of it is done. Fields in which a
 * value means "no change", fields that only a switch has, and those that can
 * only be read are passed over.
 */
#define pr_fmt(fmt) "softhca: " fmt

#include <linux/build_bug.h>
#include <linux/string.h>

#include "fabric/node.h"

/* What <rdma/ib_smi.h> names ends before the word on extended link speeds; to
 * C that word is the padding of its struct.
 */
union shca_port_info_mad {
	struct ib_port_info base;
	struct {
		u8 named[60];
		__be16 cap_mask2;
		u8 ext_active_sup;
		u8 ext_enabled;
	};
};

#define SHCA_RESP_TIME		16	/* 4.096 us << 16: 0.27 s */
#define SHCA_MOD_EXT_SPEEDS	BIT(31)	/* the SM knows extended speeds */
#define SHCA_CLIENT_REREG	0x80
#define SHCA_WIDTH_SUPPORTED	0xff
#define SHCA_SPEED_SUPPORTED	0xf
#define SHCA_EXT_SUPPORTED	31
#define SHCA_EXT_DISABLED	30

static u8 hi(u8 v)
{
	return v >> 4;
}

static u8 lo(u8 v)
{
	return v & 0xf;
}

static void shca_port_info_subnet(const struct shca_port *port,
				  struct ib_port_info *info)
{
	info->mkey = cpu_to_be64(port->mkey);
	info->gid_prefix = cpu_to_be64(port->prefix);
	info->lid = cpu_to_be16(port->lid);
	info->sm_lid = cpu_to_be16(port->sm_lid);
	info->cap_mask = cpu_to_be32(port->cap_mask);
	info->mkey_lease_period = cpu_to_be16(port->mkey_lease);
	info->mkeyprot_resv_lmc = port->mkey_protect << 6 | port->lmc;
	info->mkey_violations = cpu_to_be16(port->mkey_violations);
	info->pkey_violations =
		cpu_to_be16(atomic_read(&port->key_violations[SHCA_BAD_PKEY]));
	info->qkey_violations =
		cpu_to_be16(atomic_read(&port->key_violations[SHCA_BAD_QKEY]));
	info->guid_cap = port->nguids;
	info->clientrereg_resv_subnetto = port->subnet_timeout;
	info->resv_resptimevalue = SHCA_RESP_TIME;
}

static void shca_port_info_link(const struct shca_port *port,
				union shca_port_info_mad *mad)
{
	struct ib_port_info *info = &mad->base;
	u8 arb = port->vl_cap > 1 ? SHCA_VL_ARB_CAP : 0;

	info->link_width_enabled = port->width_enabled;
	info->link_width_supported = port->width_sup;
	info->link_width_active = port->width_active;
	info->linkspeed_portstate = port->speed_sup << 4 | port->state;
	info->portphysstate_linkdown = port->phys << 4 | port->down_default;
	info->linkspeedactive_enabled = port->speed_active << 4 |
					port->speed_enabled;
	info->neighbormtu_mastersmsl = port->mtu << 4 | port->sm_sl;
	info->vlcap_inittype = port->vl_cap << 4;
	info->vl_high_limit = port->vl_high_limit;
	info->vl_arb_high_cap = arb;
	info->vl_arb_low_cap = arb;
	info->inittypereply_mtucap = port->init_reply << 4 | port->mtu_cap;
	info->operationalvl_pei_peo_fpi_fpo = port->vl_oper << 4;
	info->localphyerrors_overrunerrors = port->err_thresholds;
	mad->cap_mask2 = cpu_to_be16(port->cap_mask2);
	mad->ext_active_sup = port->ext_active << 4 | port->ext_sup;
	mad->ext_enabled = port->ext_enabled;
}

u16 shca_sma_port_info_get(struct shca_port *port, u32 mod, void *data)
{
	struct shca_port *of = shca_node_port(port, mod & ~SHCA_MOD_EXT_SPEEDS);
	union shca_port_info_mad *mad = data;

	BUILD_BUG_ON(sizeof(*mad) != IB_SMP_DATA_SIZE);
	if (!of)
		return SHCA_MAD_BAD_VALUE;
	memset(mad, 0, sizeof(*mad));
	shca_port_info_subnet(of, &mad->base);
	shca_port_info_link(of, mad);
	mad->base.local_port_num = port->num;
	return SHCA_MAD_OK;
}

/* "All that is supported" and "no change" made into a plain value. */
static u8 shca_width_wanted(const struct shca_port *port, u8 v)
{
	if (!v)
		return port->width_enabled;
	return v == SHCA_WIDTH_SUPPORTED ? port->width_sup : v;
}

static u8 shca_speed_wanted(const struct shca_port *port, u8 v)
{
	if (!v)
		return port->speed_enabled;
	return v == SHCA_SPEED_SUPPORTED ? port->speed_sup : v;
}

static u8 shca_ext_wanted(const struct shca_port *port, u8 v)
{
	switch (v) {
	case 0:
		return port->ext_enabled;
	case SHCA_EXT_DISABLED:
		return 0;
	case SHCA_EXT_SUPPORTED:
		return port->ext_sup;
	default:
		return v;
	}
}

static bool shca_lids_ok(const struct shca_port *port,
			 const struct ib_port_info *info)
{
	u16 lid = be16_to_cpu(info->lid), sm_lid = be16_to_cpu(info->sm_lid);
	u16 span = (1u << (info->mkeyprot_resv_lmc & 7)) - 1;

	/* 0 is a port that has no LID yet, not one to be given. */
	if (lid != port->lid && !shca_lid_is_ucast(lid))
		return false;
	if (sm_lid != port->sm_lid && !shca_lid_is_ucast(sm_lid))
		return false;
	return !(lid & span) && (!lid || shca_lid_is_ucast(lid + span));
}

static bool shca_link_fields_ok(const struct shca_port *port,
				const union shca_port_info_mad *mad)
{
	const struct ib_port_info *info = &mad->base;
	u8 width = shca_width_wanted(port, info->link_width_enabled);
	u8 speed = shca_speed_wanted(port, lo(info->linkspeedactive_enabled));
	u8 ext = shca_ext_wanted(port, mad->ext_enabled & 0x1f);
	u8 mtu = hi(info->neighbormtu_mastersmsl);
	u8 vls = hi(info->operationalvl_pei_peo_fpi_fpo);

	return !(width & ~port->width_sup) && !(speed & ~port->speed_sup) &&
	       !(ext & ~port->ext_sup) &&
	       mtu && mtu <= port->mtu_cap && vls <= port->vl_cap &&
	       lo(info->portphysstate_linkdown) <= SHCA_PHYS_POLLING;
}

static bool shca_port_info_ok(struct shca_port *port,
			      const union shca_port_info_mad *mad)
{
	const struct ib_port_info *info = &mad->base;

	return shca_lids_ok(port, info) && shca_link_fields_ok(port, mad) &&
	       !shca_link_set_state(port, lo(info->linkspeed_portstate),
				    hi(info->portphysstate_linkdown), false);
}

/* LID, LMC, SM and prefix: what consumers of the port have to hear of. */
static void shca_port_info_address(struct shca_port *port,
				   const struct ib_port_info *info)
{
	u16 lid = be16_to_cpu(info->lid), sm_lid = be16_to_cpu(info->sm_lid);
	u8 lmc = info->mkeyprot_resv_lmc & 7;
	u8 sm_sl = lo(info->neighbormtu_mastersmsl);
	u64 prefix = be64_to_cpu(info->gid_prefix);
	bool moved = lid != port->lid || lmc != port->lmc ||
		     sm_lid != port->sm_lid || sm_sl != port->sm_sl;
	bool renamed = prefix != port->prefix;

	port->lid = lid;
	port->lmc = lmc;
	WRITE_ONCE(port->sm_lid, sm_lid);
	port->sm_sl = sm_sl;
	WRITE_ONCE(port->prefix, prefix);
	port->mtu = hi(info->neighbormtu_mastersmsl);
	shca_port_publish(port);
	if (moved)
		shca_port_notify(port, SHCA_PORT_LID);
	if (renamed)
		shca_port_notify(port, SHCA_PORT_GUID);
}

static void shca_port_info_keys(struct shca_port *port,
				const struct ib_port_info *info)
{
	port->mkey = be64_to_cpu(info->mkey);
	port->mkey_lease = be16_to_cpu(info->mkey_lease_period);
	port->mkey_protect = info->mkeyprot_resv_lmc >> 6;
	/* The counters can be cleared, not written. */
	if (!info->mkey_violations)
		port->mkey_violations = 0;
	if (!info->pkey_violations)
		atomic_set(&port->key_violations[SHCA_BAD_PKEY], 0);
	if (!info->qkey_violations)
		atomic_set(&port->key_violations[SHCA_BAD_QKEY], 0);
}

static void shca_port_info_params(struct shca_port *port,
				  const union shca_port_info_mad *mad)
{
	const struct ib_port_info *info = &mad->base;
	u8 down_default = lo(info->portphysstate_linkdown);
	u8 vls = hi(info->operationalvl_pei_peo_fpi_fpo);

	port->width_enabled = shca_width_wanted(port, info->link_width_enabled);
	port->speed_enabled =
		shca_speed_wanted(port, lo(info->linkspeedactive_enabled));
	port->ext_enabled = shca_ext_wanted(port, mad->ext_enabled & 0x1f);
	port->vl_high_limit = info->vl_high_limit;
	port->init_reply = hi(info->inittypereply_mtucap);
	port->subnet_timeout = info->clientrereg_resv_subnetto & 0x1f;
	port->err_thresholds = info->localphyerrors_overrunerrors;
	if (vls)
		port->vl_oper = vls;
	if (down_default)
		port->down_default = down_default;
}

static void shca_port_info_apply(struct shca_port *port,
				 const union shca_port_info_mad *mad,
				 bool rereg)
{
	const struct ib_port_info *info = &mad->base;

	shca_port_info_keys(port, info);
	shca_port_info_params(port, mad);
	shca_port_info_address(port, info);
	if (rereg)
		shca_port_notify(port, SHCA_PORT_REREG);
	/* Last: it tells of a port that is ready. */
	shca_link_set_state(port, lo(info->linkspeed_portstate),
			    hi(info->portphysstate_linkdown), true);
}

u16 shca_sma_port_info_set(struct shca_port *port, u32 mod, void *data)
{
	struct shca_port *of = shca_node_port(port, mod & ~SHCA_MOD_EXT_SPEEDS);
	union shca_port_info_mad *mad = data;
	u8 rereg = mad->base.clientrereg_resv_subnetto & SHCA_CLIENT_REREG;

	if (!of || !shca_port_info_ok(of, mad))
		return SHCA_MAD_BAD_VALUE;
	if (!(of->cap_mask & IB_PORT_CLIENT_REG_SUP))
		rereg = 0;
	shca_port_info_apply(of, mad, rereg);

	shca_sma_port_info_get(port, mod, data);
	/* The answer shows that the request for it was seen. */
	mad->base.clientrereg_resv_subnetto |= rereg;
	return SHCA_MAD_OK;
}
