// SPDX-License-Identifier: GPL-2.0
/*
 * Receive queues: a datagram finds its WQE.
 */
#define pr_fmt(fmt) "softhca: " fmt

#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/mlx5/cq.h>
#include <linux/mlx5/qp.h>

#include "engine/hw.h"
#include "pci/pci.h"

#define SHCA_RQ_BUDGET		64	/* WQEs flushed per visit */
#define SHCA_PKEY_BASE		0x7fff
#define SHCA_CQE_GRH_IN_BUFFER	1

/* The place of a WQE and how far it is filled. */
struct scatter {
	struct shca_fn *fn;
	const struct shca_buf *buf;
	u64 pos, end;		/* data segments */
	u32 pd;
	bool rlky;
	u32 key, left;		/* of the segment under way */
	u64 va;
};

/* The next segment that has room, fetched once. */
static int scatter_segment(struct scatter *sc)
{
	struct mlx5_wqe_data_seg seg;
	int err;

	if (sc->pos >= sc->end)
		return -EMSGSIZE;
	err = shca_buf_read(sc->fn, sc->buf, sc->pos, &seg, sizeof(seg));
	if (err)
		return err;
	sc->pos += sizeof(seg);
	sc->key = be32_to_cpu(seg.lkey);
	sc->left = be32_to_cpu(seg.byte_count);
	sc->va = be64_to_cpu(seg.addr);
	if (sc->key == SHCA_TERMINATE_LKEY)
		return -EMSGSIZE;
	if (sc->left && sc->key == shca_mkey_reserved(sc->fn) && !sc->rlky)
		return -EACCES;
	return 0;
}

/* @src NULL leaves the room as it is. */
static int scatter_put(struct scatter *sc, const u8 *src, u32 len)
{
	u32 n;
	int err;

	while (len) {
		if (!sc->left) {
			err = scatter_segment(sc);
			if (err)
				return err;
			continue;
		}
		n = min(len, sc->left);
		err = src ? shca_mkey_write(sc->fn, sc->pd, sc->key, sc->va,
					    src, n, SHCA_LOCAL_WRITE) : 0;
		if (err)
			return err;
		if (src)
			src += n;
		sc->va += n;
		sc->left -= n;
		len -= n;
	}
	return 0;
}

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

static int rq_take_own(struct shca_qp *qp, struct scatter *sc, u16 *index)
{
	int n = qp->rq_size ? rq_pending(qp) : 0;

	if (n < 0) {
		if (n != -EACCES)
			shca_qp_catastrophe(qp);
		return n;
	}
	if (!n)
		return -ENOENT;
	*index = qp->rq_head++;
	sc->buf = &qp->buf;
	sc->pos = (u64)(*index & (qp->rq_size - 1)) << qp->log_stride;
	sc->end = sc->pos + (1U << qp->log_stride);
	sc->pd = qp->pd;
	return 0;
}

static int rq_take_shared(struct shca_qp *qp, struct scatter *sc, u16 *index)
{
	struct shca_srq *srq = qp->srq;
	int err;

	spin_lock(&srq->lock);
	err = shca_srq_take(srq, &sc->pos, index);
	spin_unlock(&srq->lock);
	if (err)
		return err;
	sc->buf = &srq->buf;
	sc->end = sc->pos + (1U << srq->log_stride);
	sc->pos += sizeof(struct mlx5_wqe_srq_next_seg);
	sc->pd = srq->pd;
	return 0;
}

static u8 scatter_packet(struct scatter *sc, const struct shca_pkt *pkt)
{
	int err;

	/* Room for a GRH is always left, whether there is one or not. */
	err = scatter_put(sc, pkt->grh ? pkt->grh_hdr : NULL,
			  sizeof(pkt->grh_hdr));
	if (!err)
		err = scatter_put(sc, pkt->data, pkt->len);
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
	struct scatter sc = { .fn = qp->hw->fn, .rlky = qp->rlky };
	u8 syndrome;
	u16 index;
	int err;

	err = qp->srq ? rq_take_shared(qp, &sc, &index) :
			rq_take_own(qp, &sc, &index);
	/* Nothing posted: a datagram is dropped (IBTA vol. 1, 9.8.3). */
	if (err)
		return;
	syndrome = scatter_packet(&sc, pkt);
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

static bool pkey_admits(struct shca_qp *qp, const struct shca_pkt *pkt)
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
	if (!pkey_admits(qp, pkt))
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
