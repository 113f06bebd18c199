// SPDX-License-Identifier: GPL-2.0
/*
 * The responder: requests are checked in their order and executed. What is owed
 * for them is noted; rc_reply.c sends it.
 */
#define pr_fmt(fmt) "softhca: " fmt

#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/mlx5/cq.h>

#include "engine/qcnt.h"
#include "engine/rc.h"

/* Atomic among all QPs of all functions, whose memory may be one and the same. */
static DEFINE_SPINLOCK(atomic_lock);

enum place { PLACE_FIRST = 1, PLACE_LAST = 2 };

/* What an opcode is. */
static const struct request_kind {
	u8 doing;		/* enum shca_resp_doing, 0 for others */
	u8 place;
	bool imm, invalidate;
} request_kinds[] = {
	[IB_OPCODE_SEND_FIRST] = { SHCA_DOING_SEND, PLACE_FIRST },
	[IB_OPCODE_SEND_MIDDLE] = { SHCA_DOING_SEND, 0 },
	[IB_OPCODE_SEND_LAST] = { SHCA_DOING_SEND, PLACE_LAST },
	[IB_OPCODE_SEND_LAST_WITH_IMMEDIATE] = {
		SHCA_DOING_SEND, PLACE_LAST, .imm = true },
	[IB_OPCODE_SEND_LAST_WITH_INVALIDATE] = {
		SHCA_DOING_SEND, PLACE_LAST, .invalidate = true },
	[IB_OPCODE_SEND_ONLY] = {
		SHCA_DOING_SEND, PLACE_FIRST | PLACE_LAST },
	[IB_OPCODE_SEND_ONLY_WITH_IMMEDIATE] = {
		SHCA_DOING_SEND, PLACE_FIRST | PLACE_LAST, .imm = true },
	[IB_OPCODE_SEND_ONLY_WITH_INVALIDATE] = {
		SHCA_DOING_SEND, PLACE_FIRST | PLACE_LAST,
		.invalidate = true },
	[IB_OPCODE_RDMA_WRITE_FIRST] = { SHCA_DOING_WRITE, PLACE_FIRST },
	[IB_OPCODE_RDMA_WRITE_MIDDLE] = { SHCA_DOING_WRITE, 0 },
	[IB_OPCODE_RDMA_WRITE_LAST] = { SHCA_DOING_WRITE, PLACE_LAST },
	[IB_OPCODE_RDMA_WRITE_LAST_WITH_IMMEDIATE] = {
		SHCA_DOING_WRITE, PLACE_LAST, .imm = true },
	[IB_OPCODE_RDMA_WRITE_ONLY] = {
		SHCA_DOING_WRITE, PLACE_FIRST | PLACE_LAST },
	[IB_OPCODE_RDMA_WRITE_ONLY_WITH_IMMEDIATE] = {
		SHCA_DOING_WRITE, PLACE_FIRST | PLACE_LAST, .imm = true },
};

static const struct request_kind *kind_of(const struct shca_pkt *pkt)
{
	u8 op = SHCA_BTH_OP(pkt->conn.opcode);

	if (op >= ARRAY_SIZE(request_kinds) || !request_kinds[op].doing)
		return NULL;
	return &request_kinds[op];
}

static void owe(struct shca_qp *qp)
{
	if (shca_rc_reliable(qp))
		shca_due_add(qp);
}

static void owe_ack(struct shca_qp *qp)
{
	qp->rc->resp.ack_due = true;
	owe(qp);
}

static void owe_nak(struct shca_qp *qp, u8 syndrome)
{
	struct shca_rc_resp *resp = &qp->rc->resp;

	resp->nak = syndrome;
	resp->silent = true;
	/* It says the same of what went before. */
	resp->ack_due = false;
	owe(qp);
}

/* The SRQ that an XRC packet names, pinned: srq_put() lets go. NULL when the
 * queue pair's domain has none of that number.
 */
