// SPDX-License-Identifier: GPL-2.0
/*
 * fabric/port: nodes and their ports, what others may ask and set.
 */
#define pr_fmt(fmt) "softhca: " fmt

#include <linux/err.h>
#include <linux/module.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>

#include "fabric/node.h"

/* All configuration of nodes, ports and links; see node.h. */
DEFINE_MUTEX(shca_fabric_lock);
struct workqueue_struct *shca_fabric_wq;

static LIST_HEAD(shca_nodes);

int shca_fabric_init(void)
{
	shca_fabric_wq = alloc_workqueue("softhca_fabric", WQ_UNBOUND, 0);
	return shca_fabric_wq ? 0 : -ENOMEM;
}

void shca_fabric_exit(void)
{
	WARN_ON(!list_empty(&shca_nodes));
	destroy_workqueue(shca_fabric_wq);
}

/* Packets see a change of LID, LMC, state and MTU as a whole. */
void shca_port_publish(struct shca_port *port)
{
	WRITE_ONCE(port->route, shca_route(port->lid, port->lmc, port->state,
					   port->mtu));
}

void shca_port_notify(struct shca_port *port, enum shca_port_event ev)
{
	lockdep_assert_held(&shca_fabric_lock);
	if (port->gone)
		return;
	shca_fabric_trace(port->guid, ev);
	port->ops->event(port, ev);
}

static struct shca_node *shca_node_find(u64 guid)
{
	struct shca_node *node;

	list_for_each_entry(node, &shca_nodes, list)
		if (node->guid == guid)
			return node;
	return NULL;
}

static struct shca_node *shca_node_get(const struct shca_port_attr *attr)
{
	struct shca_node *node = shca_node_find(attr->node_guid);

	if (node) {
		if (attr->num_ports != node->num_ports)
			return ERR_PTR(-EINVAL);
		node->ports++;
		return node;
	}
	node = kzalloc(sizeof(*node), GFP_KERNEL);
	if (!node)
		return ERR_PTR(-ENOMEM);
	node->ports = 1;
	node->num_ports = attr->num_ports;
	node->guid = attr->node_guid;
	node->sys_guid = attr->sys_guid;
	node->device_id = attr->device_id;
	node->revision = attr->revision;
	node->vendor_oui = attr->vendor_oui;
	memcpy(node->desc, attr->node_desc, sizeof(node->desc));
	INIT_LIST_HEAD(&node->port_list);
	list_add_tail(&node->list, &shca_nodes);
	return node;
}

static void shca_node_put(struct shca_node *node)
{
	if (--node->ports)
		return;
	list_del(&node->list);
	kfree(node);
}

static bool shca_port_attr_ok(const struct shca_port_attr *attr)
{
	return attr->node_guid && attr->port_guid &&
	       attr->num_ports && attr->num_ports <= SHCA_NODE_MAX_PORTS &&
	       attr->port_num && attr->port_num <= attr->num_ports &&
	       attr->pkey_table && attr->pkey_table <= SHCA_MAX_PKEYS &&
	       attr->gid_table && attr->gid_table <= SHCA_MAX_GUIDS &&
	       attr->link_width_sup && attr->link_speed_sup &&
	       attr->mtu_cap >= 1 && attr->mtu_cap <= 5 &&
	       attr->vl_cap >= 1 && attr->vl_cap <= 5;
}

/* CapabilityMask2 says what the extended speeds beyond EDR rest on. */
static void shca_port_cap_mask2(struct shca_port *port)
{
	if (port->width_sup & BIT(4))
		port->cap_mask2 |= IB_PORT_LINK_WIDTH_2X_SUP;
	if (port->ext_sup & BIT(2))
		port->cap_mask2 |= IB_PORT_LINK_SPEED_HDR_SUP;
	if (port->ext_sup & BIT(3))
		port->cap_mask2 |= IB_PORT_LINK_SPEED_NDR_SUP;
	if (port->cap_mask2)
		port->cap_mask |= IB_PORT_CAP_MASK2_SUP;
	if (port->ext_sup)
		port->cap_mask |= IB_PORT_EXTENDED_SPEEDS_SUP;
}

