// SPDX-License-Identifier: GPL-2.0
/*
 * Send queues: WQEs are fetched, copied once, and executed.
 */
#define pr_fmt(fmt) "softhca: " fmt

#include <linux/kernel.h>
#include <linux/mlx5/cq.h>
#include <linux/mlx5/qp.h>

#include "engine/rc.h"
#include "pci/pci.h"

#define SHCA_SQ_BUDGET	16	/* WQEs per visit */

/* From the ring; @bb may lie beyond its end. */
int shca_sq_read(struct shca_qp *qp, u16 bb, u32 off, void *dst, u32 len)
{
	u32 size = qp->sq_size * MLX5_SEND_WQE_BB;
	u32 pos = (bb * MLX5_SEND_WQE_BB + off) & (size - 1);
	u32 first = min(len, size - pos);
	int err;

	err = shca_buf_read(qp->hw->fn, &qp->buf, qp->sq_off + pos, dst, first);
	if (err || first == len)
		return err;
	return shca_buf_read(qp->hw->fn, &qp->buf, qp->sq_off, dst + first,
			     len - first);
}

void shca_sq_data(struct shca_qp *qp, u16 bb, u32 from, u32 to, bool in,
		  struct shca_cur *cur)
{
	const struct shca_span span = {
		.fn = qp->hw->fn, .pd = qp->pd,
		.access = in ? SHCA_LOCAL_WRITE : SHCA_LOCAL_READ,
	};
	u32 pos = (u32)bb * MLX5_SEND_WQE_BB;

	shca_cur_list(cur, &span, &qp->buf, qp->sq_off,
		      qp->sq_size * MLX5_SEND_WQE_BB - 1, pos + from, pos + to);
	cur->rlky = qp->rlky;
	cur->may_inline = !in;
}

u8 shca_sq_data_syndrome(int err)
{
	return err == -EMSGSIZE || err == -EBADMSG ?
		       MLX5_CQE_SYNDROME_LOCAL_QP_OP_ERR :
		       MLX5_CQE_SYNDROME_LOCAL_PROT_ERR;
}

/* Basic blocks that were posted and not served yet; < 0 when the record cannot
 * be believed.
 */
int shca_sq_pending(struct shca_qp *qp)
{
	__be32 record;
	u16 todo;
	int err;

	err = shca_dma_read32(qp->hw->fn,
			      qp->dbr.addr + MLX5_SND_DBR * sizeof(record),
			      &record);
	if (err)
		return err;
	todo = (u16)be32_to_cpu(record) - qp->sq_head;
	return todo <= qp->sq_size ? todo : -EINVAL;
}

/* UD queues stop sending and go on receiving (IBTA vol. 1, 10.3.1.6). */
static u8 sq_error_state(const struct shca_qp *qp)
{
	switch (qp->st) {
	case MLX5_QP_ST_UD:
	case MLX5_QP_ST_QP0:
	case MLX5_QP_ST_QP1:
		return MLX5_QPC_STATE_SQER;
	default:
		return MLX5_QPC_STATE_ERR;
	}
}

/* 0 or the syndrome */
static u8 sq_execute(struct shca_qp *qp, struct shca_scratch *scratch, u32 len,
		     u8 opcode)
{
	switch (opcode) {
	case MLX5_OPCODE_NOP:
		return 0;
	case MLX5_OPCODE_SEND:
	case MLX5_OPCODE_SEND_IMM:
		if (qp->st == MLX5_QP_ST_REG_UMR)
			return MLX5_CQE_SYNDROME_LOCAL_QP_OP_ERR;
		return shca_ud_send(qp, scratch->wqe, len, scratch->data);
	case MLX5_OPCODE_UMR:
		if (qp->st == MLX5_QP_ST_REG_UMR &&
		    !shca_umr_execute(qp, qp->sq_head, len))
			return 0;
		return MLX5_CQE_SYNDROME_MW_BIND_ERR;
	default:
		return MLX5_CQE_SYNDROME_LOCAL_QP_OP_ERR;
	}
}

static void sq_complete(struct shca_qp *qp, u8 fm_ce_se, u8 opcode)
{
	struct mlx5_cqe64 cqe;

	if (!(fm_ce_se & MLX5_WQE_CTRL_CQ_UPDATE))
		return;
	shca_cqe_fill(&cqe, qp, MLX5_CQE_REQ, qp->sq_head, opcode);
	shca_cqe_good(qp->scq, &cqe,
		      (fm_ce_se & MLX5_WQE_CTRL_CQ_UPDATE_AND_EQE) ==
		      MLX5_WQE_CTRL_CQ_UPDATE_AND_EQE);
}

