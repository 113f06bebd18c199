// SPDX-License-Identifier: GPL-2.0
/*
 * Copies from memory key to memory key.
 */
#include <linux/kernel.h>

#include "mem/mem.h"

#define SHCA_COPY_BOUNCE	512

int shca_mkey_copy(const struct shca_span *src, const struct shca_span *dst,
		   size_t len, bool *src_failed)
{
	u8 bounce[SHCA_COPY_BOUNCE];
	size_t done, n;
	int err;

	for (done = 0; done < len; done += n) {
		n = min(len - done, sizeof(bounce));
		err = shca_mkey_read(src->fn, src->pd, src->key, src->va + done,
				     bounce, n, src->access);
		*src_failed = err;
		if (!err)
			err = shca_mkey_write(dst->fn, dst->pd, dst->key,
					      dst->va + done, bounce, n,
					      dst->access);
		if (err)
			return err;
	}
	return 0;
}
