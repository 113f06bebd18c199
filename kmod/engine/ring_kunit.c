// SPDX-License-Identifier: GPL-2.0
/* Rings: ownership bits, overruns, and when an armed CQ speaks. */
#include <linux/mlx5/cq.h>

#include "engine/fixture_kunit.h"

#define ARM(sn, cmd, ci)	((u32)(sn) << 28 | (cmd) | (ci))

static void ring_owner_bit(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, shca_ring_owner(0, 2), 0);
	KUNIT_EXPECT_EQ(test, shca_ring_owner(3, 2), 0);
	KUNIT_EXPECT_EQ(test, shca_ring_owner(4, 2), 1);
	KUNIT_EXPECT_EQ(test, shca_ring_owner(8, 2), 0);
	KUNIT_EXPECT_EQ(test, shca_ring_owner(0, 0), 0);
	KUNIT_EXPECT_EQ(test, shca_ring_owner(1, 0), 1);
	KUNIT_EXPECT_EQ(test, shca_ring_owner(0xffffff, 2), 1);
}

static void ring_is_full(struct kunit *test)
{
	KUNIT_EXPECT_FALSE(test, shca_cq_full(3, 0, 2));
	KUNIT_EXPECT_TRUE(test, shca_cq_full(4, 0, 2));
	/* indexes wrap at 24 bits */
	KUNIT_EXPECT_FALSE(test, shca_cq_full(1, 0xfffffe, 2));
	KUNIT_EXPECT_TRUE(test, shca_cq_full(2, 0xfffffe, 2));
}

static void ring_arms(struct kunit *test)
{
	u32 any = MLX5_CQ_DB_REQ_NOT, sol = MLX5_CQ_DB_REQ_NOT_SOL;

	/* The first legal value, and the two that mean nothing. */
	KUNIT_EXPECT_TRUE(test, shca_cq_answers(0, SHCA_CQ_UNARMED, 1, 0));
	KUNIT_EXPECT_FALSE(test, shca_cq_answers(SHCA_CQ_UNARMED,
						 SHCA_CQ_UNARMED, 1, 1));
	KUNIT_EXPECT_FALSE(test, shca_cq_answers(ARM(2, any, 0),
						 SHCA_CQ_UNARMED, 1, 1));
	KUNIT_EXPECT_TRUE(test, shca_cq_answers(ARM(2, any, 0), ARM(1, any, 0),
						1, 1));
	/* Once for each arm, and only for something new. */
	KUNIT_EXPECT_FALSE(test, shca_cq_answers(ARM(1, any, 3),
						 ARM(1, any, 3), 9, 9));
	KUNIT_EXPECT_FALSE(test, shca_cq_answers(ARM(1, any, 9), ARM(0, any, 3),
						 9, 9));
	KUNIT_EXPECT_TRUE(test, shca_cq_answers(ARM(1, any, 0xfffffe),
						ARM(0, any, 3), 1, 1));
	/* The solicited one may lie behind the consumer. */
	KUNIT_EXPECT_FALSE(test, shca_cq_answers(ARM(1, sol, 5), 0, 9, 5));
	KUNIT_EXPECT_FALSE(test, shca_cq_answers(ARM(1, sol, 5), 0, 9, 2));
	KUNIT_EXPECT_TRUE(test, shca_cq_answers(ARM(1, sol, 5), 0, 9, 6));
}

static void post(struct khw *khw, bool solicited)
{
	struct mlx5_cqe64 cqe = { .op_own = MLX5_CQE_REQ << 4 };

	shca_cq_post(khw_cq(khw), &cqe, solicited);
}

