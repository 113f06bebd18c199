// SPDX-License-Identifier: GPL-2.0
/*
 * Completion queues.
 *
 * A CQ is armed by its record in the driver's memory. The record is looked at
 * whenever a completion was written, and when a doorbell hints that it may have
 * changed; so no arm is lost, whatever happens to the doorbell word.
 */
#define pr_fmt(fmt) "softhca: " fmt

#include <linux/err.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/mlx5/cq.h>

#include "engine/hw.h"
#include "pci/pci.h"

#define SHCA_CQ_ERR_OVERRUN	1	/* syndromes of a CQ error event */
#define SHCA_CQ_ERR_ACCESS	2

/* A dword of the context that <linux/mlx5/mlx5_ifc.h> does not name: the UMEM
 * of the doorbell record.
 */
#define SHCA_CQC_DBR_UMEM_DW	1

static void cq_fail(struct shca_cq *cq, u8 status, u8 syndrome)
{
	union ev_data data = {
		.cq_err.cqn = cpu_to_be32(cq->obj.id),
		.cq_err.syndrome = syndrome,
	};

	cq->status = status;
	shca_eq_event(cq->hw->fn, MLX5_EVENT_TYPE_CQ_ERROR, 0, &data);
}

static bool cq_has_room(struct shca_cq *cq)
{
	__be32 ci;

	if (cq->overrun_ok || !shca_cq_full(cq->pi, cq->ci, cq->log_size))
		return true;
	if (shca_dma_read32(cq->hw->fn, cq->dbr.addr, &ci)) {
		cq_fail(cq, MLX5_CQC_STATUS_CQ_WRITE_FAIL, SHCA_CQ_ERR_ACCESS);
		return false;
	}
	cq->ci = be32_to_cpu(ci) & SHCA_CQ_INDEX_MASK;
	if (!shca_cq_full(cq->pi, cq->ci, cq->log_size))
		return true;
	cq_fail(cq, MLX5_CQC_STATUS_CQ_OVERFLOW, SHCA_CQ_ERR_OVERRUN);
	return false;
}

/* An event tells of all completions that are there; who arms again before he
 * has read them waits for others (IBTA vol. 1, 11.4.2.2).
 */
static bool cq_has_news(const struct shca_cq *cq, u32 arm)
{
	return arm & MLX5_CQ_DB_REQ_NOT_SOL ? cq->untold_solicited : cq->untold;
}

/* The entry that says "resized" took an index and is no completion. A driver
 * that copied its entries has counted it; one that armed before has not.
 */
static u32 cq_uncounted(struct shca_cq *cq, u32 arm)
{
	if (cq->moving && ((cq->pi - cq->moved) & SHCA_CQ_INDEX_MASK) >
	    1U << cq->log_size)
		cq->moving = false;
	return cq->moving && ((cq->moved - arm) & SHCA_CQ_INDEX_MASK) <
			     ((cq->pi - arm) & SHCA_CQ_INDEX_MASK);
}

static void cq_answer(struct shca_cq *cq, u64 now)
{
	union ev_data data = { .comp.cqn = cpu_to_be32(cq->obj.id) };
	__be32 record;
	u32 arm, skip;

	if (shca_dma_read32(cq->hw->fn, cq->dbr.addr + sizeof(record), &record))
		return;
	arm = be32_to_cpu(record);
	skip = cq_uncounted(cq, arm);
	if (!cq_has_news(cq, arm) ||
	    !shca_cq_answers(arm, cq->fired, cq->pi - skip,
			     cq->solicited - skip))
		return;
	if (shca_cq_holds_back(cq, now) ||
	    shca_eq_post(cq->eq, MLX5_EVENT_TYPE_COMP, 0, &data))
		return;
	cq->fired = arm;
	cq->told = cq->pi;
	cq->told_at = now;
	cq->untold = false;
	cq->untold_solicited = false;
}

int shca_cq_write(struct shca_cq *cq, struct mlx5_cqe64 *cqe)
{
	u32 mask = (1U << cq->log_size) - 1;
	u64 off = (u64)(cq->pi & mask) << cq->stride_shift;

	if (cq->wide)
		off += sizeof(*cqe);
	cqe->op_own = (cqe->op_own & ~MLX5_CQE_OWNER_MASK) |
		      shca_ring_owner(cq->pi, cq->log_size);
	return shca_buf_write_owned(cq->hw->fn, &cq->buf, off, cqe,
				    sizeof(*cqe));
}

