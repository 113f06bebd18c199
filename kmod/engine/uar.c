// SPDX-License-Identifier: GPL-2.0
/*
 * UAR pages: who rings there, and what a hint leads to.
 *
 * A doorbell word may have been overwritten by the next one before anybody
 * looked. So the queue that a hint names is served first, and then all others
 * of the page are looked at once.
 */
#define pr_fmt(fmt) "softhca: " fmt

#include <linux/err.h>
#include <linux/slab.h>

#include "engine/hw.h"
#include "pci/pci.h"

#define SHCA_SWEEP_BUDGET	32	/* queues per page and round */

static struct shca_uar *uar_get(struct shca_hw *hw, u32 index, u16 uid)
{
	struct shca_obj *obj = shca_obj_get(&hw->uars, index, uid);

	return obj ? container_of(obj, struct shca_uar, obj) : NULL;
}

int shca_uar_alloc(struct shca_fn *fn, u16 uid, u32 *index)
{
	struct shca_hw *hw = fn->hw;
	struct shca_uar *uar;
	int err;

	uar = kzalloc(sizeof(*uar), GFP_KERNEL);
	if (!uar)
		return -ENOMEM;
	spin_lock_init(&uar->lock);
	INIT_LIST_HEAD(&uar->qps);
	INIT_LIST_HEAD(&uar->cqs);

	mutex_lock(&hw->config);
	err = shca_obj_add(&hw->uars, &uar->obj, uid);
	if (!err) {
		*index = uar->obj.id;
		memset_io(shca_bar(fn) + ((u64)*index << SHCA_UAR_SHIFT), 0,
			  1 << SHCA_UAR_SHIFT);
	}
	mutex_unlock(&hw->config);
	if (err)
		kfree(uar);
	return err;
}

int shca_uar_free(struct shca_fn *fn, u16 uid, u32 index)
{
	struct shca_hw *hw = fn->hw;
	struct shca_obj *obj;

	mutex_lock(&hw->config);
	obj = shca_obj_del(&hw->uars, index, uid);
	mutex_unlock(&hw->config);
	if (IS_ERR(obj))
		return PTR_ERR(obj);
	kfree_rcu(container_of(obj, struct shca_uar, obj), obj.rcu);
	return 0;
}

struct shca_uar *shca_uar_get_held(struct shca_hw *hw, u32 index, u16 uid)
{
	struct shca_uar *uar = uar_get(hw, index, uid);

	if (!uar)
		return NULL;
	shca_obj_hold(&uar->obj);
	shca_obj_put(&uar->obj);
	return uar;
}

void shca_uar_put_held(struct shca_uar *uar)
{
	shca_obj_unhold(&uar->obj);
}

static void uar_open(struct shca_hw *hw, struct shca_uar *uar)
{
	if (uar->nqps + uar->ncqs == 1)
		shca_db_polling.open(hw, uar->obj.id);
}

static void uar_close(struct shca_hw *hw, struct shca_uar *uar)
{
	if (!uar->nqps && !uar->ncqs)
		shca_db_polling.close(hw, uar->obj.id);
}

void shca_uar_add_qp(struct shca_hw *hw, struct shca_qp *qp)
{
	struct shca_uar *uar = qp->uar;

	spin_lock(&uar->lock);
	list_add_tail(&qp->uar_node, &uar->qps);
	uar->nqps++;
	uar_open(hw, uar);
	spin_unlock(&uar->lock);
}

void shca_uar_del_qp(struct shca_hw *hw, struct shca_qp *qp)
{
	struct shca_uar *uar = qp->uar;

	spin_lock(&uar->lock);
	list_del(&qp->uar_node);
	uar->nqps--;
	uar_close(hw, uar);
	spin_unlock(&uar->lock);
}

void shca_uar_add_cq(struct shca_hw *hw, struct shca_cq *cq)
{
	struct shca_uar *uar = cq->uar;

	spin_lock(&uar->lock);
	list_add_tail(&cq->uar_node, &uar->cqs);
	uar->ncqs++;
	uar_open(hw, uar);
	spin_unlock(&uar->lock);
}

