// SPDX-License-Identifier: GPL-2.0
/*
 * The poller: the thread in which the hardware lives.
 *
 * One shard serves all functions today; with more, each would have its own.
 * After something happened it spins for a while, for the next thing mostly
 * follows soon, then sleeps ever longer. It spins only on a CPU that nobody
 * else wants: a spinner that shares its CPU loses it for a whole time slice,
 * while one that slept gets it back at once.
 */
#define pr_fmt(fmt) "softhca: " fmt

#include <linux/err.h>
#include <linux/hrtimer.h>
#include <linux/kthread.h>
#include <linux/ktime.h>
#include <linux/sched.h>
#include <linux/sched/stat.h>
#include <linux/slab.h>

#include "engine/hw.h"

#define SHCA_SPIN_NS		(1000 * NSEC_PER_USEC)
/* It sleeps an eighth of the time that nothing has happened: whoever comes back
 * after a pause waits a small part of it.
 */
#define SHCA_SLEEP_MIN_NS	(50 * NSEC_PER_USEC)
#define SHCA_SLEEP_MAX_NS	(10 * NSEC_PER_MSEC)
#define SHCA_SLEEP_SHIFT	3

struct shca_shard {
	const struct shca_engine_ops *ops;
	struct task_struct *thread;
	struct mutex lock;	/* the list, and a round */
	struct list_head hws;
	bool kicked;
	u64 next;		/* ns: something is due then */
	bool due;		/* queues wait for their next turn */
	struct shca_scratch scratch;
};

static struct shca_shard *shard;

static bool sweep_due(struct shca_hw *hw, struct shca_scratch *scratch)
{
	bool left = false;
	u32 index;

	for_each_set_bit(index, hw->uar_due, SHCA_UAR_END)
		left |= shca_uar_sweep(hw, index, scratch);
	return left;
}

static bool serve(struct shca_shard *sh, struct shca_hw *hw, u64 now)
{
	bool found = sh->ops->poll(hw->fn);

	found |= shca_db_polling.poll(hw, &sh->scratch);
	found |= sweep_due(hw, &sh->scratch);
	found |= shca_due_run(hw, &sh->scratch, now);
	found |= shca_qp_flush_due(hw, now);
	found |= shca_cq_timers_run(hw, now);
	sh->next = min3(sh->next, READ_ONCE(hw->timed_next),
			READ_ONCE(hw->cq_next));
	sh->due |= READ_ONCE(hw->ndue_qps);
	return found;
}

static bool serve_all(struct shca_shard *sh, u64 now)
{
	struct shca_hw *hw;
	bool found = false;

	mutex_lock(&sh->lock);
	sh->next = U64_MAX;
	sh->due = false;
	list_for_each_entry(hw, &sh->hws, shard_node)
		found |= serve(sh, hw, now);
	mutex_unlock(&sh->lock);
	return found;
}

static void poller_sleep(struct shca_shard *sh, u64 ns)
{
	ktime_t timeout = ns_to_ktime(ns);

	set_current_state(TASK_IDLE);
	if (!READ_ONCE(sh->kicked) && !kthread_should_stop())
		schedule_hrtimeout_range(&timeout, ns / 4, HRTIMER_MODE_REL);
	__set_current_state(TASK_RUNNING);
}

/* How long to sleep after nothing happened for @idle ns. */
static u64 poller_pause(const struct shca_shard *sh, u64 now, u64 idle)
{
	u64 ns = clamp_t(u64, idle >> SHCA_SLEEP_SHIFT, SHCA_SLEEP_MIN_NS,
			 SHCA_SLEEP_MAX_NS);

	return sh->next > now ? min(ns, sh->next - now) : 0;
}

static int poller_run(void *data)
{
	struct shca_shard *sh = data;
	u64 now, active = 0;

	while (!kthread_should_stop()) {
		bool kicked = xchg(&sh->kicked, false);

		now = ktime_get_ns();
		if (serve_all(sh, now) || kicked)
			active = now;
		if (sh->due ||
		    (now - active < SHCA_SPIN_NS && single_task_running())) {
			cond_resched();
			cpu_relax();
			continue;
		}
		poller_sleep(sh, poller_pause(sh, now, now - active));
	}
	return 0;
}

void shca_poller_kick(void)
{
	WRITE_ONCE(shard->kicked, true);
	wake_up_process(shard->thread);
}

void shca_poller_notice(void)
{
	if (current != shard->thread)
		shca_poller_kick();
}

void shca_poller_add(struct shca_hw *hw)
{
	mutex_lock(&shard->lock);
	if (list_empty(&hw->shard_node))
		list_add_tail(&hw->shard_node, &shard->hws);
	mutex_unlock(&shard->lock);
	shca_poller_kick();
}

void shca_poller_del(struct shca_hw *hw)
{
	mutex_lock(&shard->lock);
	list_del_init(&hw->shard_node);
	mutex_unlock(&shard->lock);
}

int shca_poller_init(const struct shca_engine_ops *ops)
{
	struct task_struct *thread;

	shard = kzalloc(sizeof(*shard), GFP_KERNEL);
	if (!shard)
		return -ENOMEM;
	shard->ops = ops;
	mutex_init(&shard->lock);
	INIT_LIST_HEAD(&shard->hws);
	thread = kthread_create(poller_run, shard, "softhca");
	if (IS_ERR(thread)) {
		kfree(shard);
		shard = NULL;
		return PTR_ERR(thread);
	}
	shard->thread = thread;
	wake_up_process(thread);
	return 0;
}

void shca_poller_exit(void)
{
	kthread_stop(shard->thread);
	kfree(shard);
	shard = NULL;
}
