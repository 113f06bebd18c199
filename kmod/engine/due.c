// SPDX-License-Identifier: GPL-2.0
/*
 * Queue pairs that have something to do though nobody rang: an answer to send,
 * a window that opened, a time that is over.
 */
#define pr_fmt(fmt) "softhca: " fmt

#include <linux/kernel.h>

#include "engine/rc.h"

#define SHCA_DUE_BUDGET		64U	/* QPs per round */

static void due_add_locked(struct shca_hw *hw, struct shca_qp *qp)
{
	if (!list_empty(&qp->due_node))
		return;
	list_add_tail(&qp->due_node, &hw->due_qps);
	hw->ndue_qps++;
}

void shca_due_add(struct shca_qp *qp)
{
	struct shca_hw *hw = qp->hw;
	bool first;

	spin_lock(&hw->due_lock);
	first = !hw->ndue_qps;
	due_add_locked(hw, qp);
	spin_unlock(&hw->due_lock);
	if (first)
		shca_poller_notice();
}

void shca_due_at(struct shca_qp *qp, u64 deadline)
{
	struct shca_hw *hw = qp->hw;

	spin_lock(&hw->due_lock);
	if (list_empty(&qp->timed_node))
		list_add_tail(&qp->timed_node, &hw->timed_qps);
	if (deadline < hw->timed_next)
		hw->timed_next = deadline;
	spin_unlock(&hw->due_lock);
}

void shca_due_del(struct shca_qp *qp)
{
	struct shca_hw *hw = qp->hw;

	spin_lock(&hw->due_lock);
	if (!list_empty(&qp->due_node)) {
		list_del_init(&qp->due_node);
		hw->ndue_qps--;
	}
	list_del_init(&qp->timed_node);
	spin_unlock(&hw->due_lock);
}

/* The next one in turn, pinned. */
static struct shca_qp *due_next(struct shca_hw *hw)
{
	struct shca_qp *qp = NULL;

	spin_lock(&hw->due_lock);
	if (!list_empty(&hw->due_qps)) {
		qp = list_first_entry(&hw->due_qps, struct shca_qp, due_node);
		list_del_init(&qp->due_node);
		hw->ndue_qps--;
		if (!refcount_inc_not_zero(&qp->obj.ref))
			qp = NULL;
	}
	spin_unlock(&hw->due_lock);
	return qp;
}

static struct shca_qp *timed_next(struct shca_hw *hw)
{
	struct shca_qp *qp;

	spin_lock(&hw->due_lock);
	qp = list_first_entry_or_null(&hw->timed_qps, struct shca_qp,
				      timed_node);
	if (qp) {
		list_del_init(&qp->timed_node);
		if (!refcount_inc_not_zero(&qp->obj.ref))
			qp = NULL;
	}
	spin_unlock(&hw->due_lock);
	return qp;
}

/* Each once; who still waits puts itself on the list again. */
static void timed_run(struct shca_hw *hw, u64 now)
{
	struct shca_qp *qp;
	unsigned int n = 0;

	spin_lock(&hw->due_lock);
	hw->timed_next = U64_MAX;
	list_for_each_entry(qp, &hw->timed_qps, timed_node)
		n++;
	spin_unlock(&hw->due_lock);
	while (n--) {
		qp = timed_next(hw);
		if (!qp)
			continue;
		shca_rc_timer_fire(qp, now);
		shca_qp_put(qp);
	}
}

bool shca_due_run(struct shca_hw *hw, struct shca_scratch *scratch, u64 now)
{
	unsigned int n;
	struct shca_qp *qp;

	if (now >= READ_ONCE(hw->timed_next))
		timed_run(hw, now);
	n = min(READ_ONCE(hw->ndue_qps), SHCA_DUE_BUDGET);
	if (!n)
		return false;
	while (n--) {
		qp = due_next(hw);
		if (!qp)
			continue;
		if (shca_sq_serve(qp, scratch))
			shca_due_add(qp);
		shca_qp_put(qp);
	}
	return true;
}
