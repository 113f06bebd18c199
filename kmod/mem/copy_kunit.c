// SPDX-License-Identifier: GPL-2.0
/* Copies from key to key: pieces of both sides that end in different places. */
#include <linux/string.h>
#include <linux/mlx5/device.h>
#include <linux/mlx5/qp.h>

#include "mem/fixture_kunit.h"

#define PD	5
#define KEY	0x42
#define PAGES	3
#define START	0x7f0000000e80ULL	/* enters its first page at 0xe80 */
#define LEN	0x2000

/* A key over three pages that are neighbours in the list only. */
static u32 make_key(struct kunit *test, struct kfn *kfn, const u32 *page)
{
	u32 mkc[MLX5_ST_SZ_DW(mkc)];
	__be64 pas[PAGES];
	u32 index, i;

	for (i = 0; i < PAGES; i++)
		pas[i] = cpu_to_be64(kfn_bus(page[i]));
	kfn_mkc(mkc, PD, KEY, START, LEN);
	KUNIT_ASSERT_EQ(test, shca_mkey_create(&kfn->fn, 0, mkc, pas,
					       sizeof(pas), NULL, &index), 0);
	return index << 8 | KEY;
}

/* A key of @n pieces of @child, @size bytes each, from the last to the first. */
static u32 make_klm(struct kunit *test, struct kfn *kfn, u32 child, u32 n,
		    u32 size)
{
	u32 mkc[MLX5_ST_SZ_DW(mkc)], index, i;
	struct mlx5_klm klm[8];

	KUNIT_ASSERT_LE(test, n, (u32)ARRAY_SIZE(klm));
	for (i = 0; i < n; i++) {
		klm[i].bcount = cpu_to_be32(size);
		klm[i].key = cpu_to_be32(child);
		klm[i].va = cpu_to_be64(START + (n - 1 - i) * size);
	}
	kfn_mkc(mkc, PD, KEY, 0, n * size);
	MLX5_SET(mkc, mkc, access_mode_1_0, MLX5_MKC_ACCESS_MODE_KLMS);
	KUNIT_ASSERT_EQ(test, shca_mkey_create(&kfn->fn, 0, mkc, klm,
					       n * sizeof(*klm), NULL, &index),
			0);
	return index << 8 | KEY;
}

static const u32 low_pages[PAGES] = { 0x3000, 0x1000, 0x2000 };
static const u32 high_pages[PAGES] = { 0x8000, 0xa000, 0x9000 };

/* Byte @off of a key made by make_key(). */
static u8 *byte_at(struct kfn *kfn, const u32 *page, u32 off)
{
	off += START & ~PAGE_MASK;
	return kfn_ptr(kfn, page[off >> PAGE_SHIFT] + (off & ~PAGE_MASK));
}

static void fill(struct kfn *kfn, const u32 *page)
{
	u32 i;

	for (i = 0; i < LEN; i++)
		*byte_at(kfn, page, i) = i * 7 + (i >> 8);
}

static u8 expected(u32 i)
{
	return i * 7 + (i >> 8);
}

static struct shca_span span_of(struct kfn *kfn, u32 key, u64 va, u32 access)
{
	return (struct shca_span){ .fn = &kfn->fn, .pd = PD, .key = key,
				   .va = va, .access = access };
}

static int copy(struct kfn *a, u32 from, u64 from_va, struct kfn *b, u32 to,
		u64 to_va, size_t len, bool *src_failed)
{
	struct shca_span src = span_of(a, from, from_va, SHCA_LOCAL_READ);
	struct shca_span dst = span_of(b, to, to_va, SHCA_LOCAL_WRITE);

	return shca_mkey_copy(&src, &dst, len, src_failed);
}

static void copy_across_pages(struct kunit *test)
{
	struct kfn *a = kfn_alloc(test), *b = kfn_alloc(test);
	u32 from = make_key(test, a, low_pages);
	u32 to = make_key(test, b, high_pages);
	u32 i, bad = 0;
	bool src;

	/* The two sides come to the ends of their pages at different bytes. */
	fill(a, low_pages);
	KUNIT_EXPECT_EQ(test, copy(a, from, START + 3, b, to, START + 0x101,
				   LEN - 0x101, &src), 0);
	for (i = 0; i < LEN - 0x101; i++)
		bad += *byte_at(b, high_pages, i + 0x101) != expected(i + 3);
	KUNIT_EXPECT_EQ(test, bad, 0U);
	KUNIT_EXPECT_EQ(test, *byte_at(b, high_pages, 0x100), 0);
	shca_mem_fn_reset(&a->fn);
	shca_mem_fn_reset(&b->fn);
}

