// SPDX-License-Identifier: GPL-2.0
/*
 * The memory side of a function: its tables and their end.
 */
#define pr_fmt(fmt) "softhca: " fmt

#include <linux/printk.h>
#include <linux/slab.h>

#include "mem/internal.h"

#define SHCA_MKEY_FIRST		0x10
#define SHCA_MKEY_LAST		0xffff
#define SHCA_UMEM_FIRST		1
#define SHCA_UMEM_LAST		0xffff

int shca_mem_fn_init(struct shca_fn *fn)
{
	struct shca_mem *mem = kzalloc(sizeof(*mem), GFP_KERNEL);

	if (!mem)
		return -ENOMEM;
	mutex_init(&mem->lock);
	rwlock_init(&mem->xlate);
	shca_tbl_init(&mem->umems, SHCA_UMEM_FIRST, SHCA_UMEM_LAST);
	shca_tbl_init(&mem->mkeys, SHCA_MKEY_FIRST, SHCA_MKEY_LAST);
	fn->mem = mem;
	return 0;
}

void shca_mem_fn_reset(struct shca_fn *fn)
{
	shca_mkey_drop(fn, true, 0);
	shca_umem_drop(fn, true, 0);
}

void shca_mem_uid_gone(struct shca_fn *fn, u16 uid)
{
	shca_mkey_drop(fn, false, uid);
	shca_umem_drop(fn, false, uid);
}

u32 shca_mem_mkeys(struct shca_fn *fn)
{
	return atomic_read(&fn->mem->mkeys.count);
}

void shca_mem_fn_exit(struct shca_fn *fn)
{
	struct shca_mem *mem = fn->mem;
	int mkeys, umems;

	if (!mem)
		return;
	mkeys = atomic_read(&mem->mkeys.count);
	umems = atomic_read(&mem->umems.count);
	if (mkeys || umems)
		shca_warn(fn, "the driver left %d memory keys and %d UMEMs behind\n",
			  mkeys, umems);
	shca_mem_fn_reset(fn);
	shca_tbl_exit(&mem->mkeys);
	shca_tbl_exit(&mem->umems);
	fn->mem = NULL;
	kfree(mem);
}
