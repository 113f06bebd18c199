// SPDX-License-Identifier: GPL-2.0
/*
 * Connected queue pairs: their state, and where their packets go.
 */
#define pr_fmt(fmt) "softhca: " fmt

#include <linux/slab.h>
#include <linux/string.h>

#include "engine/rc.h"

#define SHCA_BTH_ICRC	(12 + 4)
#define SHCA_XRCETH	4

static int transport_of(u8 st)
{
	switch (st) {
	case MLX5_QP_ST_RC:
		return IB_OPCODE_RC;
	case MLX5_QP_ST_UC:
		return IB_OPCODE_UC;
	case MLX5_QP_ST_XRC:
		return SHCA_BTH_XRC;
	default:
		return -1;
	}
}

int shca_rc_create(struct shca_qp *qp)
{
	int transport = transport_of(qp->st);

	if (transport < 0)
		return 0;
	qp->rc = kzalloc(sizeof(*qp->rc), GFP_KERNEL);
	if (!qp->rc)
		return -ENOMEM;
	qp->rc->transport = transport;
	return 0;
}

void shca_rc_free(struct shca_qp *qp)
{
	kfree(qp->rc);
}

static void responder_begin(struct shca_qp *qp)
{
	struct shca_rc_resp *resp = &qp->rc->resp;

	memset(resp, 0, sizeof(*resp));
	resp->epsn = MLX5_GET(qpc, qp->qpc, next_rcv_psn);
}

static void requester_begin(struct shca_qp *qp)
{
	struct shca_rc_req *req = &qp->rc->req;

	memset(req, 0, sizeof(*req));
	req->psn = MLX5_GET(qpc, qp->qpc, next_send_psn);
	req->una = req->psn;
	req->top = req->psn;
}

static void take_attributes(struct shca_qp *qp)
{
	struct shca_rc *rc = qp->rc;
	void *qpc = qp->qpc;

	shca_addr_from_path(MLX5_ADDR_OF(qpc, qpc, primary_address_path),
			    &rc->av);
	rc->dqpn = MLX5_GET(qpc, qpc, remote_qpn);
	rc->read_ok = MLX5_GET(qpc, qpc, rre);
	rc->write_ok = MLX5_GET(qpc, qpc, rwe);
	rc->atomic_ok = MLX5_GET(qpc, qpc, rae);
	rc->resp.max_reads = min(1U << MLX5_GET(qpc, qpc, log_rra_max),
				 SHCA_RC_READS);
	rc->resp.min_rnr = MLX5_GET(qpc, qpc, min_rnr_nak);
	rc->req.max_reads = min(1U << MLX5_GET(qpc, qpc, log_sra_max),
				SHCA_RC_READS);
	rc->req.retry = MLX5_GET(qpc, qpc, retry_count);
	rc->req.rnr_retry = MLX5_GET(qpc, qpc, rnr_retry);
	rc->req.ack_timeout =
		MLX5_GET(qpc, qpc, primary_address_path.ack_timeout);
}

void shca_rc_modify(struct shca_qp *qp, u16 opcode)
{
	struct shca_rc_req *req = &qp->rc->req;

	switch (opcode) {
	case MLX5_CMD_OP_2ERR_QP:
		return;
	case MLX5_CMD_OP_2RST_QP:
		responder_begin(qp);
		requester_begin(qp);
		return;
	case MLX5_CMD_OP_INIT2RTR_QP:
		responder_begin(qp);
		break;
	case MLX5_CMD_OP_RTR2RTS_QP:
		requester_begin(qp);
		break;
	}
	take_attributes(qp);
	req->retries = req->retry;
	req->rnr_retries = req->rnr_retry;
}

void shca_rc_query(struct shca_qp *qp, void *qpc)
{
	struct shca_rc *rc = qp->rc;

	spin_lock(&qp->sq_lock);
	spin_lock(&qp->rq_lock);
	switch (qp->state) {
	case MLX5_QPC_STATE_RTS:
	case MLX5_QPC_STATE_SQER:
		MLX5_SET(qpc, qpc, next_send_psn, rc->req.psn);
		MLX5_SET(qpc, qpc, last_acked_psn,
			 shca_psn_add(rc->req.una, SHCA_PSN_MASK));
		MLX5_SET(qpc, qpc, cur_retry_count, rc->req.retries);
		MLX5_SET(qpc, qpc, cur_rnr_retry, rc->req.rnr_retries);
		fallthrough;
	case MLX5_QPC_STATE_RTR:
		MLX5_SET(qpc, qpc, next_rcv_psn, rc->resp.epsn);
		MLX5_SET(qpc, qpc, rmsn, rc->resp.msn & SHCA_PSN_MASK);
		break;
	}
	spin_unlock(&qp->rq_lock);
	spin_unlock(&qp->sq_lock);
}

void shca_rc_header(const struct shca_qp *qp, struct shca_pkt *pkt)
{
	memset(pkt, 0, sizeof(*pkt));
	pkt->connected = true;
	pkt->dqpn = qp->rc->dqpn;
	pkt->sqpn = qp->obj.id;
}

int shca_rc_transmit(struct shca_qp *qp, struct shca_pkt *pkt, u32 ext)
{
	struct shca_port *port = qp->hw->ports[qp->port - 1].port;

	pkt->conn.opcode |= qp->rc->transport;
	if (qp->st == MLX5_QP_ST_XRC)
		ext += SHCA_XRCETH;
	shca_addr_build(port, &qp->rc->av, SHCA_BTH_ICRC + ext, pkt);
	if (shca_port_pkey(port, qp->pkey_index, &pkt->pkey))
		return -ENOENT;
	return shca_port_send(port, pkt);
}

static bool is_answer(u8 opcode)
{
	u8 op = SHCA_BTH_OP(opcode);

	return op >= IB_OPCODE_RDMA_READ_RESPONSE_FIRST &&
	       op <= IB_OPCODE_ATOMIC_ACKNOWLEDGE;
}

static bool admits(struct shca_qp *qp, const struct shca_pkt *pkt)
{
	u8 state = READ_ONCE(qp->state);

	if (state != MLX5_QPC_STATE_RTR && state != MLX5_QPC_STATE_RTS &&
	    state != MLX5_QPC_STATE_SQER)
		return false;
	/* From the port and queue that this one is connected to. */
	return pkt->slid == be16_to_cpu(qp->rc->av.rlid) &&
	       shca_rq_pkey_admits(qp, pkt);
}

void shca_rc_receive(struct shca_qp *qp, const struct shca_pkt *pkt)
{
	bool answer = is_answer(pkt->conn.opcode);

	if (!qp->rc || (pkt->conn.opcode & ~0x1f) != qp->rc->transport)
		return;
	if (answer) {
		spin_lock(&qp->sq_lock);
		if (admits(qp, pkt))
			shca_rc_answer(qp, pkt);
		spin_unlock(&qp->sq_lock);
	} else {
		spin_lock(&qp->rq_lock);
		if (admits(qp, pkt))
			shca_rc_request(qp, pkt);
		spin_unlock(&qp->rq_lock);
	}
}