static void copy_behind_keys(struct kunit *test)
{
	struct kfn *a = kfn_alloc(test), *b = kfn_alloc(test);
	u32 from = make_klm(test, a, make_key(test, a, low_pages), 5, 0x100);
	u32 to = make_klm(test, b, make_key(test, b, high_pages), 4, 0x140);
	u32 i, at, bad = 0;
	bool src;

	fill(a, low_pages);
	KUNIT_EXPECT_EQ(test, copy(a, from, 0, b, to, 0, 0x500, &src), 0);
	for (i = 0; i < 0x500; i++) {
		at = (3 - i / 0x140) * 0x140 + i % 0x140;
		bad += *byte_at(b, high_pages, at) !=
		       expected((4 - i / 0x100) * 0x100 + i % 0x100);
	}
	KUNIT_EXPECT_EQ(test, bad, 0U);
	shca_mem_fn_reset(&a->fn);
	shca_mem_fn_reset(&b->fn);
}

static void copy_within_a_key(struct kunit *test)
{
	struct kfn *kfn = kfn_alloc(test);
	u32 key = make_key(test, kfn, low_pages);
	u32 i, bad = 0;
	bool src;

	/* Overlapping inside one page: as if it were not. */
	fill(kfn, low_pages);
	KUNIT_EXPECT_EQ(test, copy(kfn, key, START + 0x200, kfn, key,
				   START + 0x210, 0x100, &src), 0);
	for (i = 0; i < 0x100; i++)
		bad += *byte_at(kfn, low_pages, 0x210 + i) !=
		       expected(0x200 + i);
	KUNIT_EXPECT_EQ(test, bad, 0U);
	KUNIT_EXPECT_EQ(test, copy(kfn, key, START, kfn, key, START, LEN, &src),
			0);
	shca_mem_fn_reset(&kfn->fn);
}

static void copy_says_which_side(struct kunit *test)
{
	struct kfn *a = kfn_alloc(test), *b = kfn_alloc(test);
	u32 from = make_key(test, a, low_pages);
	u32 to = make_key(test, b, high_pages);
	bool src;

	KUNIT_EXPECT_EQ(test, copy(a, from ^ 1, START, b, to, START, 1, &src),
			-EINVAL);
	KUNIT_EXPECT_TRUE(test, src);
	KUNIT_EXPECT_EQ(test, copy(a, from, START, b, to ^ 1, START, 1, &src),
			-EINVAL);
	KUNIT_EXPECT_FALSE(test, src);
	KUNIT_EXPECT_EQ(test, copy(a, from, START + 1, b, to, START, LEN, &src),
			-ERANGE);
	KUNIT_EXPECT_TRUE(test, src);
	KUNIT_EXPECT_EQ(test, copy(a, from, START, b, to, START + 1, LEN, &src),
			-ERANGE);
	KUNIT_EXPECT_FALSE(test, src);
	a->hole = kfn_bus(low_pages[1]);
	KUNIT_EXPECT_EQ(test, copy(a, from, START, b, to, START, LEN, &src),
			-EFAULT);
	KUNIT_EXPECT_TRUE(test, src);
	a->hole = 0;
	b->dma_off = true;
	KUNIT_EXPECT_EQ(test, copy(a, from, START, b, to, START, LEN, &src),
			-EACCES);
	KUNIT_EXPECT_FALSE(test, src);
	shca_mem_fn_reset(&a->fn);
	shca_mem_fn_reset(&b->fn);
}

static struct kunit_case copy_cases[] = {
	KUNIT_CASE(copy_across_pages),
	KUNIT_CASE(copy_behind_keys),
	KUNIT_CASE(copy_within_a_key),
	KUNIT_CASE(copy_says_which_side),
	{}
};

static struct kunit_suite copy_suite = {
	.name = "softhca_mem_copy",
	.test_cases = copy_cases,
};

kunit_test_suite(copy_suite);
