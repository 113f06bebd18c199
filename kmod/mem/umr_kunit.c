// SPDX-License-Identifier: GPL-2.0
/* UMR: who may change what of a key; lists of pages; memory windows. */
#include <linux/string.h>
#include <linux/mlx5/device.h>
#include <linux/mlx5/qp.h>

#include "mem/fixture_kunit.h"

#define PD	5
#define QPN	0x77
#define KEY	0x42
#define VA	0x7f0000000123ULL
#define LEN	0x40

/* A request of the kernel's, and the list that it brings. */
struct ask {
	struct shca_umr umr;
	u32 mkc[MLX5_ST_SZ_DW(mkc)];
	union {
		__be64 mtt[16];
		struct mlx5_klm klm[8];
	};
	u32 good;		/* bytes of the list that can be read */
};

static int ask_fetch(void *ctx, u32 off, void *dst, u32 len)
{
	struct ask *ask = ctx;

	if (off + len > ask->good)
		return -EFAULT;
	memcpy(dst, (u8 *)ask->mtt + off, len);
	return 0;
}

static struct ask *ask_alloc(struct kunit *test, u32 key)
{
	struct ask *ask = kunit_kzalloc(test, sizeof(*ask), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, ask);
	ask->umr.key = key;
	ask->umr.pd = PD;
	ask->umr.qpn = QPN;
	ask->umr.kernel = true;
	ask->umr.mkc = ask->mkc;
	ask->umr.fetch = ask_fetch;
	ask->umr.ctx = ask;
	ask->good = sizeof(ask->mtt);
	return ask;
}

/* A key over one page. */
static u32 make_key(struct kunit *test, struct kfn *kfn, u32 off)
{
	__be64 pas = cpu_to_be64(kfn_bus(off));
	u32 mkc[MLX5_ST_SZ_DW(mkc)];
	u32 index;

	kfn_mkc(mkc, PD, KEY, VA, LEN);
	KUNIT_ASSERT_EQ(test, shca_mkey_create(&kfn->fn, 0, mkc, &pas,
					       sizeof(pas), NULL, &index), 0);
	return index << 8 | KEY;
}

/* A free key of @mode that waits for its list. */
static u32 make_empty(struct kunit *test, struct kfn *kfn, u16 uid, u8 mode,
		      u32 octowords)
{
	u32 mkc[MLX5_ST_SZ_DW(mkc)];
	u32 index;

	kfn_mkc(mkc, PD, KEY, 0, 0);
	MLX5_SET(mkc, mkc, free, 1);
	MLX5_SET(mkc, mkc, access_mode_1_0, mode);
	MLX5_SET(mkc, mkc, translations_octword_size, octowords);
	KUNIT_ASSERT_EQ(test, shca_mkey_create(&kfn->fn, uid, mkc, NULL, 0,
					       NULL, &index), 0);
	return index << 8 | KEY;
}

static int read_key(struct kfn *kfn, u32 key, u64 va, void *dst, size_t len)
{
	return shca_mkey_read(&kfn->fn, PD, key, va, dst, len, SHCA_LOCAL_READ);
}

static void umr_rights(struct kunit *test)
{
	struct kfn *kfn = kfn_alloc(test);
	u32 key = make_key(test, kfn, 0x6000);
	struct ask *ask = ask_alloc(test, key);
	u8 b[LEN];

	MLX5_SET(mkc, ask->mkc, free, 1);
	MLX5_SET(mkc, ask->mkc, pd, PD);
	ask->umr.mask = MLX5_MKEY_MASK_FREE | MLX5_MKEY_MASK_PD;
	ask->umr.key ^= 1;
	KUNIT_EXPECT_EQ(test, shca_mkey_umr(&kfn->fn, &ask->umr), -EINVAL);
	ask->umr.key = key;
	ask->umr.flags = MLX5_UMR_CHECK_NOT_FREE;	/* is it free? no */
	KUNIT_EXPECT_EQ(test, shca_mkey_umr(&kfn->fn, &ask->umr), -EACCES);
	ask->umr.flags = 0;
	ask->umr.mask |= MLX5_MKEY_MASK_BSF_EN;
	KUNIT_EXPECT_EQ(test, shca_mkey_umr(&kfn->fn, &ask->umr), -EOPNOTSUPP);
	KUNIT_EXPECT_EQ(test, read_key(kfn, key, VA, b, 1), 0);

	ask->umr.mask &= ~MLX5_MKEY_MASK_BSF_EN;
	ask->umr.flags = MLX5_UMR_CHECK_FREE;
	KUNIT_EXPECT_EQ(test, shca_mkey_umr(&kfn->fn, &ask->umr), 0);
	KUNIT_EXPECT_EQ(test, read_key(kfn, key, VA, b, 1), -EINVAL);
	KUNIT_EXPECT_EQ(test, shca_mkey_umr(&kfn->fn, &ask->umr), -EACCES);

	/* With a new byte, which the request already names the key by. */
	MLX5_SET(mkc, ask->mkc, free, 0);
	MLX5_SET(mkc, ask->mkc, mkey_7_0, KEY + 1);
	ask->umr.key = key + 1;
	ask->umr.flags = MLX5_UMR_CHECK_NOT_FREE;
	ask->umr.mask |= MLX5_MKEY_MASK_KEY;
	KUNIT_EXPECT_EQ(test, shca_mkey_umr(&kfn->fn, &ask->umr), 0);
	KUNIT_EXPECT_EQ(test, read_key(kfn, key, VA, b, 1), -EINVAL);
	/* What the mask did not name is as it was. */
	KUNIT_EXPECT_EQ(test, read_key(kfn, key + 1, VA, b, LEN), 0);
	/* A key that was made with its pages keeps them. */
	ask->umr.flags = 0;
	ask->umr.n = 1;
	KUNIT_EXPECT_EQ(test, shca_mkey_umr(&kfn->fn, &ask->umr), -EOPNOTSUPP);
	ask->umr.n = 0;
	ask->umr.mask = MLX5_MKEY_MASK_LEN;
	KUNIT_EXPECT_EQ(test, shca_mkey_umr(&kfn->fn, &ask->umr), -EOPNOTSUPP);
	shca_mem_fn_reset(&kfn->fn);
}

