// SPDX-License-Identifier: GPL-2.0
/*
 * The hardware of a function: its beginning, its resets, its end.
 */
#define pr_fmt(fmt) "softhca: " fmt

#include <linux/ktime.h>
#include <linux/printk.h>
#include <linux/slab.h>

#include "engine/hw.h"

#define SHCA_QPN_FIRST	0x40	/* 0 and 1 are names of the ports' own */
#define SHCA_NUM_FIRST	1

const struct shca_engine_ops *shca_engine_ops;
struct workqueue_struct *shca_engine_wq;

int shca_engine_init(const struct shca_engine_ops *ops)
{
	int err;

	shca_engine_ops = ops;
	shca_engine_wq = alloc_ordered_workqueue("softhca_port", 0);
	if (!shca_engine_wq)
		return -ENOMEM;
	err = shca_poller_init(ops);
	if (err)
		destroy_workqueue(shca_engine_wq);
	return err;
}

void shca_engine_exit(void)
{
	shca_poller_exit();
	destroy_workqueue(shca_engine_wq);
}

u64 shca_hw_clock(void)
{
	return ktime_get_raw_ns();
}

static void tables_init(struct shca_hw *hw)
{
	const struct shca_hw_limits *lim = &hw->lim;

	shca_tbl_init(&hw->uars, SHCA_UAR_FIRST, SHCA_UAR_END - 1);
	shca_tbl_init(&hw->eqs, SHCA_NUM_FIRST, 1U << lim->log_max_eq);
	shca_tbl_init(&hw->cqs, SHCA_NUM_FIRST, 1U << lim->log_max_cq);
	shca_tbl_init(&hw->srqs, SHCA_NUM_FIRST, 1U << lim->log_max_srq);
	shca_tbl_init(&hw->qcnts, SHCA_NUM_FIRST, SHCA_QCNTS);
	shca_tbl_init(&hw->qps, SHCA_QPN_FIRST,
		      SHCA_QPN_FIRST + (1U << lim->log_max_qp) - 1);
}

static void tables_exit(struct shca_hw *hw)
{
	shca_tbl_exit(&hw->qps);
	shca_tbl_exit(&hw->qcnts);
	shca_tbl_exit(&hw->srqs);
	shca_tbl_exit(&hw->cqs);
	shca_tbl_exit(&hw->eqs);
	shca_tbl_exit(&hw->uars);
}

/* Numbers that the driver's commands and our arithmetic can hold. */
static bool limits_sane(const struct shca_hw_limits *lim)
{
	return lim->num_ports >= 1 && lim->num_ports <= SHCA_HW_PORTS &&
	       lim->log_max_eq < 8 && lim->log_max_qp_sz < 16 &&
	       lim->log_max_srq_sz < 16 && lim->log_max_cq_sz < 23 &&
	       lim->log_max_eq_sz < 24 && lim->log_max_qp < 24 &&
	       lim->log_max_cq < 24 && lim->log_max_srq < 24 &&
	       lim->pkey_table;
}

int shca_hw_fn_init(struct shca_fn *fn, const struct shca_hw_limits *lim,
		    const struct shca_port_attr *port)
{
	struct shca_hw *hw;
	int err;

	if (!limits_sane(lim))
		return -EINVAL;
	hw = kzalloc(sizeof(*hw), GFP_KERNEL);
	if (!hw)
		return -ENOMEM;
	hw->fn = fn;
	hw->lim = *lim;
	mutex_init(&hw->config);
	spin_lock_init(&hw->err_lock);
	spin_lock_init(&hw->event_lock);
	spin_lock_init(&hw->due_lock);
	INIT_LIST_HEAD(&hw->err_qps);
	INIT_LIST_HEAD(&hw->due_qps);
	INIT_LIST_HEAD(&hw->timed_qps);
	INIT_LIST_HEAD(&hw->timed_cqs);
	hw->timed_next = U64_MAX;
	hw->cq_next = U64_MAX;
	INIT_LIST_HEAD(&hw->mcgs);
	INIT_LIST_HEAD(&hw->shard_node);
	INIT_WORK(&hw->event_work, shca_hw_event_run);
	tables_init(hw);
	fn->hw = hw;
	err = shca_hw_ports_add(hw, port);
	if (err) {
		fn->hw = NULL;
		tables_exit(hw);
		kfree(hw);
	}
	return err;
}

void shca_hw_fn_exit(struct shca_fn *fn)
{
	struct shca_hw *hw = fn->hw;

	if (!hw)
		return;
	shca_poller_del(hw);
	shca_hw_ports_del(hw);
	shca_hw_reset(fn);
	tables_exit(hw);
	fn->hw = NULL;
	kfree(hw);
}

void shca_hw_start(struct shca_fn *fn)
{
	shca_poller_add(fn->hw);
}

void shca_hw_stop(struct shca_fn *fn)
{
	shca_poller_del(fn->hw);
}

void shca_hw_kick(struct shca_fn *fn)
{
	shca_poller_kick();
}

void shca_hw_port_enable(struct shca_fn *fn, bool on)
{
	struct shca_hw *hw = fn->hw;
	unsigned int i;

	for (i = 0; i < hw->lim.num_ports; i++)
		shca_port_enable(hw->ports[i].port, on);
}

struct shca_port *shca_hw_port(struct shca_fn *fn, u8 port)
{
	if (!port || port > fn->hw->lim.num_ports)
		return NULL;
	return fn->hw->ports[port - 1].port;
}

void shca_hw_stat(struct shca_fn *fn, struct shca_hw_stat *stat)
{
	struct shca_hw *hw = fn->hw;

	stat->qps = atomic_read(&hw->qps.count);
	stat->cqs = atomic_read(&hw->cqs.count);
	stat->eqs = atomic_read(&hw->eqs.count);
	stat->srqs = atomic_read(&hw->srqs.count);
	stat->uars = atomic_read(&hw->uars.count);
}

/* Those first that refer to others. */
static void drop(struct shca_fn *fn, bool all, u16 uid)
{
	struct shca_hw *hw = fn->hw;
	struct shca_obj *obj;
	unsigned long id;

	shca_tbl_for_each(&hw->qps, id, obj)
		if (all || obj->uid == uid)
			shca_qp_destroy(fn, 0, id);
	shca_tbl_for_each(&hw->srqs, id, obj)
		if ((all || obj->uid == uid) && shca_srq_destroy(fn, 0, id))
			shca_rmp_destroy(fn, 0, id);
	shca_tbl_for_each(&hw->cqs, id, obj)
		if (all || obj->uid == uid)
			shca_cq_destroy(fn, 0, id);
	shca_tbl_for_each(&hw->eqs, id, obj)
		if (all || obj->uid == uid)
			shca_eq_destroy(fn, 0, id);
	shca_tbl_for_each(&hw->uars, id, obj)
		if (all || obj->uid == uid)
			shca_uar_free(fn, 0, id);
	shca_tbl_for_each(&hw->qcnts, id, obj)
		if (all || obj->uid == uid)
			shca_qcnt_free(fn, 0, id);
}

void shca_hw_reset(struct shca_fn *fn)
{
	drop(fn, true, 0);
}

void shca_hw_uid_gone(struct shca_fn *fn, u16 uid)
{
	drop(fn, false, uid);
}
