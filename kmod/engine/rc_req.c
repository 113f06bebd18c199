// SPDX-License-Identifier: GPL-2.0
/*
 * The requester: messages become packets.
 */
#define pr_fmt(fmt) "softhca: " fmt

#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/mlx5/cq.h>

#include "engine/rc.h"

#define SHCA_FENCE_MASK		(7 << 5)

/* Octets of extension headers */
#define SHCA_RETH	16
#define SHCA_ATOMIC_ETH	28
#define SHCA_IMM	4

bool shca_rc_is_read(const struct shca_rc_msg *msg)
{
	return msg->kind == SHCA_MSG_READ || msg->kind == SHCA_MSG_ATOMIC;
}

/* READs and atomics that were sent and are not answered. */
static unsigned int reads_open(struct shca_rc_req *req)
{
	unsigned int i, n = 0;

	for (i = req->first; i != req->cur; i++)
		n += shca_rc_is_read(shca_rc_msg(req, i)) &&
		     !shca_rc_msg(req, i)->answered;
	return n;
}

void shca_rc_rewind(struct shca_rc_req *req)
{
	struct shca_rc_msg *msg = shca_rc_msg(req, req->first);

	req->cur = req->first;
	req->cur_pkt = 0;
	if (req->first != req->tail && msg->npsn)
		req->cur_pkt = shca_psn_diff(req->una, msg->psn);
}

/* What went before is sent again from @first on, if need be. */
static void msg_pop(struct shca_rc_req *req)
{
	if (req->cur == req->first) {
		req->cur++;
		req->cur_pkt = 0;
	}
	req->first++;
}

void shca_rc_complete(struct shca_qp *qp)
{
	struct shca_rc_req *req = &qp->rc->req;
	struct shca_rc_msg *msg = shca_rc_msg(req, req->first);
	u8 ce = msg->fm_ce_se & MLX5_WQE_CTRL_CQ_UPDATE_AND_EQE;
	struct mlx5_cqe64 cqe;

	if (ce & MLX5_WQE_CTRL_CQ_UPDATE) {
		shca_cqe_fill(&cqe, qp, MLX5_CQE_REQ, msg->wqe, msg->opcode);
		if (shca_rc_is_read(msg))
			cqe.byte_cnt = cpu_to_be32(msg->len);
		shca_cqe_good(qp->scq, &cqe,
			      ce == MLX5_WQE_CTRL_CQ_UPDATE_AND_EQE);
	}
	msg_pop(req);
}

void shca_rc_fail(struct shca_qp *qp, u8 syndrome)
{
	struct shca_rc_req *req = &qp->rc->req;
	struct shca_rc_msg *msg = shca_rc_msg(req, req->first);

	shca_cqe_error(qp->scq, qp, MLX5_CQE_REQ_ERR, msg->wqe, msg->opcode,
		       syndrome);
	msg_pop(req);
	req->deadline = 0;
	spin_lock(&qp->rq_lock);
	shca_qp_fail(qp, shca_rc_reliable(qp) ? MLX5_QPC_STATE_ERR :
						MLX5_QPC_STATE_SQER);
	spin_unlock(&qp->rq_lock);
	/* What follows is flushed. */
	shca_due_add(qp);
}

void shca_rc_flush(struct shca_qp *qp)
{
	struct shca_rc_req *req = &qp->rc->req;
	struct shca_rc_msg *msg;

	for (; req->first != req->tail; msg_pop(req)) {
		msg = shca_rc_msg(req, req->first);
		shca_cqe_error(qp->scq, qp, MLX5_CQE_REQ_ERR, msg->wqe,
			       msg->opcode, MLX5_CQE_SYNDROME_WR_FLUSH_ERR);
	}
	req->deadline = 0;
}

static u8 send_opcode(const struct shca_rc_msg *msg, bool first, bool last)
{
	if (!last)
		return first ? IB_OPCODE_SEND_FIRST : IB_OPCODE_SEND_MIDDLE;
	switch (msg->opcode) {
	case MLX5_OPCODE_SEND_IMM:
		return first ? IB_OPCODE_SEND_ONLY_WITH_IMMEDIATE :
			       IB_OPCODE_SEND_LAST_WITH_IMMEDIATE;
	case MLX5_OPCODE_SEND_INVAL:
		return first ? IB_OPCODE_SEND_ONLY_WITH_INVALIDATE :
			       IB_OPCODE_SEND_LAST_WITH_INVALIDATE;
	default:
		return first ? IB_OPCODE_SEND_ONLY : IB_OPCODE_SEND_LAST;
	}
}

