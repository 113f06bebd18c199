// SPDX-License-Identifier: GPL-2.0
/*
 * From a span of a key to the bus: the way through keys that refer to other
 * keys, one run of neighbouring bytes at a time.
 *
 * Who translates and then touches the memory holds the function's xlate lock
 * for reading all the while. Whoever changes a key or takes it away has it for
 * writing, so that nothing goes by the old translation when he is done.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/processor.h>

#include "mem/internal.h"

#define SHCA_MKEY_DEPTH		4	/* keys behind keys */

void shca_xlate_begin(struct shca_mem *a, struct shca_mem *b)
	__acquires(&a->xlate)
{
	struct shca_mem *first = a < b ? a : b, *second = a < b ? b : a;

	read_lock(&first->xlate);
	if (first == second)
		return;
	/* In the order of addresses: two who copy in opposite directions would
	 * wait for each other as soon as somebody wants to write. Trying, for
	 * the two locks are of one class.
	 */
	while (!read_trylock(&second->xlate))
		cpu_relax();
	__release(&second->xlate);	/* sparse: both count as one */
}

void shca_xlate_end(struct shca_mem *a, struct shca_mem *b)
	__releases(&a->xlate)
{
	if (a != b) {
		__acquire(&b->xlate);
		read_unlock(&b->xlate);
	}
	read_unlock(&a->xlate);
}

/* A key on the way, and where in it. */
struct step {
	u16 uid;		/* whose keys may be named */
	u32 access;
	u32 key;
	u64 va;
	u64 len;
};

/* In pages that UMR wrote. */
static int mtt_run(const struct shca_mkey *mkey, const struct step *at,
		   struct shca_run *run)
{
	const struct shca_mkey_attr *attr = &mkey->attr;
	u64 size, pos, entry;

	if (attr->page_shift < SHCA_XLT_SHIFT_MIN ||
	    attr->page_shift > SHCA_XLT_SHIFT_MAX)
		return -EINVAL;
	size = 1ULL << attr->page_shift;
	pos = (attr->start & (size - 1)) + (at->va - attr->start);
	entry = shca_mtt_entry(&mkey->mtt, pos >> attr->page_shift);
	if (!entry)
		return -EFAULT;
	/* The lowest bits are rights. */
	pos &= size - 1;
	run->addr = (entry & ~(size - 1)) + pos;
	run->len = min(at->len, size - pos);
	return 0;
}

static int direct_run(const struct shca_mkey *mkey, const struct step *at,
		      struct shca_run *run)
{
	u64 off = at->va - mkey->attr.start;

	if (mkey->attr.mode == MLX5_MKC_ACCESS_MODE_PA) {
		run->addr = at->va;
		run->len = at->len;
		return 0;
	}
	if (!mkey->buf.size)
		return mtt_run(mkey, at, run);
	if (at->len > mkey->buf.size || off > mkey->buf.size - at->len)
		return -ERANGE;
	run->addr = shca_buf_addr(&mkey->buf, off, &run->len);
	run->len = min(run->len, at->len);
	return 0;
}

/* Who opens a part of a key to others by a key before it needs no more than
 * local rights of it: that is what memory windows are for.
 */
static u32 access_behind(u32 access)
{
	return access & ~(u32)SHCA_REMOTE_READ ? SHCA_LOCAL_WRITE :
						 SHCA_LOCAL_READ;
}

/* To the key behind it. */
static int step_down(const struct shca_mkey *mkey, struct step *at)
{
	u64 off = at->va - mkey->attr.start, chunk;
	int err;

	err = shca_klm_find(&mkey->attr, mkey->klm, mkey->nklm, off, &at->key,
			    &at->va, &chunk);
	at->len = min(at->len, chunk);
	/* A user's key leads to that user's keys only. */
	at->uid = mkey->obj.uid;
	at->access = access_behind(at->access);
	return err;
}

/* Through one key. True when the run is found, or an error is. */
static bool through_key(const struct shca_span *span, struct shca_mkey *mkey,
			struct step *at, struct shca_run *run, int *err)
{
	*err = shca_mkey_allows(&mkey->attr, span->pd, at->key & 0xff, at->va,
				at->len, at->access);
	if (!*err)
		*err = shca_mkey_admits(&mkey->attr, span->qpn);
	if (*err)
		return true;
	if (mkey->attr.mode <= MLX5_MKC_ACCESS_MODE_MTT) {
		*err = direct_run(mkey, at, run);
		return true;
	}
	*err = step_down(mkey, at);
	return *err;
}

int shca_xlate(const struct shca_span *span, u64 len, struct shca_run *run)
{
	struct step at = {
		.key = span->key, .va = span->va, .len = len,
		.access = span->access,
	};
	int err, depth;
	struct shca_mkey *mkey;
	bool done;

	if (at.key == shca_mkey_reserved(span->fn)) {
		run->addr = at.va;
		run->len = len;
		return 0;
	}
	for (depth = 0; depth <= SHCA_MKEY_DEPTH; depth++) {
		mkey = shca_mkey_get(span->fn, at.key >> 8, at.uid);
		if (!mkey)
			return -EINVAL;
		done = through_key(span, mkey, &at, run, &err);
		/* The lock keeps its translation. */
		shca_obj_put(&mkey->obj);
		if (done)
			return err;
	}
	return -EINVAL;
}