void shca_cq_post(struct shca_cq *cq, struct mlx5_cqe64 *cqe, bool solicited)
{
	spin_lock(&cq->lock);
	if (cq->status != MLX5_CQC_STATUS_OK || !cq_has_room(cq))
		goto out;
	if (shca_cq_write(cq, cqe)) {
		cq_fail(cq, MLX5_CQC_STATUS_CQ_WRITE_FAIL, SHCA_CQ_ERR_ACCESS);
		goto out;
	}
	cq->pi = (cq->pi + 1) & SHCA_CQ_INDEX_MASK;
	cq->untold = true;
	if (solicited) {
		cq->solicited = cq->pi;
		cq->untold_solicited = true;
	}
	/* The driver arms, then looks for completions; here the other way
	 * round, so that one of both sees the other's.
	 */
	smp_mb();
	cq_answer(cq, shca_cq_time(cq));
out:
	spin_unlock(&cq->lock);
}

void shca_cq_rearmed(struct shca_cq *cq)
{
	spin_lock(&cq->lock);
	if (cq->status == MLX5_CQC_STATUS_OK)
		cq_answer(cq, shca_cq_time(cq));
	spin_unlock(&cq->lock);
}

void shca_cq_due(struct shca_cq *cq, u64 now)
{
	spin_lock(&cq->lock);
	if (cq->status == MLX5_CQC_STATUS_OK)
		cq_answer(cq, now);
	spin_unlock(&cq->lock);
}

struct shca_cq *shca_cq_hold(struct shca_hw *hw, u32 cqn, u16 uid)
{
	struct shca_obj *obj = shca_obj_get(&hw->cqs, cqn, uid);

	if (!obj)
		return NULL;
	shca_obj_hold(obj);
	shca_obj_put(obj);
	return container_of(obj, struct shca_cq, obj);
}

static int cq_fill_shape(struct shca_hw *hw, struct shca_cq *cq)
{
	void *cqc = cq->cqc;

	cq->log_size = MLX5_GET(cqc, cqc, log_cq_size);
	if (cq->log_size > hw->lim.log_max_cq_sz)
		return -EINVAL;
	switch (MLX5_GET(cqc, cqc, cqe_sz)) {
	case CQE_STRIDE_64:
		cq->stride_shift = 6;
		break;
	case CQE_STRIDE_128:
		cq->wide = true;
		fallthrough;
	case CQE_STRIDE_128_PAD:
		cq->stride_shift = 7;
		break;
	default:
		return -EINVAL;
	}
	if (MLX5_GET(cqc, cqc, cqe_comp_en) ||
	    MLX5_GET(cqc, cqc, cq_period_mode))
		return -EOPNOTSUPP;
	shca_cq_moderate(cq);
	cq->overrun_ok = MLX5_GET(cqc, cqc, oi);
	return 0;
}

static int cq_fill_refs(struct shca_hw *hw, struct shca_cq *cq, u16 uid)
{
	void *cqc = cq->cqc;

	cq->eq = shca_eq_hold(hw, MLX5_GET(cqc, cqc, c_eqn_or_apu_element),
			      uid);
	if (!cq->eq)
		return -ENOENT;
	cq->uar = shca_uar_get_held(hw, MLX5_GET(cqc, cqc, uar_page), uid);
	return cq->uar ? 0 : -ENOENT;
}

static int cq_fill_memory(struct shca_hw *hw, struct shca_cq *cq, u16 uid,
			  const struct shca_buf_src *src)
{
	int err;

	err = shca_buf_init(hw->fn, &cq->buf, src,
			    1ULL << (cq->log_size + cq->stride_shift));
	if (err)
		return err;
	err = shca_dbr_init(hw->fn, &cq->dbr, uid,
			    MLX5_GET(cqc, cq->cqc, dbr_umem_valid),
			    be32_to_cpu(((__be32 *)cq->cqc)[SHCA_CQC_DBR_UMEM_DW]),
			    MLX5_GET64(cqc, cq->cqc, dbr_addr));
	if (err)
		return err;
	/* Zero is a legal first value of the arm record. */
	return shca_dma_write32(hw->fn, cq->dbr.addr + sizeof(__be32),
				cpu_to_be32(SHCA_CQ_UNARMED));
}

static void cq_free(struct shca_cq *cq)
{
	shca_dbr_exit(&cq->dbr);
	shca_buf_exit(&cq->buf);
	if (cq->uar)
		shca_uar_put_held(cq->uar);
	if (cq->eq)
		shca_obj_unhold(&cq->eq->obj);
	kfree_rcu(cq, obj.rcu);
}

