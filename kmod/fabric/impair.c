// SPDX-License-Identifier: GPL-2.0
/*
 * fabric/impair: links that lose, repeat, delay and overtake.
 *
 * Each direction of a link has a list of the packets that are under way, by the
 * time of their arrival. They are copies: the sender's data is good during its
 * call only. A link that was never impaired has nothing of this.
 */
#define pr_fmt(fmt) "softhca: " fmt

#include <linux/hrtimer.h>
#include <linux/ktime.h>
#include <linux/random.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>

#include "base/compat.h"
#include "fabric/node.h"

#define SHCA_IMPAIR_HELD	2048	/* packets of a direction */
/* What is sent this long after an overtaken packet comes before it. */
#define SHCA_OVERTAKE_NS	(200 * NSEC_PER_USEC)

struct shca_impair {
	struct shca_port *port;		/* the sending end */
	struct shca_impairment set;	/* written under the fabric's mutex */
	struct hrtimer timer;
	struct work_struct work;
	spinlock_t lock;		/* all below */
	struct list_head held;
	unsigned int nheld;
};

struct shca_held {
	struct list_head list;
	u64 due;			/* ns */
	struct shca_pkt pkt;		/* its data is data[] */
	u8 data[];
};

static bool chance(u32 ppm)
{
	return ppm && (u64)get_random_u32() * SHCA_PPM >> 32 < ppm;
}

/* The next packet whose time has come; else the timer is set for it. */
static struct shca_held *take_due(struct shca_impair *imp, u64 now)
{
	struct shca_held *held;

	spin_lock(&imp->lock);
	held = list_first_entry_or_null(&imp->held, struct shca_held, list);
	if (held && held->due > now) {
		hrtimer_start(&imp->timer, ns_to_ktime(held->due),
			      HRTIMER_MODE_ABS);
		held = NULL;
	} else if (held) {
		list_del(&held->list);
		imp->nheld--;
	}
	spin_unlock(&imp->lock);
	return held;
}

static void impair_work(struct work_struct *work)
{
	struct shca_impair *imp = container_of(work, struct shca_impair, work);
	struct shca_held *held;
	struct shca_port *peer;

	while ((held = take_due(imp, ktime_get_ns()))) {
		rcu_read_lock();
		peer = rcu_dereference(imp->port->peer);
		if (peer)
			shca_arrive(peer, &held->pkt);
		rcu_read_unlock();
		kfree(held);
		cond_resched();
	}
}

/* Packets are taken in process context. */
static enum hrtimer_restart impair_timer(struct hrtimer *timer)
{
	struct shca_impair *imp = container_of(timer, struct shca_impair,
					       timer);

	queue_work(shca_fabric_wq, &imp->work);
	return HRTIMER_NORESTART;
}

static struct shca_held *held_copy(struct shca_impair *imp,
				   const struct shca_pkt *pkt, u64 wait_ns)
{
	struct shca_held *held = kmalloc(struct_size(held, data, pkt->len),
					 GFP_ATOMIC);

	if (!held)
		return NULL;
	held->due = ktime_get_ns() + wait_ns;
	held->pkt = *pkt;
	held->pkt.payload = NULL;
	held->pkt.data = held->data;
	if (!imp->port->ops->copy(imp->port, pkt, held->data))
		return held;
	kfree(held);
	return NULL;
}

/* A list that is full loses what comes, as a buffer does. */
static void hold(struct shca_impair *imp, const struct shca_pkt *pkt,
		 u64 wait_ns)
{
	struct shca_held *held = held_copy(imp, pkt, wait_ns), *before;
	bool kept = false;

	if (!held)
		return;
	spin_lock(&imp->lock);
	if (imp->nheld < SHCA_IMPAIR_HELD) {
		list_for_each_entry_reverse(before, &imp->held, list)
			if (before->due <= held->due)
				break;
		list_add(&held->list, &before->list);
		imp->nheld++;
		if (list_is_first(&held->list, &imp->held))
			hrtimer_start(&imp->timer, ns_to_ktime(held->due),
				      HRTIMER_MODE_ABS);
		kept = true;
	}
	spin_unlock(&imp->lock);
	if (!kept)
		kfree(held);
}

