// SPDX-License-Identifier: GPL-2.0
/*
 * Queue pairs: made, moved from state to state, destroyed.
 */
#define pr_fmt(fmt) "softhca: " fmt

#include <linux/err.h>
#include <linux/ktime.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/mlx5/qp.h>

#include "engine/qcnt.h"
#include "engine/rc.h"
#include "pci/pci.h"

/* How often QPs in error are looked at for WQEs posted since: receive queues
 * have no doorbell.
 */
#define SHCA_FLUSH_NS		(1 * NSEC_PER_MSEC)
#define SHCA_FLUSH_BUDGET	64U	/* QPs each time */

/* The last dword of the context, which <linux/mlx5/mlx5_ifc.h> does not name:
 * the UMEM of the doorbell record.
 */
#define SHCA_QPC_DBR_UMEM_DW	(MLX5_ST_SZ_DW(qpc) - 1)

struct shca_qp *shca_qp_get(struct shca_hw *hw, u32 qpn)
{
	struct shca_obj *obj = shca_obj_get(&hw->qps, qpn, 0);

	return obj ? container_of(obj, struct shca_qp, obj) : NULL;
}

static int special_index(const struct shca_qp *qp)
{
	switch (qp->st) {
	case MLX5_QP_ST_QP0:
		return 0;
	case MLX5_QP_ST_QP1:
		return 1;
	default:
		return -1;
	}
}

static bool receives(u8 state)
{
	return state == MLX5_QPC_STATE_RTR || state == MLX5_QPC_STATE_RTS ||
	       state == MLX5_QPC_STATE_SQER;
}

/* MADs go to QP0 and QP1 by their well-known numbers, while they receive. */
static void special_update(struct shca_qp *qp, u8 state)
{
	struct shca_hw_port *port = &qp->hw->ports[qp->port - 1];
	int i = special_index(qp);

	if (i < 0)
		return;
	if (receives(state))
		WRITE_ONCE(port->special[i], qp->obj.id);
	else
		cmpxchg(&port->special[i], qp->obj.id, 0);
}

static void err_list_add(struct shca_qp *qp)
{
	struct shca_hw *hw = qp->hw;

	spin_lock(&hw->err_lock);
	if (list_empty(&qp->err_node)) {
		list_add_tail(&qp->err_node, &hw->err_qps);
		hw->nerr_qps++;
	}
	spin_unlock(&hw->err_lock);
}

static void err_list_del(struct shca_qp *qp)
{
	struct shca_hw *hw = qp->hw;

	spin_lock(&hw->err_lock);
	if (!list_empty(&qp->err_node)) {
		list_del_init(&qp->err_node);
		hw->nerr_qps--;
	}
	spin_unlock(&hw->err_lock);
}

static void set_state(struct shca_qp *qp, u8 state)
{
	WRITE_ONCE(qp->state, state);
	special_update(qp, state);
	if (qp->rc && state == MLX5_QPC_STATE_ERR)
		shca_rc_stop(qp);
	if (state != MLX5_QPC_STATE_ERR) {
		err_list_del(qp);
		return;
	}
	err_list_add(qp);
	if (qp->srq)
		shca_eq_queue_event(qp->hw, MLX5_EVENT_TYPE_SRQ_LAST_WQE,
				    MLX5_EVENT_QUEUE_TYPE_QP, qp->obj.id);
}

void shca_qp_fail(struct shca_qp *qp, u8 state)
{
	if (qp->state != MLX5_QPC_STATE_ERR)
		set_state(qp, state);
}

void shca_qp_catastrophe(struct shca_qp *qp)
{
	bool known = qp->state == MLX5_QPC_STATE_ERR;

	shca_qp_fail(qp, MLX5_QPC_STATE_ERR);
	/* There is nothing to flush from memory that cannot be read. */
	err_list_del(qp);
	if (!known)
		shca_eq_queue_event(qp->hw, MLX5_EVENT_TYPE_WQ_CATAS_ERROR,
				    MLX5_EVENT_QUEUE_TYPE_QP, qp->obj.id);
}

/* The next one in turn, pinned. */
static struct shca_qp *err_list_next(struct shca_hw *hw)
{
	struct shca_qp *qp = NULL;

	spin_lock(&hw->err_lock);
	if (!list_empty(&hw->err_qps)) {
		qp = list_first_entry(&hw->err_qps, struct shca_qp, err_node);
		list_move_tail(&qp->err_node, &hw->err_qps);
		if (!refcount_inc_not_zero(&qp->obj.ref))
			qp = NULL;
	}
	spin_unlock(&hw->err_lock);
	return qp;
}

