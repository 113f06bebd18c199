// SPDX-License-Identifier: GPL-2.0
/*
 * Shared receive queues: XRC SRQs, and RMPs, which is what the driver makes of
 * ordinary SRQs. WQEs are linked; the driver's record counts those posted.
 */
#define pr_fmt(fmt) "softhca: " fmt

#include <linux/atomic.h>
#include <linux/err.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/mlx5/qp.h>

#include "engine/hw.h"
#include "pci/pci.h"

/* A dword of the wq context that <linux/mlx5/mlx5_ifc.h> does not name. */
#define SHCA_WQ_DBR_UMEM_DW	10

static void srq_fail(struct shca_srq *srq)
{
	srq->error = true;
	shca_eq_queue_event(srq->hw, MLX5_EVENT_TYPE_SRQ_CATAS_ERROR,
			    MLX5_EVENT_QUEUE_TYPE_QP, srq->obj.id);
}

static int srq_next(struct shca_srq *srq, u64 off, u16 *next)
{
	struct mlx5_wqe_srq_next_seg seg;
	int err;

	err = shca_buf_read(srq->hw->fn, &srq->buf, off, &seg, sizeof(seg));
	if (err)
		return err;
	*next = be16_to_cpu(seg.next_wqe_index);
	return *next >> srq->log_size ? -EINVAL : 0;
}

static int srq_pending(struct shca_srq *srq)
{
	__be32 record;
	u16 posted;
	int err;

	err = shca_dma_read32(srq->hw->fn, srq->dbr.addr, &record);
	if (err)
		return err;
	posted = (u16)be32_to_cpu(record) - srq->consumed;
	return posted <= 1U << srq->log_size ? posted : -EINVAL;
}

static void srq_check_limit(struct shca_srq *srq, u32 left)
{
	if (!srq->limit || left >= srq->limit)
		return;
	srq->limit = 0;
	shca_eq_queue_event(srq->hw, MLX5_EVENT_TYPE_SRQ_RQ_LIMIT,
			    MLX5_EVENT_QUEUE_TYPE_QP, srq->obj.id);
}

int shca_srq_take(struct shca_srq *srq, u64 *off, u16 *index)
{
	u16 next;
	int n, err;

	if (srq->error)
		return -EIO;
	n = srq_pending(srq);
	if (!n)
		return -ENOENT;
	*index = srq->head;
	*off = (u64)srq->head << srq->log_stride;
	err = n < 0 ? n : srq_next(srq, *off, &next);
	if (err) {
		if (err != -EACCES)
			srq_fail(srq);
		return err;
	}
	srq->head = next;
	srq->consumed++;
	srq_check_limit(srq, n - 1);
	return 0;
}

struct shca_srq *shca_srq_hold(struct shca_hw *hw, u32 num, u16 uid)
{
	struct shca_obj *obj = shca_obj_get(&hw->srqs, num, uid);

	if (!obj)
		return NULL;
	shca_obj_hold(obj);
	shca_obj_put(obj);
	return container_of(obj, struct shca_srq, obj);
}

static void srq_free(struct shca_srq *srq)
{
	shca_dbr_exit(&srq->dbr);
	shca_buf_exit(&srq->buf);
	if (srq->cq)
		shca_obj_unhold(&srq->cq->obj);
	kfree_rcu(srq, obj.rcu);
}

static int srq_fill_xrc(struct shca_srq *srq, u16 uid)
{
	void *ctx = srq->ctx;

	if (MLX5_GET(xrc_srqc, ctx, wq_signature) ||
	    MLX5_GET(xrc_srqc, ctx, dbr_umem_valid))
		return -EOPNOTSUPP;
	srq->log_size = MLX5_GET(xrc_srqc, ctx, log_xrc_srq_size);
	srq->log_stride = 4 + MLX5_GET(xrc_srqc, ctx, log_rq_stride);
	srq->pd = MLX5_GET(xrc_srqc, ctx, pd);
	srq->limit = MLX5_GET(xrc_srqc, ctx, lwm);
	srq->cq = shca_cq_hold(srq->hw, MLX5_GET(xrc_srqc, ctx, cqn), uid);
	return srq->cq ? 0 : -ENOENT;
}

