// SPDX-License-Identifier: GPL-2.0
/* Queue memory: page lists, offsets, UMEMs, doorbell records. */
#include <linux/string.h>

#include "mem/fixture_kunit.h"

static void buf_addresses(struct kunit *test)
{
	u64 page[] = { 0x100000, 0x40000, 0x200000 };
	struct shca_buf buf = {
		.page = page, .npages = 3, .page_shift = 14,
		.offset = 0x3f00, .size = 0x5000,
	};
	u64 chunk;

	KUNIT_EXPECT_EQ(test, shca_buf_addr(&buf, 0, &chunk), 0x103f00ULL);
	KUNIT_EXPECT_EQ(test, chunk, 0x100ULL);
	KUNIT_EXPECT_EQ(test, shca_buf_addr(&buf, 0x100, &chunk), 0x40000ULL);
	KUNIT_EXPECT_EQ(test, chunk, 0x4000ULL);
	KUNIT_EXPECT_EQ(test, shca_buf_addr(&buf, 0x4101, &chunk), 0x200001ULL);
	KUNIT_EXPECT_EQ(test, chunk, 0x3fffULL);
}

static void buf_crosses_pages(struct kunit *test)
{
	struct kfn *kfn = kfn_alloc(test);
	/* Neighbours in the list, not in memory; the low bits are rights. */
	__be64 pas[] = { cpu_to_be64(kfn_bus(0x3000) | 3),
			 cpu_to_be64(kfn_bus(0x1000) | 3) };
	struct shca_buf_src src = { .pas = pas, .npas = 2, .page_shift = 12,
				    .page_offset = 0xfc0 };
	struct shca_buf buf;
	u8 out[128], in[128];

	memset(out, 0x5a, sizeof(out));
	KUNIT_ASSERT_EQ(test, shca_buf_init(&kfn->fn, &buf, &src, 0x100), 0);
	KUNIT_EXPECT_EQ(test, shca_buf_write(&kfn->fn, &buf, 0, out, 128), 0);
	KUNIT_EXPECT_EQ(test, *(u8 *)kfn_ptr(kfn, 0x3fff), 0x5a);
	KUNIT_EXPECT_EQ(test, *(u8 *)kfn_ptr(kfn, 0x103f), 0x5a);
	KUNIT_EXPECT_EQ(test, *(u8 *)kfn_ptr(kfn, 0x1040), 0);
	KUNIT_EXPECT_EQ(test, shca_buf_read(&kfn->fn, &buf, 0, in, 128), 0);
	KUNIT_EXPECT_EQ(test, memcmp(in, out, sizeof(in)), 0);
	/* An owned entry lies in one page. */
	KUNIT_EXPECT_EQ(test, shca_buf_write_owned(&kfn->fn, &buf, 0, out, 64),
			0);
	KUNIT_EXPECT_EQ(test, shca_buf_write_owned(&kfn->fn, &buf, 32, out, 64),
			-ERANGE);
	shca_buf_exit(&buf);
}

static void buf_bounds(struct kunit *test)
{
	struct kfn *kfn = kfn_alloc(test);
	struct shca_buf_src src;
	struct shca_buf buf;
	__be64 pas;
	u8 b[8];

	kfn_src(&src, &pas, 0x2000);
	KUNIT_ASSERT_EQ(test, shca_buf_init(&kfn->fn, &buf, &src, 0x100), 0);
	KUNIT_EXPECT_EQ(test, shca_buf_read(&kfn->fn, &buf, 0xf8, b, 8), 0);
	KUNIT_EXPECT_EQ(test, shca_buf_read(&kfn->fn, &buf, 0xf9, b, 8),
			-ERANGE);
	KUNIT_EXPECT_EQ(test, shca_buf_read(&kfn->fn, &buf, U64_MAX - 3, b, 8),
			-ERANGE);
	shca_buf_exit(&buf);
}

static void buf_bad_lists(struct kunit *test)
{
	struct kfn *kfn = kfn_alloc(test);
	struct shca_buf_src src;
	struct shca_buf buf;
	__be64 pas;

	kfn_src(&src, &pas, 0x2000);
	KUNIT_EXPECT_EQ(test, shca_buf_init(&kfn->fn, &buf, &src, 0x1001),
			-EINVAL);
	src.page_offset = 0x40;
	KUNIT_EXPECT_EQ(test, shca_buf_init(&kfn->fn, &buf, &src, 0x1000),
			-EINVAL);
	src.page_offset = 0x1000;
	KUNIT_EXPECT_EQ(test, shca_buf_init(&kfn->fn, &buf, &src, 0x10),
			-EINVAL);
	kfn_src(&src, &pas, 0x2000);
	src.page_shift = 11;
	KUNIT_EXPECT_EQ(test, shca_buf_init(&kfn->fn, &buf, &src, 0x10),
			-EINVAL);
	src.page_shift = 31;
	KUNIT_EXPECT_EQ(test, shca_buf_init(&kfn->fn, &buf, &src, 0x10),
			-EINVAL);
	kfn_src(&src, &pas, 0x2008);
	KUNIT_EXPECT_EQ(test, shca_buf_init(&kfn->fn, &buf, &src, 0x10),
			-EINVAL);
	kfn_src(&src, &pas, KFN_SIZE);
	KUNIT_EXPECT_EQ(test, shca_buf_init(&kfn->fn, &buf, &src, 0x10),
			-EFAULT);
	src.npas = 0;
	KUNIT_EXPECT_EQ(test, shca_buf_init(&kfn->fn, &buf, &src, 0x10),
			-EINVAL);
	KUNIT_EXPECT_EQ(test, shca_buf_init(&kfn->fn, &buf, &src, 0), 0);
}

