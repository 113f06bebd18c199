// SPDX-License-Identifier: GPL-2.0
/* Completion queues that are changed while they work. */
#include <linux/ktime.h>
#include <linux/mlx5/cq.h>

#include "engine/fixture_kunit.h"

#define ARM(sn, cmd, ci)	((u32)(sn) << 28 | (cmd) | (ci))
#define NEW_PAGE		KHW_QP_PAGE
#define FIELDS			(MLX5_MODIFY_CQ_MASK_LOG_SIZE | \
				 MLX5_MODIFY_CQ_MASK_PG_OFFSET | \
				 MLX5_MODIFY_CQ_MASK_PG_SIZE)

static void post(struct khw *khw, bool solicited)
{
	struct mlx5_cqe64 cqe = { .op_own = MLX5_CQE_REQ << 4 };

	shca_cq_post(khw_cq(khw), &cqe, solicited);
}

static struct mlx5_cqe64 *new_cqe(struct khw *khw, u32 index)
{
	return (struct mlx5_cqe64 *)kfn_ptr(khw->kfn, NEW_PAGE) + index;
}

static int resize_as(struct khw *khw, u16 uid, u8 log_size, u8 cqe_sz,
		     u32 fields)
{
	u32 cqc[MLX5_ST_SZ_DW(cqc)] = {};
	struct shca_buf_src src;
	__be64 pas;

	kfn_src(&src, &pas, NEW_PAGE);
	MLX5_SET(cqc, cqc, log_cq_size, log_size);
	MLX5_SET(cqc, cqc, cqe_sz, cqe_sz);
	return shca_cq_resize(&khw->kfn->fn, uid, khw->cqn, cqc, fields, &src);
}

static int resize(struct khw *khw, u8 log_size)
{
	return resize_as(khw, 0, log_size, 0, FIELDS);
}

static void resize_marks_the_place(struct kunit *test)
{
	struct khw *khw = khw_alloc(test);
	u32 cqc[MLX5_ST_SZ_DW(cqc)];
	unsigned int i;

	memset(khw_cqe(khw, 0), 0xff, PAGE_SIZE);
	memset(new_cqe(khw, 0), 0xff, PAGE_SIZE);
	for (i = 0; i < 6; i++) {
		khw_record(khw, KHW_CQ_DBR, 0, i < 2 ? 0 : i - 2);
		post(khw, false);
	}
	/* Six were written, three read; the marker belongs to the second lap. */
	KUNIT_ASSERT_EQ(test, resize(khw, 3), 0);
	KUNIT_EXPECT_EQ(test, khw_cqe(khw, 6 & 3)->op_own,
			MLX5_CQE_RESIZE_CQ << 4 | 1);
	KUNIT_EXPECT_EQ(test, khw_cq(khw)->pi, 7U);
	/* What comes next is in the new ring, by the new ring's laps. */
	post(khw, false);
	post(khw, false);
	KUNIT_EXPECT_EQ(test, new_cqe(khw, 6)->op_own, 0xff);
	KUNIT_EXPECT_EQ(test, new_cqe(khw, 7)->op_own, MLX5_CQE_REQ << 4);
	KUNIT_EXPECT_EQ(test, new_cqe(khw, 0)->op_own, MLX5_CQE_REQ << 4 | 1);
	KUNIT_EXPECT_EQ(test, khw_cqe(khw, 7 & 3)->op_own, MLX5_CQE_REQ << 4);
	KUNIT_EXPECT_EQ(test, shca_cq_query(&khw->kfn->fn, 0, khw->cqn, cqc),
			0);
	KUNIT_EXPECT_EQ(test, MLX5_GET(cqc, cqc, log_cq_size), 3U);
	KUNIT_EXPECT_EQ(test, MLX5_GET(cqc, cqc, producer_counter), 9U);

	/* And back to where it was, smaller: 9 - 7 and the marker fit in 4. */
	khw_record(khw, KHW_CQ_DBR, 0, 7);
	KUNIT_EXPECT_EQ(test, resize(khw, 2), 0);
	KUNIT_EXPECT_EQ(test, khw_cq(khw)->pi, 10U);
	KUNIT_EXPECT_EQ(test, khw_cq(khw)->log_size, 2);
}

static void expect_unchanged(struct kunit *test, struct khw *khw, u32 pi)
{
	KUNIT_EXPECT_EQ(test, khw_cq(khw)->pi, pi);
	KUNIT_EXPECT_EQ(test, khw_cq(khw)->log_size, KHW_CQ_LOG);
	KUNIT_EXPECT_EQ(test, khw_cq(khw)->buf.page[0], kfn_bus(KHW_CQ_PAGE));
	KUNIT_EXPECT_EQ(test, khw_cqe(khw, pi & 3)->op_own, 0xff);
}

