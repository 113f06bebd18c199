// SPDX-License-Identifier: GPL-2.0
/* Connected queue pairs: sequence numbers, times, order, duplicates, losses. */
#include <linux/string.h>
#include <linux/mlx5/cq.h>

#include "engine/fixture_kunit.h"
#include "engine/qcnt.h"
#include "engine/rc.h"

#define KEY_BYTE	0x42
#define MTU		256
#define NEXT_SEND	0xfffffe	/* goes around */
#define NEXT_RCV	0x000010

static void rc_psn(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, shca_psn_diff(5, 5), 0);
	KUNIT_EXPECT_EQ(test, shca_psn_diff(0, 0xffffff), 1);
	KUNIT_EXPECT_EQ(test, shca_psn_diff(0xffffff, 0), -1);
	KUNIT_EXPECT_EQ(test, shca_psn_diff(0x7fffff, 0), 0x7fffff);
	KUNIT_EXPECT_EQ(test, shca_psn_diff(0x800000, 0), -0x800000);
	KUNIT_EXPECT_EQ(test, shca_psn_add(0xfffffe, 3), 1U);
	KUNIT_EXPECT_EQ(test, shca_psn_add(0, SHCA_PSN_MASK), 0xffffffU);
	KUNIT_EXPECT_EQ(test, shca_rc_packets(0, MTU), 1U);
	KUNIT_EXPECT_EQ(test, shca_rc_packets(MTU, MTU), 1U);
	KUNIT_EXPECT_EQ(test, shca_rc_packets(MTU + 1, MTU), 2U);
	KUNIT_EXPECT_EQ(test, shca_rc_packets(SHCA_RC_MSG_MAX, MTU), 1U << 22);
}

static void rc_times(struct kunit *test)
{
	static const u64 us = 1000, ms = 1000000;

	KUNIT_EXPECT_EQ(test, shca_rnr_ns(0), 655360 * us);
	KUNIT_EXPECT_EQ(test, shca_rnr_ns(1), 10 * us);
	KUNIT_EXPECT_EQ(test, shca_rnr_ns(2), 20 * us);
	KUNIT_EXPECT_EQ(test, shca_rnr_ns(3), 30 * us);
	KUNIT_EXPECT_EQ(test, shca_rnr_ns(4), 40 * us);
	KUNIT_EXPECT_EQ(test, shca_rnr_ns(5), 60 * us);
	KUNIT_EXPECT_EQ(test, shca_rnr_ns(12), 640 * us);
	KUNIT_EXPECT_EQ(test, shca_rnr_ns(31), 491520 * us);
	KUNIT_EXPECT_EQ(test, shca_ack_timeout_ns(14), 67108864ULL);
	KUNIT_EXPECT_EQ(test, shca_ack_timeout_ns(31), 4096ULL << 31);
	/* Not shorter than a machine can keep. */
	KUNIT_EXPECT_GE(test, shca_ack_timeout_ns(1), ms);
}

struct krc {
	struct khw *khw;
	struct shca_qp *qp;
	struct shca_rc_resp *resp;
	struct shca_rc_req *req;
	struct shca_scratch scratch;
	u32 key;
	u32 srqn;		/* XRC: named by what arrives */
	u8 data[MTU * 2];
};

static void connect(struct kunit *test, struct krc *krc)
{
	u32 qpc[MLX5_ST_SZ_DW(qpc)] = {};
	struct khw *khw = krc->khw;

	MLX5_SET(qpc, qpc, mtu, MLX5_QPC_MTU_256_BYTES);
	MLX5_SET(qpc, qpc, primary_address_path.vhca_port_num, 1);
	MLX5_SET(qpc, qpc, rre, 1);
	MLX5_SET(qpc, qpc, rwe, 1);
	MLX5_SET(qpc, qpc, rae, 1);
	MLX5_SET(qpc, qpc, remote_qpn, 0x99);
	MLX5_SET(qpc, qpc, next_rcv_psn, NEXT_RCV);
	MLX5_SET(qpc, qpc, next_send_psn, NEXT_SEND);
	MLX5_SET(qpc, qpc, log_rra_max, 1);
	MLX5_SET(qpc, qpc, log_sra_max, 1);
	MLX5_SET(qpc, qpc, retry_count, 2);
	MLX5_SET(qpc, qpc, rnr_retry, 1);
	MLX5_SET(qpc, qpc, min_rnr_nak, 12);
	KUNIT_ASSERT_EQ(test, khw_modify(khw, MLX5_CMD_OP_RST2INIT_QP, qpc), 0);
	KUNIT_ASSERT_EQ(test, khw_modify(khw, MLX5_CMD_OP_INIT2RTR_QP, qpc), 0);
	KUNIT_ASSERT_EQ(test, khw_modify(khw, MLX5_CMD_OP_RTR2RTS_QP, qpc), 0);
}

static struct krc *krc_alloc(struct kunit *test, u8 st)
{
	__be64 pas = cpu_to_be64(kfn_bus(KHW_DATA_PAGE));
	struct krc *krc = kunit_kzalloc(test, sizeof(*krc), GFP_KERNEL);
	u32 mkc[MLX5_ST_SZ_DW(mkc)];
	u32 index;

	KUNIT_ASSERT_NOT_NULL(test, krc);
	krc->khw = khw_alloc(test);
	kfn_mkc(mkc, KHW_PD, KEY_BYTE, 0, PAGE_SIZE);
	MLX5_SET(mkc, mkc, rr, 1);
	MLX5_SET(mkc, mkc, rw, 1);
	MLX5_SET(mkc, mkc, a, 1);
	MLX5_SET(mkc, mkc, en_rinval, 1);
	MLX5_SET(mkc, mkc, qpn, 0xffffff);
	KUNIT_ASSERT_EQ(test, shca_mkey_create(&krc->khw->kfn->fn, 0, mkc, &pas,
					       sizeof(pas), NULL, &index), 0);
	krc->key = index << 8 | KEY_BYTE;
	khw_create_qp(test, krc->khw, st);
	connect(test, krc);
	krc->qp = khw_qp(krc->khw);
	krc->resp = &krc->qp->rc->resp;
	krc->req = &krc->qp->rc->req;
	memset(krc->data, 0x5a, sizeof(krc->data));
	return krc;
}

static void krc_free(struct krc *krc)
{
	shca_hw_reset(&krc->khw->kfn->fn);
	shca_mem_fn_reset(&krc->khw->kfn->fn);
}

/* A packet arrives. */
static void arrive(struct krc *krc, u8 op, u32 psn, u32 len)
{
	struct shca_pkt pkt = {
		.connected = true, .pkey = 0xffff, .len = len,
		.data = krc->data, .imm = cpu_to_be32(krc->key),
		.conn = {
			.opcode = krc->qp->rc->transport | op, .psn = psn,
			.ackreq = true, .rkey = krc->key, .va = 0x200,
			.dmalen = len, .swap_add = 1, .xrcsrq = krc->srqn,
		},
	};

	shca_rc_receive(krc->qp, &pkt);
}

static void arrive_ack(struct krc *krc, u32 psn, u8 syndrome)
{
	struct shca_pkt pkt = {
		.connected = true, .pkey = 0xffff,
		.conn = {
			.opcode = IB_OPCODE_RC_ACKNOWLEDGE, .psn = psn,
			.syndrome = syndrome,
		},
	};

	shca_rc_receive(krc->qp, &pkt);
}

