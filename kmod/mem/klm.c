// SPDX-License-Identifier: GPL-2.0
/*
 * The lists of indirect keys: pieces of other keys.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/mlx5/device.h>
#include <linux/mlx5/qp.h>

#include "mem/internal.h"

/* Where each piece from @first on begins. */
static void place_from(struct shca_mkey *mkey, u32 first)
{
	u64 off = 0;
	u32 i;

	if (first)
		off = mkey->klm[first - 1].off + mkey->klm[first - 1].len;
	for (i = first; i < mkey->nklm; i++) {
		mkey->klm[i].off = off;
		off += mkey->klm[i].len;
	}
}

void shca_klm_write(struct shca_mkey *mkey, u32 first,
		    const struct mlx5_klm *klm, u32 n)
{
	u32 old = mkey->nklm, i;

	for (i = 0; i < n; i++) {
		mkey->klm[first + i].len = be32_to_cpu(klm[i].bcount);
		mkey->klm[first + i].key = be32_to_cpu(klm[i].key);
		mkey->klm[first + i].va = be64_to_cpu(klm[i].va);
	}
	mkey->nklm = max(old, first + n);
	/* What was never written counts as empty. */
	place_from(mkey, min(old, first));
}

int shca_klm_init(struct shca_mkey *mkey, const struct mlx5_klm *klm, u32 n,
		  u32 room)
{
	mkey->room = max(n, room);
	mkey->klm = kvcalloc(mkey->room, sizeof(*mkey->klm), GFP_KERNEL);
	if (!mkey->klm)
		return -ENOMEM;
	shca_klm_write(mkey, 0, klm, n);
	return 0;
}
