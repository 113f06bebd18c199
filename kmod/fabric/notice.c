// SPDX-License-Identifier: GPL-2.0
/*
 * fabric/notice: traps of a CA port to the master SM, sent again at the pace of
 * PortInfo:SubnetTimeOut until the SM represses them.
 *
 * A few attempts only: an SM that is gone must not be called for ever.
 */
#define pr_fmt(fmt) "softhca: " fmt

#include <linux/build_bug.h>
#include <linux/jiffies.h>
#include <linux/string.h>

#include "fabric/node.h"

#define SHCA_TRAP_SENDS		5
#define SHCA_TRAP_MIN_MS	100
#define SHCA_TRAP_MAX_MS	10000

static void shca_notice_head(struct ib_mad_notice_attr *attr, u8 type,
			     __be16 trap)
{
	memset(attr, 0, sizeof(*attr));
	attr->generic_type = type;
	attr->prod_type_lsb = IB_NOTICE_PROD_CA;
	attr->trap_num = trap;
}

/* One that waits already is brought up to date and keeps its pace. */
static void shca_notice_raise(struct shca_port *port, enum shca_notice kind,
			      const struct ib_mad_notice_attr *attr)
{
	static atomic64_t tid;
	struct shca_trap *trap = &port->trap[kind];
	unsigned long flags;

	if (!(READ_ONCE(port->cap_mask) & IB_PORT_TRAP_SUP) ||
	    !READ_ONCE(port->sm_lid) || READ_ONCE(port->gone))
		return;
	spin_lock_irqsave(&port->trap_lock, flags);
	trap->attr = *attr;
	trap->tid = atomic64_inc_return(&tid);
	trap->sends = SHCA_TRAP_SENDS;
	spin_unlock_irqrestore(&port->trap_lock, flags);
	queue_delayed_work(shca_fabric_wq, &port->trap_work, 0);
}

/* Trap 144. @flags: what changed, 0 for the CapabilityMask. */
void shca_notice_change(struct shca_port *port, u8 flags)
{
	struct ib_mad_notice_attr attr;

	lockdep_assert_held(&shca_fabric_lock);
	if (flags ? !(port->cap_mask & IB_PORT_OTHER_LOCAL_CHANGES_SUP) :
		    !(port->cap_mask & IB_PORT_CAP_MASK_NOTICE_SUP))
		return;
	shca_notice_head(&attr, IB_NOTICE_TYPE_INFO,
			 IB_NOTICE_TRAP_CAP_MASK_CHG);
	attr.details.ntc_144.lid = cpu_to_be16(port->lid);
	attr.details.ntc_144.local_changes = !!flags;
	attr.details.ntc_144.new_cap_mask = cpu_to_be32(port->cap_mask);
	attr.details.ntc_144.change_flags = flags;
	shca_notice_raise(port, SHCA_NOTICE_CHANGE, &attr);
}

static void shca_notice_dr_path(struct ib_mad_notice_attr *attr,
				const struct ib_smp *smp)
{
	unsigned int room = sizeof(attr->details.ntc_256.dr_rtn_path);
	unsigned int hops = smp->hop_cnt;

	attr->details.ntc_256.dr_slid = smp->dr_slid;
	attr->details.ntc_256.dr_trunc_hop = IB_NOTICE_TRAP_DR_NOTICE;
	if (hops > room) {
		attr->details.ntc_256.dr_trunc_hop |= IB_NOTICE_TRAP_DR_TRUNC;
		hops = room;
	}
	attr->details.ntc_256.dr_trunc_hop |= hops;
	memcpy(attr->details.ntc_256.dr_rtn_path, smp->return_path, hops);
}

/* Trap 256: an SMP with a wrong M_Key. */
void shca_notice_bad_mkey(struct shca_port *port, const struct ib_smp *smp,
			  u16 slid)
{
	struct ib_mad_notice_attr attr;

	shca_notice_head(&attr, IB_NOTICE_TYPE_SECURITY,
			 IB_NOTICE_TRAP_BAD_MKEY);
	attr.details.ntc_256.lid = cpu_to_be16(slid);
	attr.details.ntc_256.method = smp->method;
	attr.details.ntc_256.attr_id = smp->attr_id;
	attr.details.ntc_256.attr_mod = smp->attr_mod;
	attr.details.ntc_256.mkey = smp->mkey;
	if (smp->mgmt_class == IB_MGMT_CLASS_SUBN_DIRECTED_ROUTE)
		shca_notice_dr_path(&attr, smp);
	shca_notice_raise(port, SHCA_NOTICE_BAD_MKEY, &attr);
}

static void shca_count_bad_key(atomic_t *count)
{
	atomic_add_unless(count, 1, U16_MAX);
}

