// SPDX-License-Identifier: GPL-2.0
/*
 * The requester: what the responder answers. Nothing is sent from here; what
 * has become possible, the poller does.
 */
#define pr_fmt(fmt) "softhca: " fmt

#include <linux/kernel.h>
#include <linux/mlx5/cq.h>

#include "engine/qcnt.h"
#include "engine/rc.h"

/* Where the oldest message ends. */
static u32 first_end(struct shca_rc_req *req)
{
	struct shca_rc_msg *msg = shca_rc_msg(req, req->first);

	return shca_psn_add(msg->psn, msg->npsn);
}

static bool is_open(const struct shca_rc_req *req)
{
	return req->first != req->tail;
}

static void progress(struct shca_qp *qp, u32 psn)
{
	struct shca_rc_req *req = &qp->rc->req;

	if (shca_psn_diff(psn, req->una) <= 0)
		return;
	req->una = psn;
	req->retries = req->retry;
	req->rnr_retries = req->rnr_retry;
	req->nak_taken = false;
	req->progressed = true;
}

/* Sending was set back to before what is acknowledged now. */
static void catch_up(struct shca_rc_req *req)
{
	struct shca_rc_msg *msg = shca_rc_msg(req, req->first);
	s32 ahead;

	if (req->cur != req->first || req->cur == req->tail || !msg->npsn)
		return;
	ahead = shca_psn_diff(req->una, msg->psn);
	if (ahead > (s32)req->cur_pkt)
		req->cur_pkt = ahead;
}

/* All packets in front of @psn have arrived. False when a READ or an atomic
 * among them was not answered: its answer is lost.
 */
static bool acknowledge(struct shca_qp *qp, u32 psn)
{
	struct shca_rc_req *req = &qp->rc->req;
	struct shca_rc_msg *msg;

	while (is_open(req)) {
		msg = shca_rc_msg(req, req->first);
		if (!msg->npsn || shca_psn_diff(first_end(req), psn) > 0)
			break;
		if (shca_rc_is_read(msg) && !msg->answered)
			return false;
		progress(qp, first_end(req));
		shca_rc_complete(qp);
	}
	if (is_open(req)) {
		msg = shca_rc_msg(req, req->first);
		if (msg->npsn && shca_rc_is_read(msg))
			return shca_psn_diff(psn, req->una) <= 0 ||
			       shca_psn_diff(psn, msg->psn) <= 0;
	}
	progress(qp, psn);
	return true;
}

static void resume(struct shca_qp *qp)
{
	catch_up(&qp->rc->req);
	shca_rc_timer_arm(qp);
	shca_due_add(qp);
}

void shca_rc_retry(struct shca_qp *qp)
{
	struct shca_rc_req *req = &qp->rc->req;

	if (!is_open(req))
		return;
	if (!req->retries) {
		shca_rc_fail(qp, MLX5_CQE_SYNDROME_TRANSPORT_RETRY_EXC_ERR);
		return;
	}
	req->retries--;
	req->nak_taken = false;
	shca_rc_rewind(req);
	shca_due_add(qp);
}

/* The answers say that something was lost: all those behind it say the same.
 * @counter: how they say it.
 */
static void lost(struct shca_qp *qp, unsigned int counter)
{
	struct shca_rc_req *req = &qp->rc->req;

	if (req->nak_taken)
		return;
	if (req->retries)
		shca_qcnt_add(qp, counter);
	shca_rc_retry(qp);
	req->nak_taken = true;
}

static void not_ready(struct shca_qp *qp, u8 timer)
{
	struct shca_rc_req *req = &qp->rc->req;

	if (!req->rnr_retries) {
		shca_rc_fail(qp, MLX5_CQE_SYNDROME_RNR_RETRY_EXC_ERR);
		return;
	}
	shca_count(qp, rnr_nak_retry_err);
	if (req->rnr_retry != SHCA_RNR_FOREVER)
		req->rnr_retries--;
	shca_rc_rewind(req);
	shca_rc_timer_rnr(qp, timer);
}

static void refused(struct shca_qp *qp, u8 syndrome)
{
	switch (syndrome) {
	case SHCA_NAK_SEQUENCE:
		lost(qp, SHCA_QCNT(packet_seq_err));
		break;
	case SHCA_NAK_INVALID:
		shca_rc_fail(qp, MLX5_CQE_SYNDROME_REMOTE_INVAL_REQ_ERR);
		break;
	case SHCA_NAK_ACCESS:
		shca_rc_fail(qp, MLX5_CQE_SYNDROME_REMOTE_ACCESS_ERR);
		break;
	case SHCA_NAK_OPERATION:
		shca_rc_fail(qp, MLX5_CQE_SYNDROME_REMOTE_OP_ERR);
		break;
	default:
		shca_rc_fail(qp, MLX5_CQE_SYNDROME_BAD_RESP_ERR);
		break;
	}
}

