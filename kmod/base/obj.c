// SPDX-License-Identifier: GPL-2.0
/*
 * Numbered objects of a function: see obj.h for the rules.
 */
#include <linux/err.h>

#include "base/obj.h"

void shca_tbl_init(struct shca_tbl *tbl, u32 first, u32 last)
{
	xa_init_flags(&tbl->xa, XA_FLAGS_ALLOC);
	tbl->first = first;
	tbl->last = last;
	tbl->next = first;
	atomic_set(&tbl->count, 0);
}

void shca_tbl_exit(struct shca_tbl *tbl)
{
	WARN_ON(!xa_empty(&tbl->xa));
	xa_destroy(&tbl->xa);
}

static void obj_prepare(struct shca_obj *obj, u16 uid)
{
	obj->uid = uid;
	atomic_set(&obj->holds, 0);
	refcount_set(&obj->ref, 1);
	init_completion(&obj->unpinned);
}

int shca_obj_add(struct shca_tbl *tbl, struct shca_obj *obj, u16 uid)
{
	int err;

	obj_prepare(obj, uid);
	err = xa_alloc_cyclic(&tbl->xa, &obj->id, obj,
			      XA_LIMIT(tbl->first, tbl->last), &tbl->next,
			      GFP_KERNEL);
	if (err < 0)
		return err == -EBUSY ? -ENOSPC : err;
	atomic_inc(&tbl->count);
	return 0;
}

int shca_obj_add_at(struct shca_tbl *tbl, struct shca_obj *obj, u16 uid, u32 id)
{
	int err;

	if (id < tbl->first || id > tbl->last)
		return -EINVAL;
	obj_prepare(obj, uid);
	obj->id = id;
	err = xa_insert(&tbl->xa, id, obj, GFP_KERNEL);
	if (err)
		return err;
	atomic_inc(&tbl->count);
	return 0;
}

/* The kernel driver (uid 0) reaches every object, a DEVX user only his own. */
static bool obj_allowed(const struct shca_obj *obj, u16 uid)
{
	return !uid || obj->uid == uid;
}

struct shca_obj *shca_obj_get(struct shca_tbl *tbl, u32 id, u16 uid)
{
	struct shca_obj *obj;

	rcu_read_lock();
	obj = xa_load(&tbl->xa, id);
	if (obj && (!obj_allowed(obj, uid) || !refcount_inc_not_zero(&obj->ref)))
		obj = NULL;
	rcu_read_unlock();
	return obj;
}

void shca_obj_put(struct shca_obj *obj)
{
	if (refcount_dec_and_test(&obj->ref))
		complete(&obj->unpinned);
}

struct shca_obj *shca_obj_del(struct shca_tbl *tbl, u32 id, u16 uid)
{
	struct shca_obj *obj;

	xa_lock(&tbl->xa);
	obj = xa_load(&tbl->xa, id);
	if (!obj || !obj_allowed(obj, uid))
		obj = ERR_PTR(-ENOENT);
	else if (atomic_read(&obj->holds))
		obj = ERR_PTR(-EBUSY);
	else
		__xa_erase(&tbl->xa, id);
	xa_unlock(&tbl->xa);
	if (IS_ERR(obj))
		return obj;

	atomic_dec(&tbl->count);
	shca_obj_put(obj);
	wait_for_completion(&obj->unpinned);
	return obj;
}
