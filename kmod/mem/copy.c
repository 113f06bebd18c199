// SPDX-License-Identifier: GPL-2.0
/*
 * Memory behind keys is read, written and copied.
 */
#include <linux/kernel.h>

#include "mem/internal.h"

/* One side of an access on its way. */
struct side {
	struct shca_span span;	/* from here on */
	struct shca_run run;	/* what of it is translated */
};

static int side_run(struct side *side, u64 left)
{
	return side->run.len ? 0 : shca_xlate(&side->span, left, &side->run);
}

static void side_advance(struct side *side, u64 n)
{
	side->span.va += n;
	side->run.addr += n;
	side->run.len -= n;
}

/* Between the key and @p. */
static int access_bytes(struct side *side, u8 *p, size_t len, bool write)
{
	struct shca_fn *fn = side->span.fn;
	size_t n;
	int err;

	for (; len; len -= n, p += n) {
		err = side_run(side, len);
		if (err)
			return err;
		n = side->run.len;
		err = write ? shca_dma_write(fn, side->run.addr, p, n) :
			      shca_dma_read(fn, side->run.addr, p, n);
		if (err)
			return err;
		side_advance(side, n);
	}
	return 0;
}

int shca_mkey_read(struct shca_fn *fn, u32 pd, u32 key, u64 va, void *dst,
		   size_t len, u32 access)
{
	struct side side = {
		.span = { .fn = fn, .pd = pd, .key = key, .va = va,
			  .access = access },
	};
	int err;

	shca_xlate_begin(fn->mem, fn->mem);
	err = access_bytes(&side, dst, len, false);
	shca_xlate_end(fn->mem, fn->mem);
	return err;
}

int shca_mkey_write(struct shca_fn *fn, u32 pd, u32 key, u64 va,
		    const void *src, size_t len, u32 access)
{
	struct side side = {
		.span = { .fn = fn, .pd = pd, .key = key, .va = va,
			  .access = access },
	};
	int err;

	shca_xlate_begin(fn->mem, fn->mem);
	/* It only reads from @src in this direction. */
	err = access_bytes(&side, (u8 *)src, len, true);
	shca_xlate_end(fn->mem, fn->mem);
	return err;
}

static int copy_sides(struct side *from, struct side *to, size_t len,
		      bool *src_failed)
{
	size_t n;
	int err;

	for (; len; len -= n) {
		err = side_run(from, len);
		*src_failed = err;
		if (!err)
			err = side_run(to, len);
		if (err)
			return err;
		n = min(from->run.len, to->run.len);
		err = shca_dma_copy(from->span.fn, from->run.addr, to->span.fn,
				    to->run.addr, n, src_failed);
		if (err)
			return err;
		side_advance(from, n);
		side_advance(to, n);
	}
	return 0;
}

int shca_mkey_copy(const struct shca_span *src, const struct shca_span *dst,
		   size_t len, bool *src_failed)
{
	struct side from = { .span = *src }, to = { .span = *dst };
	int err;

	*src_failed = false;
	shca_xlate_begin(src->fn->mem, dst->fn->mem);
	err = copy_sides(&from, &to, len, src_failed);
	shca_xlate_end(src->fn->mem, dst->fn->mem);
	return err;
}
