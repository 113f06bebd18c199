// SPDX-License-Identifier: GPL-2.0
/* Memory keys: rights, bounds, keys behind keys. */
#include <linux/string.h>
#include <linux/mlx5/device.h>
#include <linux/mlx5/qp.h>

#include "mem/fixture_kunit.h"

#define PD	5
#define VA	0x7f0000000123ULL
#define LEN	0x40

static u32 make_key(struct kunit *test, struct kfn *kfn, u16 uid, u32 off)
{
	__be64 pas = cpu_to_be64(kfn_bus(off));
	u32 mkc[MLX5_ST_SZ_DW(mkc)];
	u32 index;

	kfn_mkc(mkc, PD, 0x42, VA, LEN);
	KUNIT_ASSERT_EQ(test, shca_mkey_create(&kfn->fn, uid, mkc, &pas,
					       sizeof(pas), NULL, &index), 0);
	return index << 8 | 0x42;
}

static int read_key(struct kfn *kfn, u32 key, u64 va, size_t len)
{
	u8 b[LEN * 2];

	return shca_mkey_read(&kfn->fn, PD, key, va, b, len, SHCA_LOCAL_READ);
}

static void mkey_rights(struct kunit *test)
{
	struct shca_mkey_attr attr = {
		.pd = PD, .key = 0x42, .local_read = true,
		.access = SHCA_LOCAL_WRITE | SHCA_REMOTE_READ,
		.start = VA, .len = LEN,
	};

	KUNIT_EXPECT_EQ(test, shca_mkey_allows(&attr, PD, 0x42, VA, LEN,
					       SHCA_LOCAL_READ), 0);
	KUNIT_EXPECT_EQ(test, shca_mkey_allows(&attr, PD, 0x42, VA, LEN,
					       SHCA_LOCAL_WRITE), 0);
	KUNIT_EXPECT_EQ(test, shca_mkey_allows(&attr, PD, 0x42, VA, LEN,
					       SHCA_REMOTE_WRITE), -EACCES);
	KUNIT_EXPECT_EQ(test, shca_mkey_allows(&attr, PD + 1, 0x42, VA, LEN,
					       SHCA_LOCAL_READ), -EACCES);
	KUNIT_EXPECT_EQ(test, shca_mkey_allows(&attr, PD, 0x43, VA, LEN,
					       SHCA_LOCAL_READ), -EINVAL);
	KUNIT_EXPECT_EQ(test, shca_mkey_allows(&attr, SHCA_PD_ANY, 0x42, VA,
					       LEN, SHCA_LOCAL_READ), 0);
	attr.local_read = false;
	KUNIT_EXPECT_EQ(test, shca_mkey_allows(&attr, PD, 0x42, VA, LEN,
					       SHCA_LOCAL_READ), -EACCES);
	attr.free = true;
	KUNIT_EXPECT_EQ(test, shca_mkey_allows(&attr, PD, 0x42, VA, LEN,
					       SHCA_LOCAL_WRITE), -EINVAL);
}

static void mkey_bounds(struct kunit *test)
{
	struct shca_mkey_attr attr = {
		.access = SHCA_LOCAL_WRITE, .start = VA, .len = LEN,
	};
	static const struct { u64 va, len; int err; } probe[] = {
		{ VA, LEN, 0 }, { VA + LEN, 0, 0 }, { VA + LEN - 1, 1, 0 },
		{ VA - 1, 1, -ERANGE }, { VA, LEN + 1, -ERANGE },
		{ VA + LEN, 1, -ERANGE }, { VA + 1, U64_MAX, -ERANGE },
		{ U64_MAX, 2, -ERANGE },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(probe); i++)
		KUNIT_EXPECT_EQ(test, shca_mkey_allows(&attr, 0, 0, probe[i].va,
						       probe[i].len,
						       SHCA_LOCAL_WRITE),
				probe[i].err);
	attr.length64 = true;
	KUNIT_EXPECT_EQ(test, shca_mkey_allows(&attr, 0, 0, U64_MAX, 2,
					       SHCA_LOCAL_WRITE), 0);
}

