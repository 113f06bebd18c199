// SPDX-License-Identifier: GPL-2.0
/*
 * Memory keys that a peer names in its packets.
 */
#include <linux/errno.h>

#include "mem/internal.h"

int shca_mkey_remote_check(const struct shca_span *span, u64 len)
{
	struct shca_mkey *mkey;
	int err;

	if (span->key == shca_mkey_reserved(span->fn))
		return -EACCES;
	mkey = shca_mkey_get(span->fn, span->key >> 8, 0);
	if (!mkey)
		return -EINVAL;
	read_lock(&span->fn->mem->xlate);
	err = shca_mkey_allows(&mkey->attr, span->pd, span->key & 0xff,
			       span->va, len, span->access);
	if (!err)
		err = shca_mkey_admits(&mkey->attr, span->qpn);
	read_unlock(&span->fn->mem->xlate);
	shca_obj_put(&mkey->obj);
	return err;
}

static int invalidate(struct shca_mkey *mkey, u32 pd, u32 qpn, u32 key)
{
	u32 bound = mkey->attr.qpn;

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
	int err;

	mkey = shca_mkey_get(fn, key >> 8, 0);
	if (!mkey)
		return -EINVAL;
	write_lock(&fn->mem->xlate);
	err = invalidate(mkey, pd, qpn, key);
	write_unlock(&fn->mem->xlate);
	shca_obj_put(&mkey->obj);
	return err;
}
