// SPDX-License-Identifier: GPL-2.0
/* Mailbox chains: lengths, order, tokens, signatures, what a chain may not be. */
#include <kunit/test.h>
#include <linux/string.h>

#include "fw/mailbox.h"

#define BASE	0x100000ULL	/* bus address of the first block */
#define STEP	1024
#define BLOCKS	3
#define LEN	(SHCA_CMD_INLINE + 2 * MLX5_CMD_DATA_BLOCK_SIZE + 40)
#define TOKEN	0x5a

struct chain {
	struct shca_mbox mbox;
	struct mlx5_cmd_layout lay;
	struct mlx5_cmd_prot_block block[BLOCKS];
	u64 addr[BLOCKS];
	u8 want[LEN];
	u8 got[LEN];
};

static void *chain_at(struct chain *c, u64 addr, size_t len)
{
	u64 off = (addr - BASE) % STEP, i = (addr - BASE) / STEP;

	if (addr < BASE || i >= BLOCKS || off + len > sizeof(c->block[0]))
		return NULL;
	return (void *)&c->block[i] + off;
}

static int chain_read(void *ctx, u64 addr, void *dst, size_t len)
{
	void *p = chain_at(ctx, addr, len);

	if (!p)
		return -EFAULT;
	memcpy(dst, p, len);
	return 0;
}

static int chain_write(void *ctx, u64 addr, const void *src, size_t len)
{
	void *p = chain_at(ctx, addr, len);

	if (!p)
		return -EFAULT;
	memcpy(p, src, len);
	return 0;
}

/* Signs as a driver does, independently of the code under test. */
static u8 sum(const void *buf, size_t len)
{
	const u8 *p = buf;
	u8 x = 0xff;

	while (len--)
		x ^= *p++;
	return x;
}

static void chain_sign(struct chain *c)
{
	unsigned int i;

	for (i = 0; i < BLOCKS; i++) {
		struct mlx5_cmd_prot_block *b = &c->block[i];

		b->ctrl_sig = 0;
		b->sig = 0;
		b->ctrl_sig = sum(b->rsvd0, 62);
		b->sig = sum(b, sizeof(*b) - 1);
	}
}

static struct chain *chain_alloc(struct kunit *test)
{
	struct chain *c = kunit_kzalloc(test, sizeof(*c), GFP_KERNEL);
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, c);
	for (i = 0; i < LEN; i++)
		c->want[i] = i * 7 + (i >> 8);
	memcpy(c->lay.in, c->want, SHCA_CMD_INLINE);
	for (i = 0; i < BLOCKS; i++) {
		u32 at = SHCA_CMD_INLINE + i * MLX5_CMD_DATA_BLOCK_SIZE;

		memcpy(c->block[i].data, c->want + at,
		       min_t(u32, LEN - at, MLX5_CMD_DATA_BLOCK_SIZE));
		c->block[i].block_num = cpu_to_be32(i);
		c->block[i].token = TOKEN;
		if (i + 1 < BLOCKS)
			c->block[i].next = cpu_to_be64(BASE + (i + 1) * STEP);
	}
	c->lay.in_ptr = cpu_to_be64(BASE);
	c->lay.out_ptr = cpu_to_be64(BASE);
	c->lay.token = TOKEN;
	c->mbox.read = chain_read;
	c->mbox.write = chain_write;
	c->mbox.ctx = c;
	chain_sign(c);
	return c;
}

static enum shca_delivery gather(struct chain *c, bool checksum, u32 len)
{
	return shca_mbox_gather(&c->mbox, &c->lay, checksum, c->got, len);
}

static enum shca_delivery map(struct chain *c, bool checksum)
{
	return shca_mbox_map(&c->mbox, &c->lay, checksum, c->addr, LEN);
}

static void mailbox_counts_blocks(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, shca_mbox_blocks(0), 0);
	KUNIT_EXPECT_EQ(test, shca_mbox_blocks(16), 0);
	KUNIT_EXPECT_EQ(test, shca_mbox_blocks(17), 1);
	KUNIT_EXPECT_EQ(test, shca_mbox_blocks(16 + 512), 1);
	KUNIT_EXPECT_EQ(test, shca_mbox_blocks(16 + 513), 2);
}

static void mailbox_gathers_all(struct kunit *test)
{
	struct chain *c = chain_alloc(test);

	KUNIT_EXPECT_EQ(test, gather(c, true, LEN), SHCA_DELIVERY_OK);
	KUNIT_EXPECT_EQ(test, memcmp(c->got, c->want, LEN), 0);
}

static void mailbox_short_message_reads_no_block(struct kunit *test)
{
	struct chain *c = chain_alloc(test);

	c->lay.in_ptr = cpu_to_be64(BASE + 1);
	KUNIT_EXPECT_EQ(test, gather(c, true, 16), SHCA_DELIVERY_OK);
	KUNIT_EXPECT_EQ(test, gather(c, true, 8), SHCA_DELIVERY_OK);
}

static void mailbox_refuses_bad_pointers(struct kunit *test)
{
	struct chain *c = chain_alloc(test);

	c->lay.in_ptr = cpu_to_be64(BASE + 4);
	KUNIT_EXPECT_EQ(test, gather(c, false, LEN),
			SHCA_DELIVERY_IN_PTR_ALIGN);
	c->lay.out_ptr = cpu_to_be64(BASE + 4);
	KUNIT_EXPECT_EQ(test, map(c, false), SHCA_DELIVERY_OUT_PTR_ALIGN);
	c->lay.in_ptr = cpu_to_be64(BASE + BLOCKS * STEP);
	KUNIT_EXPECT_EQ(test, gather(c, false, LEN), SHCA_DELIVERY_FW);
}

