// SPDX-License-Identifier: GPL-2.0
/*
 * What a responder owes goes out: answers to READs and atomics in their order,
 * then a refusal or an acknowledgment of all that came so far. The poller calls
 * this with no lock held, for the far end takes an answer at once.
 */
#define pr_fmt(fmt) "softhca: " fmt

#include <linux/kernel.h>

#include "engine/rc.h"

#define SHCA_AETH_SIZE	4

struct reply {
	struct shca_pkt pkt;
	struct shca_payload load;
	u32 ext;
};

static u8 read_opcode(const struct shca_rc_read *read, u32 n)
{
	bool last = n == read->npsn - 1;

	if (!n)
		return last ? IB_OPCODE_RDMA_READ_RESPONSE_ONLY :
			      IB_OPCODE_RDMA_READ_RESPONSE_FIRST;
	return last ? IB_OPCODE_RDMA_READ_RESPONSE_LAST :
		      IB_OPCODE_RDMA_READ_RESPONSE_MIDDLE;
}

static void build_read(struct shca_qp *qp, struct shca_rc_read *read,
		       struct reply *reply)
{
	u32 n = read->sent, off = n * qp->mtu;
	struct shca_span span = read->span;

	reply->pkt.conn.psn = shca_psn_add(read->psn, n);
	if (read->atomic) {
		reply->pkt.conn.opcode = IB_OPCODE_ATOMIC_ACKNOWLEDGE;
		reply->pkt.conn.swap_add = read->value;
		reply->ext = SHCA_AETH_SIZE + SHCA_ATOMIC_SIZE;
		return;
	}
	reply->pkt.conn.opcode = read_opcode(read, n);
	reply->pkt.len = min(read->len - off, qp->mtu);
	span.va += off;
	shca_cur_span(&reply->load.cur, &span, reply->pkt.len);
	if (reply->pkt.len)
		reply->pkt.payload = &reply->load;
}

static bool next_read(struct shca_qp *qp, struct reply *reply)
{
	struct shca_rc_resp *resp = &qp->rc->resp;
	struct shca_rc_read *read;

	if (resp->read_due == resp->read_tail)
		return false;
	read = &resp->read[resp->read_due % SHCA_RC_READS];
	build_read(qp, read, reply);
	if (++read->sent == read->npsn) {
		resp->read_due++;
		/* It acknowledges all before; what came later does not. */
		if (resp->read_due == resp->read_tail &&
		    shca_psn_add(read->psn, read->npsn) == resp->epsn)
			resp->ack_due = false;
	}
	return true;
}

static bool next_nak_or_ack(struct shca_qp *qp, struct reply *reply)
{
	struct shca_rc_resp *resp = &qp->rc->resp;
	struct shca_conn_hdr *hdr = &reply->pkt.conn;

	hdr->opcode = IB_OPCODE_ACKNOWLEDGE;
	if (resp->nak) {
		hdr->psn = resp->epsn;
		hdr->syndrome = resp->nak;
		resp->nak = 0;
		return true;
	}
	if (!resp->ack_due)
		return false;
	hdr->psn = shca_psn_add(resp->epsn, SHCA_PSN_MASK);
	resp->ack_due = false;
	return true;
}

/* After an error what was asked for before it, and the refusal. */
static bool next_reply(struct shca_qp *qp, struct reply *reply)
{
	u8 state = qp->state;

	reply->load.err = 0;
	reply->ext = SHCA_AETH_SIZE;
	shca_rc_header(qp, &reply->pkt);
	reply->pkt.conn.msn = qp->rc->resp.msn & SHCA_PSN_MASK;
	reply->pkt.conn.syndrome = SHCA_AETH_ACK | SHCA_AETH_NO_CREDITS;
	if (state != MLX5_QPC_STATE_RTR && state != MLX5_QPC_STATE_RTS &&
	    state != MLX5_QPC_STATE_SQER &&
	    (state != MLX5_QPC_STATE_ERR || !qp->rc->resp.nak))
		return false;
	return next_read(qp, reply) || next_nak_or_ack(qp, reply);
}

/* The memory that a READ names is not to be read after all. */
static void read_failed(struct shca_qp *qp, u32 psn)
{
	struct shca_rc_resp *resp = &qp->rc->resp;

	spin_lock(&qp->rq_lock);
	if (qp->state != MLX5_QPC_STATE_RST) {
		resp->epsn = psn;
		resp->read_due = resp->read_tail;
		shca_rc_refuse(qp, SHCA_NAK_ACCESS);
	}
	spin_unlock(&qp->rq_lock);
}

bool shca_rc_reply(struct shca_qp *qp)
{
	unsigned int budget = SHCA_RC_BUDGET;
	struct reply reply;
	bool more;

	if (!qp->rc || !shca_rc_reliable(qp))
		return false;
	while (budget--) {
		spin_lock(&qp->rq_lock);
		more = next_reply(qp, &reply);
		spin_unlock(&qp->rq_lock);
		if (!more)
			return false;
		shca_rc_transmit(qp, &reply.pkt, reply.ext);
		if (reply.load.err)
			read_failed(qp, reply.pkt.conn.psn);
	}
	return true;
}
