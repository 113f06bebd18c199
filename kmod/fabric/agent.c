// SPDX-License-Identifier: GPL-2.0
/*
 * fabric/agent: MADs for a node whose host does not answer. They wait in a
 * bounded queue, because the agents sleep and the sender must not.
 */
#define pr_fmt(fmt) "softhca: " fmt

#include <linux/slab.h>

#include "fabric/node.h"

struct shca_agent_mad {
	struct list_head list;
	struct shca_pkt pkt;	/* its data is mad[] */
	u8 mad[SHCA_MAD_SIZE] __aligned(8);
};

static bool shca_agent_wants(const struct shca_pkt *pkt)
{
	if (pkt->len != SHCA_MAD_SIZE || shca_lid_is_mcast(pkt->dlid))
		return false;
	if (pkt->vl15)
		return pkt->dqpn == 0;
	return pkt->dqpn == 1 && pkt->qkey == IB_QP1_QKEY;
}

static bool shca_agent_put(struct shca_port *port, struct shca_agent_mad *am)
{
	bool room;

	spin_lock_bh(&port->agent_lock);
	room = port->agent_len < SHCA_AGENT_QUEUE;
	if (room) {
		list_add_tail(&am->list, &port->agent_queue);
		port->agent_len++;
	}
	spin_unlock_bh(&port->agent_lock);
	return room;
}

static struct shca_agent_mad *shca_agent_get(struct shca_port *port)
{
	struct shca_agent_mad *am;

	spin_lock_bh(&port->agent_lock);
	am = list_first_entry_or_null(&port->agent_queue, struct shca_agent_mad,
				      list);
	if (am) {
		list_del(&am->list);
		port->agent_len--;
	}
	spin_unlock_bh(&port->agent_lock);
	return am;
}

void shca_agent_queue(struct shca_port *port, const struct shca_pkt *pkt)
{
	struct shca_agent_mad *am;

	if (!shca_agent_wants(pkt))
		return;
	am = kmalloc(sizeof(*am), GFP_ATOMIC);
	if (am) {
		am->pkt = *pkt;
		memcpy(am->mad, pkt->data, SHCA_MAD_SIZE);
		am->pkt.data = am->mad;
		if (shca_agent_put(port, am)) {
			queue_work(shca_fabric_wq, &port->agent_work);
			return;
		}
		kfree(am);
	}
	if (pkt->vl15)
		shca_cnt_add(port, SHCA_CNT_VL15_DROPPED, 1);
}

static bool shca_agent_pkey_ok(struct shca_port *port, u16 pkey)
{
	unsigned int i;
	u16 own;

	for (i = 0; !shca_port_pkey(port, i, &own); i++) {
		/* Two limited members do not talk to each other. */
		if ((own ^ pkey) << 1 & 0xffff || !(pkey & 0x7fff))
			continue;
		if ((own | pkey) & 0x8000)
			return true;
	}
	return false;
}

/* The way back. A GRH swaps its GIDs; the rest of it stays, as the payload
 * has the same length.
 */
static void shca_agent_turn(struct shca_pkt *pkt)
{
	u8 *sgid = pkt->grh_hdr + 8, *dgid = pkt->grh_hdr + 24, tmp[16];

	swap(pkt->slid, pkt->dlid);
	swap(pkt->sqpn, pkt->dqpn);
	pkt->solicited = false;
	pkt->has_imm = false;
	if (!pkt->grh)
		return;
	memcpy(tmp, sgid, sizeof(tmp));
	memcpy(sgid, dgid, sizeof(tmp));
	memcpy(dgid, tmp, sizeof(tmp));
	pkt->grh_hdr[7] = 0xff;
}

/* By directed route the LIDs of the link are the permissive ones; so is the
 * address of a sender that has no LID yet.
 */
static void shca_agent_turn_smp(struct shca_pkt *pkt, const struct ib_smp *smp)
{
	if (smp->mgmt_class == IB_MGMT_CLASS_SUBN_DIRECTED_ROUTE &&
	    smp->dr_dlid == IB_LID_PERMISSIVE) {
		pkt->slid = SHCA_LID_PERMISSIVE;
		pkt->dlid = SHCA_LID_PERMISSIVE;
	} else if (!pkt->dlid) {
		pkt->dlid = SHCA_LID_PERMISSIVE;
	}
}

static bool shca_agent_accepts(struct shca_port *port,
			       struct shca_agent_mad *am)
{
	struct ib_smp *smp = (struct ib_smp *)am->mad;

	if (am->pkt.vl15) {
		if (smp->mgmt_class == IB_MGMT_CLASS_SUBN_DIRECTED_ROUTE)
			return shca_smp_arrive(smp, port->num);
		return smp->mgmt_class == IB_MGMT_CLASS_SUBN_LID_ROUTED;
	}
	if (!shca_agent_pkey_ok(port, am->pkt.pkey)) {
		shca_port_bad_key(port, SHCA_BAD_PKEY, &am->pkt);
		return false;
	}
	/* SMPs do not come by QP1. */
	return smp->mgmt_class != IB_MGMT_CLASS_SUBN_DIRECTED_ROUTE &&
	       smp->mgmt_class != IB_MGMT_CLASS_SUBN_LID_ROUTED;
}

static void shca_agent_answer(struct shca_port *port, struct shca_agent_mad *am)
{
	u8 answer[SHCA_MAD_SIZE] __aligned(8);
	struct ib_smp *smp = (struct ib_smp *)answer;

	if (!shca_agent_accepts(port, am))
		return;
	if (!shca_mad_process(port, am->mad, answer, am->pkt.slid, false))
		return;
	if (smp->mgmt_class == IB_MGMT_CLASS_SUBN_DIRECTED_ROUTE &&
	    !shca_smp_depart(smp, port->num))
		return;
	shca_agent_turn(&am->pkt);
	if (am->pkt.vl15)
		shca_agent_turn_smp(&am->pkt, smp);
	am->pkt.data = answer;
	shca_port_send(port, &am->pkt);
}

static void shca_agent_work(struct work_struct *work)
{
	struct shca_port *port = container_of(work, struct shca_port,
					      agent_work);
	struct shca_agent_mad *am;

	while ((am = shca_agent_get(port))) {
		if (!READ_ONCE(port->gone))
			shca_agent_answer(port, am);
		kfree(am);
	}
}

void shca_agent_init(struct shca_port *port)
{
	spin_lock_init(&port->agent_lock);
	INIT_LIST_HEAD(&port->agent_queue);
	INIT_WORK(&port->agent_work, shca_agent_work);
}

/* The port is gone: nothing new is queued; what waits is dropped. */
void shca_agent_exit(struct shca_port *port)
{
	struct shca_agent_mad *am;

	cancel_work_sync(&port->agent_work);
	while ((am = shca_agent_get(port)))
		kfree(am);
}
