// SPDX-License-Identifier: GPL-2.0
/*
 * Memory keys: made, changed and destroyed.
 *
 * Accesses hold the xlate lock for reading, until the last byte is copied. So a
 * UMR that takes a right away, or a destroy, is answered only when no access is
 * under way, and the driver may unmap.
 */
#define pr_fmt(fmt) "softhca: " fmt

#include <linux/err.h>
#include <linux/log2.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/mlx5/device.h>
#include <linux/mlx5/qp.h>

#include "mem/internal.h"

#define SHCA_MKEY_RESERVED	0x200	/* index 2, below the table's first */

#define SHCA_UMR_MASK	(MLX5_MKEY_MASK_PD | MLX5_MKEY_MASK_KEY | \
			 MLX5_MKEY_MASK_QPN | MLX5_MKEY_MASK_LR | \
			 MLX5_MKEY_MASK_LW | MLX5_MKEY_MASK_RR | \
			 MLX5_MKEY_MASK_RW | MLX5_MKEY_MASK_FREE)

u32 shca_mkey_reserved(struct shca_fn *fn)
{
	return SHCA_MKEY_RESERVED;
}

static int mkey_fill_klm(struct shca_mkey *mkey, const struct mlx5_klm *klm,
			 u32 n)
{
	u64 off = 0;
	u32 i;

	mkey->klm = kvcalloc(n, sizeof(*mkey->klm), GFP_KERNEL);
	if (!mkey->klm)
		return -ENOMEM;
	for (i = 0; i < n; i++) {
		mkey->klm[i].off = off;
		mkey->klm[i].len = be32_to_cpu(klm[i].bcount);
		mkey->klm[i].key = be32_to_cpu(klm[i].key);
		mkey->klm[i].va = be64_to_cpu(klm[i].va);
		off += mkey->klm[i].len;
	}
	mkey->nklm = n;
	return 0;
}

static int mkey_fill_pages(struct shca_fn *fn, struct shca_mkey *mkey,
			   const void *xlt, u32 xlt_len,
			   const struct shca_buf_src *umem)
{
	const struct shca_mkey_attr *attr = &mkey->attr;
	struct shca_buf_src src = {
		.pas = xlt,
		.npas = xlt_len / sizeof(__be64),
		.page_shift = attr->page_shift,
	};

	/* A key that waits for its translations: any use fails the bounds. */
	if (attr->free && !umem && !xlt_len)
		return 0;
	if (umem && umem->umem_valid)
		return shca_buf_init(fn, &mkey->buf, umem, attr->len);
	if (attr->page_shift > 30)
		return -EINVAL;
	src.page_offset = attr->start & ((1ULL << attr->page_shift) - 1);
	return shca_buf_init(fn, &mkey->buf, &src, attr->len);
}

static int mkey_fill(struct shca_fn *fn, struct shca_mkey *mkey,
		     const void *xlt, u32 xlt_len,
		     const struct shca_buf_src *umem)
{
	const struct shca_mkey_attr *attr = &mkey->attr;

	switch (attr->mode) {
	case MLX5_MKC_ACCESS_MODE_PA:
		return 0;
	case MLX5_MKC_ACCESS_MODE_MTT:
		if (attr->length64)
			return -EINVAL;
		return mkey_fill_pages(fn, mkey, xlt, xlt_len, umem);
	case MLX5_MKC_ACCESS_MODE_KSM:
		if (attr->page_shift < 12 || attr->page_shift > 62)
			return -EINVAL;
		fallthrough;
	case MLX5_MKC_ACCESS_MODE_KLMS:
		return mkey_fill_klm(mkey, xlt,
				     xlt_len / sizeof(struct mlx5_klm));
	default:
		return -EOPNOTSUPP;
	}
}

/* After the last reference is gone. */
static void mkey_free(struct shca_mkey *mkey)
{
	shca_buf_exit(&mkey->buf);
	kvfree(mkey->klm);
	kfree_rcu(mkey, obj.rcu);
}

int shca_mkey_create(struct shca_fn *fn, u16 uid, const void *mkc,
		     const void *xlt, u32 xlt_len,
		     const struct shca_buf_src *umem, u32 *index)
{
	struct shca_mkey *mkey;
	int err;

	mkey = kzalloc(sizeof(*mkey), GFP_KERNEL);
	if (!mkey)
		return -ENOMEM;
	memcpy(mkey->mkc, mkc, sizeof(mkey->mkc));
	shca_mkey_decode(mkc, &mkey->attr);

	/* All of the machine's memory is not a process's to name. */
	if (uid && mkey->attr.mode == MLX5_MKC_ACCESS_MODE_PA)
		err = -EACCES;
	else
		err = mkey_fill(fn, mkey, xlt, xlt_len, umem);
	if (!err)
		err = shca_obj_add(&fn->mem->mkeys, &mkey->obj, uid);
	if (err) {
		mkey_free(mkey);
		return err;
	}
	*index = mkey->obj.id;
	return 0;
}