static int cq_setup(struct shca_hw *hw, struct shca_cq *cq, u16 uid,
		    const struct shca_buf_src *src)
{
	int err;

	err = cq_fill_shape(hw, cq);
	if (!err)
		err = cq_fill_refs(hw, cq, uid);
	if (!err)
		err = cq_fill_memory(hw, cq, uid, src);
	if (!err)
		err = shca_obj_add(&hw->cqs, &cq->obj, uid);
	if (!err)
		shca_uar_add_cq(hw, cq);
	return err;
}

int shca_cq_create(struct shca_fn *fn, u16 uid, const void *cqc,
		   const struct shca_buf_src *src, u32 *cqn)
{
	struct shca_hw *hw = fn->hw;
	struct shca_cq *cq;
	int err;

	cq = kzalloc(sizeof(*cq), GFP_KERNEL);
	if (!cq)
		return -ENOMEM;
	cq->hw = hw;
	cq->fired = SHCA_CQ_UNARMED;
	spin_lock_init(&cq->lock);
	INIT_LIST_HEAD(&cq->uar_node);
	INIT_LIST_HEAD(&cq->timed_node);
	memcpy(cq->cqc, cqc, sizeof(cq->cqc));

	mutex_lock(&hw->config);
	err = cq_setup(hw, cq, uid, src);
	if (err)
		cq_free(cq);
	else
		*cqn = cq->obj.id;
	mutex_unlock(&hw->config);
	return err;
}

struct shca_cq *shca_cq_get(struct shca_hw *hw, u32 cqn, u16 uid)
{
	struct shca_obj *obj = shca_obj_get(&hw->cqs, cqn, uid);

	return obj ? container_of(obj, struct shca_cq, obj) : NULL;
}

int shca_cq_query(struct shca_fn *fn, u16 uid, u32 cqn, void *cqc)
{
	struct shca_cq *cq = shca_cq_get(fn->hw, cqn, uid);
	__be32 ci = 0;

	if (!cq)
		return -ENOENT;
	spin_lock(&cq->lock);
	memcpy(cqc, cq->cqc, sizeof(cq->cqc));
	if (!shca_dma_read32(fn, cq->dbr.addr, &ci))
		cq->ci = be32_to_cpu(ci) & SHCA_CQ_INDEX_MASK;
	MLX5_SET(cqc, cqc, status, cq->status);
	MLX5_SET(cqc, cqc, producer_counter, cq->pi);
	MLX5_SET(cqc, cqc, consumer_counter, cq->ci);
	MLX5_SET(cqc, cqc, last_notified_index, cq->told);
	MLX5_SET(cqc, cqc, last_solicit_index, cq->solicited);
	spin_unlock(&cq->lock);
	shca_obj_put(&cq->obj);
	return 0;
}

int shca_cq_modify(struct shca_fn *fn, u16 uid, u32 cqn, const void *cqc,
		   u32 field_select)
{
	struct shca_cq *cq;

	if (field_select & ~(MLX5_CQ_MODIFY_PERIOD | MLX5_CQ_MODIFY_COUNT))
		return -EOPNOTSUPP;
	cq = shca_cq_get(fn->hw, cqn, uid);
	if (!cq)
		return -ENOENT;
	spin_lock(&cq->lock);
	if (field_select & MLX5_CQ_MODIFY_PERIOD)
		MLX5_SET(cqc, cq->cqc, cq_period,
			 MLX5_GET(cqc, cqc, cq_period));
	if (field_select & MLX5_CQ_MODIFY_COUNT)
		MLX5_SET(cqc, cq->cqc, cq_max_count,
			 MLX5_GET(cqc, cqc, cq_max_count));
	shca_cq_moderate(cq);
	/* An event that was held back may be due by the new measure. */
	if (cq->status == MLX5_CQC_STATUS_OK)
		cq_answer(cq, shca_cq_time(cq));
	spin_unlock(&cq->lock);
	shca_obj_put(&cq->obj);
	return 0;
}

int shca_cq_destroy(struct shca_fn *fn, u16 uid, u32 cqn)
{
	struct shca_hw *hw = fn->hw;
	struct shca_obj *obj;
	struct shca_cq *cq;

	mutex_lock(&hw->config);
	obj = shca_obj_del(&hw->cqs, cqn, uid);
	if (!IS_ERR(obj)) {
		cq = container_of(obj, struct shca_cq, obj);
		shca_uar_del_cq(hw, cq);
		shca_cq_timer_del(cq);
		cq_free(cq);
	}
	mutex_unlock(&hw->config);
	return PTR_ERR_OR_ZERO(obj);
}