static void mailbox_refuses_a_short_chain(struct kunit *test)
{
	struct chain *c = chain_alloc(test);

	c->block[1].next = 0;
	KUNIT_EXPECT_EQ(test, gather(c, false, LEN), SHCA_DELIVERY_IN_LENGTH);
	KUNIT_EXPECT_EQ(test, map(c, false), SHCA_DELIVERY_OUT_LENGTH);
}

static void mailbox_refuses_a_loop(struct kunit *test)
{
	struct chain *c = chain_alloc(test);

	c->block[1].next = cpu_to_be64(BASE);
	KUNIT_EXPECT_EQ(test, gather(c, false, LEN), SHCA_DELIVERY_BLOCK_NUM);
	KUNIT_EXPECT_EQ(test, map(c, false), SHCA_DELIVERY_BLOCK_NUM);
}

static void mailbox_refuses_a_wrong_token(struct kunit *test)
{
	struct chain *c = chain_alloc(test);

	c->block[2].token++;
	KUNIT_EXPECT_EQ(test, gather(c, false, LEN), SHCA_DELIVERY_TOKEN);
	KUNIT_EXPECT_EQ(test, map(c, false), SHCA_DELIVERY_TOKEN);
}

static void mailbox_checks_signatures_when_asked(struct kunit *test)
{
	struct chain *c = chain_alloc(test);

	c->block[1].data[3] ^= 1;
	KUNIT_EXPECT_EQ(test, gather(c, false, LEN), SHCA_DELIVERY_OK);
	KUNIT_EXPECT_EQ(test, gather(c, true, LEN), SHCA_DELIVERY_SIGNATURE);
	chain_sign(c);
	KUNIT_EXPECT_EQ(test, gather(c, true, LEN), SHCA_DELIVERY_OK);
	c->block[0].rsvd0[0] ^= 1;
	KUNIT_EXPECT_EQ(test, map(c, true), SHCA_DELIVERY_SIGNATURE);
}

static void mailbox_scatters_and_signs(struct kunit *test)
{
	struct chain *c = chain_alloc(test);
	unsigned int i;

	for (i = 0; i < BLOCKS; i++)
		memset(c->block[i].data, 0xee, sizeof(c->block[i].data));
	chain_sign(c);
	KUNIT_ASSERT_EQ(test, map(c, true), SHCA_DELIVERY_OK);
	KUNIT_ASSERT_EQ(test, shca_mbox_scatter(&c->mbox, &c->lay, true,
						c->addr, c->want, LEN), 0);
	KUNIT_EXPECT_EQ(test, memcmp(c->lay.out, c->want, 16), 0);
	KUNIT_EXPECT_EQ(test, memcmp(c->block[1].data, c->want + 16 + 512, 512),
			0);
	/* Behind the message the block stays as it was. */
	KUNIT_EXPECT_EQ(test, c->block[2].data[40], 0xee);
	for (i = 0; i < BLOCKS; i++) {
		KUNIT_EXPECT_EQ(test, sum(c->block[i].rsvd0, 63), 0);
		KUNIT_EXPECT_EQ(test, sum(&c->block[i],
					  sizeof(c->block[i])), 0);
	}
}

static void mailbox_answers_go_where_the_chain_led_first(struct kunit *test)
{
	struct chain *c = chain_alloc(test);

	KUNIT_ASSERT_EQ(test, map(c, false), SHCA_DELIVERY_OK);
	c->block[0].next = cpu_to_be64(BASE + 2 * STEP);
	memset(c->block[1].data, 0, sizeof(c->block[1].data));
	KUNIT_ASSERT_EQ(test, shca_mbox_scatter(&c->mbox, &c->lay, false,
						c->addr, c->want, LEN), 0);
	KUNIT_EXPECT_EQ(test, memcmp(c->block[1].data, c->want + 16 + 512, 512),
			0);
}

static void mailbox_signs_entries(struct kunit *test)
{
	struct mlx5_cmd_layout lay = { .type = 7, .token = 9 };

	shca_mbox_entry_sign(&lay);
	KUNIT_EXPECT_TRUE(test, shca_mbox_entry_good(&lay));
	KUNIT_EXPECT_EQ(test, sum(&lay, sizeof(lay)), 0);
	lay.token++;
	KUNIT_EXPECT_FALSE(test, shca_mbox_entry_good(&lay));
}

static struct kunit_case cases[] = {
	KUNIT_CASE(mailbox_counts_blocks),
	KUNIT_CASE(mailbox_gathers_all),
	KUNIT_CASE(mailbox_short_message_reads_no_block),
	KUNIT_CASE(mailbox_refuses_bad_pointers),
	KUNIT_CASE(mailbox_refuses_a_short_chain),
	KUNIT_CASE(mailbox_refuses_a_loop),
	KUNIT_CASE(mailbox_refuses_a_wrong_token),
	KUNIT_CASE(mailbox_checks_signatures_when_asked),
	KUNIT_CASE(mailbox_scatters_and_signs),
	KUNIT_CASE(mailbox_answers_go_where_the_chain_led_first),
	KUNIT_CASE(mailbox_signs_entries),
	{}
};

static struct kunit_suite suite = {
	.name = "softhca_fw_mailbox",
	.test_cases = cases,
};

kunit_test_suite(suite);