static struct shca_srq *xrc_srq_get(struct shca_qp *qp, u32 srqn)
{
	struct shca_obj *obj = shca_obj_get(&qp->hw->srqs, srqn, 0);
	struct shca_srq *srq;

	if (!obj)
		return NULL;
	srq = container_of(obj, struct shca_srq, obj);
	if (srq->kind == SHCA_SRQ_XRC && MLX5_GET(xrc_srqc, srq->ctx, xrcd) ==
					 MLX5_GET(qpc, qp->qpc, xrcd))
		return srq;
	shca_obj_put(obj);
	return NULL;
}

/* Where the receive WQE under way came from; NULL when that SRQ is gone, though
 * its number may be in use again.
 */
static struct shca_srq *srq_get(struct shca_qp *qp)
{
	struct shca_rc_resp *resp = &qp->rc->resp;
	struct shca_srq *srq;

	if (qp->st != MLX5_QP_ST_XRC)
		return qp->srq;
	srq = xrc_srq_get(qp, resp->srqn);
	if (!srq || srq->serial == resp->srq_serial)
		return srq;
	shca_obj_put(&srq->obj);
	return NULL;
}

static void srq_put(struct shca_qp *qp, struct shca_srq *srq)
{
	if (srq && qp->st == MLX5_QP_ST_XRC)
		shca_obj_put(&srq->obj);
}

/* Completions of XRC go to the CQ of the SRQ, and name the SRQ to its user. */
static struct shca_cq *receive_cq(struct shca_qp *qp, struct shca_srq *srq)
{
	return qp->st == MLX5_QP_ST_XRC ? srq->cq : qp->rcq;
}

static void name_srq(struct shca_qp *qp, struct shca_srq *srq,
		     struct mlx5_cqe64 *cqe)
{
	u32 uidx;

	if (qp->st != MLX5_QP_ST_XRC)
		return;
	uidx = MLX5_GET(xrc_srqc, srq->ctx, user_index);
	cqe->srqn = cpu_to_be32(uidx == SHCA_NO_UIDX ? srq->obj.id : uidx);
}

/* The receive WQE under way ends with an error. */
static void wqe_error(struct shca_qp *qp, u8 syndrome)
{
	struct shca_rc_resp *resp = &qp->rc->resp;
	struct shca_srq *srq = srq_get(qp);
	struct mlx5_cqe64 cqe;

	resp->have_wqe = false;
	shca_qcnt_error(qp, false, syndrome);
	if (qp->st != MLX5_QP_ST_XRC || srq) {
		shca_cqe_fill(&cqe, qp, MLX5_CQE_RESP_ERR, resp->wqe, 0);
		name_srq(qp, srq, &cqe);
		((struct mlx5_err_cqe *)&cqe)->syndrome = syndrome;
		shca_cq_post(receive_cq(qp, srq), &cqe, true);
	}
	srq_put(qp, srq);
}

void shca_rc_stop(struct shca_qp *qp)
{
	if (qp->rc->resp.have_wqe)
		wqe_error(qp, MLX5_CQE_SYNDROME_WR_FLUSH_ERR);
}

/* The request cannot be executed: the peer learns it, and whoever owns the QP.
 * @syndrome: of the receive WQE, when it is to blame.
 */
static void refuse(struct shca_qp *qp, u8 nak, u8 syndrome)
{
	struct shca_rc_resp *resp = &qp->rc->resp;
	u8 event = nak == SHCA_NAK_ACCESS ? MLX5_EVENT_TYPE_WQ_ACCESS_ERROR :
					    MLX5_EVENT_TYPE_WQ_INVAL_REQ_ERROR;

	resp->doing = SHCA_DOING_NOTHING;
	if (nak == SHCA_NAK_ACCESS)
		shca_count(qp, resp_remote_access_errors);
	else if (nak == SHCA_NAK_INVALID)
		shca_count(qp, resp_remote_invalid_request);
	/* Unreliable: a message that is wrong is as good as lost. */
	if (!shca_rc_reliable(qp) && !syndrome)
		return;
	if (syndrome && resp->have_wqe)
		wqe_error(qp, syndrome);
	else
		shca_eq_queue_event(qp->hw, event, MLX5_EVENT_QUEUE_TYPE_QP,
				    qp->obj.id);
	owe_nak(qp, nak);
	shca_qp_fail(qp, MLX5_QPC_STATE_ERR);
}