/* Turns a key without pages into one over @npages of them. */
static void ask_pages(struct ask *ask, u64 start, u64 len)
{
	MLX5_SET64(mkc, ask->mkc, start_addr, start);
	MLX5_SET64(mkc, ask->mkc, len, len);
	MLX5_SET(mkc, ask->mkc, log_page_size, PAGE_SHIFT);
	MLX5_SET(mkc, ask->mkc, lr, 1);
	MLX5_SET(mkc, ask->mkc, lw, 1);
	ask->umr.flags = MLX5_UMR_CHECK_NOT_FREE;
	ask->umr.mask = MLX5_MKEY_MASK_FREE | MLX5_MKEY_MASK_LEN |
			MLX5_MKEY_MASK_START_ADDR | MLX5_MKEY_MASK_PAGE_SIZE |
			MLX5_MKEY_MASK_LR | MLX5_MKEY_MASK_LW;
	/* Lists come in multiples of 64 bytes, whatever the key asked for. */
	ask->umr.n = 4;
}

static void umr_pages(struct kunit *test)
{
	struct kfn *kfn = kfn_alloc(test);
	u32 key = make_empty(test, kfn, 0, MLX5_MKC_ACCESS_MODE_MTT, 1);
	struct ask *ask = ask_alloc(test, key);
	char b[4];

	ask_pages(ask, 0xffe, 0x1002);
	ask->mtt[0] = cpu_to_be64(kfn_bus(0x8000) | 3);
	ask->mtt[1] = cpu_to_be64(kfn_bus(0x6000) | 3);
	memcpy(kfn_ptr(kfn, 0x8ffe), "ab", 2);
	memcpy(kfn_ptr(kfn, 0x6000), "cd", 2);
	memcpy(kfn_ptr(kfn, 0x7000), "ef", 2);
	KUNIT_EXPECT_EQ(test, read_key(kfn, key, 0, b, 1), -EINVAL);
	KUNIT_ASSERT_EQ(test, shca_mkey_umr(&kfn->fn, &ask->umr), 0);
	KUNIT_EXPECT_EQ(test, read_key(kfn, key, 0xffe, b, 4), 0);
	KUNIT_EXPECT_EQ(test, memcmp(b, "abcd", 4), 0);
	KUNIT_EXPECT_EQ(test, read_key(kfn, key, 0xffe, b, 0x1003), -ERANGE);

	/* The second page and what follows, at an offset. */
	ask->umr.mask = 0;
	ask->umr.flags = MLX5_UMR_CHECK_FREE;
	ask->umr.n = 1;
	ask->mtt[1] = cpu_to_be64(kfn_bus(0x7000) | 3);
	KUNIT_ASSERT_EQ(test, shca_mkey_umr(&kfn->fn, &ask->umr), 0);
	KUNIT_EXPECT_EQ(test, read_key(kfn, key, 0x1000, b, 2), 0);
	KUNIT_EXPECT_EQ(test, memcmp(b, "ef", 2), 0);
	ask->umr.first = 4;
	KUNIT_EXPECT_EQ(test, shca_mkey_umr(&kfn->fn, &ask->umr), -ERANGE);
	ask->umr.first = U64_MAX;
	KUNIT_EXPECT_EQ(test, shca_mkey_umr(&kfn->fn, &ask->umr), -ERANGE);
	shca_mem_fn_reset(&kfn->fn);
}