static void resize_refusals(struct kunit *test)
{
	struct khw *khw = khw_alloc(test);
	struct shca_buf_src none = { .page_shift = PAGE_SHIFT };
	u32 cqc[MLX5_ST_SZ_DW(cqc)] = {};

	memset(khw_cqe(khw, 0), 0xff, PAGE_SIZE);
	post(khw, false);
	post(khw, false);
	/* Two outstanding and the marker. */
	KUNIT_EXPECT_EQ(test, resize(khw, 1), -EOVERFLOW);
	KUNIT_EXPECT_EQ(test, resize(khw, 11), -EINVAL);
	/* More than the one page that is named. */
	KUNIT_EXPECT_EQ(test, resize(khw, 7), -EINVAL);
	KUNIT_EXPECT_EQ(test, resize_as(khw, 7, 3, 0, FIELDS), -ENOENT);
	KUNIT_EXPECT_EQ(test, resize_as(khw, 0, 3, 1, FIELDS), -EINVAL);
	KUNIT_EXPECT_EQ(test, resize_as(khw, 0, 3, 0, 0), -EINVAL);
	KUNIT_EXPECT_EQ(test, resize_as(khw, 0, 3, 0, FIELDS | 8), -EINVAL);
	MLX5_SET(cqc, cqc, log_cq_size, 3);
	KUNIT_EXPECT_EQ(test, shca_cq_resize(&khw->kfn->fn, 0, khw->cqn, cqc,
					     FIELDS, &none), -EINVAL);
	khw->kfn->hole = kfn_bus(NEW_PAGE);
	KUNIT_EXPECT_EQ(test, resize(khw, 3), -EFAULT);
	/* The marker cannot be written. */
	khw->kfn->hole = kfn_bus(KHW_CQ_PAGE);
	KUNIT_EXPECT_EQ(test, resize(khw, 3), -EFAULT);
	khw->kfn->hole = 0;
	expect_unchanged(test, khw, 2);

	/* No place for the marker. */
	post(khw, false);
	post(khw, false);
	KUNIT_EXPECT_EQ(test, resize(khw, 3), -EOVERFLOW);
	/* An overrun queue is beyond that. */
	post(khw, false);
	KUNIT_EXPECT_EQ(test, resize(khw, 3), -EPROTO);
	KUNIT_EXPECT_EQ(test, khw_cq(khw)->log_size, KHW_CQ_LOG);
}

static void resize_is_no_completion(struct kunit *test)
{
	struct khw *khw = khw_alloc(test);

	khw_record(khw, KHW_CQ_DBR, 1, ARM(0, MLX5_CQ_DB_REQ_NOT, 0));
	KUNIT_EXPECT_EQ(test, resize(khw, 3), 0);
	shca_cq_rearmed(khw_cq(khw));
	KUNIT_EXPECT_EQ(test, khw->kfn->irqs[KHW_VECTOR], 0U);
	post(khw, false);
	KUNIT_EXPECT_EQ(test, khw->kfn->irqs[KHW_VECTOR], 1U);

	/* Armed behind the marker: all that comes counts. */
	khw_record(khw, KHW_CQ_DBR, 0, 2);
	khw_record(khw, KHW_CQ_DBR, 1, ARM(1, MLX5_CQ_DB_REQ_NOT_SOL, 2));
	post(khw, false);
	KUNIT_EXPECT_EQ(test, khw->kfn->irqs[KHW_VECTOR], 1U);
	post(khw, true);
	KUNIT_EXPECT_EQ(test, khw->kfn->irqs[KHW_VECTOR], 2U);
}

/* A solicited one that was not read yet is told after the move. */
static void resize_keeps_solicited(struct kunit *test)
{
	struct khw *khw = khw_alloc(test);

	post(khw, true);
	KUNIT_EXPECT_EQ(test, resize(khw, 3), 0);
	khw_record(khw, KHW_CQ_DBR, 1, ARM(0, MLX5_CQ_DB_REQ_NOT_SOL, 1));
	shca_cq_rearmed(khw_cq(khw));
	KUNIT_EXPECT_EQ(test, khw->kfn->irqs[KHW_VECTOR], 1U);
}

static int moderate(struct khw *khw, u16 count, u16 period_us, u32 fields)
{
	u32 cqc[MLX5_ST_SZ_DW(cqc)] = {};

	MLX5_SET(cqc, cqc, cq_max_count, count);
	MLX5_SET(cqc, cqc, cq_period, period_us);
	return shca_cq_modify(&khw->kfn->fn, 0, khw->cqn, cqc, fields);
}

static void moderate_by_count(struct kunit *test)
{
	struct khw *khw = khw_alloc(test);

	KUNIT_ASSERT_EQ(test, moderate(khw, 3, 0, MLX5_CQ_MODIFY_COUNT), 0);
	khw_record(khw, KHW_CQ_DBR, 1, ARM(0, MLX5_CQ_DB_REQ_NOT, 0));
	post(khw, false);
	post(khw, false);
	shca_cq_rearmed(khw_cq(khw));
	KUNIT_EXPECT_EQ(test, khw->kfn->irqs[KHW_VECTOR], 0U);
	post(khw, false);
	KUNIT_EXPECT_EQ(test, khw->kfn->irqs[KHW_VECTOR], 1U);
	/* It counts from there on. */
	khw_record(khw, KHW_CQ_DBR, 0, 3);
	khw_record(khw, KHW_CQ_DBR, 1, ARM(1, MLX5_CQ_DB_REQ_NOT, 3));
	post(khw, false);
	KUNIT_EXPECT_EQ(test, khw->kfn->irqs[KHW_VECTOR], 1U);
	/* What was held back is told when nothing holds it any more. */
	KUNIT_EXPECT_EQ(test, moderate(khw, 0, 0, MLX5_CQ_MODIFY_COUNT), 0);
	KUNIT_EXPECT_EQ(test, khw->kfn->irqs[KHW_VECTOR], 2U);
}

