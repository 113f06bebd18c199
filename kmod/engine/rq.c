// SPDX-License-Identifier: GPL-2.0
/*
 * Receive queues: a datagram finds its WQE.
 */
#define pr_fmt(fmt) "softhca: " fmt

#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/mlx5/cq.h>
#include <linux/mlx5/qp.h>

#include "engine/cursor.h"
#include "engine/hw.h"
#include "engine/qcnt.h"
#include "pci/pci.h"

#define SHCA_RQ_BUDGET		64	/* WQEs flushed per visit */
#define SHCA_PKEY_BASE		0x7fff
#define SHCA_CQE_GRH_IN_BUFFER	1

/* WQEs posted and not taken; < 0 when the record cannot be believed. */
static int rq_pending(struct shca_qp *qp)
{
	__be32 record;
	u16 posted;
	int err;

	err = shca_dma_read32(qp->hw->fn,
			      qp->dbr.addr + MLX5_RCV_DBR * sizeof(record),
			      &record);
	if (err)
		return err;
	posted = (u16)be32_to_cpu(record) - qp->rq_head;
	return posted <= qp->rq_size ? posted : -EINVAL;
}

static int rq_take_own(struct shca_qp *qp, struct shca_cur *cur, u16 *index)
{
	const struct shca_span span = {
		.fn = qp->hw->fn, .pd = qp->pd, .access = SHCA_LOCAL_WRITE,
	};
	u32 stride = 1U << qp->log_stride, pos;
	int n = qp->rq_size ? rq_pending(qp) : 0;

	if (n < 0) {
		if (n != -EACCES)
			shca_qp_catastrophe(qp);
		return n;
	}
	if (!n)
		return -ENOENT;
	*index = qp->rq_head++;
	pos = (*index & (qp->rq_size - 1)) << qp->log_stride;
	shca_cur_list(cur, &span, &qp->buf, 0, S32_MAX, pos, pos + stride);
	return 0;
}

int shca_rq_take_shared(struct shca_srq *srq, struct shca_cur *cur, u16 *index)
{
	const struct shca_span span = {
		.fn = srq->hw->fn, .pd = srq->pd, .access = SHCA_LOCAL_WRITE,
	};
	u64 pos;
	int err;

	spin_lock(&srq->lock);
	err = shca_srq_take(srq, &pos, index);
	spin_unlock(&srq->lock);
	if (!err)
		shca_cur_list(cur, &span, &srq->buf, 0, S32_MAX,
			      pos + sizeof(struct mlx5_wqe_srq_next_seg),
			      pos + (1U << srq->log_stride));
	return err;
}

int shca_rq_take(struct shca_qp *qp, struct shca_cur *cur, u16 *index)
{
	int err = qp->srq ? shca_rq_take_shared(qp->srq, cur, index) :
			    rq_take_own(qp, cur, index);

	if (!err)
		cur->rlky = qp->rlky;
	return err;
}

static u8 scatter_packet(struct shca_cur *cur, const struct shca_pkt *pkt)
{
	u8 *grh = (u8 *)pkt->grh_hdr;
	struct shca_cur from;
	bool src_failed;
	int err;

	/* Room for a GRH is always left, whether there is one or not. */
	shca_cur_bytes(&from, grh, sizeof(pkt->grh_hdr));
	if (pkt->grh)
		err = shca_cur_copy(&from, cur, sizeof(pkt->grh_hdr),
				    &src_failed);
	else
		err = shca_cur_skip(cur, sizeof(pkt->grh_hdr));
	if (!err)
		err = shca_cur_fill(cur, pkt, &src_failed);
	if (!err)
		return 0;
	return err == -EMSGSIZE ? MLX5_CQE_SYNDROME_LOCAL_LENGTH_ERR :
				  MLX5_CQE_SYNDROME_LOCAL_PROT_ERR;
}