bool shca_qp_flush_due(struct shca_hw *hw, u64 now)
{
	unsigned int n = READ_ONCE(hw->nerr_qps);
	struct shca_qp *qp;
	bool left = false;

	if (!n || now < hw->err_next)
		return false;
	for (n = min(n, SHCA_FLUSH_BUDGET); n; n--) {
		qp = err_list_next(hw);
		if (!qp)
			continue;
		left |= shca_sq_serve(qp, NULL);
		left |= shca_rq_flush(qp);
		shca_qp_put(qp);
	}
	hw->err_next = left ? now : now + SHCA_FLUSH_NS;
	return left;
}

static bool st_supported(u8 st)
{
	switch (st) {
	case MLX5_QP_ST_RC:
	case MLX5_QP_ST_UC:
	case MLX5_QP_ST_UD:
	case MLX5_QP_ST_XRC:
	case MLX5_QP_ST_QP0:
	case MLX5_QP_ST_QP1:
	case MLX5_QP_ST_REG_UMR:
		return true;
	default:
		return false;
	}
}

static int fill_rq_shape(struct shca_qp *qp)
{
	void *qpc = qp->qpc;
	u8 log_size = MLX5_GET(qpc, qpc, log_rq_size);

	switch (MLX5_GET(qpc, qpc, rq_type)) {
	case MLX5_NON_ZERO_RQ:
		if (log_size > qp->hw->lim.log_max_qp_sz)
			return -EINVAL;
		qp->rq_size = 1U << log_size;
		qp->log_stride = 4 + MLX5_GET(qpc, qpc, log_rq_stride);
		return 0;
	case MLX5_SRQ_RQ:
	case MLX5_ZERO_LEN_RQ:
		return 0;
	default:
		return -EOPNOTSUPP;
	}
}

static int fill_shape(struct shca_qp *qp)
{
	void *qpc = qp->qpc;
	u8 log_size = MLX5_GET(qpc, qpc, log_sq_size);
	int err;

	qp->st = MLX5_GET(qpc, qpc, st);
	qp->block_lb = MLX5_GET(qpc, qpc, block_lb_mc);
	if (!st_supported(qp->st) || MLX5_GET(qpc, qpc, wq_signature) ||
	    MLX5_GET(qpc, qpc, ulp_stateless_offload_mode) ||
	    MLX5_GET(qpc, qpc, offload_type))
		return -EOPNOTSUPP;
	err = fill_rq_shape(qp);
	if (err)
		return err;
	if (!MLX5_GET(qpc, qpc, no_sq)) {
		if (log_size > qp->hw->lim.log_max_qp_sz)
			return -EINVAL;
		qp->sq_size = 1U << log_size;
	}
	qp->sq_off = (u64)qp->rq_size << qp->log_stride;
	qp->pd = MLX5_GET(qpc, qpc, pd);
	qp->uidx = MLX5_GET(qpc, qpc, user_index);
	return 0;
}

/* Completions of a receive queue; XRC takes the SRQ that a packet names, and
 * that one's CQ.
 */
static int fill_receive_refs(struct shca_qp *qp, u16 uid)
{
	struct shca_hw *hw = qp->hw;
	void *qpc = qp->qpc;

	if (qp->st == MLX5_QP_ST_XRC || qp->st == MLX5_QP_ST_REG_UMR)
		return 0;
	if (MLX5_GET(qpc, qpc, rq_type) == MLX5_ZERO_LEN_RQ)
		return 0;
	qp->rcq = shca_cq_hold(hw, MLX5_GET(qpc, qpc, cqn_rcv), uid);
	if (!qp->rcq)
		return -ENOENT;
	if (MLX5_GET(qpc, qpc, rq_type) != MLX5_SRQ_RQ)
		return 0;
	qp->srq = shca_srq_hold(hw, MLX5_GET(qpc, qpc, srqn_rmpn_xrqn), uid);
	return qp->srq ? 0 : -ENOENT;
}

static int fill_refs(struct shca_qp *qp, u16 uid)
{
	void *qpc = qp->qpc;

	if (qp->sq_size) {
		qp->uar = shca_uar_get_held(qp->hw,
					    MLX5_GET(qpc, qpc, uar_page), uid);
		qp->scq = shca_cq_hold(qp->hw, MLX5_GET(qpc, qpc, cqn_snd),
				       uid);
		if (!qp->uar || !qp->scq)
			return -ENOENT;
	}
	return fill_receive_refs(qp, uid);
}

