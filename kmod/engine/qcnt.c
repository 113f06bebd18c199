// SPDX-License-Identifier: GPL-2.0
/*
 * Q counters: what happened to the queue pairs of a set. The counters lie as
 * QUERY_Q_COUNTER gives them.
 *
 * A set may be freed while queue pairs count in it: its number is gone, they
 * go on counting where nobody looks.
 */
#define pr_fmt(fmt) "softhca: " fmt

#include <linux/atomic.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/kref.h>
#include <linux/slab.h>
#include <linux/mlx5/cq.h>

#include "engine/hw.h"
#include "engine/qcnt.h"

#define SHCA_QCNT_DW	MLX5_ST_SZ_DW(query_q_counter_out)

struct shca_qcnt {
	struct shca_obj obj;
	struct kref users;	/* the table, and queue pairs */
	atomic_t count[SHCA_QCNT_DW];
};

int shca_qcnt_alloc(struct shca_fn *fn, u16 uid, u32 *id)
{
	struct shca_qcnt *cnt = kzalloc(sizeof(*cnt), GFP_KERNEL);
	int err;

	if (!cnt)
		return -ENOMEM;
	kref_init(&cnt->users);
	err = shca_obj_add(&fn->hw->qcnts, &cnt->obj, uid);
	if (err)
		kfree(cnt);
	else
		*id = cnt->obj.id;
	return err;
}

static void qcnt_release(struct kref *users)
{
	struct shca_qcnt *cnt = container_of(users, struct shca_qcnt, users);

	kfree_rcu(cnt, obj.rcu);
}

struct shca_qcnt *shca_qcnt_hold(struct shca_qcnt *cnt)
{
	if (cnt)
		kref_get(&cnt->users);
	return cnt;
}

void shca_qcnt_put(struct shca_qcnt *cnt)
{
	if (cnt)
		kref_put(&cnt->users, qcnt_release);
}

int shca_qcnt_free(struct shca_fn *fn, u16 uid, u32 id)
{
	struct shca_obj *obj = shca_obj_del(&fn->hw->qcnts, id, uid);

	if (IS_ERR(obj))
		return PTR_ERR(obj);
	shca_qcnt_put(container_of(obj, struct shca_qcnt, obj));
	return 0;
}

/* A user's own set, or one that the driver shares with all; pinned. */
static struct shca_qcnt *qcnt_get(struct shca_hw *hw, u32 id, u16 uid,
				  bool shared_too)
{
	struct shca_obj *obj = shca_obj_get(&hw->qcnts, id, 0);

	if (!obj)
		return NULL;
	if (uid && obj->uid != uid &&
	    !(shared_too && obj->uid == SHCA_SHARED_UID)) {
		shca_obj_put(obj);
		return NULL;
	}
	return container_of(obj, struct shca_qcnt, obj);
}

int shca_qcnt_query(struct shca_fn *fn, u16 uid, u32 id, bool clear, void *out)
{
	struct shca_qcnt *cnt = qcnt_get(fn->hw, id, uid, !clear);
	__be32 *dw = out;
	unsigned int i;
	int val;

	if (!cnt)
		return -ENOENT;
	/* In front are the status and the syndrome. */
	for (i = SHCA_QCNT_FIRST; i < SHCA_QCNT_DW; i++) {
		val = clear ? atomic_xchg(&cnt->count[i], 0) :
			      atomic_read(&cnt->count[i]);
		dw[i] = cpu_to_be32(val);
	}
	shca_obj_put(&cnt->obj);
	return 0;
}

int shca_qcnt_use(struct shca_hw *hw, u32 id, u16 uid, struct shca_qcnt **cnt)
{
	*cnt = NULL;
	if (!id)
		return 0;
	*cnt = qcnt_get(hw, id, uid, true);
	if (!*cnt)
		return -ENOENT;
	shca_qcnt_hold(*cnt);
	shca_obj_put(&(*cnt)->obj);
	return 0;
}

void shca_qcnt_add(const struct shca_qp *qp, unsigned int dw)
{
	if (qp->cnt)
		atomic_inc(&qp->cnt->count[dw]);
}

/* Counters of error completions, by syndrome. */
static const u8 req_errors[] = {
	[MLX5_CQE_SYNDROME_LOCAL_LENGTH_ERR] =
		SHCA_QCNT(req_local_length_error),
	[MLX5_CQE_SYNDROME_LOCAL_QP_OP_ERR] = SHCA_QCNT(local_operation_error),
	[MLX5_CQE_SYNDROME_LOCAL_PROT_ERR] = SHCA_QCNT(req_local_protection),
	[MLX5_CQE_SYNDROME_WR_FLUSH_ERR] = SHCA_QCNT(req_cqe_flush_error),
	[MLX5_CQE_SYNDROME_MW_BIND_ERR] = SHCA_QCNT(req_mw_binding),
	[MLX5_CQE_SYNDROME_BAD_RESP_ERR] = SHCA_QCNT(req_bad_response),
	[MLX5_CQE_SYNDROME_REMOTE_INVAL_REQ_ERR] =
		SHCA_QCNT(req_remote_invalid_request),
	[MLX5_CQE_SYNDROME_REMOTE_ACCESS_ERR] =
		SHCA_QCNT(req_remote_access_errors),
	[MLX5_CQE_SYNDROME_REMOTE_OP_ERR] =
		SHCA_QCNT(req_remote_operation_errors),
	[MLX5_CQE_SYNDROME_TRANSPORT_RETRY_EXC_ERR] =
		SHCA_QCNT(req_transport_retries_exceeded),
	[MLX5_CQE_SYNDROME_RNR_RETRY_EXC_ERR] = SHCA_QCNT_RNR_EXCEEDED,
};

static const u8 resp_errors[] = {
	[MLX5_CQE_SYNDROME_LOCAL_LENGTH_ERR] =
		SHCA_QCNT(resp_local_length_error),
	[MLX5_CQE_SYNDROME_LOCAL_QP_OP_ERR] = SHCA_QCNT(resp_local_qp_error),
	[MLX5_CQE_SYNDROME_LOCAL_PROT_ERR] = SHCA_QCNT(resp_local_protection),
	[MLX5_CQE_SYNDROME_WR_FLUSH_ERR] = SHCA_QCNT(resp_cqe_flush_error),
};

static u8 error_counter(bool req, u8 syndrome)
{
	if (req)
		return syndrome < ARRAY_SIZE(req_errors) ?
			       req_errors[syndrome] : 0;
	return syndrome < ARRAY_SIZE(resp_errors) ? resp_errors[syndrome] : 0;
}

void shca_qcnt_error(const struct shca_qp *qp, bool req, u8 syndrome)
{
	u8 dw = error_counter(req, syndrome);

	shca_qcnt_add(qp, req ? SHCA_QCNT(req_cqe_error) :
				SHCA_QCNT(resp_cqe_error));
	if (dw)
		shca_qcnt_add(qp, dw);
}