static void umr_bad_lists(struct kunit *test)
{
	struct kfn *kfn = kfn_alloc(test);
	u32 key = make_empty(test, kfn, 0, MLX5_MKC_ACCESS_MODE_MTT, 4);
	struct ask *ask = ask_alloc(test, key);
	char b[4];

	ask_pages(ask, 0, 0x1000);
	ask->mtt[0] = cpu_to_be64(kfn_bus(0x8000) | 3);
	MLX5_SET(mkc, ask->mkc, log_page_size, 3);
	KUNIT_EXPECT_EQ(test, shca_mkey_umr(&kfn->fn, &ask->umr), -EINVAL);
	MLX5_SET(mkc, ask->mkc, log_page_size, PAGE_SHIFT);
	MLX5_SET(mkc, ask->mkc, length64, 1);
	KUNIT_EXPECT_EQ(test, shca_mkey_umr(&kfn->fn, &ask->umr), -EINVAL);
	MLX5_SET(mkc, ask->mkc, length64, 0);
	KUNIT_ASSERT_EQ(test, shca_mkey_umr(&kfn->fn, &ask->umr), 0);
	KUNIT_EXPECT_EQ(test, read_key(kfn, key, 0, b, 4), 0);
	/* A length for which there are no pages. */
	ask->umr.flags = 0;
	ask->umr.n = 0;
	MLX5_SET64(mkc, ask->mkc, len, 0x100000);
	KUNIT_ASSERT_EQ(test, shca_mkey_umr(&kfn->fn, &ask->umr), 0);
	KUNIT_EXPECT_EQ(test, read_key(kfn, key, 0x1000, b, 4), -EFAULT);
	KUNIT_EXPECT_EQ(test, read_key(kfn, key, 0xfffff, b, 1), -EFAULT);
	/* One that ends too early is used by nobody. */
	ask->umr.n = 4;
	ask->good = 0x20;
	KUNIT_EXPECT_EQ(test, shca_mkey_umr(&kfn->fn, &ask->umr), -EFAULT);
	KUNIT_EXPECT_EQ(test, read_key(kfn, key, 0, b, 4), -EINVAL);
	shca_mem_fn_reset(&kfn->fn);
}

/* A window on @parent, for the request's own queue pair. */
static void ask_window(struct ask *ask, u32 parent)
{
	ask->klm[0].bcount = cpu_to_be32(LEN);
	ask->klm[0].key = cpu_to_be32(parent);
	ask->klm[0].va = cpu_to_be64(VA);
	MLX5_SET64(mkc, ask->mkc, start_addr, VA);
	MLX5_SET64(mkc, ask->mkc, len, LEN);
	MLX5_SET(mkc, ask->mkc, rr, 1);
	MLX5_SET(mkc, ask->mkc, rw, 1);
	MLX5_SET(mkc, ask->mkc, qpn, QPN);
	ask->umr.kernel = false;
	ask->umr.n = 4;
	ask->umr.flags = MLX5_UMR_CHECK_NOT_FREE;
	ask->umr.mask = MLX5_MKEY_MASK_FREE | MLX5_MKEY_MASK_LEN |
			MLX5_MKEY_MASK_START_ADDR | MLX5_MKEY_MASK_QPN |
			MLX5_MKEY_MASK_RR | MLX5_MKEY_MASK_RW;
}

static int peer_access(struct kfn *kfn, u32 qpn, u32 key, u32 access)
{
	struct shca_span span = {
		.fn = &kfn->fn, .pd = PD, .qpn = qpn, .key = key, .va = VA,
		.access = access,
	};
	struct shca_run run;

	return shca_mkey_remote_check(&span, LEN) ?:
	       shca_xlate(&span, LEN, &run);
}

