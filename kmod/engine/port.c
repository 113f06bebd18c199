// SPDX-License-Identifier: GPL-2.0
/*
 * The function's ports: packets in, and news of the link.
 */
#define pr_fmt(fmt) "softhca: " fmt

#include <linux/err.h>
#include <linux/string.h>
#include <linux/mlx5/qp.h>

#include "engine/rc.h"

#define SHCA_QPN_SPECIAL	2	/* QP0 and QP1 */
#define SHCA_QPN_MCAST		0xffffff

/* A QP0 or QP1 is reached by its well-known number only. */
static bool is_special(const struct shca_qp *qp)
{
	return qp->st == MLX5_QP_ST_QP0 || qp->st == MLX5_QP_ST_QP1;
}

static bool port_rx(struct shca_port *port, const struct shca_pkt *pkt)
{
	struct shca_hw_port *hp = shca_port_priv(port);
	bool special = pkt->dqpn < SHCA_QPN_SPECIAL;
	bool taken = false;
	struct shca_qp *qp;
	u32 qpn;

	if (pkt->dqpn == SHCA_QPN_MCAST) {
		shca_mcast_receive(hp, pkt);
		return true;
	}
	qpn = special ? READ_ONCE(hp->special[pkt->dqpn]) : pkt->dqpn;
	qp = qpn ? shca_qp_get(hp->hw, qpn) : NULL;
	if (qp) {
		if (pkt->connected)
			shca_rc_receive(qp, pkt);
		else if (is_special(qp) == special)
			taken = shca_rq_receive(qp, pkt);
		shca_qp_put(qp);
	}
	return taken || !special || pkt->connected;
}

static int port_copy(struct shca_port *port, const struct shca_pkt *pkt,
		     void *dst)
{
	struct shca_cur to;
	bool src_failed;

	shca_cur_bytes(&to, dst, pkt->len);
	return shca_cur_fill(&to, pkt, &src_failed);
}

/* Under the fabric's mutex: note it for the worker. When nobody came to read
 * for so long the oldest goes: an event says only that something changed.
 */
static void port_event(struct shca_port *port, enum shca_port_event ev)
{
	struct shca_hw_port *hp = shca_port_priv(port);
	struct shca_hw *hw = hp->hw;
	unsigned long flags;
	unsigned int slot;

	spin_lock_irqsave(&hw->event_lock, flags);
	if (hw->event_count == SHCA_HW_EVENTS) {
		hw->event_head = (hw->event_head + 1) % SHCA_HW_EVENTS;
		hw->event_count--;
	}
	slot = (hw->event_head + hw->event_count++) % SHCA_HW_EVENTS;
	hw->events[slot].port = hp->num;
	hw->events[slot].event = ev;
	spin_unlock_irqrestore(&hw->event_lock, flags);
	queue_work(shca_engine_wq, &hw->event_work);
}

static bool event_take(struct shca_hw *hw, struct shca_hw_event *ev)
{
	unsigned long flags;
	bool found;

	spin_lock_irqsave(&hw->event_lock, flags);
	found = hw->event_count;
	if (found) {
		*ev = hw->events[hw->event_head];
		hw->event_head = (hw->event_head + 1) % SHCA_HW_EVENTS;
		hw->event_count--;
	}
	spin_unlock_irqrestore(&hw->event_lock, flags);
	return found;
}

void shca_hw_event_run(struct work_struct *work)
{
	struct shca_hw *hw = container_of(work, struct shca_hw, event_work);
	struct shca_hw_event ev;

	while (event_take(hw, &ev))
		shca_engine_ops->port_event(hw->fn, ev.port, ev.event);
}

static const struct shca_port_ops port_ops = {
	.rx = port_rx,
	.copy = port_copy,
	.event = port_event,
};

int shca_hw_ports_add(struct shca_hw *hw, const struct shca_port_attr *attr)
{
	struct shca_hw_port *hp;
	struct shca_port *port;
	unsigned int i;

	for (i = 0; i < hw->lim.num_ports; i++) {
		hp = &hw->ports[i];
		hp->hw = hw;
		hp->num = i + 1;
		port = shca_port_add(&attr[i], &port_ops, hp);
		if (IS_ERR(port)) {
			shca_hw_ports_del(hw);
			return PTR_ERR(port);
		}
		hp->port = port;
	}
	return 0;
}

void shca_hw_ports_del(struct shca_hw *hw)
{
	unsigned int i;

	for (i = 0; i < SHCA_HW_PORTS; i++) {
		if (hw->ports[i].port)
			shca_port_del(hw->ports[i].port);
		hw->ports[i].port = NULL;
	}
	cancel_work_sync(&hw->event_work);
}
