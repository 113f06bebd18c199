// SPDX-License-Identifier: GPL-2.0
/*
 * UMEMs: memory of a process that DEVX objects are built on.
 */
#define pr_fmt(fmt) "softhca: " fmt

#include <linux/err.h>
#include <linux/slab.h>

#include "mem/internal.h"

#define SHCA_UMEM_PAGE_SHIFT	12	/* what a zero in the context means */

struct shca_umem *shca_umem_hold(struct shca_fn *fn, u16 uid, u32 id)
{
	struct shca_mem *mem = fn->mem;
	struct shca_obj *obj;

	mutex_lock(&mem->lock);
	obj = shca_obj_get(&mem->umems, id, uid);
	if (obj) {
		shca_obj_hold(obj);
		shca_obj_put(obj);
	}
	mutex_unlock(&mem->lock);
	return obj ? container_of(obj, struct shca_umem, obj) : NULL;
}

void shca_umem_unhold(struct shca_umem *umem)
{
	shca_obj_unhold(&umem->obj);
}

static int umem_fill(struct shca_umem *umem, const void *ctx, const void *mtt,
		     u32 nmtt)
{
	u64 n = MLX5_GET64(umem, ctx, num_of_mtt);
	int err;

	umem->page_shift = SHCA_UMEM_PAGE_SHIFT +
			   MLX5_GET(umem, ctx, log_page_size);
	umem->offset = MLX5_GET(umem, ctx, page_offset);
	if (!n || n > nmtt || umem->page_shift > 30 ||
	    umem->offset >> umem->page_shift)
		return -EINVAL;

	umem->npages = n;
	umem->page = shca_pages_alloc(mtt, n, umem->page_shift, &err);
	return err;
}

static void umem_free(struct shca_umem *umem)
{
	kvfree(umem->page);
	kfree_rcu(umem, obj.rcu);
}

int shca_umem_create(struct shca_fn *fn, u16 uid, const void *ctx,
		     const void *mtt, u32 nmtt, u32 *id)
{
	struct shca_umem *umem;
	int err;

	umem = kzalloc(sizeof(*umem), GFP_KERNEL);
	if (!umem)
		return -ENOMEM;
	err = umem_fill(umem, ctx, mtt, nmtt);
	if (!err)
		err = shca_obj_add(&fn->mem->umems, &umem->obj, uid);
	if (err) {
		kvfree(umem->page);
		kfree(umem);
		return err;
	}
	*id = umem->obj.id;
	return 0;
}

int shca_umem_destroy(struct shca_fn *fn, u16 uid, u32 id)
{
	struct shca_mem *mem = fn->mem;
	struct shca_obj *obj;

	mutex_lock(&mem->lock);
	obj = shca_obj_del(&mem->umems, id, uid);
	mutex_unlock(&mem->lock);
	if (IS_ERR(obj))
		return PTR_ERR(obj);
	umem_free(container_of(obj, struct shca_umem, obj));
	return 0;
}

void shca_umem_drop(struct shca_fn *fn, bool all, u16 uid)
{
	struct shca_obj *obj;
	unsigned long id;

	shca_tbl_for_each(&fn->mem->umems, id, obj)
		if (all || obj->uid == uid)
			shca_umem_destroy(fn, 0, id);
}