/* The state of a port that no SM has seen yet. */
void shca_port_defaults(struct shca_port *port,
			const struct shca_port_attr *attr)
{
	unsigned int i;

	port->state = SHCA_STATE_DOWN;
	port->phys = SHCA_PHYS_DISABLED;
	port->want = SHCA_PHYS_POLLING;
	port->down_default = SHCA_PHYS_POLLING;
	port->prefix = 0xfe80000000000000ULL;
	port->cap_mask = attr->cap_mask;
	port->width_sup = attr->link_width_sup;
	port->width_enabled = attr->link_width_sup;
	port->width_active = 1;
	port->speed_sup = attr->link_speed_sup;
	port->speed_enabled = attr->link_speed_sup;
	port->speed_active = 1;
	port->ext_sup = attr->link_speed_ext_sup;
	port->ext_enabled = attr->link_speed_ext_sup;
	port->mtu_cap = attr->mtu_cap;
	port->mtu = attr->mtu_cap;
	port->vl_cap = attr->vl_cap;
	port->vl_oper = attr->vl_cap;
	port->err_thresholds = 0x88;
	port->npkeys = attr->pkey_table;
	port->pkeys[0] = IB_DEFAULT_PKEY_FULL;
	port->nguids = attr->gid_table;
	port->guids[0] = attr->port_guid;
	shca_port_cap_mask2(port);
	for (i = 0; i < SHCA_VL_ARB_CAP; i++) {
		port->vl_arb[0][i] = (struct ib_vl_weight_elem){ i, 1 };
		port->vl_arb[1][i] = (struct ib_vl_weight_elem){ i, 0 };
	}
	shca_port_publish(port);
}

static void shca_port_free(struct shca_port *port)
{
	kfree(port->pkeys);
	kfree(port->guids);
	kfree(port);
}

static struct shca_port *shca_port_alloc(const struct shca_port_attr *attr,
					 const struct shca_port_ops *ops,
					 void *priv)
{
	struct shca_port *port = kzalloc(sizeof(*port), GFP_KERNEL);

	if (!port)
		return NULL;
	port->pkeys = kcalloc(attr->pkey_table, sizeof(*port->pkeys),
			      GFP_KERNEL);
	port->guids = kcalloc(attr->gid_table, sizeof(*port->guids),
			      GFP_KERNEL);
	if (!port->pkeys || !port->guids) {
		shca_port_free(port);
		return NULL;
	}
	port->ops = ops;
	port->priv = priv;
	port->guid = attr->port_guid;
	port->num = attr->port_num;
	INIT_WORK(&port->active_work, shca_link_active_work);
	shca_agent_init(port);
	shca_notice_init(port);
	shca_port_defaults(port, attr);
	return port;
}

static bool shca_node_has_port(const struct shca_node *node, u8 num)
{
	struct shca_port *port;

	list_for_each_entry(port, &node->port_list, list)
		if (port->num == num)
			return true;
	return false;
}

static int shca_port_attach(struct shca_port *port,
			    const struct shca_port_attr *attr)
{
	struct shca_node *node = shca_node_get(attr);

	if (IS_ERR(node))
		return PTR_ERR(node);
	if (shca_node_has_port(node, port->num)) {
		shca_node_put(node);
		return -EEXIST;
	}
	port->node = node;
	list_add_tail(&port->list, &node->port_list);
	return 0;
}

struct shca_port *shca_port_add(const struct shca_port_attr *attr,
				const struct shca_port_ops *ops, void *priv)
{
	struct shca_port *port;
	int err;

	if (!shca_port_attr_ok(attr))
		return ERR_PTR(-EINVAL);
	port = shca_port_alloc(attr, ops, priv);
	if (!port)
		return ERR_PTR(-ENOMEM);

	mutex_lock(&shca_fabric_lock);
	err = shca_port_attach(port, attr);
	mutex_unlock(&shca_fabric_lock);
	if (err) {
		shca_port_free(port);
		return ERR_PTR(err);
	}
	return port;
}

void shca_port_del(struct shca_port *port)
{
	mutex_lock(&shca_fabric_lock);
	WRITE_ONCE(port->gone, true);
	shca_link_sever(port);
	list_del(&port->list);
	mutex_unlock(&shca_fabric_lock);

	/* No packet is on its way to this port any more; then its own work. */
	synchronize_rcu();
	shca_impair_exit(port);
	shca_notice_exit(port);
	shca_agent_exit(port);
	cancel_work_sync(&port->active_work);

	mutex_lock(&shca_fabric_lock);
	shca_node_put(port->node);
	mutex_unlock(&shca_fabric_lock);
	shca_port_free(port);
}

void *shca_port_priv(struct shca_port *port)
{
	return port->priv;
}

