// SPDX-License-Identifier: GPL-2.0
/* The command queue end to end: poller, work and answer. */
#include <linux/delay.h>
#include <linux/string.h>

#include "fw/fixture_kunit.h"

#define SECOND		1000	/* ample, also on a busy machine */
#define QUIET_MS	150	/* well under the time after which an entry
				 * counts as rung
				 */

/* Enabled, so that NOP is allowed. */
static struct kfw *started(struct kunit *test)
{
	struct kfw *kfw = kfw_alloc(test);

	kfw_queue(test, kfw);
	KUNIT_ASSERT_EQ(test, kfw_simple(kfw, MLX5_CMD_OP_ENABLE_HCA, 0, 0,
					 NULL), MLX5_CMD_STAT_OK);
	return kfw;
}

static void cmdq_answers_a_rung_entry(struct kunit *test)
{
	struct kfw *kfw = started(test);
	struct mlx5_cmd_layout *lay = kfw_entry(kfw, 0);

	kfw_post_nop(kfw, 0, 1);
	kfw_ring(kfw, BIT(0));
	KUNIT_ASSERT_TRUE(test, kfw_wait(kfw, 0, 10 * SECOND));
	KUNIT_EXPECT_EQ(test, lay->status_own >> 1, SHCA_DELIVERY_OK);
	KUNIT_EXPECT_EQ(test, MLX5_GET(nop_out, lay->out, status), 0);
	KUNIT_EXPECT_TRUE(test, shca_mbox_entry_good(lay));
	KUNIT_EXPECT_EQ(test, lay->token, 1);
}

static void cmdq_leaves_an_unrung_entry(struct kunit *test)
{
	struct kfw *kfw = started(test);

	kfw_post_nop(kfw, 0, 1);
	KUNIT_EXPECT_FALSE(test, kfw_wait(kfw, 0, 2 * SECOND));
	kfw_ring(kfw, BIT(0));
	KUNIT_EXPECT_TRUE(test, kfw_wait(kfw, 0, 10 * SECOND));
}

/* The page slot's doorbell overwrote the regular one's. */
static void cmdq_finds_an_overwritten_doorbell(struct kunit *test)
{
	struct kfw *kfw = started(test);

	kfw_post_nop(kfw, 0, 1);
	kfw_post_nop(kfw, 1, 2);
	kfw_ring(kfw, BIT(1));
	KUNIT_ASSERT_TRUE(test, kfw_wait(kfw, 1, 10 * SECOND));
	KUNIT_EXPECT_FALSE(test, kfw_wait(kfw, 0, QUIET_MS));
	KUNIT_EXPECT_TRUE(test, kfw_wait(kfw, 0, 10 * SECOND));
	KUNIT_EXPECT_EQ(test, kfw_entry(kfw, 0)->status_own, 0);
}

static void cmdq_ignores_a_bell_without_entry(struct kunit *test)
{
	struct kfw *kfw = started(test);
	u64 before;

	kfw_ring(kfw, BIT(0) | BIT(1) | BIT(7));
	msleep(QUIET_MS);
	before = kfw->fw->commands;
	kfw_post_nop(kfw, 0, 1);
	kfw_ring(kfw, BIT(0));
	KUNIT_EXPECT_TRUE(test, kfw_wait(kfw, 0, 10 * SECOND));
	KUNIT_EXPECT_EQ(test, kfw->fw->commands, before + 1);
}

static u8 delivery_of(struct kunit *test, struct kfw *kfw)
{
	kfw_ring(kfw, BIT(0));
	KUNIT_EXPECT_TRUE(test, kfw_wait(kfw, 0, 10 * SECOND));
	return kfw_entry(kfw, 0)->status_own >> 1;
}

static void cmdq_refuses_malformed_entries(struct kunit *test)
{
	struct kfw *kfw = started(test);
	struct mlx5_cmd_layout *lay = kfw_entry(kfw, 0);

	kfw_post_nop(kfw, 0, 1);
	lay->type = 3;
	KUNIT_EXPECT_EQ(test, delivery_of(test, kfw), SHCA_DELIVERY_DESCRIPTOR);
	kfw_post_nop(kfw, 0, 2);
	lay->inlen = cpu_to_be32(4);
	KUNIT_EXPECT_EQ(test, delivery_of(test, kfw), SHCA_DELIVERY_IN_LENGTH);
	kfw_post_nop(kfw, 0, 3);
	lay->outlen = cpu_to_be32(U32_MAX);
	KUNIT_EXPECT_EQ(test, delivery_of(test, kfw), SHCA_DELIVERY_OUT_LENGTH);
	kfw_post_nop(kfw, 0, 4);
	lay->inlen = cpu_to_be32(64);
	KUNIT_EXPECT_EQ(test, delivery_of(test, kfw), SHCA_DELIVERY_IN_LENGTH);
	/* Not the driver's memory. */
	kfw_post_nop(kfw, 0, 5);
	lay->inlen = cpu_to_be32(64);
	lay->in_ptr = cpu_to_be64(kfn_bus(KFN_SIZE));
	KUNIT_EXPECT_EQ(test, delivery_of(test, kfw), SHCA_DELIVERY_FW);
}