static int srq_fill_rmp(struct shca_srq *srq)
{
	void *wq = MLX5_ADDR_OF(rmpc, srq->ctx, wq);

	if (MLX5_GET(wq, wq, wq_signature) ||
	    MLX5_GET(wq, wq, wq_type) != MLX5_WQ_TYPE_LINKED_LIST)
		return -EOPNOTSUPP;
	srq->log_size = MLX5_GET(wq, wq, log_wq_sz);
	srq->log_stride = MLX5_GET(wq, wq, log_wq_stride);
	srq->pd = MLX5_GET(wq, wq, pd);
	srq->limit = MLX5_GET(wq, wq, lwm);
	return srq->log_stride < 5 ? -EINVAL : 0;
}

static int srq_fill_dbr(struct shca_srq *srq, u16 uid)
{
	void *wq = MLX5_ADDR_OF(rmpc, srq->ctx, wq);
	u64 addr;

	if (srq->kind == SHCA_SRQ_XRC) {
		addr = (u64)MLX5_GET(xrc_srqc, srq->ctx, db_record_addr_h) << 32 |
		       MLX5_GET(xrc_srqc, srq->ctx, db_record_addr_l) << 2;
		return shca_dbr_init(srq->hw->fn, &srq->dbr, uid, false, 0,
				     addr);
	}
	return shca_dbr_init(srq->hw->fn, &srq->dbr, uid,
			     MLX5_GET(wq, wq, dbr_umem_valid),
			     be32_to_cpu(((__be32 *)wq)[SHCA_WQ_DBR_UMEM_DW]),
			     MLX5_GET64(wq, wq, dbr_addr));
}

static int srq_setup(struct shca_srq *srq, u16 uid,
		     const struct shca_buf_src *src)
{
	int err;

	err = srq->kind == SHCA_SRQ_XRC ? srq_fill_xrc(srq, uid) :
					  srq_fill_rmp(srq);
	if (err)
		return err;
	/* A WQE has a link and a segment at least; see set_rq strides. */
	if (srq->log_size > srq->hw->lim.log_max_srq_sz ||
	    srq->log_stride < 5 || srq->log_stride > 11)
		return -EINVAL;
	err = shca_buf_init(srq->hw->fn, &srq->buf, src,
			    1ULL << (srq->log_size + srq->log_stride));
	if (!err)
		err = srq_fill_dbr(srq, uid);
	if (!err)
		err = shca_obj_add(&srq->hw->srqs, &srq->obj, uid);
	return err;
}

/* Numbers are used again, and who remembers one must be able to tell. */
static atomic64_t srq_serial = ATOMIC64_INIT(0);

static int srq_create(struct shca_fn *fn, u16 uid, enum shca_srq_kind kind,
		      const void *ctx, size_t size,
		      const struct shca_buf_src *src, u32 *num)
{
	struct shca_hw *hw = fn->hw;
	struct shca_srq *srq;
	int err;

	srq = kzalloc(sizeof(*srq), GFP_KERNEL);
	if (!srq)
		return -ENOMEM;
	srq->hw = hw;
	srq->kind = kind;
	srq->serial = atomic64_inc_return(&srq_serial);
	spin_lock_init(&srq->lock);
	memcpy(srq->ctx, ctx, size);

	mutex_lock(&hw->config);
	err = srq_setup(srq, uid, src);
	if (err)
		srq_free(srq);
	else
		*num = srq->obj.id;
	mutex_unlock(&hw->config);
	return err;
}

int shca_srq_create(struct shca_fn *fn, u16 uid, const void *xrc_srqc,
		    const struct shca_buf_src *src, u32 *srqn)
{
	return srq_create(fn, uid, SHCA_SRQ_XRC, xrc_srqc,
			  MLX5_ST_SZ_BYTES(xrc_srqc), src, srqn);
}

int shca_rmp_create(struct shca_fn *fn, u16 uid, const void *rmpc,
		    const struct shca_buf_src *src, u32 *rmpn)
{
	return srq_create(fn, uid, SHCA_SRQ_RMP, rmpc, MLX5_ST_SZ_BYTES(rmpc),
			  src, rmpn);
}

static struct shca_srq *srq_get(struct shca_hw *hw, u16 uid, u32 num,
				enum shca_srq_kind kind)
{
	struct shca_obj *obj = shca_obj_get(&hw->srqs, num, uid);
	struct shca_srq *srq;

	if (!obj)
		return NULL;
	srq = container_of(obj, struct shca_srq, obj);
	if (srq->kind != kind) {
		shca_obj_put(obj);
		return NULL;
	}
	return srq;
}

