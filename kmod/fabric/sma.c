// SPDX-License-Identifier: GPL-2.0
/*
 * fabric/sma: the subnet management agent. Checks a SubnGet or SubnSet and
 * hands it to its attribute.
 */
#define pr_fmt(fmt) "softhca: " fmt

#include <linux/jiffies.h>
#include <linux/string.h>

#include "fabric/node.h"

struct shca_sma_attr {
	__be16 id;
	u32 cap;	/* of PortInfo's CapabilityMask; 0: every port has it */
	u16 (*get)(struct shca_port *port, u32 mod, void *data);
	u16 (*set)(struct shca_port *port, u32 mod, void *data);
};

static u16 shca_sma_node_desc(struct shca_port *port, u32 mod, void *data)
{
	if (mod)
		return SHCA_MAD_BAD_VALUE;
	memcpy(data, port->node->desc, IB_SMP_DATA_SIZE);
	return SHCA_MAD_OK;
}

static u16 shca_sma_node_info(struct shca_port *port, u32 mod, void *data)
{
	const struct shca_node *node = port->node;
	struct ib_node_info *info = data;

	if (mod)
		return SHCA_MAD_BAD_VALUE;
	memset(data, 0, IB_SMP_DATA_SIZE);
	info->base_version = IB_MGMT_BASE_VERSION;
	info->class_version = 1;
	info->node_type = 1;	/* channel adapter */
	info->num_ports = node->num_ports;
	info->sys_guid = cpu_to_be64(node->sys_guid);
	info->node_guid = cpu_to_be64(node->guid);
	info->port_guid = cpu_to_be64(port->guid);
	info->partition_cap = cpu_to_be16(port->npkeys);
	info->device_id = cpu_to_be16(node->device_id);
	info->revision = cpu_to_be32(node->revision);
	info->local_port_num = port->num;
	info->vendor_id[0] = node->vendor_oui >> 16;
	info->vendor_id[1] = node->vendor_oui >> 8;
	info->vendor_id[2] = node->vendor_oui;
	return SHCA_MAD_OK;
}

#define SHCA_ATTR_EXT_PORT_INFO	cpu_to_be16(0xff90)

/* The port of the same node that a modifier names; 0 is the one that the SMP
 * came by. NULL when there is none.
 */
struct shca_port *shca_node_port(struct shca_port *port, u32 num)
{
	struct shca_port *other;

	if (!num || num == port->num)
		return port;
	list_for_each_entry(other, &port->node->port_list, list)
		if (other->num == num)
			return other;
	return NULL;
}

/* What is not here has no agent behind it: SwitchInfo and the forwarding
 * tables (a CA has none), SMInfo (the host's SM answers, when there is one),
 * Notice by polling, LedInfo, VendorDiag.
 */
static const struct shca_sma_attr shca_sma_attrs[] = {
	{ IB_SMP_ATTR_NODE_DESC, 0, shca_sma_node_desc, NULL },
	{ IB_SMP_ATTR_NODE_INFO, 0, shca_sma_node_info, NULL },
	{ IB_SMP_ATTR_GUID_INFO, 0, shca_sma_guid_get, shca_sma_guid_set },
	{ IB_SMP_ATTR_PORT_INFO, 0, shca_sma_port_info_get,
	  shca_sma_port_info_set },
	{ IB_SMP_ATTR_PKEY_TABLE, 0, shca_sma_pkey_get, shca_sma_pkey_set },
	{ IB_SMP_ATTR_SL_TO_VL_TABLE, IB_PORT_SL_MAP_SUP, shca_sma_sl_vl_get,
	  shca_sma_sl_vl_set },
	{ IB_SMP_ATTR_VL_ARB_TABLE, 0, shca_sma_vl_arb_get,
	  shca_sma_vl_arb_set },
	{ SHCA_ATTR_EXT_PORT_INFO, 0, shca_sma_ext_port_get,
	  shca_sma_ext_port_set },
};