/* Traps 257 and 258: a packet with a wrong P_Key or Q_Key. */
void shca_port_bad_key(struct shca_port *port, enum shca_bad_key which,
		       const struct shca_pkt *pkt)
{
	bool pkey = which == SHCA_BAD_PKEY;
	struct ib_mad_notice_attr attr;

	shca_count_bad_key(&port->key_violations[which]);
	shca_notice_head(&attr, IB_NOTICE_TYPE_SECURITY,
			 pkey ? IB_NOTICE_TRAP_BAD_PKEY :
				IB_NOTICE_TRAP_BAD_QKEY);
	attr.details.ntc_257_258.lid1 = cpu_to_be16(pkt->slid);
	attr.details.ntc_257_258.lid2 = cpu_to_be16(pkt->dlid);
	attr.details.ntc_257_258.key = cpu_to_be32(pkey ? pkt->pkey : pkt->qkey);
	attr.details.ntc_257_258.sl_qp1 =
		cpu_to_be32((u32)pkt->sl << 28 | (pkt->sqpn & 0xffffff));
	attr.details.ntc_257_258.qp2 = cpu_to_be32(pkt->dqpn & 0xffffff);
	if (pkt->grh) {
		memcpy(&attr.details.ntc_257_258.gid1, pkt->grh_hdr + 8, 16);
		memcpy(&attr.details.ntc_257_258.gid2, pkt->grh_hdr + 24, 16);
	}
	shca_notice_raise(port, pkey ? SHCA_NOTICE_BAD_PKEY :
				       SHCA_NOTICE_BAD_QKEY, &attr);
}

/* The SM has heard it: the TrapRepress carries the trap's transaction ID. */
void shca_notice_repress(struct shca_port *port, const struct ib_smp *smp)
{
	u64 tid = be64_to_cpu(smp->tid);
	unsigned int i;

	if (smp->attr_id != IB_SMP_ATTR_NOTICE)
		return;
	spin_lock_irq(&port->trap_lock);
	for (i = 0; i < SHCA_NOTICE_NUM; i++)
		if (port->trap[i].tid == tid)
			port->trap[i].sends = 0;
	spin_unlock_irq(&port->trap_lock);
}

/* The SM's address and our own at this moment; false: there is no way to it. */
static bool shca_trap_address(struct shca_port *port, struct shca_pkt *pkt,
			      unsigned int *pace)
{
	mutex_lock(&shca_fabric_lock);
	pkt->slid = port->lid;
	pkt->dlid = port->sm_lid;
	pkt->sl = port->sm_sl;
	*pace = clamp_t(u64, (4096ULL << port->subnet_timeout) / NSEC_PER_MSEC,
			SHCA_TRAP_MIN_MS, SHCA_TRAP_MAX_MS);
	mutex_unlock(&shca_fabric_lock);
	return pkt->slid && pkt->dlid;
}

static void shca_trap_send(struct shca_port *port, const struct shca_trap *trap,
			   struct shca_pkt *pkt)
{
	struct ib_mad_notice_attr *attr;
	struct ib_smp smp = {
		.base_version = IB_MGMT_BASE_VERSION,
		.mgmt_class = IB_MGMT_CLASS_SUBN_LID_ROUTED,
		.class_version = 1,
		.method = IB_MGMT_METHOD_TRAP,
		.tid = cpu_to_be64(trap->tid),
		.attr_id = IB_SMP_ATTR_NOTICE,
	};

	BUILD_BUG_ON(sizeof(*attr) > IB_SMP_DATA_SIZE);
	attr = (struct ib_mad_notice_attr *)smp.data;
	memcpy(attr, &trap->attr, sizeof(*attr));
	attr->issuer_lid = cpu_to_be16(pkt->slid);
	pkt->vl15 = 1;
	pkt->len = sizeof(smp);
	pkt->data = (u8 *)&smp;
	shca_port_send(port, pkt);
}

/* Takes one attempt off; false: this one does not wait. */
static bool shca_trap_take(struct shca_port *port, unsigned int kind,
			   struct shca_trap *trap, bool *more)
{
	bool waits;

	spin_lock_irq(&port->trap_lock);
	waits = port->trap[kind].sends > 0;
	if (waits) {
		*trap = port->trap[kind];
		if (--port->trap[kind].sends)
			*more = true;
	}
	spin_unlock_irq(&port->trap_lock);
	return waits;
}

static void shca_trap_work(struct work_struct *work)
{
	struct shca_port *port = container_of(to_delayed_work(work),
					      struct shca_port, trap_work);
	struct shca_pkt pkt = {};
	bool reachable, more = false;
	struct shca_trap trap;
	unsigned int i, pace;

	reachable = shca_trap_address(port, &pkt, &pace);
	for (i = 0; i < SHCA_NOTICE_NUM; i++)
		if (shca_trap_take(port, i, &trap, &more) && reachable)
			shca_trap_send(port, &trap, &pkt);
	if (more)
		queue_delayed_work(shca_fabric_wq, &port->trap_work,
				   msecs_to_jiffies(pace));
}

void shca_notice_init(struct shca_port *port)
{
	spin_lock_init(&port->trap_lock);
	INIT_DELAYED_WORK(&port->trap_work, shca_trap_work);
}

void shca_notice_exit(struct shca_port *port)
{
	cancel_delayed_work_sync(&port->trap_work);
}
