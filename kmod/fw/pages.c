// SPDX-License-Identifier: GPL-2.0
/*
 * Pages that the driver lends the firmware. Real firmware keeps its context
 * memory in them; softhca keeps that elsewhere, and only remembers the pages,
 * to hand back exactly what it was given.
 */
#include <linux/errno.h>

#include "fw/internal.h"

#define PAGE_4K			4096
#define BOOT_PAGES		16
#define INIT_PAGES		128

enum { QUERY_BOOT = 1, QUERY_INIT = 2, QUERY_REGULAR = 3 };
enum { PAGES_CANT_GIVE = 0, PAGES_GIVE = 1, PAGES_TAKE = 2 };

int shca_cmd_query_pages(struct shca_cmd *cmd)
{
	s32 pages;

	switch (cmd->op_mod) {
	case QUERY_BOOT:
		pages = BOOT_PAGES;
		break;
	case QUERY_INIT:
		pages = INIT_PAGES;
		break;
	case QUERY_REGULAR:
		pages = 0;
		break;
	default:
		return shca_cmd_refuse(cmd, -EINVAL, SHCA_SYND_OP_MOD);
	}
	MLX5_SET(query_pages_out, cmd->out, num_pages, pages);
	return 0;
}

void shca_pages_forget(struct shca_fw *fw)
{
	xa_destroy(&fw->pages);
	WRITE_ONCE(fw->npages, 0);
}

static u64 given_addr(struct shca_cmd *cmd, u32 i)
{
	return MLX5_GET64(manage_pages_in, cmd->in, pas[i]);
}

static bool give_valid(struct shca_cmd *cmd, u32 n)
{
	u32 i;

	for (i = 0; i < n; i++) {
		u64 addr = given_addr(cmd, i);

		if (!addr || addr % PAGE_4K ||
		    !shca_dma_mapped(cmd->fn, addr, PAGE_4K))
			return false;
	}
	return true;
}

static int give(struct shca_cmd *cmd, u32 n)
{
	u32 room = (cmd->inlen - MLX5_ST_SZ_BYTES(manage_pages_in)) /
		   sizeof(u64);
	struct shca_fw *fw = cmd->fw;
	u32 i;

	if (n > room)
		return shca_cmd_refuse(cmd, -E2BIG, SHCA_SYND_PAGES_COUNT);
	if (n > SHCA_MAX_PAGES - fw->npages)
		return shca_cmd_refuse(cmd, -ENOSPC, SHCA_SYND_PAGES_LIMIT);
	if (!give_valid(cmd, n))
		return shca_cmd_refuse(cmd, -EINVAL, SHCA_SYND_PAGES_ADDR);

	for (i = 0; i < n; i++) {
		/* Page numbers fit a value entry; addresses might not. */
		void *page = xa_mk_value(given_addr(cmd, i) / PAGE_4K);
		int err = xa_err(xa_store(&fw->pages, fw->npages + i, page,
					  GFP_KERNEL));

		if (err)
			return err;
	}
	WRITE_ONCE(fw->npages, fw->npages + n);
	return 0;
}

static int take(struct shca_cmd *cmd, u32 n)
{
	u32 room = (cmd->outlen - MLX5_ST_SZ_BYTES(manage_pages_out)) /
		   sizeof(u64);
	struct shca_fw *fw = cmd->fw;
	u32 i;

	if (n > room)
		return shca_cmd_refuse(cmd, -EMSGSIZE, SHCA_SYND_PAGES_COUNT);
	n = min(n, fw->npages);
	for (i = 0; i < n; i++) {
		void *page = xa_erase(&fw->pages, fw->npages - 1 - i);

		MLX5_ARRAY_SET64(manage_pages_out, cmd->out, pas, i,
				 (u64)xa_to_value(page) * PAGE_4K);
	}
	WRITE_ONCE(fw->npages, fw->npages - n);
	MLX5_SET(manage_pages_out, cmd->out, output_num_entries, n);
	return 0;
}

int shca_cmd_manage_pages(struct shca_cmd *cmd)
{
	u32 n = MLX5_GET(manage_pages_in, cmd->in, input_num_entries);

	if (MLX5_GET(manage_pages_in, cmd->in, function_id))
		return shca_cmd_refuse(cmd, -EINVAL, SHCA_SYND_PAGES_FN);
	switch (cmd->op_mod) {
	case PAGES_CANT_GIVE:
		/* What was asked for is nothing the device cannot do without. */
		return 0;
	case PAGES_GIVE:
		return give(cmd, n);
	case PAGES_TAKE:
		return take(cmd, n);
	default:
		return shca_cmd_refuse(cmd, -EINVAL, SHCA_SYND_OP_MOD);
	}
}