static void mkey_translates(struct kunit *test)
{
	struct kfn *kfn = kfn_alloc(test);
	u32 key = make_key(test, kfn, 0, 0x6000);

	KUNIT_EXPECT_EQ(test, shca_mkey_write(&kfn->fn, PD, key, VA + 2, "ab",
					      2, SHCA_LOCAL_WRITE), 0);
	/* The first page is entered where the address says. */
	KUNIT_EXPECT_EQ(test, memcmp(kfn_ptr(kfn, 0x6125), "ab", 2), 0);
	KUNIT_EXPECT_EQ(test, read_key(kfn, key, VA, LEN), 0);
	KUNIT_EXPECT_EQ(test, read_key(kfn, key, VA, LEN + 1), -ERANGE);
	KUNIT_EXPECT_EQ(test, read_key(kfn, key ^ 1, VA, 1), -EINVAL);
	KUNIT_EXPECT_EQ(test, read_key(kfn, key + 0x100, VA, 1), -EINVAL);
	kfn->hole = kfn_bus(0x6000);
	KUNIT_EXPECT_EQ(test, read_key(kfn, key, VA, 1), -EFAULT);
	kfn->hole = 0;
	KUNIT_EXPECT_EQ(test, shca_mkey_destroy(&kfn->fn, 0, key >> 8), 0);
	KUNIT_EXPECT_EQ(test, read_key(kfn, key, VA, 1), -EINVAL);
}

static void mkey_bad_contexts(struct kunit *test)
{
	struct kfn *kfn = kfn_alloc(test);
	__be64 pas = cpu_to_be64(kfn_bus(0));
	u32 mkc[MLX5_ST_SZ_DW(mkc)];
	u32 index;

	kfn_mkc(mkc, PD, 1, 0, SZ_4K + 1);
	KUNIT_EXPECT_EQ(test, shca_mkey_create(&kfn->fn, 0, mkc, &pas, 8, NULL,
					       &index), -EINVAL);
	/* The bus as a whole is the kernel's. */
	kfn_mkc(mkc, PD, 1, 0, 0);
	MLX5_SET(mkc, mkc, access_mode_1_0, MLX5_MKC_ACCESS_MODE_PA);
	MLX5_SET(mkc, mkc, length64, 1);
	KUNIT_EXPECT_EQ(test, shca_mkey_create(&kfn->fn, 7, mkc, &pas, 0, NULL,
					       &index), -EACCES);
	KUNIT_ASSERT_EQ(test, shca_mkey_create(&kfn->fn, 0, mkc, &pas, 0, NULL,
					       &index), 0);
	KUNIT_EXPECT_EQ(test, read_key(kfn, index << 8 | 1, kfn_bus(0x10), 4),
			0);
	KUNIT_EXPECT_EQ(test, shca_mkey_destroy(&kfn->fn, 0, index), 0);
}

static void set_klm(struct mlx5_klm *klm, u32 len, u32 key, u64 va)
{
	klm->bcount = cpu_to_be32(len);
	klm->key = cpu_to_be32(key);
	klm->va = cpu_to_be64(va);
}

static u32 make_klm(struct kunit *test, struct kfn *kfn, u16 uid,
		    const struct mlx5_klm *klm, u32 n, u64 len)
{
	u32 mkc[MLX5_ST_SZ_DW(mkc)];
	u32 index;

	kfn_mkc(mkc, PD, 9, 0, len);
	MLX5_SET(mkc, mkc, access_mode_1_0, MLX5_MKC_ACCESS_MODE_KLMS);
	KUNIT_ASSERT_EQ(test, shca_mkey_create(&kfn->fn, uid, mkc, klm,
					       n * sizeof(*klm), NULL, &index),
			0);
	return index << 8 | 9;
}

static void mkey_behind_keys(struct kunit *test)
{
	struct kfn *kfn = kfn_alloc(test);
	u32 a = make_key(test, kfn, 7, 0x6000);
	u32 b = make_key(test, kfn, 8, 0x7000);
	struct mlx5_klm klm[3];
	u32 key;
	u8 got[6];

	memcpy(kfn_ptr(kfn, 0x6123), "abcd", 4);
	set_klm(&klm[0], 2, a, VA + 2);
	set_klm(&klm[1], 0, a, VA);
	set_klm(&klm[2], 2, a, VA);
	key = make_klm(test, kfn, 7, klm, 3, 4);
	KUNIT_EXPECT_EQ(test, shca_mkey_read(&kfn->fn, PD, key, 0, got, 4,
					     SHCA_LOCAL_READ), 0);
	KUNIT_EXPECT_EQ(test, memcmp(got, "cdab", 4), 0);

	/* Another user's key cannot be reached, nor the list's end passed. */
	set_klm(&klm[0], 4, b, VA);
	key = make_klm(test, kfn, 7, klm, 1, 4);
	KUNIT_EXPECT_EQ(test, read_key(kfn, key, 0, 4), -EINVAL);
	set_klm(&klm[0], 2, a, VA);
	key = make_klm(test, kfn, 7, klm, 1, 4);
	KUNIT_EXPECT_EQ(test, read_key(kfn, key, 0, 4), -ERANGE);
	shca_mem_uid_gone(&kfn->fn, 7);
	KUNIT_EXPECT_EQ(test, shca_mem_mkeys(&kfn->fn), 1U);
	shca_mem_uid_gone(&kfn->fn, 8);
	KUNIT_EXPECT_EQ(test, shca_mem_mkeys(&kfn->fn), 0U);
}