static void cq_owner_and_overrun(struct kunit *test)
{
	struct khw *khw = khw_alloc(test);
	unsigned int i;

	KUNIT_EXPECT_EQ(test, *(__be32 *)kfn_ptr(khw->kfn, KHW_CQ_DBR + 4),
			cpu_to_be32(SHCA_CQ_UNARMED));
	memset(khw_cqe(khw, 0), 0xff, PAGE_SIZE);
	for (i = 0; i < 4; i++)
		post(khw, false);
	KUNIT_EXPECT_EQ(test, khw_cqe(khw, 3)->op_own & 1, 0);
	KUNIT_EXPECT_EQ(test, khw_cqe(khw, 4)->op_own, 0xff);
	KUNIT_EXPECT_EQ(test, khw->kfn->irqs[KHW_VECTOR], 0U);

	/* Two were read: the next two begin the second lap. */
	khw_record(khw, KHW_CQ_DBR, 0, 2);
	post(khw, false);
	post(khw, false);
	KUNIT_EXPECT_EQ(test, khw_cqe(khw, 0)->op_own & 1, 1);
	KUNIT_EXPECT_EQ(test, khw_cqe(khw, 2)->op_own & 1, 0);

	/* The one too many is an error of the CQ, told once. */
	post(khw, false);
	post(khw, false);
	KUNIT_EXPECT_EQ(test, khw_cqe(khw, 2)->op_own & 1, 0);
	KUNIT_EXPECT_EQ(test, khw->kfn->irqs[KHW_VECTOR], 1U);
	KUNIT_EXPECT_EQ(test, khw_eqe(khw, 0)->type, MLX5_EVENT_TYPE_CQ_ERROR);
	KUNIT_EXPECT_EQ(test, be32_to_cpu(khw_eqe(khw, 0)->data.cq_err.cqn),
			khw->cqn);
	KUNIT_EXPECT_EQ(test, khw_cq(khw)->status, MLX5_CQC_STATUS_CQ_OVERFLOW);
}

static void cq_arm_and_eqe(struct kunit *test)
{
	struct khw *khw = khw_alloc(test);

	post(khw, false);
	/* Armed late: the doorbell's hint finds what is there already. */
	khw_record(khw, KHW_CQ_DBR, 1, ARM(0, MLX5_CQ_DB_REQ_NOT, 0));
	shca_cq_rearmed(khw_cq(khw));
	shca_cq_rearmed(khw_cq(khw));
	KUNIT_EXPECT_EQ(test, khw->kfn->irqs[KHW_VECTOR], 1U);
	KUNIT_EXPECT_EQ(test, khw_eqe(khw, 0)->type, MLX5_EVENT_TYPE_COMP);
	KUNIT_EXPECT_EQ(test, be32_to_cpu(khw_eqe(khw, 0)->data.comp.cqn),
			khw->cqn);

	khw_record(khw, KHW_CQ_DBR, 0, 1);
	khw_record(khw, KHW_CQ_DBR, 1, ARM(1, MLX5_CQ_DB_REQ_NOT_SOL, 1));
	post(khw, false);
	KUNIT_EXPECT_EQ(test, khw->kfn->irqs[KHW_VECTOR], 1U);
	post(khw, true);
	KUNIT_EXPECT_EQ(test, khw->kfn->irqs[KHW_VECTOR], 2U);
}

/* Armed again before the completion that the event told of was read, as some
 * programs do: it is no news.
 */
static void cq_arm_before_reading(struct kunit *test)
{
	struct khw *khw = khw_alloc(test);

	khw_record(khw, KHW_CQ_DBR, 1, ARM(0, MLX5_CQ_DB_REQ_NOT, 0));
	post(khw, true);
	KUNIT_EXPECT_EQ(test, khw->kfn->irqs[KHW_VECTOR], 1U);
	khw_record(khw, KHW_CQ_DBR, 1, ARM(1, MLX5_CQ_DB_REQ_NOT, 0));
	shca_cq_rearmed(khw_cq(khw));
	KUNIT_EXPECT_EQ(test, khw->kfn->irqs[KHW_VECTOR], 1U);
	post(khw, false);
	KUNIT_EXPECT_EQ(test, khw->kfn->irqs[KHW_VECTOR], 2U);
	/* One that came between event and arm is. */
	post(khw, false);
	khw_record(khw, KHW_CQ_DBR, 1, ARM(2, MLX5_CQ_DB_REQ_NOT, 0));
	shca_cq_rearmed(khw_cq(khw));
	KUNIT_EXPECT_EQ(test, khw->kfn->irqs[KHW_VECTOR], 3U);
}