static int fill_memory(struct shca_qp *qp, u16 uid,
		       const struct shca_buf_src *src)
{
	u64 size = qp->sq_off + (u64)qp->sq_size * MLX5_SEND_WQE_BB;
	void *qpc = qp->qpc;
	int err;

	if (!size)
		return 0;
	err = shca_buf_init(qp->hw->fn, &qp->buf, src, size);
	if (err)
		return err;
	return shca_dbr_init(qp->hw->fn, &qp->dbr, uid,
			     MLX5_GET(qpc, qpc, dbr_umem_valid),
			     be32_to_cpu(((__be32 *)qpc)[SHCA_QPC_DBR_UMEM_DW]),
			     MLX5_GET64(qpc, qpc, dbr_addr));
}

static void qp_free(struct shca_qp *qp)
{
	shca_rc_free(qp);
	shca_qcnt_put(qp->cnt);
	shca_dbr_exit(&qp->dbr);
	shca_buf_exit(&qp->buf);
	if (qp->uar)
		shca_uar_put_held(qp->uar);
	if (qp->scq)
		shca_obj_unhold(&qp->scq->obj);
	if (qp->rcq)
		shca_obj_unhold(&qp->rcq->obj);
	if (qp->srq)
		shca_obj_unhold(&qp->srq->obj);
	kfree_rcu(qp, obj.rcu);
}

static int qp_setup(struct shca_qp *qp, u16 uid, const struct shca_buf_src *src)
{
	int err;

	err = fill_shape(qp);
	if (!err)
		err = shca_rc_create(qp);
	if (!err)
		err = fill_refs(qp, uid);
	if (!err)
		err = fill_memory(qp, uid, src);
	if (!err)
		err = shca_obj_add(&qp->hw->qps, &qp->obj, uid);
	if (!err && qp->uar)
		shca_uar_add_qp(qp->hw, qp);
	return err;
}

int shca_qp_create(struct shca_fn *fn, u16 uid, const void *qpc,
		   const struct shca_buf_src *src, u32 *qpn)
{
	struct shca_hw *hw = fn->hw;
	struct shca_qp *qp;
	int err;

	qp = kzalloc(sizeof(*qp), GFP_KERNEL);
	if (!qp)
		return -ENOMEM;
	qp->hw = hw;
	qp->port = 1;
	qp->state = MLX5_QPC_STATE_RST;
	spin_lock_init(&qp->sq_lock);
	spin_lock_init(&qp->rq_lock);
	INIT_LIST_HEAD(&qp->uar_node);
	INIT_LIST_HEAD(&qp->err_node);
	INIT_LIST_HEAD(&qp->due_node);
	INIT_LIST_HEAD(&qp->timed_node);
	memcpy(qp->qpc, qpc, sizeof(qp->qpc));

	mutex_lock(&hw->config);
	err = qp_setup(qp, uid, src);
	if (err)
		qp_free(qp);
	else
		*qpn = qp->obj.id;
	mutex_unlock(&hw->config);
	return err;
}

/* What a context would make of the QP; checked before anything is changed. */
static int modify_check(struct shca_qp *qp, const void *qpc, int state)
{
	struct shca_hw *hw = qp->hw;
	u8 port = MLX5_GET(qpc, qpc, primary_address_path.vhca_port_num);
	u8 mtu = MLX5_GET(qpc, qpc, mtu);
	int i = special_index(qp);
	u32 other;

	if (state == MLX5_QPC_STATE_RST || state == MLX5_QPC_STATE_ERR)
		return 0;
	/* 0: the only one */
	if (port > hw->lim.num_ports)
		return -EINVAL;
	if (MLX5_GET(qpc, qpc, primary_address_path.pkey_index) >=
	    hw->lim.pkey_table)
		return -EINVAL;
	if (state == MLX5_QPC_STATE_INIT)
		return 0;
	if (mtu < MLX5_QPC_MTU_256_BYTES || mtu > MLX5_QPC_MTU_4K_BYTES)
		return -EINVAL;
	if (i < 0)
		return 0;
	other = READ_ONCE(hw->ports[max_t(u8, port, 1) - 1].special[i]);
	return other && other != qp->obj.id ? -EBUSY : 0;
}

static void modify_apply(struct shca_qp *qp, const void *qpc, u16 opcode,
			 int state)
{
	memcpy(qp->qpc, qpc, sizeof(qp->qpc));
	qp->port = max_t(u8, 1, MLX5_GET(qpc, qpc,
					 primary_address_path.vhca_port_num));
	qp->pkey_index = MLX5_GET(qpc, qpc, primary_address_path.pkey_index);
	qp->qkey = MLX5_GET(qpc, qpc, q_key);
	/* All that is mapped is not a process's to name. */
	qp->rlky = !qp->obj.uid && MLX5_GET(qpc, qpc, rlky);
	qp->mtu = 128U << MLX5_GET(qpc, qpc, mtu);
	if (state == MLX5_QPC_STATE_RST) {
		qp->sq_head = 0;
		qp->rq_head = 0;
	}
	if (qp->rc)
		shca_rc_modify(qp, opcode);
	set_state(qp, state);
}

