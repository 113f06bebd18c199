// SPDX-License-Identifier: GPL-2.0
/* Queue pairs: states, doorbell counters, completions in error, datagrams in. */
#include <linux/string.h>
#include <linux/mlx5/cq.h>
#include <linux/mlx5/qp.h>

#include "engine/fixture_kunit.h"

#define QKEY		0x1234

#define RST	MLX5_QPC_STATE_RST
#define INIT	MLX5_QPC_STATE_INIT
#define RTR	MLX5_QPC_STATE_RTR
#define RTS	MLX5_QPC_STATE_RTS
#define SQER	MLX5_QPC_STATE_SQER
#define ERR	MLX5_QPC_STATE_ERR
#define SQD	MLX5_QPC_STATE_SQD

static const u8 all_states[] = { RST, INIT, RTR, RTS, SQER, ERR, SQD };

/* Where each command leads from each of them; -1: nowhere. */
static const struct {
	u16 opcode;
	s8 to[ARRAY_SIZE(all_states)];
} all_moves[] = {
	{ MLX5_CMD_OP_RST2INIT_QP, { INIT, -1, -1, -1, -1, -1, -1 } },
	{ MLX5_CMD_OP_INIT2INIT_QP, { -1, INIT, -1, -1, -1, -1, -1 } },
	{ MLX5_CMD_OP_INIT2RTR_QP, { -1, RTR, -1, -1, -1, -1, -1 } },
	{ MLX5_CMD_OP_RTR2RTS_QP, { -1, -1, RTS, -1, -1, -1, -1 } },
	{ MLX5_CMD_OP_RTS2RTS_QP, { -1, -1, -1, RTS, -1, -1, -1 } },
	{ MLX5_CMD_OP_SQERR2RTS_QP, { -1, -1, -1, -1, RTS, -1, -1 } },
	{ MLX5_CMD_OP_SQD_RTS_QP, { -1, -1, -1, -1, -1, -1, RTS } },
	{ MLX5_CMD_OP_2ERR_QP, { ERR, ERR, ERR, ERR, ERR, ERR, ERR } },
	{ MLX5_CMD_OP_2RST_QP, { RST, RST, RST, RST, RST, RST, RST } },
	{ MLX5_CMD_OP_CREATE_QP, { -1, -1, -1, -1, -1, -1, -1 } },
};

static void expect_move(struct kunit *test, struct khw *khw, u8 from,
			u16 opcode, int to)
{
	u32 qpc[MLX5_ST_SZ_DW(qpc)] = {};
	int err;

	MLX5_SET(qpc, qpc, mtu, MLX5_QPC_MTU_1K_BYTES);
	MLX5_SET(qpc, qpc, primary_address_path.vhca_port_num, 1);
	WRITE_ONCE(khw_qp(khw)->state, from);
	err = khw_modify(khw, opcode, qpc);
	KUNIT_EXPECT_EQ_MSG(test, err, to < 0 ? -EPROTO : 0,
			    "opcode 0x%x in state %u", opcode, from);
	KUNIT_EXPECT_EQ_MSG(test, khw_qp(khw)->state, to < 0 ? from : to,
			    "opcode 0x%x in state %u", opcode, from);
}

static void qp_states(struct kunit *test)
{
	static const u8 st[] = { MLX5_QP_ST_RC, MLX5_QP_ST_UC, MLX5_QP_ST_UD };
	struct khw *khw = khw_alloc(test);
	unsigned int i, j, k;

	for (k = 0; k < ARRAY_SIZE(st); k++) {
		khw_create_qp(test, khw, st[k]);
		for (i = 0; i < ARRAY_SIZE(all_moves); i++)
			for (j = 0; j < ARRAY_SIZE(all_states); j++)
				expect_move(test, khw, all_states[j],
					    all_moves[i].opcode,
					    all_moves[i].to[j]);
		KUNIT_EXPECT_EQ(test, shca_qp_destroy(&khw->kfn->fn, 0,
						      khw->qpn), 0);
	}
}

#define OPT(name)	MLX5_QP_OPTPAR_##name
#define REMOTE		(OPT(RRE) | OPT(RWE) | OPT(RAE))
#define PLACE		(OPT(PKEY_INDEX) | OPT(PRI_PORT))