static void post_recv(struct krc *krc, u16 index, u32 len)
{
	struct mlx5_wqe_data_seg *seg;

	seg = kfn_ptr(krc->khw->kfn, KHW_QP_PAGE + index * 64);
	seg[0].byte_count = cpu_to_be32(len);
	seg[0].lkey = cpu_to_be32(krc->key);
	seg[0].addr = 0;
	seg[1].byte_count = 0;
	seg[1].lkey = cpu_to_be32(SHCA_TERMINATE_LKEY);
	khw_record(krc->khw, KHW_QP_DBR, MLX5_RCV_DBR, index + 1);
}

static void post_op(struct krc *krc, u16 bb, u8 opcode, u32 len)
{
	u32 off = KHW_QP_PAGE + (64 << KHW_RQ_LOG) + bb * MLX5_SEND_WQE_BB;
	struct mlx5_wqe_ctrl_seg *ctrl = kfn_ptr(krc->khw->kfn, off);
	struct mlx5_wqe_data_seg *seg = (void *)(ctrl + 1);

	memset(ctrl, 0, sizeof(*ctrl));
	ctrl->opmod_idx_opcode = cpu_to_be32(bb << 8 | opcode);
	ctrl->qpn_ds = cpu_to_be32(krc->khw->qpn << 8 | 2);
	ctrl->fm_ce_se = MLX5_WQE_CTRL_CQ_UPDATE;
	seg->byte_count = cpu_to_be32(len);
	seg->lkey = cpu_to_be32(krc->key);
	seg->addr = 0;
	khw_record(krc->khw, KHW_QP_DBR, MLX5_SND_DBR, bb + 1);
	shca_sq_serve(krc->qp, &krc->scratch);
}

static void post_send(struct krc *krc, u16 bb, u32 len)
{
	post_op(krc, bb, MLX5_OPCODE_SEND, len);
}

static u32 completions(struct krc *krc)
{
	return khw_cq(krc->khw)->pi;
}

static u8 syndrome_of(struct krc *krc, u32 i)
{
	return ((struct mlx5_err_cqe *)khw_cqe(krc->khw, i))->syndrome;
}

static void resp_order(struct kunit *test)
{
	struct krc *krc = krc_alloc(test, MLX5_QP_ST_RC);

	post_recv(krc, 0, 4 * MTU);
	arrive(krc, IB_OPCODE_SEND_FIRST, NEXT_RCV, MTU);
	KUNIT_EXPECT_EQ(test, krc->resp->epsn, NEXT_RCV + 1U);
	KUNIT_EXPECT_TRUE(test, krc->resp->ack_due);
	/* A gap is refused, once. */
	arrive(krc, IB_OPCODE_SEND_LAST, NEXT_RCV + 2, 10);
	KUNIT_EXPECT_EQ(test, krc->resp->nak, SHCA_NAK_SEQUENCE);
	KUNIT_EXPECT_EQ(test, krc->resp->epsn, NEXT_RCV + 1U);
	krc->resp->nak = 0;
	arrive(krc, IB_OPCODE_SEND_LAST, NEXT_RCV + 2, 10);
	KUNIT_EXPECT_EQ(test, krc->resp->nak, 0);
	/* Duplicates are acknowledged and have no effect. */
	krc->resp->ack_due = false;
	arrive(krc, IB_OPCODE_SEND_FIRST, NEXT_RCV, MTU);
	KUNIT_EXPECT_TRUE(test, krc->resp->ack_due);
	KUNIT_EXPECT_EQ(test, krc->resp->got, (u32)MTU);

	arrive(krc, IB_OPCODE_SEND_MIDDLE, NEXT_RCV + 1, MTU);
	KUNIT_EXPECT_FALSE(test, krc->resp->silent);
	arrive(krc, IB_OPCODE_SEND_LAST, NEXT_RCV + 2, 10);
	arrive(krc, IB_OPCODE_SEND_LAST, NEXT_RCV + 2, 10);
	KUNIT_EXPECT_EQ(test, completions(krc), 1U);
	KUNIT_EXPECT_EQ(test, be32_to_cpu(khw_cqe(krc->khw, 0)->byte_cnt),
			2 * MTU + 10U);
	KUNIT_EXPECT_EQ(test, krc->resp->msn, 1U);
	krc_free(krc);
}

static void resp_not_ready(struct kunit *test)
{
	struct krc *krc = krc_alloc(test, MLX5_QP_ST_RC);

	arrive(krc, IB_OPCODE_SEND_ONLY, NEXT_RCV, 10);
	KUNIT_EXPECT_EQ(test, krc->resp->nak, SHCA_AETH_RNR | 12);
	KUNIT_EXPECT_EQ(test, krc->resp->epsn, (u32)NEXT_RCV);
	/* What follows is not a gap worth telling of. */
	krc->resp->nak = 0;
	arrive(krc, IB_OPCODE_SEND_ONLY, NEXT_RCV + 1, 10);
	KUNIT_EXPECT_EQ(test, krc->resp->nak, 0);
	post_recv(krc, 0, 10);
	arrive(krc, IB_OPCODE_SEND_ONLY, NEXT_RCV, 10);
	KUNIT_EXPECT_EQ(test, completions(krc), 1U);
	KUNIT_EXPECT_EQ(test, krc->qp->state, MLX5_QPC_STATE_RTS);
	krc_free(krc);
}

static void resp_wrong_order_of_opcodes(struct kunit *test)
{
	struct krc *krc = krc_alloc(test, MLX5_QP_ST_RC);

	post_recv(krc, 0, 4 * MTU);
	arrive(krc, IB_OPCODE_SEND_FIRST, NEXT_RCV, MTU);
	arrive(krc, IB_OPCODE_RDMA_WRITE_MIDDLE, NEXT_RCV + 1, MTU);
	KUNIT_EXPECT_EQ(test, krc->resp->nak, SHCA_NAK_INVALID);
	KUNIT_EXPECT_EQ(test, krc->qp->state, MLX5_QPC_STATE_ERR);
	/* The receive that was begun comes back. */
	KUNIT_EXPECT_EQ(test, completions(krc), 1U);
	KUNIT_EXPECT_EQ(test, syndrome_of(krc, 0),
			MLX5_CQE_SYNDROME_WR_FLUSH_ERR);
	krc_free(krc);
}

static void resp_lengths(struct kunit *test)
{
	static const struct { u8 op; u32 len; } bad[] = {
		{ IB_OPCODE_SEND_FIRST, MTU - 1 },
		{ IB_OPCODE_SEND_ONLY, MTU + 1 },
		{ IB_OPCODE_RDMA_WRITE_FIRST, MTU },
		{ IB_OPCODE_RDMA_WRITE_MIDDLE, MTU },
		{ 0x1f, 0 },
	};
	struct krc *krc = krc_alloc(test, MLX5_QP_ST_RC);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		post_recv(krc, 0, 4 * MTU);
		arrive(krc, bad[i].op, NEXT_RCV, bad[i].len);
		KUNIT_EXPECT_EQ_MSG(test, krc->resp->nak, SHCA_NAK_INVALID,
				    "case %u", i);
		khw_modify(krc->khw, MLX5_CMD_OP_2RST_QP, NULL);
		connect(test, krc);
	}
	krc_free(krc);
}