static u8 write_opcode(const struct shca_rc_msg *msg, bool first, bool last)
{
	if (!last)
		return first ? IB_OPCODE_RDMA_WRITE_FIRST :
			       IB_OPCODE_RDMA_WRITE_MIDDLE;
	if (msg->opcode == MLX5_OPCODE_RDMA_WRITE_IMM)
		return first ? IB_OPCODE_RDMA_WRITE_ONLY_WITH_IMMEDIATE :
			       IB_OPCODE_RDMA_WRITE_LAST_WITH_IMMEDIATE;
	return first ? IB_OPCODE_RDMA_WRITE_ONLY : IB_OPCODE_RDMA_WRITE_LAST;
}

static u32 build_data(const struct shca_rc_msg *msg, bool first, bool last,
		      struct shca_pkt *pkt)
{
	bool write = msg->kind == SHCA_MSG_WRITE;
	u32 ext = 0;

	pkt->conn.opcode = write ? write_opcode(msg, first, last) :
				   send_opcode(msg, first, last);
	if (write && first) {
		pkt->conn.va = msg->va;
		pkt->conn.rkey = msg->rkey;
		pkt->conn.dmalen = msg->len;
		ext += SHCA_RETH;
	}
	if (!last)
		return ext;
	pkt->solicited = msg->fm_ce_se & MLX5_WQE_CTRL_SOLICITED;
	pkt->has_imm = msg->opcode == MLX5_OPCODE_SEND_IMM ||
		       msg->opcode == MLX5_OPCODE_RDMA_WRITE_IMM;
	if (pkt->has_imm || msg->opcode == MLX5_OPCODE_SEND_INVAL) {
		pkt->imm = msg->imm;
		ext += SHCA_IMM;
	}
	return ext;
}

/* Packet number @n of the message: headers only. */
static u32 build_packet(struct shca_qp *qp, const struct shca_rc_msg *msg,
			u32 n, struct shca_pkt *pkt)
{
	u32 off = n * qp->mtu;
	bool last = n == msg->npsn - 1;

	shca_rc_header(qp, pkt);
	pkt->conn.psn = shca_psn_add(msg->psn, n);
	pkt->conn.xrcsrq = msg->xrcsrq;
	pkt->conn.ackreq = shca_rc_reliable(qp) &&
			   (last || n % SHCA_RC_ACK_EVERY == 0);
	switch (msg->kind) {
	case SHCA_MSG_READ:
		/* The rest of it, if some is here already. */
		pkt->conn.opcode = IB_OPCODE_RDMA_READ_REQUEST;
		pkt->conn.va = msg->va + off;
		pkt->conn.rkey = msg->rkey;
		pkt->conn.dmalen = msg->len - off;
		return SHCA_RETH;
	case SHCA_MSG_ATOMIC:
		pkt->conn.opcode = msg->opcode == MLX5_OPCODE_ATOMIC_CS ?
				   IB_OPCODE_COMPARE_SWAP : IB_OPCODE_FETCH_ADD;
		pkt->conn.va = msg->va;
		pkt->conn.rkey = msg->rkey;
		pkt->conn.swap_add = msg->swap_add;
		pkt->conn.compare = msg->compare;
		return SHCA_ATOMIC_ETH;
	default:
		pkt->len = min(msg->len - off, qp->mtu);
		return build_data(msg, !n, last, pkt);
	}
}

static void sent_up_to(struct shca_rc_req *req, u32 psn)
{
	if (shca_psn_diff(psn, req->top) > 0)
		req->top = psn;
}

/* READ or atomic: one packet asks for all of it. */
static void send_read(struct shca_qp *qp, struct shca_rc_msg *msg)
{
	struct shca_rc_req *req = &qp->rc->req;
	struct shca_pkt pkt;
	u32 ext;

	ext = build_packet(qp, msg, req->cur_pkt, &pkt);
	shca_rc_transmit(qp, &pkt, ext);
	sent_up_to(req, shca_psn_add(msg->psn, msg->npsn));
	req->cur++;
	req->cur_pkt = 0;
}

static bool window_open(const struct shca_qp *qp, const struct shca_rc_msg *msg)
{
	const struct shca_rc_req *req = &qp->rc->req;
	u32 psn = shca_psn_add(msg->psn, req->cur_pkt);

	/* The packets of READs are the responder's. */
	return !shca_rc_reliable(qp) || shca_rc_is_read(msg) ||
	       shca_psn_diff(psn, req->una) < SHCA_RC_WINDOW;
}