/* What each command may bring: RC and XRC, UC, UD, QP0 and QP1, UMR. */
static const struct {
	u16 opcode;
	u32 rc, uc, ud, mad, umr;
} all_options[] = {
	{ MLX5_CMD_OP_RST2INIT_QP, 0, 0, 0, 0, 0 },
	{ MLX5_CMD_OP_INIT2INIT_QP, REMOTE | PLACE, OPT(RWE) | PLACE,
	  OPT(Q_KEY) | PLACE, 0, 0 },
	{ MLX5_CMD_OP_INIT2RTR_QP, REMOTE | OPT(PKEY_INDEX),
	  OPT(RWE) | OPT(PKEY_INDEX), OPT(Q_KEY) | OPT(PKEY_INDEX),
	  OPT(Q_KEY) | OPT(PKEY_INDEX), 0 },
	{ MLX5_CMD_OP_RTR2RTS_QP, REMOTE | OPT(PM_STATE) | OPT(RNR_TIMEOUT),
	  OPT(RWE) | OPT(PM_STATE), OPT(Q_KEY), 0, 0 },
	{ MLX5_CMD_OP_RTS2RTS_QP,
	  REMOTE | OPT(PM_STATE) | OPT(RNR_TIMEOUT) | OPT(COUNTER_SET_ID),
	  OPT(RWE) | OPT(PM_STATE) | OPT(COUNTER_SET_ID),
	  OPT(Q_KEY) | OPT(COUNTER_SET_ID), OPT(COUNTER_SET_ID),
	  OPT(COUNTER_SET_ID) },
	{ MLX5_CMD_OP_SQERR2RTS_QP, REMOTE | OPT(RNR_TIMEOUT), OPT(RWE),
	  OPT(Q_KEY), OPT(Q_KEY), 0 },
	{ MLX5_CMD_OP_SQD_RTS_QP, REMOTE | OPT(RNR_TIMEOUT), OPT(RWE),
	  OPT(Q_KEY), OPT(Q_KEY), 0 },
	{ MLX5_CMD_OP_2ERR_QP, 0, 0, 0, 0, 0 },
	{ MLX5_CMD_OP_2RST_QP, 0, 0, 0, 0, 0 },
};

static void expect_options(struct kunit *test, u8 st, u16 opcode, u32 legal)
{
	u32 qpc[MLX5_ST_SZ_DW(qpc)] = {};
	unsigned int bit;
	int want;

	MLX5_SET(qpc, qpc, pm_state, MLX5_QPC_PM_STATE_MIGRATED);
	KUNIT_EXPECT_EQ(test, shca_qp_check_options(st, opcode, legal, qpc), 0);
	for (bit = 0; bit < 32; bit++) {
		want = legal & BIT(bit) ? 0 : -EINVAL;
		KUNIT_EXPECT_EQ_MSG(test,
				    shca_qp_check_options(st, opcode, BIT(bit),
							  qpc), want,
				    "type %u opcode 0x%x bit %u", st, opcode,
				    bit);
	}
	/* There is nothing to migrate to. */
	MLX5_SET(qpc, qpc, pm_state, MLX5_QPC_PM_STATE_ARMED);
	KUNIT_EXPECT_EQ(test, shca_qp_check_options(st, opcode, OPT(PM_STATE),
						    qpc), -EINVAL);
}

static void qp_options(struct kunit *test)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(all_options); i++) {
		u16 opcode = all_options[i].opcode;

		expect_options(test, MLX5_QP_ST_RC, opcode, all_options[i].rc);
		expect_options(test, MLX5_QP_ST_XRC, opcode, all_options[i].rc);
		expect_options(test, MLX5_QP_ST_UC, opcode, all_options[i].uc);
		expect_options(test, MLX5_QP_ST_UD, opcode, all_options[i].ud);
		expect_options(test, MLX5_QP_ST_QP0, opcode,
			       all_options[i].mad);
		expect_options(test, MLX5_QP_ST_QP1, opcode,
			       all_options[i].mad);
		expect_options(test, MLX5_QP_ST_REG_UMR, opcode,
			       all_options[i].umr);
	}
}

static int change(struct khw *khw, u32 opt_mask, const void *qpc)
{
	return shca_qp_modify(&khw->kfn->fn, 0, khw->qpn,
			      MLX5_CMD_OP_RTS2RTS_QP, opt_mask, qpc);
}

