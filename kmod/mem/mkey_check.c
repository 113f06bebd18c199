// SPDX-License-Identifier: GPL-2.0
/*
 * Memory keys: what a key allows, and where its pieces lie. No memory is
 * touched here.
 */
#include <linux/errno.h>
#include <linux/kernel.h>

#include "mem/internal.h"

void shca_mkey_decode(const void *mkc, struct shca_mkey_attr *attr)
{
	attr->pd = MLX5_GET(mkc, mkc, pd);
	attr->key = MLX5_GET(mkc, mkc, mkey_7_0);
	attr->mode = MLX5_GET(mkc, mkc, access_mode_1_0) |
		     MLX5_GET(mkc, mkc, access_mode_4_2) << 2;
	attr->page_shift = MLX5_GET(mkc, mkc, log_page_size);
	attr->free = MLX5_GET(mkc, mkc, free);
	attr->umr_en = MLX5_GET(mkc, mkc, umr_en);
	attr->length64 = MLX5_GET(mkc, mkc, length64);
	attr->local_read = MLX5_GET(mkc, mkc, lr);
	attr->qpn = MLX5_GET(mkc, mkc, qpn);
	attr->access = 0;
	if (MLX5_GET(mkc, mkc, lw))
		attr->access |= SHCA_LOCAL_WRITE;
	if (MLX5_GET(mkc, mkc, rr))
		attr->access |= SHCA_REMOTE_READ;
	if (MLX5_GET(mkc, mkc, rw))
		attr->access |= SHCA_REMOTE_WRITE;
	if (MLX5_GET(mkc, mkc, a))
		attr->access |= SHCA_REMOTE_ATOMIC;
	attr->start = MLX5_GET64(mkc, mkc, start_addr);
	attr->len = MLX5_GET64(mkc, mkc, len);
}

int shca_mkey_allows(const struct shca_mkey_attr *attr, u32 pd, u8 key, u64 va,
		     u64 len, u32 access)
{
	if (attr->free || attr->key != key)
		return -EINVAL;
	if (attr->pd != pd && pd != SHCA_PD_ANY)
		return -EACCES;
	if ((attr->access & access) != access)
		return -EACCES;
	if (access == SHCA_LOCAL_READ && !attr->local_read)
		return -EACCES;
	if (attr->length64)
		return 0;
	if (va < attr->start || len > attr->len ||
	    va - attr->start > attr->len - len)
		return -ERANGE;
	return 0;
}

static int ksm_find(const struct shca_mkey_attr *attr,
		    const struct shca_klm *klm, u32 nklm, u64 off, u32 *key,
		    u64 *va, u64 *chunk)
{
	u64 size = 1ULL << attr->page_shift;
	u64 index = off >> attr->page_shift;

	if (index >= nklm)
		return -ERANGE;
	*key = klm[index].key;
	*va = klm[index].va + (off & (size - 1));
	*chunk = size - (off & (size - 1));
	return 0;
}

int shca_klm_find(const struct shca_mkey_attr *attr, const struct shca_klm *klm,
		  u32 nklm, u64 off, u32 *key, u64 *va, u64 *chunk)
{
	u32 low = 0, high = nklm, mid;

	if (attr->mode == MLX5_MKC_ACCESS_MODE_KSM)
		return ksm_find(attr, klm, nklm, off, key, va, chunk);

	/* The last piece that does not begin behind @off. */
	while (low < high) {
		mid = low + (high - low) / 2;
		if (klm[mid].off <= off)
			low = mid + 1;
		else
			high = mid;
	}
	if (!low)
		return -ERANGE;
	klm += low - 1;
	off -= klm->off;
	if (off >= klm->len)
		return -ERANGE;
	*key = klm->key;
	*va = klm->va + off;
	*chunk = klm->len - off;
	return 0;
}