static void moderate_by_time(struct kunit *test)
{
	struct khw *khw = khw_alloc(test);
	struct shca_cq *cq = khw_cq(khw);
	u64 end;

	KUNIT_ASSERT_EQ(test, moderate(khw, 100, 4000, MLX5_CQ_MODIFY_PERIOD |
				       MLX5_CQ_MODIFY_COUNT), 0);
	khw_record(khw, KHW_CQ_DBR, 1, ARM(0, MLX5_CQ_DB_REQ_NOT, 0));
	/* An event of long ago. */
	post(khw, false);
	KUNIT_EXPECT_EQ(test, khw->kfn->irqs[KHW_VECTOR], 1U);
	KUNIT_EXPECT_EQ(test, khw->hw->cq_next, U64_MAX);

	/* One that is still to come, for the test has its time. */
	cq->told_at = ktime_get_ns() + NSEC_PER_SEC;
	end = cq->told_at + 4000 * NSEC_PER_USEC;
	khw_record(khw, KHW_CQ_DBR, 1, ARM(1, MLX5_CQ_DB_REQ_NOT, 1));
	post(khw, false);
	KUNIT_EXPECT_EQ(test, khw->kfn->irqs[KHW_VECTOR], 1U);
	KUNIT_EXPECT_EQ(test, khw->hw->cq_next, end);
	KUNIT_EXPECT_FALSE(test, shca_cq_timers_run(khw->hw, end - 1));
	KUNIT_EXPECT_EQ(test, khw->kfn->irqs[KHW_VECTOR], 1U);
	KUNIT_EXPECT_TRUE(test, shca_cq_timers_run(khw->hw, end));
	KUNIT_EXPECT_EQ(test, khw->kfn->irqs[KHW_VECTOR], 2U);
	KUNIT_EXPECT_EQ(test, khw->hw->cq_next, U64_MAX);
	KUNIT_EXPECT_FALSE(test, shca_cq_timers_run(khw->hw, end));

	/* A queue may go while its event is held back. */
	cq->told_at = ktime_get_ns() + NSEC_PER_SEC;
	khw_record(khw, KHW_CQ_DBR, 1, ARM(2, MLX5_CQ_DB_REQ_NOT, 2));
	post(khw, false);
	KUNIT_EXPECT_FALSE(test, list_empty(&khw->hw->timed_cqs));
	KUNIT_EXPECT_EQ(test, shca_cq_destroy(&khw->kfn->fn, 0, khw->cqn), 0);
	KUNIT_EXPECT_TRUE(test, list_empty(&khw->hw->timed_cqs));
	KUNIT_EXPECT_TRUE(test, shca_cq_timers_run(khw->hw, U64_MAX - 1));
}

static void moderate_from_the_start(struct kunit *test)
{
	struct khw *khw = khw_alloc(test);
	u32 cqc[MLX5_ST_SZ_DW(cqc)], cqn;
	struct shca_fn *fn = &khw->kfn->fn;
	struct shca_buf_src src;
	__be64 pas;

	KUNIT_ASSERT_EQ(test, shca_cq_query(fn, 0, khw->cqn, cqc), 0);
	kfn_src(&src, &pas, NEW_PAGE);
	MLX5_SET(cqc, cqc, cq_max_count, 7);
	MLX5_SET(cqc, cqc, cq_period, 9);
	KUNIT_ASSERT_EQ(test, shca_cq_create(fn, 0, cqc, &src, &cqn), 0);
	khw->cqn = cqn;
	KUNIT_EXPECT_EQ(test, khw_cq(khw)->max_count, 7);
	KUNIT_EXPECT_EQ(test, khw_cq(khw)->period, 9 * NSEC_PER_USEC);
	/* Times that begin with a completion are not offered. */
	MLX5_SET(cqc, cqc, cq_period_mode, 1);
	KUNIT_EXPECT_EQ(test, shca_cq_create(fn, 0, cqc, &src, &cqn),
			-EOPNOTSUPP);
}

static struct kunit_case cq_cases[] = {
	KUNIT_CASE(resize_marks_the_place),
	KUNIT_CASE(resize_refusals),
	KUNIT_CASE(resize_is_no_completion),
	KUNIT_CASE(resize_keeps_solicited),
	KUNIT_CASE(moderate_by_count),
	KUNIT_CASE(moderate_by_time),
	KUNIT_CASE(moderate_from_the_start),
	{}
};

static struct kunit_suite cq_suite = {
	.name = "softhca_engine_cq",
	.suite_init = shca_engine_kunit_init,
	.suite_exit = shca_engine_kunit_exit,
	.test_cases = cq_cases,
};

kunit_test_suite(cq_suite);
