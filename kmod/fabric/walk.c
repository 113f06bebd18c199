// SPDX-License-Identifier: GPL-2.0
/*
 * fabric/walk: a packet from the port that sends it to the one that takes it.
 */
#define pr_fmt(fmt) "softhca: " fmt

#include <linux/errno.h>
#include <linux/rcupdate.h>

#include "fabric/node.h"

/* Octets of the headers between BTH and payload. */
static unsigned int shca_pkt_ext(const struct shca_pkt *pkt)
{
	unsigned int deth = 8, reth = 16, aeth = 4, imm = 4;

	if (!pkt->connected)
		return deth + (pkt->has_imm ? imm : 0);
	if (pkt->conn.dmalen)
		return reth + (pkt->has_imm ? imm : 0);
	if (pkt->has_imm)
		return imm;
	return pkt->conn.syndrome ? aeth : 0;
}

/* Octets on the wire from LRH to ICRC, in the counters' units of four. */
static u64 shca_pkt_words(const struct shca_pkt *pkt)
{
	unsigned int lrh = 8, bth = 12, icrc = 4;
	unsigned int grh = pkt->grh ? sizeof(pkt->grh_hdr) : 0;

	return (lrh + grh + bth + shca_pkt_ext(pkt) + ALIGN(pkt->len, 4) +
		icrc) / 4;
}

static void shca_count_xmit(struct shca_port *port, const struct shca_pkt *pkt)
{
	u64 words = shca_pkt_words(pkt);

	shca_cnt_add(port, SHCA_CNT_XMIT_PKTS, 1);
	shca_cnt_add(port, SHCA_CNT_XMIT_DATA, words);
	if (shca_lid_is_mcast(pkt->dlid)) {
		shca_cnt_add(port, SHCA_CNT_XMIT_MCAST, 1);
		shca_cnt_add(port, SHCA_CNT_XMIT_MCAST_DATA, words);
	}
}

static void shca_count_rcv(struct shca_port *port, const struct shca_pkt *pkt)
{
	u64 words = shca_pkt_words(pkt);

	shca_cnt_add(port, SHCA_CNT_RCV_PKTS, 1);
	shca_cnt_add(port, SHCA_CNT_RCV_DATA, words);
	if (shca_lid_is_mcast(pkt->dlid)) {
		shca_cnt_add(port, SHCA_CNT_RCV_MCAST, 1);
		shca_cnt_add(port, SHCA_CNT_RCV_MCAST_DATA, words);
	}
}

static void shca_deliver(struct shca_port *port, const struct shca_pkt *pkt)
{
	if (READ_ONCE(port->gone))
		return;
	if (!port->ops->rx(port, pkt))
		shca_agent_queue(port, pkt);
}

static bool shca_port_takes(u32 route, const struct shca_pkt *pkt)
{
	if (shca_route_owns(route, pkt->dlid))
		return true;
	if (pkt->vl15)
		return pkt->dlid == SHCA_LID_PERMISSIVE;
	return shca_lid_is_mcast(pkt->dlid);
}

/* Data is for a port that is Armed or Active; the first packet that an Armed
 * one gets makes it Active.
 */
static bool shca_data_may_enter(struct shca_port *port, u32 route)
{
	u8 state = shca_route_state(route);

	if (state == SHCA_STATE_ARMED)
		queue_work(shca_fabric_wq, &port->active_work);
	return state >= SHCA_STATE_ARMED;
}

void shca_arrive(struct shca_port *port, const struct shca_pkt *pkt)
{
	u32 route = READ_ONCE(port->route);

	if (READ_ONCE(port->gone))
		return;
	shca_count_rcv(port, pkt);
	if (!pkt->vl15 && !shca_data_may_enter(port, route))
		return;
	if (!shca_port_takes(route, pkt)) {
		shca_cnt_add(port, SHCA_CNT_RCV_ERRORS, 1);
		return;
	}
	shca_deliver(port, pkt);
}

static int shca_send_wire(struct shca_port *port, const struct shca_pkt *pkt)
{
	struct shca_port *peer = rcu_dereference(port->peer);

	if (!peer) {
		shca_cnt_add(port, SHCA_CNT_XMIT_DISCARDS, 1);
		return -ENETDOWN;
	}
	shca_count_xmit(port, pkt);
	if (!shca_impair_send(port, peer, pkt))
		shca_arrive(peer, pkt);
	return 0;
}

/* What the sending port itself wants of the packet. */
static int shca_may_send(u32 route, const struct shca_pkt *pkt)
{
	if (pkt->vl15)
		return pkt->len == SHCA_MAD_SIZE ? 0 : -EMSGSIZE;
	if (shca_route_state(route) != SHCA_STATE_ACTIVE)
		return -ENETDOWN;
	return pkt->len <= shca_route_mtu(route) ? 0 : -EMSGSIZE;
}

static int shca_walk(struct shca_port *port, const struct shca_pkt *pkt)
{
	u32 route = READ_ONCE(port->route);
	int err = shca_may_send(route, pkt);

	if (err) {
		shca_cnt_add(port, SHCA_CNT_XMIT_DISCARDS, 1);
		return err;
	}
	if (shca_route_owns(route, pkt->dlid)) {
		shca_deliver(port, pkt);
		return 0;
	}
	if (!pkt->vl15 && shca_lid_is_mcast(pkt->dlid))
		shca_deliver(port, pkt);
	return shca_send_wire(port, pkt);
}

int shca_port_send(struct shca_port *port, const struct shca_pkt *pkt)
{
	int err;

	rcu_read_lock();
	err = shca_walk(port, pkt);
	rcu_read_unlock();
	return err;
}