static void cmdq_checks_signatures_once_chosen(struct kunit *test)
{
	struct kfw *kfw = started(test);
	struct mlx5_cmd_layout *lay = kfw_entry(kfw, 0);

	kfw_post_nop(kfw, 0, 1);
	KUNIT_EXPECT_EQ(test, delivery_of(test, kfw), SHCA_DELIVERY_OK);
	MLX5_SET(cmd_hca_cap, kfw->fw->cap_cur, cmdif_checksum, 3);
	kfw_post_nop(kfw, 0, 2);
	lay->sig = 0;
	lay->rsvd1 = shca_mbox_entry_good(lay);
	KUNIT_EXPECT_EQ(test, delivery_of(test, kfw), SHCA_DELIVERY_SIGNATURE);
	kfw_post_nop(kfw, 0, 3);
	shca_mbox_entry_sign(lay);
	KUNIT_EXPECT_EQ(test, delivery_of(test, kfw), SHCA_DELIVERY_OK);
}

static void cmdq_is_left_alone_after_disable(struct kunit *test)
{
	struct kfw *kfw = started(test);
	struct mlx5_cmd_layout *lay = kfw_entry(kfw, 0);

	kfw_post_nop(kfw, 0, 1);
	MLX5_SET(nop_in, lay->in, opcode, MLX5_CMD_OP_DISABLE_HCA);
	KUNIT_EXPECT_EQ(test, delivery_of(test, kfw), SHCA_DELIVERY_OK);
	kfw_post_nop(kfw, 0, 2);
	kfw_ring(kfw, BIT(0));
	KUNIT_EXPECT_FALSE(test, kfw_wait(kfw, 0, SECOND));
	KUNIT_EXPECT_TRUE(test, kfw->kfn->dma_off);
	/* Until the next driver comes, with the same address even. */
	kfw_queue(test, kfw);
	kfw_ring(kfw, BIT(0));
	KUNIT_EXPECT_TRUE(test, kfw_wait(kfw, 0, 10 * SECOND));
	KUNIT_EXPECT_EQ(test, MLX5_GET(nop_out, lay->out, status),
			MLX5_CMD_STAT_BAD_SYS_STATE_ERR);
}

static void cmdq_answers_a_reset_with_disabled(struct kunit *test)
{
	struct kfw *kfw = started(test);
	struct mlx5_init_seg *seg = kfw->kfn->bar;
	unsigned int tries = 10 * SECOND;
	u32 low;

	low = be32_to_cpu(READ_ONCE(seg->cmdq_addr_l_sz)) & 0xfffff000;
	WRITE_ONCE(seg->cmdq_addr_l_sz, cpu_to_be32(low | 7 << 8));
	do {
		usleep_range(1000, 2000);
		low = be32_to_cpu(READ_ONCE(seg->cmdq_addr_l_sz));
	} while (tries-- && (low >> 8 & 7) != 1);
	KUNIT_EXPECT_EQ(test, low >> 8 & 7, 1);
	KUNIT_EXPECT_EQ(test, low & 0xff, 0x16);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(cmdq_answers_a_rung_entry),
	KUNIT_CASE(cmdq_leaves_an_unrung_entry),
	KUNIT_CASE(cmdq_finds_an_overwritten_doorbell),
	KUNIT_CASE(cmdq_ignores_a_bell_without_entry),
	KUNIT_CASE(cmdq_refuses_malformed_entries),
	KUNIT_CASE(cmdq_checks_signatures_once_chosen),
	KUNIT_CASE(cmdq_is_left_alone_after_disable),
	KUNIT_CASE(cmdq_answers_a_reset_with_disabled),
	{}
};

static struct kunit_suite suite = {
	.name = "softhca_fw_cmdq",
	.suite_init = shca_fw_kunit_init,
	.suite_exit = shca_fw_kunit_exit,
	.test_cases = cases,
};

kunit_test_suite(suite);
