// SPDX-License-Identifier: GPL-2.0
/*
 * Memory keys: made, changed and destroyed.
 *
 * Accesses hold the xlate lock for reading, until the last byte is copied. So a
 * UMR that takes a right away, or a destroy, is answered only when no access is
 * under way, and the driver may unmap.
 */
#define pr_fmt(fmt) "softhca: " fmt

#include <linux/bits.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/mlx5/device.h>
#include <linux/mlx5/qp.h>

#include "mem/internal.h"

#define SHCA_MKEY_RESERVED	0x200	/* index 2, below the table's first */

/* Room in octowords: UMR writes lists in multiples of 64 bytes. */
#define SHCA_ROOM_ALIGN		4
#define SHCA_KLM_ROOM_MAX	4096U	/* the capability's */
#define SHCA_MTT_ROOM_MAX	BIT(27)

u32 shca_mkey_reserved(struct shca_fn *fn)
{
	return SHCA_MKEY_RESERVED;
}

/* Octowords that the context asks room for, in the list that UMR fills. */
static u32 room_of(const void *mkc, u32 max)
{
	u32 room = MLX5_GET(mkc, mkc, translations_octword_size);

	return ALIGN(min(room, max), SHCA_ROOM_ALIGN);
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

	/* A key that waits for its translations. */
	if (attr->free && !umem && !xlt_len) {
		mkey->mtt.room = 2 * room_of(mkey->mkc, SHCA_MTT_ROOM_MAX);
		return 0;
	}
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
		if (attr->page_shift < SHCA_XLT_SHIFT_MIN ||
		    attr->page_shift > SHCA_XLT_SHIFT_MAX)
			return -EINVAL;
		fallthrough;
	case MLX5_MKC_ACCESS_MODE_KLMS:
		return shca_klm_init(mkey, xlt,
				     xlt_len / sizeof(struct mlx5_klm),
				     room_of(mkey->mkc, SHCA_KLM_ROOM_MAX));
	default:
		return -EOPNOTSUPP;
	}
}

/* After the last reference is gone. */
static void mkey_free(struct shca_mkey *mkey)
{
	shca_buf_exit(&mkey->buf);
	shca_mtt_exit(&mkey->mtt);
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
	shca_mtt_init(&mkey->mtt, 0);
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
