// SPDX-License-Identifier: GPL-2.0
/*
 * Memory keys that a peer names in its packets.
 */
#include <linux/errno.h>

#include "mem/internal.h"

#define SHCA_MKEY_ANY_QP	0xffffff

int shca_mkey_remote_check(const struct shca_span *span, u64 len)
{
	struct shca_mkey *mkey;
	struct shca_obj *obj;
	int err;

	if (span->key == shca_mkey_reserved(span->fn))
		return -EACCES;
	obj = shca_obj_get(&span->fn->mem->mkeys, span->key >> 8, 0);
	if (!obj)
		return -EINVAL;
	mkey = container_of(obj, struct shca_mkey, obj);
	spin_lock(&mkey->lock);
	err = shca_mkey_allows(&mkey->attr, span->pd, span->key & 0xff,
			       span->va, len, span->access);
	spin_unlock(&mkey->lock);
	shca_obj_put(obj);
	return err;
}

static int invalidate(struct shca_mkey *mkey, u32 pd, u32 qpn, u32 key)
{
	u32 bound = MLX5_GET(mkc, mkey->mkc, qpn);

	if (mkey->attr.free || mkey->attr.key != (key & 0xff))
		return -EINVAL;
	if (mkey->attr.pd != pd || !MLX5_GET(mkc, mkey->mkc, en_rinval) ||
	    (bound != SHCA_MKEY_ANY_QP && bound != qpn))
		return -EACCES;
	MLX5_SET(mkc, mkey->mkc, free, 1);
	shca_mkey_decode(mkey->mkc, &mkey->attr);
	return 0;
}

int shca_mkey_invalidate(struct shca_fn *fn, u32 pd, u32 qpn, u32 key)
{
	struct shca_mkey *mkey;
	struct shca_obj *obj;
	int err;

	obj = shca_obj_get(&fn->mem->mkeys, key >> 8, 0);
	if (!obj)
		return -EINVAL;
	mkey = container_of(obj, struct shca_mkey, obj);
	spin_lock(&mkey->lock);
	err = invalidate(mkey, pd, qpn, key);
	spin_unlock(&mkey->lock);
	shca_obj_put(obj);
	return err;
}
