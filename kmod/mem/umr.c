// SPDX-License-Identifier: GPL-2.0
/*
 * UMR: rights, bounds and translations of a key that exists are changed.
 *
 * The checks come first, then the translations, then the context. A translation
 * list that cannot be read to its end leaves the key free, so that nobody goes
 * by half of it.
 */
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/mlx5/device.h>
#include <linux/mlx5/qp.h>

#include "mem/internal.h"

#define SHCA_UMR_CHECK_QPN	BIT(3)	/* no name in the headers */
#define SHCA_UMR_BATCH		32		/* octowords */
#define OCTOWORD		16

#define UMR_MASK_PLACE	(MLX5_MKEY_MASK_LEN | MLX5_MKEY_MASK_PAGE_SIZE | \
			 MLX5_MKEY_MASK_START_ADDR)
#define UMR_MASK_RIGHTS	(MLX5_MKEY_MASK_LR | MLX5_MKEY_MASK_LW | \
			 MLX5_MKEY_MASK_RR | MLX5_MKEY_MASK_RW | \
			 MLX5_MKEY_MASK_A)
#define UMR_MASK_ALL	(UMR_MASK_PLACE | UMR_MASK_RIGHTS | \
			 MLX5_MKEY_MASK_PD | MLX5_MKEY_MASK_EN_RINVAL | \
			 MLX5_MKEY_MASK_KEY | MLX5_MKEY_MASK_QPN | \
			 MLX5_MKEY_MASK_SMALL_FENCE | MLX5_MKEY_MASK_FREE)

static void mask_rights(u32 *mask, u64 bits)
{
	if (bits & MLX5_MKEY_MASK_LR)
		MLX5_SET(mkc, mask, lr, 1);
	if (bits & MLX5_MKEY_MASK_LW)
		MLX5_SET(mkc, mask, lw, 1);
	if (bits & MLX5_MKEY_MASK_RR)
		MLX5_SET(mkc, mask, rr, 1);
	if (bits & MLX5_MKEY_MASK_RW)
		MLX5_SET(mkc, mask, rw, 1);
	if (bits & MLX5_MKEY_MASK_A)
		MLX5_SET(mkc, mask, a, 1);
}

static void mask_place(u32 *mask, u64 bits)
{
	static const u32 all = ~0U;

	if (bits & MLX5_MKEY_MASK_LEN) {
		MLX5_SET64(mkc, mask, len, U64_MAX);
		MLX5_SET(mkc, mask, length64, 1);
	}
	if (bits & MLX5_MKEY_MASK_START_ADDR)
		MLX5_SET64(mkc, mask, start_addr, U64_MAX);
	if (bits & MLX5_MKEY_MASK_PAGE_SIZE)
		MLX5_SET(mkc, mask, log_page_size, all);
}

/* The fields that @bits select, as ones in a context. */
static void umr_mask(u32 *mask, u64 bits)
{
	static const u32 all = ~0U;

	mask_rights(mask, bits);
	mask_place(mask, bits);
	if (bits & MLX5_MKEY_MASK_PD)
		MLX5_SET(mkc, mask, pd, all);
	if (bits & MLX5_MKEY_MASK_EN_RINVAL)
		MLX5_SET(mkc, mask, en_rinval, 1);
	if (bits & MLX5_MKEY_MASK_KEY)
		MLX5_SET(mkc, mask, mkey_7_0, all);
	if (bits & MLX5_MKEY_MASK_QPN)
		MLX5_SET(mkc, mask, qpn, all);
	if (bits & MLX5_MKEY_MASK_SMALL_FENCE)
		MLX5_SET(mkc, mask, small_fence_on_rdma_read_response, 1);
	if (bits & MLX5_MKEY_MASK_FREE)
		MLX5_SET(mkc, mask, free, 1);
}

static void umr_merge(const struct shca_mkey *mkey, const struct shca_umr *umr,
		      u32 *mkc)
{
	u32 mask[MLX5_ST_SZ_DW(mkc)] = {};
	const u32 *new = umr->mkc;
	unsigned int i;

	umr_mask(mask, umr->mask);
	for (i = 0; i < ARRAY_SIZE(mask); i++)
		mkc[i] = (mkey->mkc[i] & ~mask[i]) | (new[i] & mask[i]);
}

static bool is_indirect(const struct shca_mkey *mkey)
{
	return mkey->attr.mode == MLX5_MKC_ACCESS_MODE_KLMS ||
	       mkey->attr.mode == MLX5_MKC_ACCESS_MODE_KSM;
}

/* A process changes what leads to other keys of its own, and nothing that names
 * memory: pages are not its to choose, nor is the domain.
 */
static int check_process(const struct shca_mkey *mkey,
			 const struct shca_umr *umr, u32 new_qpn)
{
	const struct shca_mkey_attr *attr = &mkey->attr;

	if (umr->kernel)
		return 0;
	if (!is_indirect(mkey) || (umr->mask & MLX5_MKEY_MASK_PD) ||
	    attr->pd != umr->pd ||
	    (mkey->obj.uid && mkey->obj.uid != umr->uid))
		return -EACCES;
	if (attr->qpn != SHCA_MKEY_ANY_QP && attr->qpn != umr->qpn)
		return -EACCES;
	if (new_qpn != SHCA_MKEY_ANY_QP && new_qpn != umr->qpn)
		return -EACCES;
	return 0;
}

