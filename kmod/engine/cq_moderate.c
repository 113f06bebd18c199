// SPDX-License-Identifier: GPL-2.0
/*
 * Fewer events: that of an armed completion queue waits until so many
 * completions came since the last event, or until so much time has passed since
 * then, whichever is first. After a quiet time the first completion tells at
 * once.
 */
#define pr_fmt(fmt) "softhca: " fmt

#include <linux/kernel.h>
#include <linux/ktime.h>

#include "engine/hw.h"

void shca_cq_moderate(struct shca_cq *cq)
{
	cq->max_count = MLX5_GET(cqc, cq->cqc, cq_max_count);
	cq->period = (u64)MLX5_GET(cqc, cq->cqc, cq_period) * NSEC_PER_USEC;
}

u64 shca_cq_time(const struct shca_cq *cq)
{
	return cq->period ? ktime_get_ns() : 0;
}

static void timer_add(struct shca_cq *cq, u64 deadline)
{
	struct shca_hw *hw = cq->hw;
	bool sooner;

	spin_lock(&hw->due_lock);
	if (list_empty(&cq->timed_node))
		list_add_tail(&cq->timed_node, &hw->timed_cqs);
	sooner = deadline < hw->cq_next;
	if (sooner)
		WRITE_ONCE(hw->cq_next, deadline);
	spin_unlock(&hw->due_lock);
	if (sooner)
		shca_poller_notice();
}

bool shca_cq_holds_back(struct shca_cq *cq, u64 now)
{
	u64 deadline = cq->told_at + cq->period;

	if (!cq->period && !cq->max_count)
		return false;
	if (cq->max_count &&
	    ((cq->pi - cq->told) & SHCA_CQ_INDEX_MASK) >= cq->max_count)
		return false;
	if (!cq->period)
		return true;
	if (now >= deadline)
		return false;
	timer_add(cq, deadline);
	return true;
}

void shca_cq_timer_del(struct shca_cq *cq)
{
	spin_lock(&cq->hw->due_lock);
	list_del_init(&cq->timed_node);
	spin_unlock(&cq->hw->due_lock);
}

/* The first one, pinned. */
static struct shca_cq *timer_next(struct shca_hw *hw)
{
	struct shca_cq *cq;

	spin_lock(&hw->due_lock);
	cq = list_first_entry_or_null(&hw->timed_cqs, struct shca_cq,
				      timed_node);
	if (cq) {
		list_del_init(&cq->timed_node);
		if (!refcount_inc_not_zero(&cq->obj.ref))
			cq = NULL;
	}
	spin_unlock(&hw->due_lock);
	return cq;
}

bool shca_cq_timers_run(struct shca_hw *hw, u64 now)
{
	struct shca_cq *cq;
	unsigned int n = 0;

	if (now < READ_ONCE(hw->cq_next))
		return false;
	spin_lock(&hw->due_lock);
	WRITE_ONCE(hw->cq_next, U64_MAX);
	list_for_each_entry(cq, &hw->timed_cqs, timed_node)
		n++;
	spin_unlock(&hw->due_lock);
	/* Each once; whose time has not come goes on the list again. */
	while (n--) {
		cq = timer_next(hw);
		if (!cq)
			continue;
		shca_cq_due(cq, now);
		shca_obj_put(&cq->obj);
	}
	return true;
}