static void umr_windows(struct kunit *test)
{
	struct kfn *kfn = kfn_alloc(test);
	u32 parent = make_key(test, kfn, 0x6000);
	u32 key = make_empty(test, kfn, 0, MLX5_MKC_ACCESS_MODE_KLMS, 4);
	struct ask *ask = ask_alloc(test, key);

	ask_window(ask, parent);
	KUNIT_EXPECT_EQ(test, peer_access(kfn, QPN, key, SHCA_REMOTE_READ),
			-EINVAL);
	KUNIT_ASSERT_EQ(test, shca_mkey_umr(&kfn->fn, &ask->umr), 0);
	/* The window gives rights that the region itself does not. */
	KUNIT_EXPECT_EQ(test, peer_access(kfn, QPN, parent, SHCA_REMOTE_READ),
			-EACCES);
	KUNIT_EXPECT_EQ(test, peer_access(kfn, QPN, key, SHCA_REMOTE_READ), 0);
	KUNIT_EXPECT_EQ(test, peer_access(kfn, QPN, key, SHCA_REMOTE_WRITE), 0);
	KUNIT_EXPECT_EQ(test, peer_access(kfn, QPN, key, SHCA_REMOTE_ATOMIC),
			-EACCES);
	/* But only through the queue pair that it was bound on. */
	KUNIT_EXPECT_EQ(test, peer_access(kfn, QPN + 1, key, SHCA_REMOTE_READ),
			-EACCES);
	KUNIT_EXPECT_EQ(test, shca_mkey_umr(&kfn->fn, &ask->umr), -EACCES);
	ask->umr.flags = 0;
	ask->umr.qpn = QPN + 1;
	KUNIT_EXPECT_EQ(test, shca_mkey_umr(&kfn->fn, &ask->umr), -EACCES);
	KUNIT_EXPECT_EQ(test, shca_mkey_destroy(&kfn->fn, 0, parent >> 8), 0);
	KUNIT_EXPECT_EQ(test, peer_access(kfn, QPN, key, SHCA_REMOTE_READ),
			-EINVAL);
	shca_mem_fn_reset(&kfn->fn);
}

/* A region that may not be written is not written through a window either. */
static void umr_window_on_read_only(struct kunit *test)
{
	struct kfn *kfn = kfn_alloc(test);
	u32 parent = make_key(test, kfn, 0x6000);
	u32 key = make_empty(test, kfn, 0, MLX5_MKC_ACCESS_MODE_KLMS, 4);
	struct ask *ask = ask_alloc(test, parent);

	ask->umr.mask = MLX5_MKEY_MASK_LW;
	KUNIT_ASSERT_EQ(test, shca_mkey_umr(&kfn->fn, &ask->umr), 0);
	ask->umr.key = key;
	ask_window(ask, parent);
	KUNIT_ASSERT_EQ(test, shca_mkey_umr(&kfn->fn, &ask->umr), 0);
	KUNIT_EXPECT_EQ(test, peer_access(kfn, QPN, key, SHCA_REMOTE_READ), 0);
	KUNIT_EXPECT_EQ(test, peer_access(kfn, QPN, key, SHCA_REMOTE_WRITE),
			-EACCES);
	shca_mem_fn_reset(&kfn->fn);
}

static void umr_of_a_process(struct kunit *test)
{
	struct kfn *kfn = kfn_alloc(test);
	u32 parent = make_key(test, kfn, 0x6000);
	u32 key = make_empty(test, kfn, 8, MLX5_MKC_ACCESS_MODE_KLMS, 4);
	u32 pages = make_empty(test, kfn, 7, MLX5_MKC_ACCESS_MODE_MTT, 4);
	struct ask *ask = ask_alloc(test, key);

	ask_window(ask, parent);
	ask->umr.uid = 7;	/* another one's window */
	KUNIT_EXPECT_EQ(test, shca_mkey_umr(&kfn->fn, &ask->umr), -EACCES);
	ask->umr.uid = 8;
	ask->umr.pd = PD + 1;
	KUNIT_EXPECT_EQ(test, shca_mkey_umr(&kfn->fn, &ask->umr), -EACCES);
	ask->umr.pd = PD;
	MLX5_SET(mkc, ask->mkc, pd, PD);
	ask->umr.mask |= MLX5_MKEY_MASK_PD;
	KUNIT_EXPECT_EQ(test, shca_mkey_umr(&kfn->fn, &ask->umr), -EACCES);
	ask->umr.mask &= ~MLX5_MKEY_MASK_PD;
	MLX5_SET(mkc, ask->mkc, qpn, QPN + 1);
	KUNIT_EXPECT_EQ(test, shca_mkey_umr(&kfn->fn, &ask->umr), -EACCES);
	MLX5_SET(mkc, ask->mkc, qpn, QPN);
	KUNIT_EXPECT_EQ(test, shca_mkey_umr(&kfn->fn, &ask->umr), 0);
	/* Pages are not its to choose, not even for a key of its own. */
	ask->umr.key = pages;
	ask->umr.uid = 7;
	ask_pages(ask, 0, 0x1000);
	KUNIT_EXPECT_EQ(test, shca_mkey_umr(&kfn->fn, &ask->umr), -EACCES);
	shca_mem_fn_reset(&kfn->fn);
}

static struct kunit_case umr_cases[] = {
	KUNIT_CASE(umr_rights),
	KUNIT_CASE(umr_pages),
	KUNIT_CASE(umr_bad_lists),
	KUNIT_CASE(umr_windows),
	KUNIT_CASE(umr_window_on_read_only),
	KUNIT_CASE(umr_of_a_process),
	{}
};

static struct kunit_suite umr_suite = {
	.name = "softhca_mem_umr",
	.test_cases = umr_cases,
};

kunit_test_suite(umr_suite);