static void qp_options_take_effect(struct kunit *test)
{
	u32 qpc[MLX5_ST_SZ_DW(qpc)] = {}, now[MLX5_ST_SZ_DW(qpc)];
	struct khw *khw = khw_alloc(test);
	u32 mask;

	khw_create_qp(test, khw, MLX5_QP_ST_UD);
	khw_to_rts(test, khw);
	MLX5_SET(qpc, qpc, q_key, QKEY);
	KUNIT_EXPECT_EQ(test, change(khw, 0, qpc), 0);
	KUNIT_EXPECT_EQ(test, khw_qp(khw)->qkey, 0U);
	KUNIT_EXPECT_EQ(test, change(khw, OPT(Q_KEY), qpc), 0);
	KUNIT_EXPECT_EQ(test, khw_qp(khw)->qkey, QKEY);
	/* A refusal leaves all as it was, what is legal in it too. */
	MLX5_SET(qpc, qpc, q_key, QKEY + 1);
	KUNIT_EXPECT_EQ(test, change(khw, OPT(Q_KEY) | OPT(RRE), qpc), -EINVAL);
	KUNIT_EXPECT_EQ(test, shca_qp_query(&khw->kfn->fn, 0, khw->qpn, now,
					    &mask), 0);
	KUNIT_EXPECT_EQ(test, MLX5_GET(qpc, now, q_key), QKEY);
	KUNIT_EXPECT_EQ(test, MLX5_GET(qpc, now, state), RTS);
}

static void qp_merge(struct kunit *test)
{
	u32 qpc[MLX5_ST_SZ_DW(qpc)] = {}, in[MLX5_ST_SZ_DW(qpc)];

	memset(in, 0xff, sizeof(in));
	shca_qp_merge(qpc, in, MLX5_QP_ST_UD, MLX5_CMD_OP_RST2INIT_QP, 0);
	KUNIT_EXPECT_EQ(test, MLX5_GET(qpc, qpc, q_key), ~0U);
	/* What a queue is made of does not change. */
	KUNIT_EXPECT_EQ(test, MLX5_GET(qpc, qpc, log_sq_size), 0U);
	KUNIT_EXPECT_EQ(test, MLX5_GET(qpc, qpc, pd), 0U);
	KUNIT_EXPECT_EQ(test, MLX5_GET64(qpc, qpc, dbr_addr), 0ULL);
	KUNIT_EXPECT_EQ(test, MLX5_GET(qpc, qpc, mtu), 0U);

	/* Optional ones when their bit is set, and no others. */
	memset(qpc, 0, sizeof(qpc));
	shca_qp_merge(qpc, in, MLX5_QP_ST_RC, MLX5_CMD_OP_RTS2RTS_QP,
		      MLX5_QP_OPTPAR_RWE);
	KUNIT_EXPECT_EQ(test, MLX5_GET(qpc, qpc, rwe), 1U);
	KUNIT_EXPECT_EQ(test, MLX5_GET(qpc, qpc, rre), 0U);
	KUNIT_EXPECT_EQ(test, MLX5_GET(qpc, qpc, q_key), 0U);

	/* The address belongs to connected queues. */
	memset(qpc, 0, sizeof(qpc));
	shca_qp_merge(qpc, in, MLX5_QP_ST_UD, MLX5_CMD_OP_INIT2RTR_QP, 0);
	KUNIT_EXPECT_EQ(test, MLX5_GET(qpc, qpc, primary_address_path.rlid),
			0U);
	shca_qp_merge(qpc, in, MLX5_QP_ST_RC, MLX5_CMD_OP_INIT2RTR_QP, 0);
	KUNIT_EXPECT_EQ(test, MLX5_GET(qpc, qpc, primary_address_path.rlid),
			0xffffU);
	KUNIT_EXPECT_EQ(test, MLX5_GET(qpc, qpc,
				       primary_address_path.pkey_index), 0U);

	shca_qp_merge(qpc, NULL, MLX5_QP_ST_UD, MLX5_CMD_OP_2RST_QP, ~0U);
}

static u8 *sq_bb(struct khw *khw, u32 bb)
{
	return kfn_ptr(khw->kfn, KHW_QP_PAGE + (64 << KHW_RQ_LOG) +
		       (bb & ((1 << KHW_SQ_LOG) - 1)) * MLX5_SEND_WQE_BB);
}