void shca_rc_refuse(struct shca_qp *qp, u8 nak)
{
	refuse(qp, nak, 0);
}

static void not_ready(struct shca_qp *qp)
{
	struct shca_rc_resp *resp = &qp->rc->resp;

	shca_count(qp, out_of_buffer);
	/* Unreliable: the message is dropped. */
	resp->doing = SHCA_DOING_NOTHING;
	if (shca_rc_reliable(qp))
		owe_nak(qp, SHCA_AETH_RNR | resp->min_rnr);
}

static int take_xrc_wqe(struct shca_qp *qp, u32 srqn)
{
	struct shca_rc_resp *resp = &qp->rc->resp;
	struct shca_srq *srq = xrc_srq_get(qp, srqn);
	int err;

	if (!srq)
		return -ENXIO;
	resp->srqn = srqn;
	resp->srq_serial = srq->serial;
	err = shca_rq_take_shared(srq, &resp->wqe_data, &resp->wqe);
	srq_put(qp, srq);
	return err;
}

/* A receive WQE for a message that needs one. False when there is none. */
static bool take_wqe(struct shca_qp *qp, const struct shca_pkt *pkt)
{
	struct shca_rc_resp *resp = &qp->rc->resp;
	int err;

	if (qp->st == MLX5_QP_ST_XRC)
		err = take_xrc_wqe(qp, pkt->conn.xrcsrq);
	else if (qp->rcq)
		err = shca_rq_take(qp, &resp->wqe_data, &resp->wqe);
	else
		err = -ENOENT;
	if (!err) {
		resp->have_wqe = true;
		return true;
	}
	if (err == -ENXIO)
		refuse(qp, SHCA_NAK_INVALID, 0);
	else if (err == -ENOENT || err == -EACCES)
		not_ready(qp);
	else if (qp->state != MLX5_QPC_STATE_ERR)
		refuse(qp, SHCA_NAK_OPERATION, 0);
	return false;
}

/* The memory that a request names. Its key is of the queue pair's protection
 * domain; an XRC target's own domain says nothing, that of the SRQ counts (IBTA
 * vol. 1, annex A14). False when there is no such SRQ.
 */
static bool remote_span(struct shca_qp *qp, const struct shca_pkt *pkt,
			u32 access, struct shca_span *span)
{
	struct shca_srq *srq;

	*span = (struct shca_span) {
		.fn = qp->hw->fn, .pd = qp->pd, .qpn = qp->obj.id,
		.key = pkt->conn.rkey, .va = pkt->conn.va,
		.access = access,
	};
	if (qp->st != MLX5_QP_ST_XRC)
		return true;
	srq = xrc_srq_get(qp, pkt->conn.xrcsrq);
	if (!srq)
		return false;
	span->pd = srq->pd;
	srq_put(qp, srq);
	return true;
}

static bool begin_send(struct shca_qp *qp, const struct shca_pkt *pkt)
{
	struct shca_rc_resp *resp = &qp->rc->resp;

	resp->got = 0;
	resp->doing = SHCA_DOING_SEND;
	/* An unreliable message whose rest was lost leaves its WQE to the next. */
	if (!resp->have_wqe && !take_wqe(qp, pkt))
		return false;
	resp->to = resp->wqe_data;
	return true;
}