static void sq_fail(struct shca_qp *qp, u8 opcode, u8 syndrome)
{
	shca_cqe_error(qp->scq, qp, MLX5_CQE_REQ_ERR, qp->sq_head, opcode,
		       syndrome);
	spin_lock(&qp->rq_lock);
	shca_qp_fail(qp, sq_error_state(qp));
	spin_unlock(&qp->rq_lock);
}

static void sq_catastrophe(struct shca_qp *qp)
{
	spin_lock(&qp->rq_lock);
	shca_qp_catastrophe(qp);
	spin_unlock(&qp->rq_lock);
}

/* One WQE. Returns its basic blocks, at most @todo; < 0 when it cannot be
 * read.
 */
static int sq_one(struct shca_qp *qp, struct shca_scratch *scratch, u32 todo)
{
	u32 nbb, len;
	struct mlx5_wqe_ctrl_seg ctrl;
	u8 opcode, syndrome;
	int err;

	err = shca_sq_read(qp, qp->sq_head, 0, &ctrl, sizeof(ctrl));
	if (err)
		return err;
	opcode = be32_to_cpu(ctrl.opmod_idx_opcode) & MLX5_WQE_CTRL_OPCODE_MASK;
	len = (be32_to_cpu(ctrl.qpn_ds) & MLX5_WQE_CTRL_DS_MASK) *
	      MLX5_SEND_WQE_DS;
	nbb = clamp_t(u32, DIV_ROUND_UP(len, MLX5_SEND_WQE_BB), 1, todo);

	if (READ_ONCE(qp->state) != MLX5_QPC_STATE_RTS) {
		shca_cqe_error(qp->scq, qp, MLX5_CQE_REQ_ERR, qp->sq_head,
			       opcode, MLX5_CQE_SYNDROME_WR_FLUSH_ERR);
		return nbb;
	}
	if (len < sizeof(ctrl) || len > nbb * MLX5_SEND_WQE_BB) {
		sq_fail(qp, opcode, MLX5_CQE_SYNDROME_LOCAL_QP_OP_ERR);
		return nbb;
	}
	memcpy(scratch->wqe, &ctrl, sizeof(ctrl));
	err = shca_sq_read(qp, qp->sq_head, sizeof(ctrl),
			   scratch->wqe + sizeof(ctrl), len - sizeof(ctrl));
	if (err)
		return err;
	syndrome = sq_execute(qp, scratch, len, opcode);
	if (syndrome)
		sq_fail(qp, opcode, syndrome);
	else
		sq_complete(qp, ctrl.fm_ce_se, opcode);
	return nbb;
}

static bool sq_runs(const struct shca_qp *qp, bool may_execute)
{
	switch (READ_ONCE(qp->state)) {
	case MLX5_QPC_STATE_RTS:
		return may_execute;
	case MLX5_QPC_STATE_SQER:
	case MLX5_QPC_STATE_ERR:
		return true;
	default:
		return false;
	}
}

static int sq_serve(struct shca_qp *qp, struct shca_scratch *scratch)
{
	unsigned int budget = SHCA_SQ_BUDGET;
	int todo, n;

	todo = shca_sq_pending(qp);
	while (todo > 0 && budget-- && sq_runs(qp, scratch)) {
		n = sq_one(qp, scratch, todo);
		if (n < 0)
			return n;
		qp->sq_head += n;
		todo -= n;
	}
	return todo;
}

/* Connected queues keep what they began until the far end has answered. */
static int sq_run(struct shca_qp *qp, struct shca_scratch *scratch)
{
	if (!qp->rc)
		return sq_serve(qp, scratch);
	if (READ_ONCE(qp->state) == MLX5_QPC_STATE_RTS)
		return shca_rc_send(qp);
	shca_rc_flush(qp);
	return sq_serve(qp, NULL);
}

bool shca_sq_serve(struct shca_qp *qp, struct shca_scratch *scratch)
{
	/* What the far end is owed goes before what this one wants, as on a
	 * wire: a message is complete there before the answer to it arrives.
	 */
	bool more = shca_rc_reply(qp);
	int left = 0;

	if (!qp->sq_size)
		return more;
	spin_lock(&qp->sq_lock);
	if (sq_runs(qp, scratch)) {
		left = sq_run(qp, scratch);
		/* While the function may not master the bus nothing is wrong
		 * with the queue.
		 */
		if (left < 0 && left != -EACCES)
			sq_catastrophe(qp);
	}
	spin_unlock(&qp->sq_lock);
	return more || left > 0;
}