static void post_wqe(struct khw *khw, u32 bb, u8 opcode, u8 ds, u8 fm_ce_se)
{
	struct mlx5_wqe_ctrl_seg *ctrl = (void *)sq_bb(khw, bb);

	memset(ctrl, 0, MLX5_SEND_WQE_BB);
	ctrl->opmod_idx_opcode = cpu_to_be32(bb << 8 | opcode);
	ctrl->qpn_ds = cpu_to_be32(khw->qpn << 8 | ds);
	ctrl->fm_ce_se = fm_ce_se;
}

static bool serve(struct kunit *test, struct khw *khw, u16 counter)
{
	struct shca_scratch *scratch = kunit_kzalloc(test, sizeof(*scratch),
						     GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, scratch);
	khw_record(khw, KHW_QP_DBR, MLX5_SND_DBR, counter);
	return shca_sq_serve(khw_qp(khw), scratch);
}

static u8 cqe_opcode(struct khw *khw, u32 i)
{
	return khw_cqe(khw, i)->op_own >> 4;
}

static u8 cqe_syndrome(struct khw *khw, u32 i)
{
	return ((struct mlx5_err_cqe *)khw_cqe(khw, i))->syndrome;
}

static void sq_counters(struct kunit *test)
{
	struct khw *khw = khw_alloc(test);
	unsigned int i;

	khw_create_qp(test, khw, MLX5_QP_ST_UD);
	/* Nothing runs before the state allows it. */
	post_wqe(khw, 0, MLX5_OPCODE_NOP, 1, MLX5_WQE_CTRL_CQ_UPDATE);
	KUNIT_EXPECT_FALSE(test, serve(test, khw, 1));
	KUNIT_EXPECT_EQ(test, khw_cq(khw)->pi, 0U);

	khw_to_rts(test, khw);
	/* Five blocks of NOPs: the second has two blocks, the third is silent. */
	post_wqe(khw, 1, MLX5_OPCODE_NOP, 5, MLX5_WQE_CTRL_CQ_UPDATE);
	post_wqe(khw, 3, MLX5_OPCODE_NOP, 1, 0);
	post_wqe(khw, 4, MLX5_OPCODE_NOP, 1, MLX5_WQE_CTRL_CQ_UPDATE);
	KUNIT_EXPECT_FALSE(test, serve(test, khw, 5));
	KUNIT_EXPECT_EQ(test, khw_cq(khw)->pi, 3U);
	KUNIT_EXPECT_EQ(test, be16_to_cpu(khw_cqe(khw, 1)->wqe_counter), 1);
	KUNIT_EXPECT_EQ(test, be16_to_cpu(khw_cqe(khw, 2)->wqe_counter), 4);
	KUNIT_EXPECT_EQ(test, be32_to_cpu(khw_cqe(khw, 2)->sop_drop_qpn),
			khw->qpn);

	/* The same record again is nothing new; the counter wraps. */
	KUNIT_EXPECT_FALSE(test, serve(test, khw, 5));
	KUNIT_EXPECT_EQ(test, khw_cq(khw)->pi, 3U);
	khw_qp(khw)->sq_head = 0xfffe;
	for (i = 0; i < 3; i++)
		post_wqe(khw, 0xfffe + i, MLX5_OPCODE_NOP, 1, 0);
	KUNIT_EXPECT_FALSE(test, serve(test, khw, 1));
	KUNIT_EXPECT_EQ(test, khw_qp(khw)->sq_head, 1);
}

static void sq_record_too_far(struct kunit *test)
{
	struct khw *khw = khw_alloc(test);

	khw_create_qp(test, khw, MLX5_QP_ST_UD);
	khw_to_rts(test, khw);
	serve(test, khw, (1 << KHW_SQ_LOG) + 1);
	KUNIT_EXPECT_EQ(test, khw_qp(khw)->state, MLX5_QPC_STATE_ERR);
	KUNIT_EXPECT_EQ(test, khw_eqe(khw, 0)->type,
			MLX5_EVENT_TYPE_WQ_CATAS_ERROR);
	KUNIT_EXPECT_EQ(test, be32_to_cpu(khw_eqe(khw, 0)->data.qp_srq.qp_srq_n),
			khw->qpn);
	/* Told once. */
	serve(test, khw, (1 << KHW_SQ_LOG) + 1);
	KUNIT_EXPECT_EQ(test, khw->kfn->irqs[KHW_VECTOR], 1U);
}

