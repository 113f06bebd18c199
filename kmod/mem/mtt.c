// SPDX-License-Identifier: GPL-2.0
/*
 * Page lists of keys that get their pages by UMR. A driver keeps thousands of
 * such keys at hand, most of them never used, so there is memory only for what
 * was written.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "mem/internal.h"

#define SHCA_MTT_CHUNK	256U	/* entries */

void shca_mtt_init(struct shca_mtt *mtt, u32 room)
{
	/* The lock of the array is never taken where interrupts come in. */
	xa_init(&mtt->chunks);
	mtt->room = room;
}

void shca_mtt_exit(struct shca_mtt *mtt)
{
	unsigned long i;
	__be64 *chunk;

	xa_for_each(&mtt->chunks, i, chunk)
		kfree(chunk);
	xa_destroy(&mtt->chunks);
}

/* The chunk of entry @i, made if there is none. Must not sleep: UMR is served
 * under locks.
 */
static __be64 *chunk_of(struct shca_mtt *mtt, u32 i)
{
	u32 n = i / SHCA_MTT_CHUNK;
	__be64 *chunk = xa_load(&mtt->chunks, n);

	if (chunk)
		return chunk;
	chunk = kcalloc(min(mtt->room - n * SHCA_MTT_CHUNK, SHCA_MTT_CHUNK),
			sizeof(*chunk), GFP_ATOMIC | __GFP_NOWARN);
	if (!chunk)
		return NULL;
	if (xa_err(xa_store(&mtt->chunks, n, chunk,
			    GFP_ATOMIC | __GFP_NOWARN))) {
		kfree(chunk);
		return NULL;
	}
	return chunk;
}

int shca_mtt_write(struct shca_mtt *mtt, u32 first, const __be64 *entry, u32 n)
{
	u32 at, part;
	__be64 *chunk;

	if (n > mtt->room || first > mtt->room - n)
		return -ERANGE;
	for (; n; n -= part, first += part, entry += part) {
		chunk = chunk_of(mtt, first);
		if (!chunk)
			return -ENOMEM;
		at = first % SHCA_MTT_CHUNK;
		part = min(n, SHCA_MTT_CHUNK - at);
		memcpy(chunk + at, entry, part * sizeof(*entry));
	}
	return 0;
}

u64 shca_mtt_entry(const struct shca_mtt *mtt, u64 i)
{
	const __be64 *chunk;

	if (i >= mtt->room)
		return 0;
	chunk = xa_load((struct xarray *)&mtt->chunks, i / SHCA_MTT_CHUNK);
	return chunk ? be64_to_cpu(chunk[i % SHCA_MTT_CHUNK]) : 0;
}