int shca_srq_query(struct shca_fn *fn, u16 uid, u32 srqn, void *xrc_srqc)
{
	struct shca_srq *srq = srq_get(fn->hw, uid, srqn, SHCA_SRQ_XRC);

	if (!srq)
		return -ENOENT;
	memcpy(xrc_srqc, srq->ctx, MLX5_ST_SZ_BYTES(xrc_srqc));
	spin_lock(&srq->lock);
	MLX5_SET(xrc_srqc, xrc_srqc, state,
		 srq->error ? MLX5_XRC_SRQC_STATE_ERROR :
			      MLX5_XRC_SRQC_STATE_GOOD);
	MLX5_SET(xrc_srqc, xrc_srqc, lwm, srq->limit);
	MLX5_SET(xrc_srqc, xrc_srqc, wqe_cnt, max(srq_pending(srq), 0));
	spin_unlock(&srq->lock);
	shca_obj_put(&srq->obj);
	return 0;
}

int shca_rmp_query(struct shca_fn *fn, u16 uid, u32 rmpn, void *rmpc)
{
	struct shca_srq *srq = srq_get(fn->hw, uid, rmpn, SHCA_SRQ_RMP);

	if (!srq)
		return -ENOENT;
	memcpy(rmpc, srq->ctx, MLX5_ST_SZ_BYTES(rmpc));
	spin_lock(&srq->lock);
	MLX5_SET(rmpc, rmpc, state, srq->error ? MLX5_RMPC_STATE_ERR :
						 MLX5_RMPC_STATE_RDY);
	MLX5_SET(rmpc, rmpc, wq.lwm, srq->limit);
	spin_unlock(&srq->lock);
	shca_obj_put(&srq->obj);
	return 0;
}

/* The limit is an edge: with fewer WQEs than that already it fires at once. */
static int srq_set_limit(struct shca_srq *srq, u16 limit)
{
	int n;

	if (limit > 1U << srq->log_size)
		return -EINVAL;
	spin_lock(&srq->lock);
	srq->limit = limit;
	n = srq_pending(srq);
	if (n >= 0)
		srq_check_limit(srq, n);
	spin_unlock(&srq->lock);
	return 0;
}

int shca_srq_arm(struct shca_fn *fn, u16 uid, u32 srqn, u16 lwm)
{
	struct shca_srq *srq = srq_get(fn->hw, uid, srqn, SHCA_SRQ_XRC);
	int err;

	if (!srq)
		return -ENOENT;
	err = srq_set_limit(srq, lwm);
	shca_obj_put(&srq->obj);
	return err;
}

int shca_rmp_modify(struct shca_fn *fn, u16 uid, u32 rmpn, const void *rmpc,
		    u64 bitmask)
{
	struct shca_srq *srq;
	int err;

	if (bitmask & ~(u64)SHCA_RMP_MODIFY_LWM)
		return -EOPNOTSUPP;
	srq = srq_get(fn->hw, uid, rmpn, SHCA_SRQ_RMP);
	if (!srq)
		return -ENOENT;
	err = bitmask ? srq_set_limit(srq, MLX5_GET(rmpc, rmpc, wq.lwm)) : 0;
	shca_obj_put(&srq->obj);
	return err;
}

static int srq_destroy(struct shca_fn *fn, u16 uid, u32 num,
		       enum shca_srq_kind kind)
{
	struct shca_hw *hw = fn->hw;
	struct shca_obj *obj;
	struct shca_srq *srq;

	mutex_lock(&hw->config);
	srq = srq_get(hw, uid, num, kind);
	if (!srq) {
		mutex_unlock(&hw->config);
		return -ENOENT;
	}
	shca_obj_put(&srq->obj);
	obj = shca_obj_del(&hw->srqs, num, uid);
	if (!IS_ERR(obj))
		srq_free(srq);
	mutex_unlock(&hw->config);
	return PTR_ERR_OR_ZERO(obj);
}

int shca_srq_destroy(struct shca_fn *fn, u16 uid, u32 srqn)
{
	return srq_destroy(fn, uid, srqn, SHCA_SRQ_XRC);
}

int shca_rmp_destroy(struct shca_fn *fn, u16 uid, u32 rmpn)
{
	return srq_destroy(fn, uid, rmpn, SHCA_SRQ_RMP);
}