static void answer_ack(struct shca_qp *qp, const struct shca_conn_hdr *hdr)
{
	struct shca_rc_req *req = &qp->rc->req;
	bool good = (hdr->syndrome & SHCA_AETH_KIND) == SHCA_AETH_ACK;
	u32 psn = good ? shca_psn_add(hdr->psn, 1) : hdr->psn;

	if (!acknowledge(qp, psn)) {
		lost(qp, SHCA_QCNT(implied_nak_seq_err));
		return;
	}
	if (good) {
		resume(qp);
		return;
	}
	/* A refusal is of the oldest packet, or it is an old one. */
	if (!is_open(req) || req->una != psn)
		return;
	if ((hdr->syndrome & SHCA_AETH_KIND) == SHCA_AETH_RNR)
		not_ready(qp, hdr->syndrome & SHCA_AETH_VALUE);
	else
		refused(qp, hdr->syndrome);
}

/* The READ or atomic that the answer is to, as the oldest message now; NULL
 * when it is to none that waits for it.
 */
static struct shca_rc_msg *answered_msg(struct shca_qp *qp, u32 psn, u8 kind)
{
	struct shca_rc_req *req = &qp->rc->req;
	struct shca_rc_msg *msg;

	/* It says that what went before has arrived. */
	if (!acknowledge(qp, psn)) {
		lost(qp, SHCA_QCNT(implied_nak_seq_err));
		return NULL;
	}
	if (!is_open(req))
		return NULL;
	msg = shca_rc_msg(req, req->first);
	if (msg->kind != kind || req->una != psn)
		return NULL;
	return msg;
}

static void msg_answered(struct shca_qp *qp, struct shca_rc_msg *msg)
{
	msg->answered = true;
	progress(qp, first_end(&qp->rc->req));
	shca_rc_complete(qp);
}

static bool read_length_ok(const struct shca_qp *qp,
			   const struct shca_rc_msg *msg, u32 off,
			   const struct shca_pkt *pkt)
{
	u8 op = SHCA_BTH_OP(pkt->conn.opcode);
	u32 left = msg->len - off;
	bool last = op == IB_OPCODE_RDMA_READ_RESPONSE_LAST ||
		    op == IB_OPCODE_RDMA_READ_RESPONSE_ONLY;

	return last == (left <= qp->mtu) && pkt->len == min(left, qp->mtu);
}

static void answer_read(struct shca_qp *qp, const struct shca_pkt *pkt)
{
	struct shca_rc_req *req = &qp->rc->req;
	struct shca_rc_msg *msg;
	struct shca_cur cur;
	bool src_failed;
	u32 n, off;
	int err;

	msg = answered_msg(qp, pkt->conn.psn, SHCA_MSG_READ);
	if (!msg)
		return;
	n = shca_psn_diff(pkt->conn.psn, msg->psn);
	off = n * qp->mtu;
	if (!read_length_ok(qp, msg, off, pkt)) {
		shca_rc_fail(qp, MLX5_CQE_SYNDROME_BAD_RESP_ERR);
		return;
	}
	shca_rc_data(qp, msg, &cur);
	src_failed = false;
	err = shca_cur_skip(&cur, off) ?: shca_cur_fill(&cur, pkt, &src_failed);
	if (src_failed)
		return;
	if (err) {
		shca_rc_fail(qp, MLX5_CQE_SYNDROME_LOCAL_PROT_ERR);
		return;
	}
	if (n == msg->npsn - 1)
		msg_answered(qp, msg);
	else
		progress(qp, shca_psn_add(pkt->conn.psn, 1));
	if (req->una == req->top || n % SHCA_RC_ACK_EVERY == 0)
		resume(qp);
}

static void answer_atomic(struct shca_qp *qp, const struct shca_pkt *pkt)
{
	u64 value = pkt->conn.swap_add;
	struct shca_cur from, to;
	struct shca_rc_msg *msg;
	bool src_failed;

	msg = answered_msg(qp, pkt->conn.psn, SHCA_MSG_ATOMIC);
	if (!msg)
		return;
	shca_cur_bytes(&from, &value, sizeof(value));
	shca_rc_data(qp, msg, &to);
	if (shca_cur_copy(&from, &to, sizeof(value), &src_failed)) {
		shca_rc_fail(qp, MLX5_CQE_SYNDROME_LOCAL_PROT_ERR);
		return;
	}
	msg_answered(qp, msg);
	resume(qp);
}

void shca_rc_answer(struct shca_qp *qp, const struct shca_pkt *pkt)
{
	struct shca_rc_req *req = &qp->rc->req;
	u32 psn = pkt->conn.psn;

	if (READ_ONCE(qp->state) != MLX5_QPC_STATE_RTS)
		return;
	/* Of something that was sent, and not one that is known already. */
	if (shca_psn_diff(psn, req->top) >= 0 ||
	    shca_psn_diff(psn, req->una) < 0)
		return;
	switch (SHCA_BTH_OP(pkt->conn.opcode)) {
	case IB_OPCODE_ACKNOWLEDGE:
		answer_ack(qp, &pkt->conn);
		break;
	case IB_OPCODE_ATOMIC_ACKNOWLEDGE:
		answer_atomic(qp, pkt);
		break;
	default:
		answer_read(qp, pkt);
		break;
	}
}