static bool begin_write(struct shca_qp *qp, const struct shca_pkt *pkt)
{
	struct shca_rc_resp *resp = &qp->rc->resp;
	struct shca_span span;

	shca_count(qp, rx_write_requests);
	if (!qp->rc->write_ok || pkt->conn.dmalen > SHCA_RC_MSG_MAX ||
	    !remote_span(qp, pkt, SHCA_REMOTE_WRITE, &span)) {
		refuse(qp, SHCA_NAK_INVALID, 0);
		return false;
	}
	if (pkt->conn.dmalen &&
	    shca_mkey_remote_check(&span, pkt->conn.dmalen)) {
		refuse(qp, SHCA_NAK_ACCESS, 0);
		return false;
	}
	resp->got = 0;
	resp->doing = SHCA_DOING_WRITE;
	resp->dmalen = pkt->conn.dmalen;
	shca_cur_span(&resp->to, &span, resp->dmalen);
	return true;
}

static void receive_complete(struct shca_qp *qp,
			     const struct request_kind *kind,
			     const struct shca_pkt *pkt)
{
	struct shca_rc_resp *resp = &qp->rc->resp;
	u8 opcode = MLX5_CQE_RESP_SEND;
	struct mlx5_cqe64 cqe;
	struct shca_srq *srq;

	srq = srq_get(qp);
	if (kind->doing == SHCA_DOING_WRITE)
		opcode = MLX5_CQE_RESP_WR_IMM;
	else if (kind->imm)
		opcode = MLX5_CQE_RESP_SEND_IMM;
	else if (kind->invalidate)
		opcode = MLX5_CQE_RESP_SEND_INV;
	resp->have_wqe = false;
	if (qp->st != MLX5_QP_ST_XRC || srq) {
		shca_cqe_fill(&cqe, qp, opcode, resp->wqe, 0);
		name_srq(qp, srq, &cqe);
		cqe.slid = cpu_to_be16(pkt->slid);
		cqe.flags_rqpn = cpu_to_be32((pkt->sl & 0xf) << 24 |
					     pkt->sqpn);
		cqe.byte_cnt = cpu_to_be32(resp->got);
		if (kind->imm || kind->invalidate)
			cqe.immediate = pkt->imm;
		if (pkt->solicited)
			cqe.op_own |= 1 << 1;
		shca_cqe_good(receive_cq(qp, srq), &cqe, pkt->solicited);
	}
	srq_put(qp, srq);
}

static bool length_ok(const struct shca_qp *qp, const struct request_kind *kind,
		      const struct shca_pkt *pkt)
{
	const struct shca_rc_resp *resp = &qp->rc->resp;
	bool last = kind->place & PLACE_LAST;

	if (last ? pkt->len > qp->mtu : pkt->len != qp->mtu)
		return false;
	if (kind->doing != SHCA_DOING_WRITE)
		return true;
	return last ? pkt->len == resp->dmalen - resp->got :
		      pkt->len < resp->dmalen - resp->got;
}

/* What a receive WQE says of an error of its memory. */
static void fill_failed(struct shca_qp *qp, int err)
{
	bool send = qp->rc->resp.doing == SHCA_DOING_SEND;

	if (!send)
		refuse(qp, SHCA_NAK_ACCESS, 0);
	else if (err == -EMSGSIZE)
		refuse(qp, SHCA_NAK_INVALID,
		       MLX5_CQE_SYNDROME_LOCAL_LENGTH_ERR);
	else
		refuse(qp, SHCA_NAK_OPERATION,
		       MLX5_CQE_SYNDROME_LOCAL_PROT_ERR);
}

/* The SRQ of an XRC message may have gone between two packets of it, and its
 * number may be another's: the cursor must not lead into what is freed.
 */
static bool pin_target(struct shca_qp *qp, struct shca_srq **srq)
{
	struct shca_rc_resp *resp = &qp->rc->resp;

	*srq = NULL;
	if (qp->st != MLX5_QP_ST_XRC || resp->doing != SHCA_DOING_SEND)
		return true;
	*srq = srq_get(qp);
	if (*srq)
		resp->to.buf = &(*srq)->buf;
	return *srq;
}