struct shca_mkey *shca_mkey_get(struct shca_fn *fn, u32 index, u16 uid)
{
	struct shca_obj *obj = shca_obj_get(&fn->mem->mkeys, index, uid);

	return obj ? container_of(obj, struct shca_mkey, obj) : NULL;
}

int shca_mkey_query(struct shca_fn *fn, u16 uid, u32 index, void *mkc)
{
	struct shca_mkey *mkey = shca_mkey_get(fn, index, uid);

	if (!mkey)
		return -ENOENT;
	read_lock(&fn->mem->xlate);
	memcpy(mkc, mkey->mkc, sizeof(mkey->mkc));
	read_unlock(&fn->mem->xlate);
	shca_obj_put(&mkey->obj);
	return 0;
}

int shca_mkey_destroy(struct shca_fn *fn, u16 uid, u32 index)
{
	struct shca_obj *obj = shca_obj_del(&fn->mem->mkeys, index, uid);

	if (IS_ERR(obj))
		return PTR_ERR(obj);
	/* Who found it before works with its translation until he lets go. */
	write_lock(&fn->mem->xlate);
	write_unlock(&fn->mem->xlate);
	mkey_free(container_of(obj, struct shca_mkey, obj));
	return 0;
}

void shca_mkey_drop(struct shca_fn *fn, bool all, u16 uid)
{
	struct shca_obj *obj;
	unsigned long id;

	shca_tbl_for_each(&fn->mem->mkeys, id, obj)
		if (all || obj->uid == uid)
			shca_mkey_destroy(fn, 0, id);
}

/* The fields that @bits select, as ones in a context. */
static void umr_mask(u32 *mask, u64 bits)
{
	static const u32 all = ~0U;

	if (bits & MLX5_MKEY_MASK_PD)
		MLX5_SET(mkc, mask, pd, all);
	if (bits & MLX5_MKEY_MASK_KEY)
		MLX5_SET(mkc, mask, mkey_7_0, all);
	if (bits & MLX5_MKEY_MASK_QPN)
		MLX5_SET(mkc, mask, qpn, all);
	if (bits & MLX5_MKEY_MASK_LR)
		MLX5_SET(mkc, mask, lr, all);
	if (bits & MLX5_MKEY_MASK_LW)
		MLX5_SET(mkc, mask, lw, all);
	if (bits & MLX5_MKEY_MASK_RR)
		MLX5_SET(mkc, mask, rr, all);
	if (bits & MLX5_MKEY_MASK_RW)
		MLX5_SET(mkc, mask, rw, all);
	if (bits & MLX5_MKEY_MASK_FREE)
		MLX5_SET(mkc, mask, free, all);
}

static void umr_apply(struct shca_mkey *mkey, u64 bits, const u32 *mkc)
{
	u32 mask[MLX5_ST_SZ_DW(mkc)] = {};
	unsigned int i;

	umr_mask(mask, bits);
	for (i = 0; i < ARRAY_SIZE(mask); i++)
		mkey->mkc[i] = (mkey->mkc[i] & ~mask[i]) | (mkc[i] & mask[i]);
	shca_mkey_decode(mkey->mkc, &mkey->attr);
}

static int umr_check(const struct shca_mkey_attr *attr, u32 key, u8 flags)
{
	if (attr->key != (key & 0xff))
		return -EINVAL;
	if (!attr->umr_en)
		return -EACCES;
	if ((flags & MLX5_UMR_CHECK_NOT_FREE) && attr->free)
		return -EACCES;
	if ((flags & MLX5_UMR_CHECK_FREE) && !attr->free)
		return -EACCES;
	return 0;
}

int shca_mkey_umr(struct shca_fn *fn, u32 key, u8 flags, u64 mask,
		  const void *mkc)
{
	struct shca_mkey *mkey;
	int err;

	if (mask & ~(u64)SHCA_UMR_MASK)
		return -EOPNOTSUPP;
	mkey = shca_mkey_get(fn, key >> 8, 0);
	if (!mkey)
		return -EINVAL;
	write_lock(&fn->mem->xlate);
	err = umr_check(&mkey->attr, key, flags);
	if (!err)
		umr_apply(mkey, mask, mkc);
	write_unlock(&fn->mem->xlate);
	shca_obj_put(&mkey->obj);
	return err;
}