static void make_umem(struct kunit *test, struct kfn *kfn, u16 uid, u32 *id)
{
	u32 ctx[MLX5_ST_SZ_DW(umem)] = {};
	__be64 mtt[] = { cpu_to_be64(kfn_bus(0x5000) | 3),
			 cpu_to_be64(kfn_bus(0x4000) | 3) };

	MLX5_SET64(umem, ctx, num_of_mtt, 2);
	MLX5_SET(umem, ctx, page_offset, 0x100);
	KUNIT_ASSERT_EQ(test, shca_umem_create(&kfn->fn, uid, ctx, mtt, 2, id),
			0);
	/* More pages than the list has. */
	KUNIT_EXPECT_EQ(test, shca_umem_create(&kfn->fn, uid, ctx, mtt, 1, id),
			-EINVAL);
}

static void buf_in_umem(struct kunit *test)
{
	struct kfn *kfn = kfn_alloc(test);
	struct shca_buf_src src = { .umem_valid = true, .uid = 7,
				    .umem_offset = 0xf00 };
	struct shca_buf buf;
	u64 chunk;
	u32 id;

	make_umem(test, kfn, 7, &id);
	src.umem_id = id;
	KUNIT_ASSERT_EQ(test, shca_buf_init(&kfn->fn, &buf, &src, 0x1000), 0);
	KUNIT_EXPECT_EQ(test, shca_buf_addr(&buf, 0, &chunk), kfn_bus(0x4000));
	/* Memory that a queue lies in stays. */
	KUNIT_EXPECT_EQ(test, shca_umem_destroy(&kfn->fn, 7, id), -EBUSY);
	shca_buf_exit(&buf);

	KUNIT_EXPECT_EQ(test, shca_buf_init(&kfn->fn, &buf, &src, 0x1001),
			-EINVAL);
	src.umem_offset = U64_MAX;
	KUNIT_EXPECT_EQ(test, shca_buf_init(&kfn->fn, &buf, &src, 2), -EINVAL);
	src.umem_offset = 0;
	src.uid = 8;
	KUNIT_EXPECT_EQ(test, shca_buf_init(&kfn->fn, &buf, &src, 2), -ENOENT);
	KUNIT_EXPECT_EQ(test, shca_umem_destroy(&kfn->fn, 8, id), -ENOENT);
	KUNIT_EXPECT_EQ(test, shca_umem_destroy(&kfn->fn, 7, id), 0);
}

static void buf_doorbell_record(struct kunit *test)
{
	struct kfn *kfn = kfn_alloc(test);
	struct shca_dbr dbr;
	u32 id;

	KUNIT_ASSERT_EQ(test, shca_dbr_init(&kfn->fn, &dbr, 0, false, 0,
					    kfn_bus(0xff8)), 0);
	KUNIT_EXPECT_EQ(test, dbr.addr, kfn_bus(0xff8));
	shca_dbr_exit(&dbr);
	KUNIT_EXPECT_EQ(test, shca_dbr_init(&kfn->fn, &dbr, 0, false, 0,
					    kfn_bus(0xffc)), -EINVAL);
	KUNIT_EXPECT_EQ(test, shca_dbr_init(&kfn->fn, &dbr, 0, false, 0,
					    kfn_bus(0x104)), -EINVAL);

	make_umem(test, kfn, 7, &id);
	KUNIT_ASSERT_EQ(test, shca_dbr_init(&kfn->fn, &dbr, 7, true, id, 0x40),
			0);
	KUNIT_EXPECT_EQ(test, dbr.addr, kfn_bus(0x5140));
	shca_dbr_exit(&dbr);
	KUNIT_EXPECT_EQ(test, shca_umem_destroy(&kfn->fn, 7, id), 0);
}

static struct kunit_case buf_cases[] = {
	KUNIT_CASE(buf_addresses),
	KUNIT_CASE(buf_crosses_pages),
	KUNIT_CASE(buf_bounds),
	KUNIT_CASE(buf_bad_lists),
	KUNIT_CASE(buf_in_umem),
	KUNIT_CASE(buf_doorbell_record),
	{}
};

static struct kunit_suite buf_suite = {
	.name = "softhca_mem_buf",
	.test_cases = buf_cases,
};

kunit_test_suite(buf_suite);