static void mkey_circle_ends(struct kunit *test)
{
	struct kfn *kfn = kfn_alloc(test);
	struct mlx5_klm klm;
	u32 first, next;

	/* The next number is known: keys are numbered in order. */
	set_klm(&klm, 4, 0, 0);
	first = make_klm(test, kfn, 0, &klm, 1, 4);
	set_klm(&klm, 4, first + 0x100, 0);
	next = make_klm(test, kfn, 0, &klm, 1, 4);
	KUNIT_ASSERT_EQ(test, next, first + 0x100);
	KUNIT_EXPECT_EQ(test, read_key(kfn, next, 0, 4), -EINVAL);
	shca_mem_fn_reset(&kfn->fn);
}

/* What a peer may take away by a SEND with invalidate. */
static void mkey_peer_invalidates(struct kunit *test)
{
	static const u32 qpn = 0x11, any = 0xffffff;
	struct kfn *kfn = kfn_alloc(test);
	u32 key = make_key(test, kfn, 0, 0), mkc[MLX5_ST_SZ_DW(mkc)], index;
	__be64 pas = cpu_to_be64(kfn_bus(0));
	struct shca_fn *fn = &kfn->fn;

	/* A memory region as processes have them. */
	KUNIT_EXPECT_EQ(test, shca_mkey_invalidate(fn, PD, qpn, key), -EACCES);

	kfn_mkc(mkc, PD, 0x42, VA, LEN);
	MLX5_SET(mkc, mkc, en_rinval, 1);
	MLX5_SET(mkc, mkc, qpn, qpn);
	KUNIT_ASSERT_EQ(test, shca_mkey_create(fn, 0, mkc, &pas, sizeof(pas),
					       NULL, &index), 0);
	key = index << 8 | 0x42;
	KUNIT_EXPECT_EQ(test, shca_mkey_invalidate(fn, PD + 1, qpn, key),
			-EACCES);
	KUNIT_EXPECT_EQ(test, shca_mkey_invalidate(fn, PD, qpn + 1, key),
			-EACCES);
	KUNIT_EXPECT_EQ(test, shca_mkey_invalidate(fn, PD, qpn, key ^ 1),
			-EINVAL);
	KUNIT_EXPECT_EQ(test, read_key(kfn, key, VA, 1), 0);
	KUNIT_EXPECT_EQ(test, shca_mkey_invalidate(fn, PD, qpn, key), 0);
	KUNIT_EXPECT_EQ(test, read_key(kfn, key, VA, 1), -EINVAL);
	KUNIT_EXPECT_EQ(test, shca_mkey_invalidate(fn, PD, qpn, key), -EINVAL);

	MLX5_SET(mkc, mkc, qpn, any);
	KUNIT_ASSERT_EQ(test, shca_mkey_create(fn, 0, mkc, &pas, sizeof(pas),
					       NULL, &index), 0);
	KUNIT_EXPECT_EQ(test, shca_mkey_invalidate(fn, PD, qpn,
						   index << 8 | 0x42), 0);
	shca_mem_fn_reset(fn);
}

static struct kunit_case mkey_cases[] = {
	KUNIT_CASE(mkey_rights),
	KUNIT_CASE(mkey_bounds),
	KUNIT_CASE(mkey_translates),
	KUNIT_CASE(mkey_bad_contexts),
	KUNIT_CASE(mkey_behind_keys),
	KUNIT_CASE(mkey_circle_ends),
	KUNIT_CASE(mkey_peer_invalidates),
	{}
};

static struct kunit_suite mkey_suite = {
	.name = "softhca_mem_mkey",
	.test_cases = mkey_cases,
};

kunit_test_suite(mkey_suite);