/* The set of counters that the command brings, or the one there is; held. */
static int modify_counters(struct shca_qp *qp, const void *qpc, u16 opcode,
			   u32 opt_mask, struct shca_qcnt **cnt)
{
	if (opcode != MLX5_CMD_OP_RST2INIT_QP &&
	    !(opt_mask & MLX5_QP_OPTPAR_COUNTER_SET_ID)) {
		*cnt = shca_qcnt_hold(qp->cnt);
		return 0;
	}
	return shca_qcnt_use(qp->hw, MLX5_GET(qpc, qpc, counter_set_id),
			     qp->obj.uid, cnt);
}

static int qp_modify(struct shca_qp *qp, u16 opcode, u32 opt_mask,
		     const void *in)
{
	u32 qpc[MLX5_ST_SZ_DW(qpc)];
	struct shca_qcnt *cnt;
	int state, err;

	state = shca_qp_next_state(READ_ONCE(qp->state), opcode);
	if (state < 0)
		return state;
	err = shca_qp_check_options(qp->st, opcode, opt_mask, in);
	if (err)
		return err;
	memcpy(qpc, qp->qpc, sizeof(qpc));
	shca_qp_merge(qpc, in, qp->st, opcode, opt_mask);
	err = modify_check(qp, qpc, state);
	if (!err)
		err = modify_counters(qp, qpc, opcode, opt_mask, &cnt);
	if (err)
		return err;

	/* With both locks nothing of the QP is under way; when a move to RESET
	 * is answered, its memory is not touched any more.
	 */
	spin_lock(&qp->sq_lock);
	spin_lock(&qp->rq_lock);
	/* An error may have been faster. */
	state = shca_qp_next_state(qp->state, opcode);
	if (state >= 0) {
		swap(qp->cnt, cnt);
		modify_apply(qp, qpc, opcode, state);
	}
	spin_unlock(&qp->rq_lock);
	spin_unlock(&qp->sq_lock);
	shca_qcnt_put(cnt);
	return min(state, 0);
}

int shca_qp_modify(struct shca_fn *fn, u16 uid, u32 qpn, u16 opcode,
		   u32 opt_mask, const void *qpc)
{
	struct shca_hw *hw = fn->hw;
	struct shca_obj *obj;
	int err;

	obj = shca_obj_get(&hw->qps, qpn, uid);
	if (!obj)
		return -ENOENT;
	mutex_lock(&hw->config);
	err = qp_modify(container_of(obj, struct shca_qp, obj), opcode,
			opt_mask, qpc);
	mutex_unlock(&hw->config);
	shca_obj_put(obj);
	/* WQEs may have been posted before, or wait to be flushed. */
	if (!err)
		shca_poller_kick();
	return err;
}

int shca_qp_query(struct shca_fn *fn, u16 uid, u32 qpn, void *qpc,
		  u32 *opt_mask)
{
	struct shca_hw *hw = fn->hw;
	struct shca_obj *obj;
	struct shca_qp *qp;

	obj = shca_obj_get(&hw->qps, qpn, uid);
	if (!obj)
		return -ENOENT;
	qp = container_of(obj, struct shca_qp, obj);
	mutex_lock(&hw->config);
	memcpy(qpc, qp->qpc, sizeof(qp->qpc));
	MLX5_SET(qpc, qpc, state, READ_ONCE(qp->state));
	MLX5_SET(qpc, qpc, hw_sq_wqebb_counter, READ_ONCE(qp->sq_head));
	MLX5_SET(qpc, qpc, hw_rq_counter, READ_ONCE(qp->rq_head));
	if (qp->rc)
		shca_rc_query(qp, qpc);
	mutex_unlock(&hw->config);
	*opt_mask = 0;
	shca_obj_put(obj);
	return 0;
}

int shca_qp_destroy(struct shca_fn *fn, u16 uid, u32 qpn)
{
	struct shca_hw *hw = fn->hw;
	struct shca_obj *obj;
	struct shca_qp *qp;

	mutex_lock(&hw->config);
	obj = shca_obj_del(&hw->qps, qpn, uid);
	if (!IS_ERR(obj)) {
		qp = container_of(obj, struct shca_qp, obj);
		special_update(qp, MLX5_QPC_STATE_RST);
		err_list_del(qp);
		shca_due_del(qp);
		shca_mcast_forget(hw, qp->obj.id);
		if (qp->uar)
			shca_uar_del_qp(hw, qp);
		qp_free(qp);
	}
	mutex_unlock(&hw->config);
	return PTR_ERR_OR_ZERO(obj);
}