bool shca_impair_send(struct shca_port *port, struct shca_port *peer,
		      const struct shca_pkt *pkt)
{
	/* Pairs with the release in impair_get(). */
	struct shca_impair *imp = smp_load_acquire(&port->impair);
	unsigned int copies;
	u64 wait;

	if (!imp)
		return false;
	if (chance(READ_ONCE(imp->set.loss))) {
		shca_cnt_add(peer, SHCA_CNT_RCV_ERRORS, 1);
		return true;
	}
	copies = 1 + chance(READ_ONCE(imp->set.duplicate));
	while (copies--) {
		wait = READ_ONCE(imp->set.delay_us) * NSEC_PER_USEC;
		if (chance(READ_ONCE(imp->set.reorder)))
			wait += SHCA_OVERTAKE_NS;
		if (wait)
			hold(imp, pkt, wait);
		else
			shca_arrive(peer, pkt);
	}
	return true;
}

static struct shca_impair *impair_get(struct shca_port *port)
{
	struct shca_impair *imp = port->impair;

	if (imp)
		return imp;
	imp = kzalloc(sizeof(*imp), GFP_KERNEL);
	if (!imp)
		return NULL;
	imp->port = port;
	spin_lock_init(&imp->lock);
	INIT_LIST_HEAD(&imp->held);
	INIT_WORK(&imp->work, impair_work);
	shca_hrtimer_setup(&imp->timer, impair_timer, CLOCK_MONOTONIC,
			   HRTIMER_MODE_ABS);
	/* Pairs with the acquire in shca_impair_send(). */
	smp_store_release(&port->impair, imp);
	return imp;
}

static void impair_apply(struct shca_impair *imp,
			 const struct shca_impairment *set)
{
	WRITE_ONCE(imp->set.delay_us, set->delay_us);
	WRITE_ONCE(imp->set.loss, set->loss);
	WRITE_ONCE(imp->set.duplicate, set->duplicate);
	WRITE_ONCE(imp->set.reorder, set->reorder);
}

static bool impairment_ok(const struct shca_impairment *set)
{
	return set->delay_us <= SHCA_DELAY_MAX_US && set->loss <= SHCA_PPM &&
	       set->duplicate <= SHCA_PPM && set->reorder <= SHCA_PPM;
}

int shca_port_impair(struct shca_port *port, const struct shca_impairment *set)
{
	struct shca_impair *imp[2];
	int err = -ENOTCONN;

	if (!impairment_ok(set))
		return -EINVAL;
	mutex_lock(&shca_fabric_lock);
	if (port->link) {
		imp[0] = impair_get(port->link->end[0]);
		imp[1] = impair_get(port->link->end[1]);
		err = imp[0] && imp[1] ? 0 : -ENOMEM;
	}
	if (!err) {
		impair_apply(imp[0], set);
		impair_apply(imp[1], set);
	}
	mutex_unlock(&shca_fabric_lock);
	return err;
}

void shca_port_impairment(struct shca_port *port, struct shca_impairment *set)
{
	mutex_lock(&shca_fabric_lock);
	if (port->impair)
		*set = port->impair->set;
	else
		memset(set, 0, sizeof(*set));
	mutex_unlock(&shca_fabric_lock);
}

static void drop_held(struct shca_impair *imp)
{
	struct shca_held *held, *next;
	LIST_HEAD(gone);

	spin_lock(&imp->lock);
	list_splice_init(&imp->held, &gone);
	imp->nheld = 0;
	spin_unlock(&imp->lock);
	list_for_each_entry_safe(held, next, &gone, list)
		kfree(held);
}

void shca_impair_drop(struct shca_port *port)
{
	lockdep_assert_held(&shca_fabric_lock);
	if (port->impair)
		drop_held(port->impair);
}

void shca_impair_reset(struct shca_port *port)
{
	static const struct shca_impairment none;

	lockdep_assert_held(&shca_fabric_lock);
	if (port->impair)
		impair_apply(port->impair, &none);
}

void shca_impair_exit(struct shca_port *port)
{
	struct shca_impair *imp = port->impair;

	if (!imp)
		return;
	/* With nothing under way the work sets the timer no more. */
	drop_held(imp);
	hrtimer_cancel(&imp->timer);
	cancel_work_sync(&imp->work);
	kfree(imp);
}