static void shca_port_query_link(const struct shca_port *port,
				 struct shca_port_info *info)
{
	info->state = port->state;
	info->phys_state = port->phys;
	info->link_width_active = port->width_active;
	info->link_speed_active = port->speed_active;
	info->link_speed_ext_active = port->ext_active;
	info->link_width_enabled = port->width_enabled;
	info->link_speed_enabled = port->speed_enabled;
	info->link_speed_ext_enabled = port->ext_enabled;
	info->link_width_sup = port->width_sup;
	info->link_speed_sup = port->speed_sup;
	info->link_speed_ext_sup = port->ext_sup;
	info->mtu_cap = port->mtu_cap;
	info->mtu_active = port->mtu;
	info->vl_cap = port->vl_cap;
	info->vl_oper = port->vl_oper;
}

static void shca_port_query_subnet(const struct shca_port *port,
				   struct shca_port_info *info)
{
	info->lid = port->lid;
	info->sm_lid = port->sm_lid;
	info->lmc = port->lmc;
	info->sm_sl = port->sm_sl;
	info->cap_mask = port->cap_mask;
	info->subnet_timeout = port->subnet_timeout;
	info->init_type_reply = port->init_reply;
	info->mkey_violations = port->mkey_violations;
	info->pkey_violations =
		atomic_read(&port->key_violations[SHCA_BAD_PKEY]);
	info->qkey_violations =
		atomic_read(&port->key_violations[SHCA_BAD_QKEY]);
	info->subnet_prefix = port->prefix;
	info->port_guid = port->guid;
	info->node_guid = port->node->guid;
	info->sys_guid = port->node->sys_guid;
	memcpy(info->node_desc, port->node->desc, sizeof(info->node_desc));
}

void shca_port_query(struct shca_port *port, struct shca_port_info *info)
{
	mutex_lock(&shca_fabric_lock);
	shca_port_query_link(port, info);
	shca_port_query_subnet(port, info);
	mutex_unlock(&shca_fabric_lock);
}

void shca_port_stat(struct shca_port *port, struct shca_port_stat *stat)
{
#define CNT(name) atomic64_read(&port->cnt[SHCA_CNT_##name])
	stat->xmit_data = CNT(XMIT_DATA);
	stat->rcv_data = CNT(RCV_DATA);
	stat->xmit_pkts = CNT(XMIT_PKTS);
	stat->rcv_pkts = CNT(RCV_PKTS);
	stat->xmit_mcast_pkts = CNT(XMIT_MCAST);
	stat->rcv_mcast_pkts = CNT(RCV_MCAST);
	stat->xmit_mcast_data = CNT(XMIT_MCAST_DATA);
	stat->rcv_mcast_data = CNT(RCV_MCAST_DATA);
	stat->xmit_discards = CNT(XMIT_DISCARDS);
	stat->rcv_errors = CNT(RCV_ERRORS);
	stat->vl15_dropped = CNT(VL15_DROPPED);
	stat->link_downed = CNT(LINK_DOWNED);
#undef CNT
}

int shca_port_guid(struct shca_port *port, unsigned int index, u64 *guid)
{
	if (index >= port->nguids)
		return -EINVAL;
	*guid = READ_ONCE(port->guids[index]);
	return 0;
}

int shca_port_pkey(struct shca_port *port, unsigned int index, u16 *pkey)
{
	if (index >= port->npkeys)
		return -EINVAL;
	*pkey = READ_ONCE(port->pkeys[index]);
	return 0;
}

void shca_port_addr(struct shca_port *port, u16 *lid, u8 *lmc, u64 *prefix)
{
	u32 route = READ_ONCE(port->route);

	*lid = shca_route_lid(route);
	*lmc = shca_route_lmc(route);
	*prefix = READ_ONCE(port->prefix);
}

void shca_port_cap_set(struct shca_port *port, u32 mask, u32 bits)
{
	u32 cap;

	mutex_lock(&shca_fabric_lock);
	cap = (port->cap_mask & ~mask) | (bits & mask);
	if (cap != port->cap_mask) {
		WRITE_ONCE(port->cap_mask, cap);
		shca_notice_change(port, 0);
	}
	mutex_unlock(&shca_fabric_lock);
}

void shca_port_node_desc_set(struct shca_port *port, const char desc[64])
{
	struct shca_node *node = port->node;

	mutex_lock(&shca_fabric_lock);
	if (memcmp(node->desc, desc, sizeof(node->desc))) {
		memcpy(node->desc, desc, sizeof(node->desc));
		shca_notice_change(port, IB_NOTICE_TRAP_NODE_DESC_CHG);
	}
	mutex_unlock(&shca_fabric_lock);
}