/* Packets of a SEND or WRITE, as many as the budget and the window allow. */
static void send_data(struct shca_qp *qp, struct shca_rc_msg *msg,
		      unsigned int *budget)
{
	struct shca_rc_req *req = &qp->rc->req;
	struct shca_payload load;
	struct shca_pkt pkt;
	struct shca_cur cur;
	int err;
	u32 ext;

	shca_rc_data(qp, msg, &cur);
	err = shca_cur_skip(&cur, req->cur_pkt * qp->mtu);
	while (!err && *budget && window_open(qp, msg)) {
		ext = build_packet(qp, msg, req->cur_pkt, &pkt);
		if (pkt.len) {
			load.cur = cur;
			pkt.payload = &load;
		}
		load.err = 0;
		shca_rc_transmit(qp, &pkt, ext);
		err = load.err ?: shca_cur_skip(&cur, pkt.len);
		if (err)
			break;
		--*budget;
		req->cur_pkt++;
		sent_up_to(req, shca_psn_add(msg->psn, req->cur_pkt));
		if (req->cur_pkt < msg->npsn)
			continue;
		req->cur++;
		req->cur_pkt = 0;
		return;
	}
	if (err)
		msg->syndrome = shca_sq_data_syndrome(err);
}

/* Has what goes before to be over? What touches no wire is complete at once, and
 * an error comes to light when its turn has come.
 */
static bool must_be_first(const struct shca_rc_msg *msg)
{
	return msg->kind == SHCA_MSG_LOCAL || msg->syndrome;
}

static bool must_wait(struct shca_qp *qp, const struct shca_rc_msg *msg)
{
	struct shca_rc_req *req = &qp->rc->req;

	if (must_be_first(msg))
		return req->cur != req->first;
	if (shca_rc_is_read(msg) && reads_open(req) >= req->max_reads)
		return true;
	if ((msg->fm_ce_se & SHCA_FENCE_MASK) >= MLX5_FENCE_MODE_FENCE &&
	    reads_open(req))
		return true;
	return !window_open(qp, msg);
}

/* What sends nothing. All before it is over, so that nothing that was posted
 * before goes by a key as it is after it.
 */
static bool execute_local(struct shca_qp *qp, struct shca_rc_msg *msg)
{
	if (msg->opcode == MLX5_OPCODE_UMR &&
	    shca_umr_execute(qp, msg->wqe, msg->size)) {
		shca_rc_fail(qp, MLX5_CQE_SYNDROME_MW_BIND_ERR);
		return false;
	}
	shca_rc_complete(qp);
	return true;
}

/* A message that has all it waited for. False when it stopped the queue. */
static bool send_msg(struct shca_qp *qp, struct shca_rc_msg *msg,
		     unsigned int *budget)
{
	if (msg->syndrome) {
		shca_rc_fail(qp, msg->syndrome);
		return false;
	}
	if (msg->kind == SHCA_MSG_LOCAL) {
		--*budget;
		return execute_local(qp, msg);
	}
	if (shca_rc_is_read(msg)) {
		--*budget;
		send_read(qp, msg);
		return true;
	}
	send_data(qp, msg, budget);
	return true;
}

/* The next WQE becomes a message. 0 when there is none, or no room. */
static int fetch(struct shca_qp *qp)
{
	struct shca_rc_req *req = &qp->rc->req;
	struct shca_rc_msg *msg = shca_rc_msg(req, req->tail);
	int n;

	if (req->tail - req->first == SHCA_RC_MSGS)
		return 0;
	n = shca_sq_pending(qp);
	if (n > 0)
		n = shca_rc_parse(qp, n, msg);
	if (n <= 0)
		return n;
	qp->sq_head += n;
	msg->psn = req->psn;
	req->psn = shca_psn_add(req->psn, msg->npsn);
	req->tail++;
	return n;
}

/* Without acknowledgments a message is over when it is sent. */
static void complete_sent(struct shca_qp *qp)
{
	struct shca_rc_req *req = &qp->rc->req;

	if (shca_rc_reliable(qp))
		return;
	while (req->first != req->cur)
		shca_rc_complete(qp);
	req->una = req->top;
}

int shca_rc_send(struct shca_qp *qp)
{
	struct shca_rc_req *req = &qp->rc->req;
	unsigned int budget = SHCA_RC_BUDGET;
	struct shca_rc_msg *msg;
	int err = 0;

	while (budget && !req->rnr_wait) {
		if (req->cur == req->tail) {
			err = fetch(qp);
			if (err <= 0)
				break;
		}
		msg = shca_rc_msg(req, req->cur);
		if (must_wait(qp, msg))
			break;
		if (!send_msg(qp, msg, &budget))
			return 0;
		complete_sent(qp);
	}
	shca_rc_timer_arm(qp);
	if (!budget)
		shca_due_add(qp);
	return min(err, 0);
}