static void sq_bad_wqe_then_flush(struct kunit *test)
{
	struct khw *khw = khw_alloc(test);
	u32 qpc[MLX5_ST_SZ_DW(qpc)] = {};

	khw_create_qp(test, khw, MLX5_QP_ST_UD);
	khw_to_rts(test, khw);
	post_wqe(khw, 0, MLX5_OPCODE_RDMA_WRITE, 2, 0);
	post_wqe(khw, 1, MLX5_OPCODE_NOP, 1, 0);
	serve(test, khw, 2);
	KUNIT_EXPECT_EQ(test, cqe_opcode(khw, 0), MLX5_CQE_REQ_ERR);
	KUNIT_EXPECT_EQ(test, cqe_syndrome(khw, 0),
			MLX5_CQE_SYNDROME_LOCAL_QP_OP_ERR);
	KUNIT_EXPECT_EQ(test, cqe_syndrome(khw, 1),
			MLX5_CQE_SYNDROME_WR_FLUSH_ERR);
	/* A datagram queue goes on receiving, and comes back. */
	KUNIT_EXPECT_EQ(test, khw_qp(khw)->state, MLX5_QPC_STATE_SQER);
	KUNIT_EXPECT_EQ(test, khw_modify(khw, MLX5_CMD_OP_SQERR2RTS_QP, qpc),
			0);
	KUNIT_EXPECT_EQ(test, khw_qp(khw)->state, MLX5_QPC_STATE_RTS);
	/* A WQE of no length, and one longer than what was posted. */
	post_wqe(khw, 2, MLX5_OPCODE_NOP, 0, 0);
	serve(test, khw, 3);
	KUNIT_EXPECT_EQ(test, cqe_syndrome(khw, 2),
			MLX5_CQE_SYNDROME_LOCAL_QP_OP_ERR);
	khw_modify(khw, MLX5_CMD_OP_SQERR2RTS_QP, qpc);
	post_wqe(khw, 3, MLX5_OPCODE_NOP, 63, 0);
	serve(test, khw, 4);
	KUNIT_EXPECT_EQ(test, cqe_syndrome(khw, 3),
			MLX5_CQE_SYNDROME_LOCAL_QP_OP_ERR);
	KUNIT_EXPECT_EQ(test, khw_qp(khw)->sq_head, 4);
}

static void qp_error_flushes_both(struct kunit *test)
{
	struct khw *khw = khw_alloc(test);

	khw_create_qp(test, khw, MLX5_QP_ST_UD);
	khw_to_rts(test, khw);
	post_wqe(khw, 0, MLX5_OPCODE_SEND, 4, 0);
	khw_record(khw, KHW_QP_DBR, MLX5_SND_DBR, 1);
	khw_record(khw, KHW_QP_DBR, MLX5_RCV_DBR, 2);
	KUNIT_EXPECT_EQ(test, khw_modify(khw, MLX5_CMD_OP_2ERR_QP, NULL), 0);
	KUNIT_EXPECT_FALSE(test, shca_qp_flush_due(khw->hw, 1));
	KUNIT_EXPECT_EQ(test, khw_cq(khw)->pi, 3U);
	KUNIT_EXPECT_EQ(test, cqe_opcode(khw, 0), MLX5_CQE_REQ_ERR);
	KUNIT_EXPECT_EQ(test, cqe_opcode(khw, 1), MLX5_CQE_RESP_ERR);
	KUNIT_EXPECT_EQ(test, cqe_syndrome(khw, 2),
			MLX5_CQE_SYNDROME_WR_FLUSH_ERR);
	/* What is posted later is flushed too. */
	khw_record(khw, KHW_QP_DBR, MLX5_RCV_DBR, 3);
	KUNIT_EXPECT_FALSE(test, shca_qp_flush_due(khw->hw, NSEC_PER_SEC));
	KUNIT_EXPECT_EQ(test, khw_cq(khw)->pi, 4U);
	/* Not after a reset. */
	KUNIT_EXPECT_EQ(test, khw_modify(khw, MLX5_CMD_OP_2RST_QP, NULL), 0);
	shca_qp_flush_due(khw->hw, 2 * NSEC_PER_SEC);
	KUNIT_EXPECT_EQ(test, khw_cq(khw)->pi, 4U);
	KUNIT_EXPECT_EQ(test, khw_qp(khw)->rq_head, 0);
}