static void resp_atomic_once(struct kunit *test)
{
	struct krc *krc = krc_alloc(test, MLX5_QP_ST_RC);
	u64 *value = kfn_ptr(krc->khw->kfn, KHW_DATA_PAGE + 0x200);
	unsigned int i;

	*value = 100;
	for (i = 0; i < 3; i++)
		arrive(krc, IB_OPCODE_FETCH_ADD, NEXT_RCV, 0);
	KUNIT_EXPECT_EQ(test, *value, 101ULL);
	KUNIT_EXPECT_EQ(test, krc->resp->read[0].value, 100ULL);
	KUNIT_EXPECT_EQ(test, krc->resp->read_tail, 1U);
	/* Answered, and asked for again. */
	KUNIT_EXPECT_FALSE(test, shca_rc_reply(krc->qp));
	KUNIT_EXPECT_EQ(test, krc->resp->read_due, 1U);
	arrive(krc, IB_OPCODE_FETCH_ADD, NEXT_RCV, 0);
	KUNIT_EXPECT_EQ(test, krc->resp->read_due, 0U);
	KUNIT_EXPECT_EQ(test, *value, 101ULL);
	krc_free(krc);
}

static void resp_reads(struct kunit *test)
{
	struct krc *krc = krc_alloc(test, MLX5_QP_ST_RC);
	struct shca_pkt pkt = {
		.connected = true, .pkey = 0xffff,
		.conn = {
			.opcode = IB_OPCODE_RC_RDMA_READ_REQUEST,
			.psn = NEXT_RCV, .rkey = krc->key,
			.dmalen = 2 * MTU + 1,
		},
	};

	shca_rc_receive(krc->qp, &pkt);
	KUNIT_EXPECT_EQ(test, krc->resp->epsn, NEXT_RCV + 3U);
	KUNIT_EXPECT_FALSE(test, shca_rc_reply(krc->qp));
	KUNIT_EXPECT_EQ(test, krc->resp->read_due, 1U);
	/* Again from the middle on. */
	pkt.conn.psn = NEXT_RCV + 1;
	shca_rc_receive(krc->qp, &pkt);
	KUNIT_EXPECT_EQ(test, krc->resp->read_due, 0U);
	KUNIT_EXPECT_EQ(test, krc->resp->read[0].sent, 1U);
	/* A repeated answer gives way; two new ones are what was agreed. */
	pkt.conn.psn = NEXT_RCV + 3;
	pkt.conn.dmalen = 1;
	shca_rc_receive(krc->qp, &pkt);
	pkt.conn.psn++;
	shca_rc_receive(krc->qp, &pkt);
	KUNIT_EXPECT_EQ(test, krc->resp->nak, 0);
	pkt.conn.psn++;
	shca_rc_receive(krc->qp, &pkt);
	KUNIT_EXPECT_EQ(test, krc->resp->nak, SHCA_NAK_INVALID);
	krc_free(krc);
}

static void resp_reserved_key(struct kunit *test)
{
	struct krc *krc = krc_alloc(test, MLX5_QP_ST_RC);

	krc->key = shca_mkey_reserved(&krc->khw->kfn->fn);
	krc->qp->rlky = true;
	arrive(krc, IB_OPCODE_RDMA_WRITE_ONLY, NEXT_RCV, 8);
	KUNIT_EXPECT_EQ(test, krc->resp->nak, SHCA_NAK_ACCESS);
	krc_free(krc);
}

static void resp_invalidates(struct kunit *test)
{
	struct krc *krc = krc_alloc(test, MLX5_QP_ST_RC);

	post_recv(krc, 0, 10);
	arrive(krc, IB_OPCODE_SEND_ONLY_WITH_INVALIDATE, NEXT_RCV, 10);
	KUNIT_EXPECT_EQ(test, completions(krc), 1U);
	KUNIT_EXPECT_EQ(test, khw_cqe(krc->khw, 0)->op_own >> 4,
			MLX5_CQE_RESP_SEND_INV);
	KUNIT_EXPECT_EQ(test, be32_to_cpu(khw_cqe(krc->khw, 0)->immediate),
			krc->key);
	/* The key is gone, and a second wish is refused. */
	arrive(krc, IB_OPCODE_RDMA_WRITE_ONLY, NEXT_RCV + 1, 8);
	KUNIT_EXPECT_EQ(test, krc->resp->nak, SHCA_NAK_ACCESS);
	krc_free(krc);
}

static void resp_unreliable(struct kunit *test)
{
	struct krc *krc = krc_alloc(test, MLX5_QP_ST_UC);

	post_recv(krc, 0, 4 * MTU);
	arrive(krc, IB_OPCODE_SEND_FIRST, NEXT_RCV, MTU);
	/* The middle is lost, and so is the message. */
	arrive(krc, IB_OPCODE_SEND_LAST, NEXT_RCV + 2, 10);
	KUNIT_EXPECT_EQ(test, completions(krc), 0U);
	/* Its receive serves the next one. */
	arrive(krc, IB_OPCODE_SEND_ONLY, NEXT_RCV + 9, 10);
	KUNIT_EXPECT_EQ(test, completions(krc), 1U);
	KUNIT_EXPECT_EQ(test, be32_to_cpu(khw_cqe(krc->khw, 0)->byte_cnt), 10U);
	KUNIT_EXPECT_EQ(test, krc->resp->epsn, NEXT_RCV + 10U);
	krc_free(krc);
}

static void req_acknowledged(struct kunit *test)
{
	struct krc *krc = krc_alloc(test, MLX5_QP_ST_RC);

	post_send(krc, 0, 3 * MTU);
	post_send(krc, 1, 1);
	KUNIT_EXPECT_EQ(test, krc->req->top, 2U);
	KUNIT_EXPECT_EQ(test, krc->req->tail - krc->req->first, 2U);
	/* Of what was never sent, and of what is known. */
	arrive_ack(krc, 2, SHCA_AETH_NO_CREDITS);
	arrive_ack(krc, NEXT_SEND - 1, SHCA_AETH_NO_CREDITS);
	KUNIT_EXPECT_EQ(test, krc->req->una, (u32)NEXT_SEND);
	arrive_ack(krc, NEXT_SEND, SHCA_AETH_NO_CREDITS);
	KUNIT_EXPECT_EQ(test, krc->req->una, NEXT_SEND + 1U);
	KUNIT_EXPECT_EQ(test, completions(krc), 0U);
	arrive_ack(krc, 1, SHCA_AETH_NO_CREDITS);
	KUNIT_EXPECT_EQ(test, completions(krc), 2U);
	KUNIT_EXPECT_EQ(test, krc->req->first, krc->req->tail);
	krc_free(krc);
}

static void req_sequence_refused(struct kunit *test)
{
	struct krc *krc = krc_alloc(test, MLX5_QP_ST_RC);

	post_send(krc, 0, 4 * MTU);
	arrive_ack(krc, NEXT_SEND + 1, SHCA_NAK_SEQUENCE);
	KUNIT_EXPECT_EQ(test, krc->req->una, NEXT_SEND + 1U);
	KUNIT_EXPECT_EQ(test, krc->req->cur, krc->req->first);
	KUNIT_EXPECT_EQ(test, krc->req->cur_pkt, 1U);
	/* A second one of the same is old. */
	arrive_ack(krc, NEXT_SEND + 1, SHCA_NAK_SEQUENCE);
	KUNIT_EXPECT_EQ(test, krc->req->retries, 1);
	/* Everything else goes on from there. */
	shca_sq_serve(krc->qp, &krc->scratch);
	KUNIT_EXPECT_EQ(test, krc->req->cur, krc->req->tail);
	krc_free(krc);
}

