/* SPDX-License-Identifier: GPL-2.0 */
/*
 * fabric, inside: what the files of this room share.
 *
 * One mutex guards all configuration. Packets do not take it: what they need
 * of a port is in port->route (one word, so always of one moment), port->peer
 * (RCU, set only while the link is physically up) and the GUID and PKey tables
 * (entries read one at a time).
 */
#ifndef SHCA_FABRIC_NODE_H
#define SHCA_FABRIC_NODE_H

#include <linux/atomic.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>
#include <rdma/ib_mad.h>
#include <rdma/ib_smi.h>

#include "fabric/fabric.h"

#define SHCA_LID_MCAST		0xc000
#define SHCA_LID_PERMISSIVE	0xffff
#define SHCA_MAX_PKEYS		256
#define SHCA_MAX_GUIDS		128
#define SHCA_NODE_MAX_PORTS	254
#define SHCA_VL_ARB_CAP		8	/* entries, low and high priority each */
#define SHCA_AGENT_QUEUE	256	/* MADs that wait for a port's agents */

/* MAD status, host byte order: <rdma/ib_mad.h> has the names */
#define SHCA_MAD_OK		IB_MGMT_MAD_STATUS_SUCCESS
#define SHCA_MAD_BAD_VERSION	IB_MGMT_MAD_STATUS_BAD_VERSION
#define SHCA_MAD_BAD_METHOD	IB_MGMT_MAD_STATUS_UNSUPPORTED_METHOD
#define SHCA_MAD_BAD_ATTR	IB_MGMT_MAD_STATUS_UNSUPPORTED_METHOD_ATTRIB
#define SHCA_MAD_BAD_VALUE	IB_MGMT_MAD_STATUS_INVALID_ATTRIB_VALUE

struct shca_node {
	struct list_head list;
	struct list_head port_list;
	unsigned int ports;	/* added so far */
	u8 num_ports;
	u64 guid, sys_guid;
	u16 device_id;
	u32 revision;
	u32 vendor_oui;
	char desc[IB_SMP_DATA_SIZE];
};

struct shca_link {
	struct shca_port *end[2];
	bool up;
};

/* Raw counters only grow; each view keeps the value at which it was set. */
enum shca_cnt {
	SHCA_CNT_XMIT_DATA,
	SHCA_CNT_RCV_DATA,
	SHCA_CNT_XMIT_PKTS,
	SHCA_CNT_RCV_PKTS,
	SHCA_CNT_XMIT_MCAST,
	SHCA_CNT_RCV_MCAST,
	SHCA_CNT_XMIT_MCAST_DATA,
	SHCA_CNT_RCV_MCAST_DATA,
	SHCA_CNT_XMIT_DISCARDS,
	SHCA_CNT_RCV_ERRORS,
	SHCA_CNT_VL15_DROPPED,
	SHCA_CNT_LINK_DOWNED,
	SHCA_CNT_NUM,
};

/* One notice of each kind may wait for its TrapRepress. */
enum shca_notice {
	SHCA_NOTICE_CHANGE,	/* 144 */
	SHCA_NOTICE_BAD_MKEY,	/* 256 */
	SHCA_NOTICE_BAD_PKEY,	/* 257 */
	SHCA_NOTICE_BAD_QKEY,	/* 258 */
	SHCA_NOTICE_NUM,
};

struct shca_trap {
	struct ib_mad_notice_attr attr;
	u64 tid;
	u8 sends;		/* left; 0 = nothing waits */
};

struct shca_port {
	struct list_head list;
	struct shca_node *node;
	const struct shca_port_ops *ops;
	void *priv;
	u64 guid;
	u8 num;

	/* what packets read */
	u32 route;
	struct shca_port __rcu *peer;
	struct shca_impair *impair;	/* set once */
	atomic64_t cnt[SHCA_CNT_NUM];

	/* all below: the fabric's mutex */
	bool gone, enabled;
	struct shca_link *link;
	u8 state, phys;
	u8 want;		/* phys state asked for while there is no link */
	u8 down_default;

	u64 mkey, prefix;
	u16 lid, sm_lid;
	u32 cap_mask;
	u16 cap_mask2;
	u16 mkey_lease;
	u8 mkey_protect;
	bool lease_running;
	unsigned long lease_end;
	u8 lmc, sm_sl;
	u8 width_sup, width_enabled, width_active;
	u8 speed_sup, speed_enabled, speed_active;
	u8 ext_sup, ext_enabled, ext_active;
	u8 mtu_cap, mtu;
	u8 vl_cap, vl_oper, vl_high_limit;
	u8 init_reply, subnet_timeout;
	u8 err_thresholds;	/* local physical, overrun: 4 bits each */
	u16 mkey_violations;
	atomic_t key_violations[2];	/* enum shca_bad_key; any context */

	u16 npkeys;
	u8 nguids;
	u16 *pkeys;
	u64 *guids;
	u8 sl_to_vl[8];
	struct ib_vl_weight_elem vl_arb[2][SHCA_VL_ARB_CAP];	/* low, high */

	u64 cnt_base[SHCA_CNT_NUM];	/* of PortCounters */
	u64 ext_base[SHCA_CNT_NUM];	/* of PortCountersExtended */

	struct work_struct active_work;	/* ActiveEnable: data while Armed */

	spinlock_t agent_lock;	/* the queue */
	struct list_head agent_queue;
	unsigned int agent_len;
	struct work_struct agent_work;