static bool fill(struct shca_qp *qp, const struct shca_pkt *pkt)
{
	struct shca_rc_resp *resp = &qp->rc->resp;
	struct shca_cur to = resp->to;
	struct shca_srq *srq;
	bool src_failed;
	int err;

	if (!pin_target(qp, &srq)) {
		refuse(qp, SHCA_NAK_INVALID, 0);
		return false;
	}
	to.buf = resp->to.buf;
	err = shca_cur_fill(&to, pkt, &src_failed);
	srq_put(qp, srq);
	if (err) {
		if (!src_failed)
			fill_failed(qp, err);
		return false;
	}
	resp->to = to;
	resp->got += pkt->len;
	return true;
}

static void arrived(struct shca_qp *qp, const struct shca_pkt *pkt, bool last)
{
	struct shca_rc_resp *resp = &qp->rc->resp;

	resp->epsn = shca_psn_add(resp->epsn, 1);
	if (last) {
		resp->doing = SHCA_DOING_NOTHING;
		resp->msn++;
	}
	if (pkt->conn.ackreq)
		owe_ack(qp);
}

static bool begin(struct shca_qp *qp, const struct request_kind *kind,
		  const struct shca_pkt *pkt)
{
	return kind->doing == SHCA_DOING_SEND ? begin_send(qp, pkt) :
						begin_write(qp, pkt);
}

static bool invalidate(struct shca_qp *qp, const struct shca_pkt *pkt)
{
	struct shca_span span;

	return remote_span(qp, pkt, 0, &span) &&
	       !shca_mkey_invalidate(span.fn, span.pd, qp->obj.id,
				     be32_to_cpu(pkt->imm));
}

/* SEND or WRITE, in order. */
static void data_request(struct shca_qp *qp, const struct request_kind *kind,
			 const struct shca_pkt *pkt)
{
	struct shca_rc_resp *resp = &qp->rc->resp;
	bool first = kind->place & PLACE_FIRST, last = kind->place & PLACE_LAST;

	/* A first packet when nothing is under way, another when its like is. */
	if (resp->doing != (first ? SHCA_DOING_NOTHING : kind->doing)) {
		refuse(qp, SHCA_NAK_INVALID, 0);
		return;
	}
	if (first && !begin(qp, kind, pkt))
		return;
	if (!length_ok(qp, kind, pkt)) {
		refuse(qp, SHCA_NAK_INVALID, 0);
		return;
	}
	/* An immediate of a WRITE takes a receive WQE, its data none. */
	if (kind->imm && kind->doing == SHCA_DOING_WRITE && !resp->have_wqe &&
	    !take_wqe(qp, pkt)) {
		if (!first)
			resp->doing = SHCA_DOING_WRITE;
		return;
	}
	if (!fill(qp, pkt))
		return;
	if (kind->invalidate && !invalidate(qp, pkt)) {
		refuse(qp, SHCA_NAK_ACCESS, MLX5_CQE_SYNDROME_LOCAL_ACCESS_ERR);
		return;
	}
	if (last && (kind->doing == SHCA_DOING_SEND || kind->imm))
		receive_complete(qp, kind, pkt);
	arrived(qp, pkt, last);
}

/* A place for what is owed; NULL when the peer asks for more at a time than was
 * agreed.
 */
static struct shca_rc_read *read_add(struct shca_rc_resp *resp,
				     const struct shca_pkt *pkt, u32 npsn)
{
	struct shca_rc_read *read;

	/* Repeated answers make room for new ones: whoever misses them asks. */
	while (resp->read_due != resp->read_tail &&
	       resp->read_tail - resp->read_due >= resp->max_reads &&
	       resp->read[resp->read_due % SHCA_RC_READS].again)
		resp->read_due++;
	if (resp->read_tail - resp->read_due >= resp->max_reads)
		return NULL;
	read = &resp->read[resp->read_tail % SHCA_RC_READS];
	memset(read, 0, sizeof(*read));
	read->psn = pkt->conn.psn;
	read->npsn = npsn;
	return read;
}