static void req_gives_up(struct kunit *test)
{
	struct krc *krc = krc_alloc(test, MLX5_QP_ST_RC);
	unsigned int i;

	post_send(krc, 0, 10);
	post_send(krc, 1, 10);
	for (i = 0; i < 3; i++) {
		KUNIT_EXPECT_EQ(test, krc->qp->state, MLX5_QPC_STATE_RTS);
		spin_lock(&krc->qp->sq_lock);
		shca_rc_retry(krc->qp);
		spin_unlock(&krc->qp->sq_lock);
	}
	KUNIT_EXPECT_EQ(test, krc->qp->state, MLX5_QPC_STATE_ERR);
	KUNIT_EXPECT_EQ(test, syndrome_of(krc, 0),
			MLX5_CQE_SYNDROME_TRANSPORT_RETRY_EXC_ERR);
	/* The other is flushed. */
	shca_sq_serve(krc->qp, NULL);
	KUNIT_EXPECT_EQ(test, completions(krc), 2U);
	KUNIT_EXPECT_EQ(test, syndrome_of(krc, 1),
			MLX5_CQE_SYNDROME_WR_FLUSH_ERR);
	krc_free(krc);
}

static void req_not_ready(struct kunit *test)
{
	struct krc *krc = krc_alloc(test, MLX5_QP_ST_RC);

	post_send(krc, 0, 10);
	arrive_ack(krc, NEXT_SEND, SHCA_AETH_RNR | 31);
	KUNIT_EXPECT_TRUE(test, krc->req->rnr_wait);
	KUNIT_EXPECT_NE(test, krc->req->deadline, 0ULL);
	/* Nothing is sent before the time is over. */
	shca_sq_serve(krc->qp, &krc->scratch);
	KUNIT_EXPECT_EQ(test, krc->req->cur, krc->req->first);
	shca_rc_timer_fire(krc->qp, krc->req->deadline);
	KUNIT_EXPECT_FALSE(test, krc->req->rnr_wait);
	shca_sq_serve(krc->qp, &krc->scratch);
	KUNIT_EXPECT_EQ(test, krc->req->cur, krc->req->tail);
	/* One retry was agreed. */
	arrive_ack(krc, NEXT_SEND, SHCA_AETH_RNR | 31);
	KUNIT_EXPECT_EQ(test, syndrome_of(krc, 0),
			MLX5_CQE_SYNDROME_RNR_RETRY_EXC_ERR);
	krc_free(krc);
}

static void req_bad_wqes(struct kunit *test)
{
	struct krc *krc = krc_alloc(test, MLX5_QP_ST_RC);

	/* An inline segment that is longer than its WQE. */
	post_send(krc, 0, MLX5_INLINE_SEG | 100);
	KUNIT_EXPECT_EQ(test, syndrome_of(krc, 0),
			MLX5_CQE_SYNDROME_LOCAL_QP_OP_ERR);
	KUNIT_EXPECT_EQ(test, krc->qp->state, MLX5_QPC_STATE_ERR);
	krc_free(krc);
}

/* The oldest message too stops when so many packets are not acknowledged. */
static void req_window(struct kunit *test)
{
	struct krc *krc = krc_alloc(test, MLX5_QP_ST_RC);
	unsigned int i;

	post_send(krc, 0, 2 * SHCA_RC_WINDOW * MTU);
	for (i = 0; i < 2 * SHCA_RC_WINDOW / SHCA_RC_BUDGET; i++)
		shca_sq_serve(krc->qp, &krc->scratch);
	KUNIT_EXPECT_EQ(test, shca_psn_diff(krc->req->top, NEXT_SEND),
			SHCA_RC_WINDOW);
	arrive_ack(krc, NEXT_SEND, SHCA_AETH_NO_CREDITS);
	shca_sq_serve(krc->qp, &krc->scratch);
	KUNIT_EXPECT_EQ(test, shca_psn_diff(krc->req->top, NEXT_SEND),
			SHCA_RC_WINDOW + 1);
	krc_free(krc);
}

/* An acknowledgment goes before a request that was posted after it was owed. */
static void req_after_what_is_owed(struct kunit *test)
{
	struct krc *krc = krc_alloc(test, MLX5_QP_ST_RC);

	post_recv(krc, 0, 10);
	arrive(krc, IB_OPCODE_SEND_ONLY, NEXT_RCV, 10);
	KUNIT_EXPECT_TRUE(test, krc->resp->ack_due);
	post_send(krc, 0, 10);
	KUNIT_EXPECT_FALSE(test, krc->resp->ack_due);
	krc_free(krc);
}

/* Too short to say what it wants. */
static void req_short_umr(struct kunit *test)
{
	struct krc *krc = krc_alloc(test, MLX5_QP_ST_RC);

	krc->qp->rlky = true;
	post_op(krc, 0, MLX5_OPCODE_UMR, 16);
	KUNIT_EXPECT_EQ(test, syndrome_of(krc, 0),
			MLX5_CQE_SYNDROME_MW_BIND_ERR);
	krc_free(krc);
}

#define SRQ_PAGE	0x6000
#define SRQ_DBR		(KHW_DBR_PAGE + 0x80)
#define SRQ_UIDX	0x77

/* An SRQ of four WQEs of 64 bytes; krc->srqn is its number. */
static void make_srq(struct kunit *test, struct krc *krc, u32 pd, u32 xrcd)
{
	u32 srqc[MLX5_ST_SZ_DW(xrc_srqc)] = {};
	struct shca_buf_src src;
	__be64 pas;

	kfn_src(&src, &pas, SRQ_PAGE);
	MLX5_SET(xrc_srqc, srqc, log_xrc_srq_size, 2);
	MLX5_SET(xrc_srqc, srqc, log_rq_stride, 2);
	MLX5_SET(xrc_srqc, srqc, pd, pd);
	MLX5_SET(xrc_srqc, srqc, xrcd, xrcd);
	MLX5_SET(xrc_srqc, srqc, cqn, krc->khw->cqn);
	MLX5_SET(xrc_srqc, srqc, user_index, SRQ_UIDX);
	MLX5_SET(xrc_srqc, srqc, db_record_addr_h,
		 upper_32_bits(kfn_bus(SRQ_DBR)));
	MLX5_SET(xrc_srqc, srqc, db_record_addr_l,
		 lower_32_bits(kfn_bus(SRQ_DBR)) >> 2);
	KUNIT_ASSERT_EQ(test, shca_srq_create(&krc->khw->kfn->fn, 0, srqc, &src,
					      &krc->srqn), 0);
}

/* An RMP in the same memory. */
static void make_rmp(struct kunit *test, struct krc *krc)
{
	u32 rmpc[MLX5_ST_SZ_DW(rmpc)] = {};
	void *wq = MLX5_ADDR_OF(rmpc, rmpc, wq);
	struct shca_buf_src src;
	__be64 pas;

	kfn_src(&src, &pas, SRQ_PAGE);
	MLX5_SET(wq, wq, wq_type, MLX5_WQ_TYPE_LINKED_LIST);
	MLX5_SET(wq, wq, log_wq_sz, 2);
	MLX5_SET(wq, wq, log_wq_stride, 6);
	MLX5_SET(wq, wq, pd, KHW_PD);
	MLX5_SET64(wq, wq, dbr_addr, kfn_bus(SRQ_DBR));
	KUNIT_ASSERT_EQ(test, shca_rmp_create(&krc->khw->kfn->fn, 0, rmpc, &src,
					      &krc->srqn), 0);
}