static void rq_complete(struct shca_qp *qp, const struct shca_pkt *pkt,
			u16 index)
{
	struct shca_port *port = qp->hw->ports[qp->port - 1].port;
	struct mlx5_cqe64 cqe;
	u64 prefix;
	u16 lid;
	u8 lmc;

	shca_cqe_fill(&cqe, qp, pkt->has_imm ? MLX5_CQE_RESP_SEND_IMM :
					       MLX5_CQE_RESP_SEND,
		      index, 0);
	shca_port_addr(port, &lid, &lmc, &prefix);
	cqe.ml_path = pkt->dlid & ((1U << lmc) - 1);
	cqe.slid = cpu_to_be16(pkt->slid);
	cqe.flags_rqpn = cpu_to_be32((pkt->grh ? SHCA_CQE_GRH_IN_BUFFER : 0) << 28 |
				     (pkt->sl & 0xf) << 24 | pkt->sqpn);
	cqe.byte_cnt = cpu_to_be32(sizeof(pkt->grh_hdr) + pkt->len);
	if (pkt->has_imm)
		cqe.immediate = pkt->imm;
	else if (qp->st == MLX5_QP_ST_QP1)
		cqe.pkey = cpu_to_be32(pkt->pkey);
	if (pkt->solicited)
		cqe.op_own |= 1 << 1;
	shca_cqe_good(qp->rcq, &cqe, pkt->solicited);
}

static void rq_deliver(struct shca_qp *qp, const struct shca_pkt *pkt)
{
	struct shca_cur cur;
	u8 syndrome;
	u16 index;
	int err;

	err = shca_rq_take(qp, &cur, &index);
	/* Nothing posted: a datagram is dropped (IBTA vol. 1, 9.8.3). */
	if (err) {
		if (err == -ENOENT)
			shca_count(qp, out_of_buffer);
		return;
	}
	syndrome = scatter_packet(&cur, pkt);
	if (!syndrome) {
		rq_complete(qp, pkt, index);
		return;
	}
	shca_cqe_error(qp->rcq, qp, MLX5_CQE_RESP_ERR, index, 0, syndrome);
	shca_qp_fail(qp, MLX5_QPC_STATE_ERR);
}

/* Same partition, and one of both a full member. */
static bool pkeys_match(u16 a, u16 b)
{
	return !((a ^ b) & SHCA_PKEY_BASE) && ((a | b) & ~SHCA_PKEY_BASE) &&
	       (a & SHCA_PKEY_BASE);
}

bool shca_rq_pkey_admits(struct shca_qp *qp, const struct shca_pkt *pkt)
{
	struct shca_port *port = qp->hw->ports[qp->port - 1].port;
	unsigned int i, first = qp->pkey_index, last = qp->pkey_index;
	u16 pkey;

	/* MADs may come in any partition of the port. */
	if (qp->st == MLX5_QP_ST_QP1) {
		first = 0;
		last = qp->hw->lim.pkey_table - 1;
	}
	for (i = first; i <= last; i++)
		if (!shca_port_pkey(port, i, &pkey) &&
		    pkeys_match(pkey, pkt->pkey))
			return true;
	shca_port_bad_key(port, SHCA_BAD_PKEY, pkt);
	return false;
}

static bool rq_admits(struct shca_qp *qp, const struct shca_pkt *pkt)
{
	if (qp->st == MLX5_QP_ST_QP0)
		return pkt->vl15;
	if (pkt->vl15)
		return false;
	if (qp->st != MLX5_QP_ST_QP1 && qp->st != MLX5_QP_ST_UD)
		return false;
	if (!shca_rq_pkey_admits(qp, pkt))
		return false;
	if (pkt->qkey == qp->qkey)
		return true;
	shca_port_bad_key(qp->hw->ports[qp->port - 1].port, SHCA_BAD_QKEY,
			  pkt);
	return false;
}

bool shca_rq_receive(struct shca_qp *qp, const struct shca_pkt *pkt)
{
	bool up;

	spin_lock(&qp->rq_lock);
	up = qp->state == MLX5_QPC_STATE_RTR ||
	     qp->state == MLX5_QPC_STATE_RTS ||
	     qp->state == MLX5_QPC_STATE_SQER;
	if (up && qp->rcq && rq_admits(qp, pkt))
		rq_deliver(qp, pkt);
	spin_unlock(&qp->rq_lock);
	return up;
}

bool shca_rq_flush(struct shca_qp *qp)
{
	unsigned int budget = SHCA_RQ_BUDGET;
	int n = 0;

	if (!qp->rq_size || !qp->rcq)
		return false;
	spin_lock(&qp->rq_lock);
	if (qp->state == MLX5_QPC_STATE_ERR) {
		n = rq_pending(qp);
		if (n < 0 && n != -EACCES)
			shca_qp_catastrophe(qp);
		for (; n > 0 && budget; n--, budget--)
			shca_cqe_error(qp->rcq, qp, MLX5_CQE_RESP_ERR,
				       qp->rq_head++, 0,
				       MLX5_CQE_SYNDROME_WR_FLUSH_ERR);
	}
	spin_unlock(&qp->rq_lock);
	return n > 0;
}