static const struct shca_sma_attr *shca_sma_find(const struct shca_port *port,
						 __be16 id)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(shca_sma_attrs); i++) {
		const struct shca_sma_attr *attr = &shca_sma_attrs[i];

		if (attr->id == id)
			return (port->cap_mask & attr->cap) == attr->cap ?
				attr : NULL;
	}
	return NULL;
}

/* When the lease ends and no one with the right key has shown up since the
 * first wrong one, the port is open to a new SM.
 */
static void shca_mkey_lease_check(struct shca_port *port)
{
	if (!port->lease_running || time_before(jiffies, port->lease_end))
		return;
	port->lease_running = false;
	port->mkey_protect = 0;
}

static void shca_mkey_violation(struct shca_port *port,
				const struct ib_smp *smp, u16 slid)
{
	if (port->mkey_violations != 0xffff)
		port->mkey_violations++;
	if (!port->lease_running && port->mkey_lease) {
		port->lease_running = true;
		port->lease_end = jiffies + port->mkey_lease * HZ;
	}
	shca_notice_bad_mkey(port, smp, slid);
}

/* False: the SMP is dropped without an answer. @match: it may see the key. */
bool shca_mkey_check(struct shca_port *port, const struct ib_smp *smp,
		     u16 slid, bool ignore, bool *match)
{
	shca_mkey_lease_check(port);
	*match = ignore || !port->mkey ||
		 be64_to_cpu(smp->mkey) == port->mkey;
	if (*match) {
		port->lease_running = false;
		return true;
	}
	if (smp->method == IB_MGMT_METHOD_GET && port->mkey_protect < 2) {
		*match = !port->mkey_protect;
		return true;
	}
	shca_mkey_violation(port, smp, slid);
	return false;
}

static u16 shca_sma_attr_run(struct shca_port *port, const struct ib_smp *in,
			     struct ib_smp *out)
{
	const struct shca_sma_attr *attr = shca_sma_find(port, in->attr_id);
	u32 mod = be32_to_cpu(in->attr_mod);

	if (!attr)
		return SHCA_MAD_BAD_ATTR;
	if (in->method == IB_MGMT_METHOD_GET)
		return attr->get(port, mod, out->data);
	return attr->set ? attr->set(port, mod, out->data) : SHCA_MAD_BAD_ATTR;
}

static u16 shca_sma_run(struct shca_port *port, const struct ib_smp *in,
			struct ib_smp *out)
{
	if (in->base_version != IB_MGMT_BASE_VERSION || in->class_version != 1)
		return SHCA_MAD_BAD_VERSION;
	if (in->method != IB_MGMT_METHOD_GET && in->method != IB_MGMT_METHOD_SET)
		return SHCA_MAD_BAD_METHOD;
	return shca_sma_attr_run(port, in, out);
}

static void shca_sma_finish(const struct ib_smp *in, struct ib_smp *out,
			    u16 status, bool match)
{
	struct ib_port_info *info = (struct ib_port_info *)out->data;

	out->status = cpu_to_be16(status);
	if (in->mgmt_class == IB_MGMT_CLASS_SUBN_DIRECTED_ROUTE)
		out->status |= IB_SMP_DIRECTION;
	out->mkey = 0;
	if (in->attr_id == IB_SMP_ATTR_PORT_INFO && !match)
		info->mkey = 0;
}

/* @out holds the request turned into an answer already. */
bool shca_sma_process(struct shca_port *port, const struct ib_smp *in,
		      struct ib_smp *out, u16 slid, bool ignore_mkey)
{
	bool match;

	lockdep_assert_held(&shca_fabric_lock);
	/* A response by its direction bit; nothing that asks. */
	if (in->mgmt_class == IB_MGMT_CLASS_SUBN_DIRECTED_ROUTE &&
	    (in->status & IB_SMP_DIRECTION))
		return false;
	if (!shca_mkey_check(port, in, slid, ignore_mkey, &match))
		return false;
	if (in->method == IB_MGMT_METHOD_TRAP_REPRESS) {
		shca_notice_repress(port, in);
		return false;
	}
	if (!shca_mad_asks((const struct ib_mad_hdr *)in))
		return false;
	shca_sma_finish(in, out, shca_sma_run(port, in, out), match);
	return true;
}