/* One WQE of @len bytes. */
static void post_srq(struct krc *krc, u32 len)
{
	struct mlx5_wqe_srq_next_seg *next;
	struct mlx5_wqe_data_seg *seg;

	next = kfn_ptr(krc->khw->kfn, SRQ_PAGE);
	next->next_wqe_index = cpu_to_be16(1);
	seg = (void *)(next + 1);
	seg[0].byte_count = cpu_to_be32(len);
	seg[0].lkey = cpu_to_be32(krc->key);
	seg[0].addr = 0;
	seg[1].byte_count = 0;
	seg[1].lkey = cpu_to_be32(SHCA_TERMINATE_LKEY);
	khw_record(krc->khw, SRQ_DBR, 0, 1);
}

static void xrc_send(struct kunit *test)
{
	struct krc *krc = krc_alloc(test, MLX5_QP_ST_XRC);

	make_srq(test, krc, KHW_PD, 0);
	arrive(krc, IB_OPCODE_SEND_ONLY, NEXT_RCV, 10);
	KUNIT_EXPECT_EQ(test, krc->resp->nak, SHCA_AETH_RNR | 12);
	post_srq(krc, 10);
	arrive(krc, IB_OPCODE_SEND_ONLY, NEXT_RCV, 10);
	KUNIT_EXPECT_EQ(test, completions(krc), 1U);
	KUNIT_EXPECT_EQ(test, be32_to_cpu(khw_cqe(krc->khw, 0)->srqn),
			(u32)SRQ_UIDX);
	krc_free(krc);
}

/* Numbers that are no SRQ's of the domain: none at all, one of another domain,
 * one of another kind.
 */
static void xrc_not_an_srq(struct kunit *test)
{
	static const u8 ops[] = {
		IB_OPCODE_SEND_ONLY, IB_OPCODE_RDMA_WRITE_ONLY,
		IB_OPCODE_RDMA_READ_REQUEST, IB_OPCODE_FETCH_ADD,
	};
	struct krc *krc = krc_alloc(test, MLX5_QP_ST_XRC);
	unsigned int i;

	for (i = 0; i < 3 * ARRAY_SIZE(ops); i++) {
		krc->srqn = 0xffffff;
		if (i % 3 == 1)
			make_srq(test, krc, KHW_PD, 9);
		else if (i % 3 == 2)
			make_rmp(test, krc);
		post_srq(krc, 10);
		arrive(krc, ops[i / 3], NEXT_RCV, 8);
		KUNIT_EXPECT_EQ_MSG(test, krc->resp->nak, SHCA_NAK_INVALID,
				    "case %u", i);
		khw_modify(krc->khw, MLX5_CMD_OP_2RST_QP, NULL);
		connect(test, krc);
	}
	KUNIT_EXPECT_EQ(test, completions(krc), 0U);
	krc_free(krc);
}

static void xrc_srq_goes(struct kunit *test)
{
	struct krc *krc = krc_alloc(test, MLX5_QP_ST_XRC);
	struct shca_fn *fn = &krc->khw->kfn->fn;

	make_srq(test, krc, KHW_PD, 0);
	post_srq(krc, 4 * MTU);
	arrive(krc, IB_OPCODE_SEND_FIRST, NEXT_RCV, MTU);
	KUNIT_EXPECT_TRUE(test, krc->resp->have_wqe);
	KUNIT_EXPECT_EQ(test, shca_srq_destroy(fn, 0, krc->srqn), 0);
	/* Even one with the same number is not the one that was begun. */
	make_srq(test, krc, KHW_PD, 0);
	krc->resp->srqn = krc->srqn;
	arrive(krc, IB_OPCODE_SEND_LAST, NEXT_RCV + 1, 10);
	KUNIT_EXPECT_EQ(test, krc->resp->nak, SHCA_NAK_INVALID);
	KUNIT_EXPECT_EQ(test, completions(krc), 0U);
	krc_free(krc);
}

/* Keys are of the SRQ's domain, not of the queue pair's. */
static void xrc_domain(struct kunit *test)
{
	struct krc *krc = krc_alloc(test, MLX5_QP_ST_XRC);

	krc->qp->pd = KHW_PD + 1;
	make_srq(test, krc, KHW_PD, 0);
	arrive(krc, IB_OPCODE_RDMA_WRITE_ONLY, NEXT_RCV, 8);
	arrive(krc, IB_OPCODE_RDMA_READ_REQUEST, NEXT_RCV + 1, 8);
	arrive(krc, IB_OPCODE_FETCH_ADD, NEXT_RCV + 2, 0);
	KUNIT_EXPECT_EQ(test, krc->resp->nak, 0);
	KUNIT_EXPECT_EQ(test, krc->resp->epsn, NEXT_RCV + 3U);

	krc->qp->pd = KHW_PD;
	make_srq(test, krc, KHW_PD + 1, 0);
	arrive(krc, IB_OPCODE_RDMA_WRITE_ONLY, NEXT_RCV + 3, 8);
	KUNIT_EXPECT_EQ(test, krc->resp->nak, SHCA_NAK_ACCESS);
	krc_free(krc);
}

/* Binds window @key to 0x100 bytes of the data, in three blocks from @bb on. */
static void post_bind(struct krc *krc, u16 bb, u32 key)
{
	u32 off = KHW_QP_PAGE + (64 << KHW_RQ_LOG) + bb * MLX5_SEND_WQE_BB;
	struct mlx5_wqe_ctrl_seg *ctrl = kfn_ptr(krc->khw->kfn, off);
	struct mlx5_wqe_umr_ctrl_seg *umr = (void *)(ctrl + 1);
	void *mkc = umr + 1;
	struct mlx5_klm *klm = mkc + sizeof(struct mlx5_mkey_seg);

	memset(ctrl, 0, 3 * MLX5_SEND_WQE_BB);
	ctrl->opmod_idx_opcode = cpu_to_be32(bb << 8 | MLX5_OPCODE_UMR);
	ctrl->qpn_ds = cpu_to_be32(krc->khw->qpn << 8 | 12);
	ctrl->fm_ce_se = MLX5_WQE_CTRL_CQ_UPDATE;
	ctrl->umr_mkey = cpu_to_be32(key);
	umr->flags = MLX5_UMR_INLINE | MLX5_UMR_TRANSLATION_OFFSET_EN |
		     MLX5_UMR_CHECK_NOT_FREE;
	umr->xlt_octowords = cpu_to_be16(4);
	umr->mkey_mask = cpu_to_be64(MLX5_MKEY_MASK_FREE | MLX5_MKEY_MASK_LEN |
				     MLX5_MKEY_MASK_START_ADDR |
				     MLX5_MKEY_MASK_RW | MLX5_MKEY_MASK_QPN);
	MLX5_SET64(mkc, mkc, start_addr, 0x200);
	MLX5_SET64(mkc, mkc, len, 0x100);
	MLX5_SET(mkc, mkc, rw, 1);
	MLX5_SET(mkc, mkc, qpn, krc->khw->qpn);
	klm->bcount = cpu_to_be32(0x100);
	klm->key = cpu_to_be32(krc->key);
	klm->va = cpu_to_be64(0x400);
	khw_record(krc->khw, KHW_QP_DBR, MLX5_SND_DBR, bb + 3);
	shca_sq_serve(krc->qp, &krc->scratch);
}