static void rq_datagrams(struct kunit *test)
{
	struct khw *khw = khw_alloc(test);
	u32 key = khw_make_key(test, khw);
	u8 data[] = "datagram";
	struct shca_pkt pkt = {
		.slid = 3, .dlid = 4, .sl = 2, .sqpn = 0x99, .qkey = QKEY,
		.pkey = 0xffff, .len = sizeof(data), .data = data,
	};
	struct mlx5_cqe64 *cqe;

	khw_create_qp(test, khw, MLX5_QP_ST_UD);
	khw_to_rts(test, khw);
	khw_qp(khw)->qkey = QKEY;
	/* Nothing posted: dropped. */
	KUNIT_EXPECT_TRUE(test, shca_rq_receive(khw_qp(khw), &pkt));
	KUNIT_EXPECT_EQ(test, khw_cq(khw)->pi, 0U);

	khw_post_recv(khw, 0, key, 64);
	/* The wrong keys, and a management packet. */
	pkt.qkey++;
	shca_rq_receive(khw_qp(khw), &pkt);
	pkt.qkey--;
	pkt.pkey = 0x7ffe;
	shca_rq_receive(khw_qp(khw), &pkt);
	pkt.pkey = 0xffff;
	pkt.vl15 = 1;
	shca_rq_receive(khw_qp(khw), &pkt);
	pkt.vl15 = 0;
	KUNIT_EXPECT_EQ(test, khw_cq(khw)->pi, 0U);

	shca_rq_receive(khw_qp(khw), &pkt);
	cqe = khw_cqe(khw, 0);
	KUNIT_EXPECT_EQ(test, cqe_opcode(khw, 0), MLX5_CQE_RESP_SEND);
	KUNIT_EXPECT_EQ(test, be32_to_cpu(cqe->byte_cnt), 40U + pkt.len);
	KUNIT_EXPECT_EQ(test, be16_to_cpu(cqe->slid), 3);
	KUNIT_EXPECT_EQ(test, be32_to_cpu(cqe->flags_rqpn), 2U << 24 | 0x99);
	KUNIT_EXPECT_EQ(test, memcmp(kfn_ptr(khw->kfn, KHW_DATA_PAGE + 40),
				     data, sizeof(data)), 0);

	/* No room: the completion says so, and the queue stops. */
	khw_post_recv(khw, 1, key, 44);
	shca_rq_receive(khw_qp(khw), &pkt);
	KUNIT_EXPECT_EQ(test, cqe_opcode(khw, 1), MLX5_CQE_RESP_ERR);
	KUNIT_EXPECT_EQ(test, cqe_syndrome(khw, 1),
			MLX5_CQE_SYNDROME_LOCAL_LENGTH_ERR);
	KUNIT_EXPECT_EQ(test, khw_qp(khw)->state, MLX5_QPC_STATE_ERR);
	KUNIT_EXPECT_FALSE(test, shca_rq_receive(khw_qp(khw), &pkt));
	shca_mem_fn_reset(&khw->kfn->fn);
}

static void rq_bad_key(struct kunit *test)
{
	struct khw *khw = khw_alloc(test);
	u8 data[4] = {};
	struct shca_pkt pkt = { .pkey = 0xffff, .len = 4, .data = data };

	khw_create_qp(test, khw, MLX5_QP_ST_UD);
	khw_to_rts(test, khw);
	/* The reserved key is for those that were given it. */
	khw_post_recv(khw, 0, shca_mkey_reserved(&khw->kfn->fn), 64);
	shca_rq_receive(khw_qp(khw), &pkt);
	KUNIT_EXPECT_EQ(test, cqe_syndrome(khw, 0),
			MLX5_CQE_SYNDROME_LOCAL_PROT_ERR);
}