static void read_added(struct shca_qp *qp, u32 npsn)
{
	struct shca_rc_resp *resp = &qp->rc->resp;

	resp->read_tail++;
	resp->msn++;
	resp->epsn = shca_psn_add(resp->epsn, npsn);
	owe(qp);
}

static void read_request(struct shca_qp *qp, const struct shca_pkt *pkt)
{
	struct shca_rc_resp *resp = &qp->rc->resp;
	u32 len = pkt->conn.dmalen;
	struct shca_rc_read *read;
	struct shca_span span;

	shca_count(qp, rx_read_requests);
	if (!qp->rc->read_ok || len > SHCA_RC_MSG_MAX || resp->doing ||
	    !remote_span(qp, pkt, SHCA_REMOTE_READ, &span)) {
		refuse(qp, SHCA_NAK_INVALID, 0);
		return;
	}
	if (len && shca_mkey_remote_check(&span, len)) {
		refuse(qp, SHCA_NAK_ACCESS, 0);
		return;
	}
	read = read_add(resp, pkt, shca_rc_packets(len, qp->mtu));
	if (!read) {
		refuse(qp, SHCA_NAK_INVALID, 0);
		return;
	}
	read->span = span;
	read->len = len;
	read_added(qp, read->npsn);
}

/* The old value, or an error. */
static int atomic_execute(const struct shca_span *span,
			  const struct shca_pkt *pkt, u64 *old)
{
	const struct shca_conn_hdr *hdr = &pkt->conn;
	bool swap = SHCA_BTH_OP(hdr->opcode) == IB_OPCODE_COMPARE_SWAP;
	u64 new;
	int err;

	spin_lock(&atomic_lock);
	err = shca_mkey_read(span->fn, span->pd, span->key, span->va, old,
			     sizeof(*old), span->access);
	if (!err) {
		new = swap ? hdr->swap_add : *old + hdr->swap_add;
		if (!swap || *old == hdr->compare)
			err = shca_mkey_write(span->fn, span->pd, span->key,
					      span->va, &new, sizeof(new),
					      span->access);
	}
	spin_unlock(&atomic_lock);
	return err;
}

static void atomic_request(struct shca_qp *qp, const struct shca_pkt *pkt)
{
	struct shca_rc_resp *resp = &qp->rc->resp;
	struct shca_rc_read *read;
	struct shca_span span;

	shca_count(qp, rx_atomic_requests);
	if (!qp->rc->atomic_ok || resp->doing ||
	    !IS_ALIGNED(pkt->conn.va, SHCA_ATOMIC_SIZE) ||
	    !remote_span(qp, pkt, SHCA_REMOTE_ATOMIC, &span)) {
		refuse(qp, SHCA_NAK_INVALID, 0);
		return;
	}
	read = read_add(resp, pkt, 1);
	if (!read) {
		refuse(qp, SHCA_NAK_INVALID, 0);
		return;
	}
	if (shca_mkey_remote_check(&span, SHCA_ATOMIC_SIZE) ||
	    atomic_execute(&span, pkt, &read->value)) {
		refuse(qp, SHCA_NAK_ACCESS, 0);
		return;
	}
	read->atomic = true;
	read_added(qp, 1);
}

static bool is_read(u8 op)
{
	return op == IB_OPCODE_RDMA_READ_REQUEST ||
	       op == IB_OPCODE_COMPARE_SWAP || op == IB_OPCODE_FETCH_ADD;
}

/* What was answered already is answered again, from packet @psn on, and so is
 * all that came after it.
 */