static u32 make_window(struct kunit *test, struct krc *krc, u32 pd)
{
	u32 mkc[MLX5_ST_SZ_DW(mkc)];
	u32 index;

	kfn_mkc(mkc, pd, KEY_BYTE, 0, 0);
	MLX5_SET(mkc, mkc, free, 1);
	MLX5_SET(mkc, mkc, access_mode_1_0, MLX5_MKC_ACCESS_MODE_KLMS);
	MLX5_SET(mkc, mkc, translations_octword_size, 4);
	KUNIT_ASSERT_EQ(test, shca_mkey_create(&krc->khw->kfn->fn, 0, mkc, NULL,
					       0, NULL, &index), 0);
	return index << 8 | KEY_BYTE;
}

static void req_binds_in_order(struct kunit *test)
{
	struct krc *krc = krc_alloc(test, MLX5_QP_ST_RC);
	u32 window = make_window(test, krc, KHW_PD);

	/* Not before what was posted earlier is over. */
	post_send(krc, 0, 10);
	post_bind(krc, 1, window);
	KUNIT_EXPECT_EQ(test, completions(krc), 0U);
	arrive_ack(krc, NEXT_SEND, SHCA_AETH_ACK);
	KUNIT_EXPECT_EQ(test, completions(krc), 1U);
	shca_sq_serve(krc->qp, &krc->scratch);
	KUNIT_EXPECT_EQ(test, completions(krc), 2U);
	krc->key = window;
	arrive(krc, IB_OPCODE_RDMA_WRITE_ONLY, NEXT_RCV, 0x100);
	KUNIT_EXPECT_EQ(test, krc->resp->nak, 0);
	KUNIT_EXPECT_EQ(test, memcmp(kfn_ptr(krc->khw->kfn,
					     KHW_DATA_PAGE + 0x400),
				     krc->data, 0x100), 0);
	/* It is not free any more. */
	post_bind(krc, 4, window);
	KUNIT_EXPECT_EQ(test, syndrome_of(krc, 2),
			MLX5_CQE_SYNDROME_MW_BIND_ERR);
	krc_free(krc);
}

static void req_binds_its_own(struct kunit *test)
{
	struct krc *krc = krc_alloc(test, MLX5_QP_ST_RC);

	post_bind(krc, 0, make_window(test, krc, KHW_PD + 1));
	KUNIT_EXPECT_EQ(test, syndrome_of(krc, 0),
			MLX5_CQE_SYNDROME_MW_BIND_ERR);
	KUNIT_EXPECT_EQ(test, krc->qp->state, MLX5_QPC_STATE_ERR);
	krc_free(krc);
}

/* A registration of the kernel's: page @page, by a list in the data. */
static void post_register(struct krc *krc, u16 bb, u32 key, u32 page)
{
	u32 off = KHW_QP_PAGE + (64 << KHW_RQ_LOG) + bb * MLX5_SEND_WQE_BB;
	struct mlx5_wqe_ctrl_seg *ctrl = kfn_ptr(krc->khw->kfn, off);
	struct mlx5_wqe_umr_ctrl_seg *umr = (void *)(ctrl + 1);
	__be64 *mtt = kfn_ptr(krc->khw->kfn, KHW_DATA_PAGE + 0x800);
	void *mkc = umr + 1;
	struct mlx5_wqe_data_seg *seg = mkc + sizeof(struct mlx5_mkey_seg);

	memset(ctrl, 0, 3 * MLX5_SEND_WQE_BB);
	memset(mtt, 0, 64);
	mtt[0] = cpu_to_be64(kfn_bus(page) | 3);
	ctrl->opmod_idx_opcode = cpu_to_be32(bb << 8 | MLX5_OPCODE_UMR);
	ctrl->qpn_ds = cpu_to_be32(krc->khw->qpn << 8 | 9);
	ctrl->fm_ce_se = MLX5_WQE_CTRL_CQ_UPDATE;
	ctrl->umr_mkey = cpu_to_be32(key);
	umr->flags = MLX5_UMR_CHECK_NOT_FREE;
	umr->xlt_octowords = cpu_to_be16(4);
	umr->mkey_mask = cpu_to_be64(MLX5_MKEY_MASK_FREE | MLX5_MKEY_MASK_LEN |
				     MLX5_MKEY_MASK_START_ADDR |
				     MLX5_MKEY_MASK_PAGE_SIZE |
				     MLX5_MKEY_MASK_KEY | MLX5_MKEY_MASK_RW);
	MLX5_SET64(mkc, mkc, start_addr, 0x200);
	MLX5_SET64(mkc, mkc, len, 0x100);
	MLX5_SET(mkc, mkc, log_page_size, PAGE_SHIFT);
	MLX5_SET(mkc, mkc, mkey_7_0, key & 0xff);
	MLX5_SET(mkc, mkc, rw, 1);
	seg->byte_count = cpu_to_be32(64);
	seg->lkey = cpu_to_be32(krc->key);
	seg->addr = cpu_to_be64(0x800);
	khw_record(krc->khw, KHW_QP_DBR, MLX5_SND_DBR, bb + 3);
	shca_sq_serve(krc->qp, &krc->scratch);
}

static void post_invalidate(struct krc *krc, u16 bb, u32 key)
{
	u32 off = KHW_QP_PAGE + (64 << KHW_RQ_LOG) + bb * MLX5_SEND_WQE_BB;
	struct mlx5_wqe_ctrl_seg *ctrl = kfn_ptr(krc->khw->kfn, off);
	struct mlx5_wqe_umr_ctrl_seg *umr = (void *)(ctrl + 1);

	memset(ctrl, 0, 2 * MLX5_SEND_WQE_BB);
	ctrl->opmod_idx_opcode = cpu_to_be32(bb << 8 | MLX5_OPCODE_UMR);
	ctrl->qpn_ds = cpu_to_be32(krc->khw->qpn << 8 | 8);
	ctrl->umr_mkey = cpu_to_be32(key);
	umr->flags = MLX5_UMR_INLINE;
	umr->mkey_mask = cpu_to_be64(MLX5_MKEY_MASK_FREE);
	MLX5_SET(mkc, umr + 1, free, 1);
	khw_record(krc->khw, KHW_QP_DBR, MLX5_SND_DBR, bb + 2);
	shca_sq_serve(krc->qp, &krc->scratch);
}

static void req_registers(struct kunit *test)
{
	struct krc *krc = krc_alloc(test, MLX5_QP_ST_RC);
	u32 mkc[MLX5_ST_SZ_DW(mkc)];
	u32 index, key;

	kfn_mkc(mkc, KHW_PD, KEY_BYTE, 0, 0);
	MLX5_SET(mkc, mkc, free, 1);
	MLX5_SET(mkc, mkc, translations_octword_size, 4);
	KUNIT_ASSERT_EQ(test, shca_mkey_create(&krc->khw->kfn->fn, 0, mkc, NULL,
					       0, NULL, &index), 0);
	/* With a new byte, as the driver gives each registration. */
	key = index << 8 | (KEY_BYTE + 1);
	krc->qp->rlky = true;
	post_register(krc, 0, key, 0x8000);
	KUNIT_EXPECT_EQ(test, completions(krc), 1U);
	krc->key = key;
	arrive(krc, IB_OPCODE_RDMA_WRITE_ONLY, NEXT_RCV, 0x100);
	KUNIT_EXPECT_EQ(test, memcmp(kfn_ptr(krc->khw->kfn, 0x8200), krc->data,
				     0x100), 0);
	post_invalidate(krc, 3, key);
	arrive(krc, IB_OPCODE_RDMA_WRITE_ONLY, NEXT_RCV + 1, 0x100);
	KUNIT_EXPECT_EQ(test, krc->resp->nak, SHCA_NAK_ACCESS);
	krc_free(krc);
}