void shca_uar_del_cq(struct shca_hw *hw, struct shca_cq *cq)
{
	struct shca_uar *uar = cq->uar;

	spin_lock(&uar->lock);
	list_del(&cq->uar_node);
	uar->ncqs--;
	uar_close(hw, uar);
	spin_unlock(&uar->lock);
}

/* The next one in turn, pinned; NULL when the sweep is over. */
static struct shca_qp *sweep_qp(struct shca_uar *uar)
{
	struct shca_qp *qp = NULL;

	spin_lock(&uar->lock);
	while (uar->qps_due && !list_empty(&uar->qps)) {
		uar->qps_due--;
		qp = list_first_entry(&uar->qps, struct shca_qp, uar_node);
		list_move_tail(&qp->uar_node, &uar->qps);
		if (refcount_inc_not_zero(&qp->obj.ref))
			break;
		qp = NULL;
	}
	spin_unlock(&uar->lock);
	return qp;
}

static struct shca_cq *sweep_cq(struct shca_uar *uar)
{
	struct shca_cq *cq = NULL;

	spin_lock(&uar->lock);
	while (uar->cqs_due && !list_empty(&uar->cqs)) {
		uar->cqs_due--;
		cq = list_first_entry(&uar->cqs, struct shca_cq, uar_node);
		list_move_tail(&cq->uar_node, &uar->cqs);
		if (refcount_inc_not_zero(&cq->obj.ref))
			break;
		cq = NULL;
	}
	spin_unlock(&uar->lock);
	return cq;
}

/* Whoever was not finished has its turn again. */
static void sweep_again(struct shca_uar *uar)
{
	spin_lock(&uar->lock);
	uar->qps_due = uar->nqps;
	spin_unlock(&uar->lock);
}

static void sweep_qps(struct shca_uar *uar, struct shca_scratch *scratch)
{
	unsigned int budget = SHCA_SWEEP_BUDGET;
	struct shca_qp *qp;
	bool again = false;

	while (budget-- && (qp = sweep_qp(uar))) {
		again |= shca_sq_serve(qp, scratch);
		shca_qp_put(qp);
	}
	if (again)
		sweep_again(uar);
}

static void sweep_cqs(struct shca_uar *uar)
{
	unsigned int budget = SHCA_SWEEP_BUDGET;
	struct shca_cq *cq;

	while (budget-- && (cq = sweep_cq(uar))) {
		shca_cq_rearmed(cq);
		shca_obj_put(&cq->obj);
	}
}

bool shca_uar_sweep(struct shca_hw *hw, u32 index,
		    struct shca_scratch *scratch)
{
	struct shca_uar *uar = uar_get(hw, index, 0);
	bool left;

	clear_bit(index, hw->uar_due);
	if (!uar)
		return false;
	sweep_cqs(uar);
	sweep_qps(uar, scratch);
	spin_lock(&uar->lock);
	left = (uar->qps_due && uar->nqps) || (uar->cqs_due && uar->ncqs);
	spin_unlock(&uar->lock);
	if (left)
		set_bit(index, hw->uar_due);
	shca_obj_put(&uar->obj);
	return left;
}

void shca_uar_hint_sq(struct shca_hw *hw, u32 index, u32 qpn,
		      struct shca_scratch *scratch)
{
	struct shca_uar *uar = uar_get(hw, index, 0);
	struct shca_qp *qp;

	if (!uar)
		return;
	qp = shca_qp_get(hw, qpn);
	if (qp) {
		/* A page of one user's does not ring another's queues. */
		if (qp->uar == uar)
			shca_sq_serve(qp, scratch);
		shca_qp_put(qp);
	}
	sweep_again(uar);
	set_bit(index, hw->uar_due);
	shca_obj_put(&uar->obj);
}

void shca_uar_hint_cq(struct shca_hw *hw, u32 index)
{
	struct shca_uar *uar = uar_get(hw, index, 0);

	if (!uar)
		return;
	spin_lock(&uar->lock);
	uar->cqs_due = uar->ncqs;
	spin_unlock(&uar->lock);
	set_bit(index, hw->uar_due);
	shca_obj_put(&uar->obj);
}