static bool may_name_reserved_key(struct kunit *test, struct khw *khw, u16 uid)
{
	u32 qpc[MLX5_ST_SZ_DW(qpc)] = {};
	struct shca_fn *fn = &khw->kfn->fn;
	struct shca_buf_src src;
	__be64 pas;

	KUNIT_ASSERT_EQ(test, shca_uar_alloc(fn, uid, &khw->uar), 0);
	KUNIT_ASSERT_EQ(test, khw_create_cq(khw, uid, false, &khw->cqn), 0);
	kfn_src(&src, &pas, KHW_QP_PAGE);
	MLX5_SET(qpc, qpc, st, MLX5_QP_ST_UD);
	MLX5_SET(qpc, qpc, pd, KHW_PD);
	MLX5_SET(qpc, qpc, rlky, 1);
	MLX5_SET(qpc, qpc, no_sq, 1);
	MLX5_SET(qpc, qpc, log_rq_size, KHW_RQ_LOG);
	MLX5_SET(qpc, qpc, log_rq_stride, 2);
	MLX5_SET(qpc, qpc, uar_page, khw->uar);
	MLX5_SET(qpc, qpc, cqn_snd, khw->cqn);
	MLX5_SET(qpc, qpc, cqn_rcv, khw->cqn);
	MLX5_SET64(qpc, qpc, dbr_addr, kfn_bus(KHW_QP_DBR));
	KUNIT_ASSERT_EQ(test, shca_qp_create(fn, uid, qpc, &src, &khw->qpn), 0);
	KUNIT_ASSERT_EQ(test, shca_qp_modify(fn, uid, khw->qpn,
					     MLX5_CMD_OP_RST2INIT_QP, 0, qpc),
			0);
	return khw_qp(khw)->rlky;
}

/* All of memory is the kernel's to name, and no process's. */
static void qp_reserved_key(struct kunit *test)
{
	struct khw *khw = khw_alloc(test);

	KUNIT_EXPECT_TRUE(test, may_name_reserved_key(test, khw, 0));
	KUNIT_EXPECT_FALSE(test, may_name_reserved_key(test, khw, 1));
	shca_hw_reset(&khw->kfn->fn);
}

static void qp_refusals(struct kunit *test)
{
	struct khw *khw = khw_alloc(test);
	u32 qpc[MLX5_ST_SZ_DW(qpc)] = {};

	khw_create_qp(test, khw, MLX5_QP_ST_UD);
	KUNIT_EXPECT_EQ(test, khw_modify(khw, MLX5_CMD_OP_INIT2RTR_QP, qpc),
			-EPROTO);
	MLX5_SET(qpc, qpc, primary_address_path.vhca_port_num, 2);
	KUNIT_EXPECT_EQ(test, khw_modify(khw, MLX5_CMD_OP_RST2INIT_QP, qpc),
			-EINVAL);
	MLX5_SET(qpc, qpc, primary_address_path.vhca_port_num, 1);
	MLX5_SET(qpc, qpc, primary_address_path.pkey_index, 4);
	KUNIT_EXPECT_EQ(test, khw_modify(khw, MLX5_CMD_OP_RST2INIT_QP, qpc),
			-EINVAL);
	MLX5_SET(qpc, qpc, primary_address_path.pkey_index, 3);
	KUNIT_EXPECT_EQ(test, khw_modify(khw, MLX5_CMD_OP_RST2INIT_QP, qpc), 0);
	KUNIT_EXPECT_EQ(test, khw_modify(khw, MLX5_CMD_OP_INIT2RTR_QP, qpc),
			-EINVAL);
	KUNIT_EXPECT_EQ(test, khw_qp(khw)->state, MLX5_QPC_STATE_INIT);
}

static struct kunit_case qp_cases[] = {
	KUNIT_CASE(qp_states),
	KUNIT_CASE(qp_options),
	KUNIT_CASE(qp_options_take_effect),
	KUNIT_CASE(qp_merge),
	KUNIT_CASE(sq_counters),
	KUNIT_CASE(sq_record_too_far),
	KUNIT_CASE(sq_bad_wqe_then_flush),
	KUNIT_CASE(qp_error_flushes_both),
	KUNIT_CASE(rq_datagrams),
	KUNIT_CASE(rq_bad_key),
	KUNIT_CASE(qp_reserved_key),
	KUNIT_CASE(qp_refusals),
	{}
};

static struct kunit_suite qp_suite = {
	.name = "softhca_engine_qp",
	.suite_init = shca_engine_kunit_init,
	.suite_exit = shca_engine_kunit_exit,
	.test_cases = qp_cases,
};

kunit_test_suite(qp_suite);