/* Pages are for the kernel alone to name. */
static void req_registers_for_the_kernel(struct kunit *test)
{
	struct krc *krc = krc_alloc(test, MLX5_QP_ST_RC);
	u32 mkc[MLX5_ST_SZ_DW(mkc)];
	u32 index;

	kfn_mkc(mkc, KHW_PD, KEY_BYTE, 0, 0);
	MLX5_SET(mkc, mkc, free, 1);
	MLX5_SET(mkc, mkc, translations_octword_size, 4);
	KUNIT_ASSERT_EQ(test, shca_mkey_create(&krc->khw->kfn->fn, 0, mkc, NULL,
					       0, NULL, &index), 0);
	post_register(krc, 0, index << 8 | KEY_BYTE, 0x8000);
	KUNIT_EXPECT_EQ(test, syndrome_of(krc, 0),
			MLX5_CQE_SYNDROME_MW_BIND_ERR);
	krc_free(krc);
}

/* A set of counters for the queue pair; its number. */
static u32 count_from_now(struct kunit *test, struct krc *krc)
{
	u32 qpc[MLX5_ST_SZ_DW(qpc)] = {};
	struct khw *khw = krc->khw;
	u32 id;

	KUNIT_ASSERT_EQ(test, shca_qcnt_alloc(&khw->kfn->fn, 0, &id), 0);
	MLX5_SET(qpc, qpc, counter_set_id, id);
	KUNIT_ASSERT_EQ(test, shca_qp_modify(&khw->kfn->fn, 0, khw->qpn,
					     MLX5_CMD_OP_RTS2RTS_QP,
					     MLX5_QP_OPTPAR_COUNTER_SET_ID,
					     qpc), 0);
	return id;
}

struct count {
	u8 dw;
	u32 value;
};

/* Exactly these, and they are gone then. */
static void expect_counts(struct kunit *test, struct krc *krc, u32 id,
			  const struct count *want, unsigned int n)
{
	u32 out[MLX5_ST_SZ_DW(query_q_counter_out)] = {};
	u32 expected[MLX5_ST_SZ_DW(query_q_counter_out)] = {};
	unsigned int i;

	for (i = 0; i < n; i++)
		expected[want[i].dw] = want[i].value;
	KUNIT_ASSERT_EQ(test, shca_qcnt_query(&krc->khw->kfn->fn, 0, id, true,
					      out), 0);
	for (i = 0; i < ARRAY_SIZE(out); i++)
		KUNIT_EXPECT_EQ_MSG(test, be32_to_cpu((__force __be32)out[i]),
				    expected[i], "counter at 0x%x", i * 4);
}

#define EXPECT_COUNTS(test, krc, id, ...) do {				\
	const struct count want[] = { __VA_ARGS__ };			\
									\
	expect_counts(test, krc, id, want, ARRAY_SIZE(want));		\
} while (0)

static void counts_requests(struct kunit *test)
{
	struct krc *krc = krc_alloc(test, MLX5_QP_ST_RC);
	u32 id = count_from_now(test, krc);

	arrive(krc, IB_OPCODE_RDMA_WRITE_FIRST, NEXT_RCV, MTU);
	EXPECT_COUNTS(test, krc, id, { SHCA_QCNT(rx_write_requests), 1 },
		      { SHCA_QCNT(resp_remote_invalid_request), 1 });
	khw_modify(krc->khw, MLX5_CMD_OP_2RST_QP, NULL);
	connect(test, krc);
	id = count_from_now(test, krc);

	arrive(krc, IB_OPCODE_RDMA_WRITE_ONLY, NEXT_RCV, 8);
	arrive(krc, IB_OPCODE_RDMA_READ_REQUEST, NEXT_RCV + 1, 8);
	arrive(krc, IB_OPCODE_FETCH_ADD, NEXT_RCV + 2, 0);
	arrive(krc, IB_OPCODE_FETCH_ADD, NEXT_RCV + 2, 0);
	arrive(krc, IB_OPCODE_SEND_ONLY, NEXT_RCV + 3, 8);
	arrive(krc, IB_OPCODE_SEND_ONLY, NEXT_RCV + 5, 8);
	arrive(krc, IB_OPCODE_SEND_ONLY, NEXT_RCV + 6, 8);
	EXPECT_COUNTS(test, krc, id, { SHCA_QCNT(rx_write_requests), 1 },
		      { SHCA_QCNT(rx_read_requests), 1 },
		      { SHCA_QCNT(rx_atomic_requests), 1 },
		      { SHCA_QCNT(duplicate_request), 1 },
		      { SHCA_QCNT(out_of_buffer), 1 },
		      { SHCA_QCNT(out_of_sequence), 2 });
	krc->key++;
	arrive(krc, IB_OPCODE_RDMA_WRITE_ONLY, NEXT_RCV + 3, 8);
	EXPECT_COUNTS(test, krc, id, { SHCA_QCNT(rx_write_requests), 1 },
		      { SHCA_QCNT(resp_remote_access_errors), 1 });
	krc_free(krc);
}

static void counts_receive_errors(struct kunit *test)
{
	struct krc *krc = krc_alloc(test, MLX5_QP_ST_RC);
	u32 id = count_from_now(test, krc);

	post_recv(krc, 0, 8);
	post_recv(krc, 1, 8);
	arrive(krc, IB_OPCODE_SEND_ONLY, NEXT_RCV, 9);
	shca_rq_flush(krc->qp);
	EXPECT_COUNTS(test, krc, id, { SHCA_QCNT(resp_cqe_error), 2 },
		      { SHCA_QCNT(resp_local_length_error), 1 },
		      { SHCA_QCNT(resp_remote_invalid_request), 1 },
		      { SHCA_QCNT(resp_cqe_flush_error), 1 });
	krc_free(krc);
}

static void counts_retries(struct kunit *test)
{
	struct krc *krc = krc_alloc(test, MLX5_QP_ST_RC);
	u32 id = count_from_now(test, krc);

	krc->req->ack_timeout = 14;
	post_send(krc, 0, 10);
	arrive_ack(krc, NEXT_SEND, SHCA_NAK_SEQUENCE);
	arrive_ack(krc, NEXT_SEND, SHCA_NAK_SEQUENCE);
	shca_sq_serve(krc->qp, &krc->scratch);
	arrive_ack(krc, NEXT_SEND, SHCA_AETH_RNR | 31);
	shca_rc_timer_fire(krc->qp, krc->req->deadline);
	shca_sq_serve(krc->qp, &krc->scratch);
	EXPECT_COUNTS(test, krc, id, { SHCA_QCNT(packet_seq_err), 1 },
		      { SHCA_QCNT(rnr_nak_retry_err), 1 });

	KUNIT_ASSERT_EQ(test, krc->req->retries, 1);
	shca_rc_timer_fire(krc->qp, krc->req->deadline);
	shca_sq_serve(krc->qp, &krc->scratch);
	EXPECT_COUNTS(test, krc, id, { SHCA_QCNT(local_ack_timeout_err), 1 });
	/* The end of it is another. */
	post_send(krc, 1, 10);
	shca_rc_timer_fire(krc->qp, krc->req->deadline);
	shca_sq_serve(krc->qp, NULL);
	EXPECT_COUNTS(test, krc, id, { SHCA_QCNT(req_cqe_error), 2 },
		      { SHCA_QCNT(req_transport_retries_exceeded), 1 },
		      { SHCA_QCNT(req_cqe_flush_error), 1 });
	krc_free(krc);
}