static void eq_owner_bit(struct kunit *test)
{
	struct khw *khw = khw_alloc(test);
	struct shca_fn *fn = &khw->kfn->fn;
	unsigned int i;

	memset(khw_eqe(khw, 0), 0xff, PAGE_SIZE);
	for (i = 0; i < (1 << KHW_EQ_LOG) + 1; i++)
		KUNIT_EXPECT_EQ(test, shca_eq_event(fn, 9, i, NULL), 1);
	KUNIT_EXPECT_EQ(test, khw_eqe(khw, 0)->owner, 1);
	KUNIT_EXPECT_EQ(test, khw_eqe(khw, 0)->sub_type, 8);
	KUNIT_EXPECT_EQ(test, khw_eqe(khw, 1)->owner, 0);
	KUNIT_EXPECT_EQ(test, khw_eqe(khw, 7)->owner, 0);
	KUNIT_EXPECT_EQ(test, khw_eqe(khw, 8)->owner, 0xff);
	KUNIT_EXPECT_EQ(test, khw->kfn->irqs[KHW_VECTOR], 9U);
	/* A type that is not in the mask. */
	KUNIT_EXPECT_EQ(test, shca_eq_event(fn, 64, 0, NULL), 0);
	KUNIT_EXPECT_EQ(test, shca_eq_command_eqn(fn), khw->eqn);
}

static void eq_write_failure(struct kunit *test)
{
	struct khw *khw = khw_alloc(test);
	struct shca_fn *fn = &khw->kfn->fn;
	u32 eqc[MLX5_ST_SZ_DW(eqc)];

	khw->kfn->dma_off = true;
	KUNIT_EXPECT_EQ(test, shca_eq_event(fn, 9, 0, NULL), 0);
	khw->kfn->dma_off = false;
	KUNIT_EXPECT_EQ(test, shca_eq_event(fn, 9, 0, NULL), 1);
	khw->kfn->hole = kfn_bus(KHW_EQ_PAGE);
	KUNIT_EXPECT_EQ(test, shca_eq_event(fn, 9, 0, NULL), 0);
	khw->kfn->hole = 0;
	KUNIT_EXPECT_EQ(test, shca_eq_event(fn, 9, 0, NULL), 0);
	KUNIT_EXPECT_EQ(test, shca_eq_query(fn, 0, khw->eqn, eqc), 0);
	KUNIT_EXPECT_EQ(test, MLX5_GET(eqc, eqc, status),
			MLX5_EQC_STATUS_EQ_WRITE_FAILURE);
}

static void objects_hold_each_other(struct kunit *test)
{
	struct khw *khw = khw_alloc(test);
	struct shca_fn *fn = &khw->kfn->fn;
	u32 cqn;

	khw_create_qp(test, khw, MLX5_QPC_ST_UD);
	KUNIT_EXPECT_EQ(test, shca_cq_destroy(fn, 0, khw->cqn), -EBUSY);
	KUNIT_EXPECT_EQ(test, shca_eq_destroy(fn, 0, khw->eqn), -EBUSY);
	KUNIT_EXPECT_EQ(test, shca_uar_free(fn, 0, khw->uar), -EBUSY);
	/* Neither the kernel's EQ nor its page are a user's. */
	KUNIT_EXPECT_EQ(test, khw_create_cq(khw, 7, false, &cqn), -ENOENT);
	KUNIT_EXPECT_EQ(test, shca_qp_destroy(fn, 7, khw->qpn), -ENOENT);
	KUNIT_EXPECT_EQ(test, shca_qp_destroy(fn, 0, khw->qpn), 0);
	KUNIT_EXPECT_EQ(test, shca_cq_destroy(fn, 0, khw->cqn), 0);
	KUNIT_EXPECT_EQ(test, shca_uar_free(fn, 0, khw->uar), 0);
	KUNIT_EXPECT_EQ(test, shca_eq_destroy(fn, 0, khw->eqn), 0);
}

static struct kunit_case ring_cases[] = {
	KUNIT_CASE(ring_owner_bit),
	KUNIT_CASE(ring_is_full),
	KUNIT_CASE(ring_arms),
	KUNIT_CASE(cq_owner_and_overrun),
	KUNIT_CASE(cq_arm_and_eqe),
	KUNIT_CASE(cq_arm_before_reading),
	KUNIT_CASE(eq_owner_bit),
	KUNIT_CASE(eq_write_failure),
	KUNIT_CASE(objects_hold_each_other),
	{}
};

static struct kunit_suite ring_suite = {
	.name = "softhca_engine_ring",
	.suite_init = shca_engine_kunit_init,
	.suite_exit = shca_engine_kunit_exit,
	.test_cases = ring_cases,
};

kunit_test_suite(ring_suite);