static void read_again(struct shca_rc_resp *resp, u32 psn)
{
	u32 kept = min_t(u32, resp->read_tail, resp->max_reads), i, n;
	struct shca_rc_read *read;
	s32 off;

	for (n = 1; n <= kept; n++) {
		i = resp->read_tail - n;
		read = &resp->read[i % SHCA_RC_READS];
		off = shca_psn_diff(psn, read->psn);
		if (off < 0 || off >= (s32)read->npsn)
			continue;
		/* One that is owed anyway, from there on or before. */
		if ((s32)(i - resp->read_due) >= 0 && read->sent <= off)
			return;
		read->sent = off;
		read->again = true;
		if ((s32)(i - resp->read_due) < 0)
			resp->read_due = i;
		while (++i != resp->read_tail) {
			read = &resp->read[i % SHCA_RC_READS];
			read->sent = 0;
			read->again = true;
		}
		return;
	}
}

static void duplicate(struct shca_qp *qp, const struct shca_pkt *pkt)
{
	struct shca_rc_resp *resp = &qp->rc->resp;

	if (is_read(SHCA_BTH_OP(pkt->conn.opcode))) {
		read_again(resp, pkt->conn.psn);
		owe(qp);
	} else {
		owe_ack(qp);
	}
}

/* Unreliable: a gap costs the message it is in. */
static void resynchronise(struct shca_qp *qp, const struct request_kind *kind,
			  u32 psn)
{
	struct shca_rc_resp *resp = &qp->rc->resp;

	if (psn != resp->epsn)
		shca_count(qp, out_of_sequence);
	if (psn != resp->epsn || (kind && kind->place & PLACE_FIRST))
		resp->doing = SHCA_DOING_NOTHING;
	resp->epsn = psn;
}

static void uc_request(struct shca_qp *qp, const struct request_kind *kind,
		       const struct shca_pkt *pkt)
{
	struct shca_rc_resp *resp = &qp->rc->resp;

	resynchronise(qp, kind, pkt->conn.psn);
	if (kind && !kind->invalidate &&
	    (resp->doing || kind->place & PLACE_FIRST))
		data_request(qp, kind, pkt);
	resp->epsn = shca_psn_add(pkt->conn.psn, 1);
}

static void rc_request(struct shca_qp *qp, const struct request_kind *kind,
		       const struct shca_pkt *pkt)
{
	struct shca_rc_resp *resp = &qp->rc->resp;
	s32 ahead = shca_psn_diff(pkt->conn.psn, resp->epsn);
	u8 op = SHCA_BTH_OP(pkt->conn.opcode);

	if (ahead > 0) {
		shca_count(qp, out_of_sequence);
		if (!resp->silent)
			owe_nak(qp, SHCA_NAK_SEQUENCE);
		return;
	}
	if (ahead < 0) {
		shca_count(qp, duplicate_request);
		duplicate(qp, pkt);
		return;
	}
	resp->silent = false;
	resp->nak = 0;
	if (kind)
		data_request(qp, kind, pkt);
	else if (op == IB_OPCODE_RDMA_READ_REQUEST)
		read_request(qp, pkt);
	else if (is_read(op))
		atomic_request(qp, pkt);
	else
		refuse(qp, SHCA_NAK_INVALID, 0);
}

static void note_established(struct shca_qp *qp)
{
	struct shca_rc_resp *resp = &qp->rc->resp;

	if (resp->established)
		return;
	resp->established = true;
	if (qp->state == MLX5_QPC_STATE_RTR)
		shca_eq_queue_event(qp->hw, MLX5_EVENT_TYPE_COMM_EST,
				    MLX5_EVENT_QUEUE_TYPE_QP, qp->obj.id);
}

void shca_rc_request(struct shca_qp *qp, const struct shca_pkt *pkt)
{
	const struct request_kind *kind = kind_of(pkt);

	note_established(qp);
	if (shca_rc_reliable(qp))
		rc_request(qp, kind, pkt);
	else
		uc_request(qp, kind, pkt);
}