static void counts_implied_nak(struct kunit *test)
{
	struct krc *krc = krc_alloc(test, MLX5_QP_ST_RC);
	u32 id = count_from_now(test, krc);
	struct shca_rc_msg *msg;

	post_send(krc, 0, 10);
	post_send(krc, 1, 10);
	/* As if the first had been a READ, whose answer was lost. */
	msg = shca_rc_msg(krc->req, krc->req->first);
	msg->kind = SHCA_MSG_READ;
	arrive_ack(krc, NEXT_SEND + 1, SHCA_AETH_NO_CREDITS);
	EXPECT_COUNTS(test, krc, id, { SHCA_QCNT(implied_nak_seq_err), 1 });
	krc_free(krc);
}

static void counts_refusals(struct kunit *test)
{
	static const struct { u8 nak, dw; } nak[] = {
		{ SHCA_NAK_INVALID, SHCA_QCNT(req_remote_invalid_request) },
		{ SHCA_NAK_ACCESS, SHCA_QCNT(req_remote_access_errors) },
		{ SHCA_NAK_OPERATION, SHCA_QCNT(req_remote_operation_errors) },
		{ SHCA_AETH_NAK | 9, SHCA_QCNT(req_bad_response) },
	};
	struct krc *krc = krc_alloc(test, MLX5_QP_ST_RC);
	unsigned int i;
	u32 id;

	for (i = 0; i < ARRAY_SIZE(nak); i++) {
		id = count_from_now(test, krc);
		post_send(krc, 0, 10);
		arrive_ack(krc, NEXT_SEND, nak[i].nak);
		EXPECT_COUNTS(test, krc, id, { SHCA_QCNT(req_cqe_error), 1 },
			      { nak[i].dw, 1 });
		khw_record(krc->khw, KHW_QP_DBR, MLX5_SND_DBR, 0);
		khw_modify(krc->khw, MLX5_CMD_OP_2RST_QP, NULL);
		khw_record(krc->khw, KHW_CQ_DBR, 0, completions(krc));
		connect(test, krc);
	}
	krc_free(krc);
}

static void counter_sets(struct kunit *test)
{
	u32 out[MLX5_ST_SZ_DW(query_q_counter_out)] = {};
	struct krc *krc = krc_alloc(test, MLX5_QP_ST_RC);
	struct shca_fn *fn = &krc->khw->kfn->fn;
	u32 qpc[MLX5_ST_SZ_DW(qpc)] = {};
	u32 mine, shared, id;

	KUNIT_ASSERT_EQ(test, shca_qcnt_alloc(fn, 7, &mine), 0);
	KUNIT_ASSERT_EQ(test, shca_qcnt_alloc(fn, SHCA_SHARED_UID, &shared), 0);
	KUNIT_EXPECT_EQ(test, shca_qcnt_query(fn, 7, mine, true, out), 0);
	KUNIT_EXPECT_EQ(test, shca_qcnt_query(fn, 8, mine, false, out),
			-ENOENT);
	KUNIT_EXPECT_EQ(test, shca_qcnt_query(fn, 8, shared, false, out), 0);
	KUNIT_EXPECT_EQ(test, shca_qcnt_query(fn, 8, shared, true, out),
			-ENOENT);
	KUNIT_EXPECT_EQ(test, shca_qcnt_free(fn, 8, mine), -ENOENT);
	KUNIT_EXPECT_EQ(test, shca_qcnt_free(fn, 8, shared), -ENOENT);
	KUNIT_EXPECT_EQ(test, shca_qcnt_query(fn, 0, 0, false, out), -ENOENT);
	/* A queue pair's is not lost with its number, nor found by it. */
	id = count_from_now(test, krc);
	KUNIT_EXPECT_EQ(test, shca_qcnt_free(fn, 0, id), 0);
	arrive(krc, IB_OPCODE_RDMA_WRITE_ONLY, NEXT_RCV, 8);
	KUNIT_EXPECT_EQ(test, shca_qcnt_query(fn, 0, id, false, out), -ENOENT);
	MLX5_SET(qpc, qpc, counter_set_id, id);
	KUNIT_EXPECT_EQ(test, shca_qp_modify(fn, 0, krc->khw->qpn,
					     MLX5_CMD_OP_RTS2RTS_QP,
					     MLX5_QP_OPTPAR_COUNTER_SET_ID,
					     qpc), -ENOENT);
	KUNIT_EXPECT_NOT_NULL(test, krc->qp->cnt);
	/* A user's goes with him. */
	shca_hw_uid_gone(fn, 7);
	KUNIT_EXPECT_EQ(test, shca_qcnt_query(fn, 0, mine, false, out),
			-ENOENT);
	krc_free(krc);
}

static struct kunit_case rc_cases[] = {
	KUNIT_CASE(rc_psn),
	KUNIT_CASE(rc_times),
	KUNIT_CASE(resp_order),
	KUNIT_CASE(resp_not_ready),
	KUNIT_CASE(resp_wrong_order_of_opcodes),
	KUNIT_CASE(resp_lengths),
	KUNIT_CASE(resp_atomic_once),
	KUNIT_CASE(resp_reads),
	KUNIT_CASE(resp_reserved_key),
	KUNIT_CASE(resp_invalidates),
	KUNIT_CASE(resp_unreliable),
	KUNIT_CASE(req_acknowledged),
	KUNIT_CASE(req_sequence_refused),
	KUNIT_CASE(req_gives_up),
	KUNIT_CASE(req_not_ready),
	KUNIT_CASE(req_bad_wqes),
	KUNIT_CASE(req_window),
	KUNIT_CASE(req_after_what_is_owed),
	KUNIT_CASE(req_short_umr),
	KUNIT_CASE(xrc_send),
	KUNIT_CASE(xrc_not_an_srq),
	KUNIT_CASE(xrc_srq_goes),
	KUNIT_CASE(xrc_domain),
	KUNIT_CASE(req_binds_in_order),
	KUNIT_CASE(req_binds_its_own),
	KUNIT_CASE(req_registers),
	KUNIT_CASE(req_registers_for_the_kernel),
	KUNIT_CASE(counts_requests),
	KUNIT_CASE(counts_receive_errors),
	KUNIT_CASE(counts_retries),
	KUNIT_CASE(counts_implied_nak),
	KUNIT_CASE(counts_refusals),
	KUNIT_CASE(counter_sets),
	{}
};

static struct kunit_suite rc_suite = {
	.name = "softhca_engine_rc",
	.suite_init = shca_engine_kunit_init,
	.suite_exit = shca_engine_kunit_exit,
	.test_cases = rc_cases,
};

kunit_test_suite(rc_suite);