/* What the request itself wants to be so. The flags are named by what must not
 * be: "check free" refuses a free key.
 */
static int check_state(const struct shca_mkey_attr *attr,
		       const struct shca_umr *umr)
{
	/* Who gives a new key byte names the key by it. */
	if (!(umr->mask & MLX5_MKEY_MASK_KEY) && attr->key != (umr->key & 0xff))
		return -EINVAL;
	if (!attr->umr_en)
		return -EACCES;
	if ((umr->flags & MLX5_UMR_CHECK_FREE) && attr->free)
		return -EACCES;
	if ((umr->flags & MLX5_UMR_CHECK_NOT_FREE) && !attr->free)
		return -EACCES;
	if ((umr->flags & SHCA_UMR_CHECK_QPN) && attr->qpn != umr->qpn)
		return -EACCES;
	return 0;
}

/* Is there room for the list, and does the key take one at all? */
static int check_list(const struct shca_mkey *mkey, const struct shca_umr *umr)
{
	u64 room = is_indirect(mkey) ? mkey->room : mkey->mtt.room / 2;

	/* A key that was made with its pages keeps them. */
	if (mkey->buf.size && (umr->n || (umr->mask & UMR_MASK_PLACE)))
		return -EOPNOTSUPP;
	if (umr->n > room || umr->first > room - umr->n)
		return -ERANGE;
	return 0;
}

static int check_place(const struct shca_mkey_attr *attr)
{
	if (attr->mode == MLX5_MKC_ACCESS_MODE_KLMS || attr->free)
		return 0;
	if (attr->mode == MLX5_MKC_ACCESS_MODE_PA)
		return 0;
	if (attr->page_shift < SHCA_XLT_SHIFT_MIN ||
	    attr->page_shift > SHCA_XLT_SHIFT_MAX)
		return -EINVAL;
	return attr->mode == MLX5_MKC_ACCESS_MODE_MTT && attr->length64 ?
		       -EINVAL : 0;
}

/* Lock held. */
static int umr_check(const struct shca_mkey *mkey, const struct shca_umr *umr)
{
	u32 mkc[MLX5_ST_SZ_DW(mkc)];
	struct shca_mkey_attr attr;
	int err;

	umr_merge(mkey, umr, mkc);
	shca_mkey_decode(mkc, &attr);
	err = check_process(mkey, umr, attr.qpn);
	if (!err)
		err = check_state(&mkey->attr, umr);
	if (!err)
		err = check_list(mkey, umr);
	return err ?: check_place(&attr);
}

static int put_entries(struct shca_mkey *mkey, u32 first, const void *entry,
		       u32 n)
{
	if (is_indirect(mkey)) {
		shca_klm_write(mkey, first, entry, n);
		return 0;
	}
	return shca_mtt_write(&mkey->mtt, first * 2, entry, n * 2);
}

static int umr_list(struct shca_mem *mem, struct shca_mkey *mkey,
		    const struct shca_umr *umr)
{
	u8 entry[SHCA_UMR_BATCH * OCTOWORD] __aligned(8);
	u32 at, n;
	int err;

	for (at = 0; at < umr->n; at += n) {
		n = min_t(u32, umr->n - at, SHCA_UMR_BATCH);
		/* It reads through keys: no lock. */
		err = umr->fetch(umr->ctx, at * OCTOWORD, entry, n * OCTOWORD);
		if (err)
			return err;
		write_lock(&mem->xlate);
		err = put_entries(mkey, umr->first + at, entry, n);
		write_unlock(&mem->xlate);
		if (err)
			return err;
	}
	return 0;
}

static void umr_finish(struct shca_mem *mem, struct shca_mkey *mkey,
		       const struct shca_umr *umr, bool good)
{
	u32 mkc[MLX5_ST_SZ_DW(mkc)];

	write_lock(&mem->xlate);
	if (good) {
		umr_merge(mkey, umr, mkc);
		memcpy(mkey->mkc, mkc, sizeof(mkey->mkc));
	} else {
		MLX5_SET(mkc, mkey->mkc, free, 1);
	}
	shca_mkey_decode(mkey->mkc, &mkey->attr);
	write_unlock(&mem->xlate);
}

int shca_mkey_umr(struct shca_fn *fn, const struct shca_umr *umr)
{
	struct shca_mkey *mkey;
	int err;

	if (umr->mask & ~(u64)UMR_MASK_ALL)
		return -EOPNOTSUPP;
	mkey = shca_mkey_get(fn, umr->key >> 8, 0);
	if (!mkey)
		return -EINVAL;
	read_lock(&fn->mem->xlate);
	err = umr_check(mkey, umr);
	read_unlock(&fn->mem->xlate);
	if (!err) {
		err = umr_list(fn->mem, mkey, umr);
		umr_finish(fn->mem, mkey, umr, !err);
	}
	shca_obj_put(&mkey->obj);
	return err;
}
