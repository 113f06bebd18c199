// SPDX-License-Identifier: GPL-2.0
/*
 * Multicast: which queue pairs take the packets to a group's GID.
 *
 * Groups come and go under hw->config and are read under RCU. A member is a
 * number in one of the group's places, 0 for a free one: who receives looks the
 * queue pair up, and finds none any more when it is gone.
 */
#define pr_fmt(fmt) "softhca: " fmt

#include <linux/err.h>
#include <linux/rculist.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/mlx5/qp.h>
#include <rdma/ib_verbs.h>

#include "engine/hw.h"

#define SHCA_MGID_PREFIX	0xff

struct shca_mcg {
	struct list_head node;
	struct rcu_head rcu;
	u8 gid[SHCA_GID_SIZE];
	unsigned int n;		/* members */
	u32 qpn[SHCA_MCG_QPS];
};

static struct shca_mcg *mcg_find(struct shca_hw *hw, const u8 *gid)
{
	struct shca_mcg *mcg;

	list_for_each_entry_rcu(mcg, &hw->mcgs, node,
				lockdep_is_held(&hw->config))
		if (!memcmp(mcg->gid, gid, SHCA_GID_SIZE))
			return mcg;
	return NULL;
}

/* The place of @qpn; of 0, a free one. */
static int mcg_place(const struct shca_mcg *mcg, u32 qpn)
{
	unsigned int i;

	for (i = 0; i < SHCA_MCG_QPS; i++)
		if (mcg->qpn[i] == qpn)
			return i;
	return -ENOSPC;
}

static struct shca_mcg *mcg_add(struct shca_hw *hw, const u8 *gid)
{
	struct shca_mcg *mcg;

	if (hw->nmcgs == SHCA_MCGS)
		return ERR_PTR(-ENOSPC);
	mcg = kzalloc(sizeof(*mcg), GFP_KERNEL);
	if (!mcg)
		return ERR_PTR(-ENOMEM);
	memcpy(mcg->gid, gid, sizeof(mcg->gid));
	list_add_tail_rcu(&mcg->node, &hw->mcgs);
	hw->nmcgs++;
	return mcg;
}

static void mcg_del(struct shca_hw *hw, struct shca_mcg *mcg)
{
	list_del_rcu(&mcg->node);
	hw->nmcgs--;
	kfree_rcu(mcg, rcu);
}

/* Joining twice is joining once. */
static int mcg_join(struct shca_hw *hw, const u8 *gid, u32 qpn)
{
	struct shca_mcg *mcg = mcg_find(hw, gid);
	int place;

	if (mcg && mcg_place(mcg, qpn) >= 0)
		return 0;
	if (!mcg)
		mcg = mcg_add(hw, gid);
	if (IS_ERR(mcg))
		return PTR_ERR(mcg);
	place = mcg_place(mcg, 0);
	if (place < 0)
		return place;
	WRITE_ONCE(mcg->qpn[place], qpn);
	mcg->n++;
	return 0;
}

static int mcg_leave(struct shca_hw *hw, struct shca_mcg *mcg, u32 qpn)
{
	int place = mcg_place(mcg, qpn);

	if (place < 0)
		return -ENOENT;
	WRITE_ONCE(mcg->qpn[place], 0);
	if (!--mcg->n)
		mcg_del(hw, mcg);
	return 0;
}

/* A queue pair of @uid that can be in a group. */
static int mcast_check(struct shca_hw *hw, u16 uid, u32 qpn, const u8 *gid)
{
	struct shca_obj *obj;
	u8 st;

	if (gid[0] != SHCA_MGID_PREFIX)
		return -EINVAL;
	obj = shca_obj_get(&hw->qps, qpn, uid);
	if (!obj)
		return -ENOENT;
	st = container_of(obj, struct shca_qp, obj)->st;
	shca_obj_put(obj);
	return st == MLX5_QP_ST_UD ? 0 : -EINVAL;
}

int shca_mcast_attach(struct shca_fn *fn, u16 uid, u32 qpn,
		      const u8 gid[SHCA_GID_SIZE])
{
	struct shca_hw *hw = fn->hw;
	int err;

	mutex_lock(&hw->config);
	err = mcast_check(hw, uid, qpn, gid);
	if (!err)
		err = mcg_join(hw, gid, qpn);
	mutex_unlock(&hw->config);
	return err;
}

int shca_mcast_detach(struct shca_fn *fn, u16 uid, u32 qpn,
		      const u8 gid[SHCA_GID_SIZE])
{
	struct shca_hw *hw = fn->hw;
	struct shca_mcg *mcg;
	int err;

	mutex_lock(&hw->config);
	err = mcast_check(hw, uid, qpn, gid);
	if (!err) {
		mcg = mcg_find(hw, gid);
		err = mcg ? mcg_leave(hw, mcg, qpn) : -ENOENT;
	}
	mutex_unlock(&hw->config);
	return err;
}

void shca_mcast_forget(struct shca_hw *hw, u32 qpn)
{
	struct shca_mcg *mcg, *next;

	lockdep_assert_held(&hw->config);
	list_for_each_entry_safe(mcg, next, &hw->mcgs, node)
		mcg_leave(hw, mcg, qpn);
}

/* Who blocks the loopback does not hear what it sent itself. */
static bool is_own(const struct shca_qp *qp, struct shca_port *port,
		   const struct shca_pkt *pkt)
{
	u64 prefix;
	u16 lid;
	u8 lmc;

	if (!qp->block_lb || pkt->sqpn != qp->obj.id)
		return false;
	shca_port_addr(port, &lid, &lmc, &prefix);
	return (pkt->slid & ~((1U << lmc) - 1)) == lid;
}

static void mcast_deliver(struct shca_hw_port *hp, u32 qpn,
			  const struct shca_pkt *pkt)
{
	struct shca_qp *qp = shca_qp_get(hp->hw, qpn);

	if (!qp)
		return;
	if (qp->port == hp->num && !is_own(qp, hp->port, pkt))
		shca_rq_receive(qp, pkt);
	shca_qp_put(qp);
}

void shca_mcast_receive(struct shca_hw_port *hp, const struct shca_pkt *pkt)
{
	const struct ib_grh *grh = (const struct ib_grh *)pkt->grh_hdr;
	struct shca_mcg *mcg;
	unsigned int i;
	u32 qpn;

	/* Without a GRH the packet says no group. */
	if (!pkt->grh)
		return;
	rcu_read_lock();
	mcg = mcg_find(hp->hw, grh->dgid.raw);
	for (i = 0; mcg && i < SHCA_MCG_QPS; i++) {
		qpn = READ_ONCE(mcg->qpn[i]);
		if (qpn)
			mcast_deliver(hp, qpn, pkt);
	}
	rcu_read_unlock();
}