	spinlock_t trap_lock;	/* traps: raised in any context */
	struct shca_trap trap[SHCA_NOTICE_NUM];
	struct delayed_work trap_work;
};

extern struct mutex shca_fabric_lock;
extern struct workqueue_struct *shca_fabric_wq;

/* port->route */
static inline u32 shca_route(u16 lid, u8 lmc, u8 state, u8 mtu)
{
	return lid | lmc << 16 | state << 20 | mtu << 24;
}

static inline u16 shca_route_lid(u32 route)
{
	return route & 0xffff;
}

static inline u8 shca_route_lmc(u32 route)
{
	return route >> 16 & 0xf;
}

static inline u8 shca_route_state(u32 route)
{
	return route >> 20 & 0xf;
}

static inline unsigned int shca_route_mtu(u32 route)
{
	return 128 << (route >> 24);
}

static inline bool shca_route_owns(u32 route, u16 lid)
{
	u16 base = shca_route_lid(route);

	return base && (lid & ~((1u << shca_route_lmc(route)) - 1)) == base;
}

static inline bool shca_lid_is_mcast(u16 lid)
{
	return lid >= SHCA_LID_MCAST && lid != SHCA_LID_PERMISSIVE;
}

static inline bool shca_lid_is_ucast(u16 lid)
{
	return lid && lid < SHCA_LID_MCAST;
}

static inline void shca_cnt_add(struct shca_port *port, enum shca_cnt cnt,
				u64 n)
{
	atomic64_add(n, &port->cnt[cnt]);
}

/* port.c */
void shca_port_publish(struct shca_port *port);
void shca_port_notify(struct shca_port *port, enum shca_port_event ev);
void shca_port_defaults(struct shca_port *port,
			const struct shca_port_attr *attr);

/* trace.c; a seam, so that KUnit links the room without the tracepoints */
void shca_fabric_trace(u64 guid, enum shca_port_event ev);

/* link.c; all under the mutex */
void shca_link_update(struct shca_port *port);
void shca_link_sever(struct shca_port *port);
int shca_link_set_state(struct shca_port *port, u8 state, u8 phys, bool apply);
void shca_link_active_work(struct work_struct *work);

/* walk.c: a packet comes out of the wire; under RCU */
void shca_arrive(struct shca_port *port, const struct shca_pkt *pkt);

/* impair.c */
/* False when the link does nothing to packets: the caller delivers it. */
bool shca_impair_send(struct shca_port *port, struct shca_port *peer,
		      const struct shca_pkt *pkt);
/* What is under way is lost; the mutex held. */
void shca_impair_drop(struct shca_port *port);
/* The cable is gone, and what it did to packets; the mutex held. */
void shca_impair_reset(struct shca_port *port);
/* Nobody sends any more. */
void shca_impair_exit(struct shca_port *port);

/* agent.c */
void shca_agent_queue(struct shca_port *port, const struct shca_pkt *pkt);
void shca_agent_init(struct shca_port *port);
void shca_agent_exit(struct shca_port *port);

/* mad.c */
bool shca_mad_asks(const struct ib_mad_hdr *hdr);

/* smp.c: the directed route as seen by the SMI of a CA. False: discard. */
bool shca_smp_arrive(struct ib_smp *smp, u8 port_num);
bool shca_smp_depart(struct ib_smp *smp, u8 port_num);

/* sma.c; the mutex held */
bool shca_sma_process(struct shca_port *port, const struct ib_smp *in,
		      struct ib_smp *out, u16 slid, bool ignore_mkey);
bool shca_mkey_check(struct shca_port *port, const struct ib_smp *smp,
		     u16 slid, bool ignore, bool *match);

struct shca_port *shca_node_port(struct shca_port *port, u32 num);

/* sma_port_info.c, sma_tables.c, sma_vendor.c: @data is the attribute's 64 bytes. They give
 * the MAD status; a set that fails changes nothing.
 */
u16 shca_sma_port_info_get(struct shca_port *port, u32 mod, void *data);
u16 shca_sma_port_info_set(struct shca_port *port, u32 mod, void *data);
u16 shca_sma_guid_get(struct shca_port *port, u32 mod, void *data);
u16 shca_sma_guid_set(struct shca_port *port, u32 mod, void *data);
u16 shca_sma_pkey_get(struct shca_port *port, u32 mod, void *data);
u16 shca_sma_pkey_set(struct shca_port *port, u32 mod, void *data);
u16 shca_sma_sl_vl_get(struct shca_port *port, u32 mod, void *data);
u16 shca_sma_sl_vl_set(struct shca_port *port, u32 mod, void *data);
u16 shca_sma_vl_arb_get(struct shca_port *port, u32 mod, void *data);
u16 shca_sma_vl_arb_set(struct shca_port *port, u32 mod, void *data);
u16 shca_sma_ext_port_get(struct shca_port *port, u32 mod, void *data);
u16 shca_sma_ext_port_set(struct shca_port *port, u32 mod, void *data);

/* pma.c; the mutex held */
bool shca_pma_process(struct shca_port *port, const struct ib_mad *in,
		      struct ib_mad *out);

/* notice.c */
void shca_notice_init(struct shca_port *port);
void shca_notice_exit(struct shca_port *port);
void shca_notice_change(struct shca_port *port, u8 flags);
void shca_notice_bad_mkey(struct shca_port *port, const struct ib_smp *smp,
			  u16 slid);
void shca_notice_repress(struct shca_port *port, const struct ib_smp *smp);

#endif
