// SPDX-License-Identifier: GPL-2.0
/* Where a command says a queue's memory is: page addresses, or a UMEM. */
#include "fw/internal.h"

#define ADAPTER_PAGE_SHIFT	12
#define OFFSETS_PER_PAGE_SHIFT	6	/* a page offset counts 64ths of a page */

void shca_src_pas(struct shca_cmd *cmd, struct shca_buf_src *src, u32 base,
		  u8 log_page_size, u32 page_offset)
{
	src->pas = cmd->in + base;
	src->npas = (cmd->inlen - base) / sizeof(*src->pas);
	src->page_shift = log_page_size + ADAPTER_PAGE_SHIFT;
	src->page_offset = page_offset << (src->page_shift -
					   OFFSETS_PER_PAGE_SHIFT);
	src->uid = cmd->uid;
}

/*
 * With a UMEM no address is taken from the mailbox at all. The drivers set the
 * flag in all that a DEVX user sends; without it the addresses are the kernel's
 * own, although the command may carry the user's uid.
 */
void shca_src_umem(struct shca_cmd *cmd, struct shca_buf_src *src, bool valid,
		   const void *id, const void *offset)
{
	src->uid = cmd->uid;
	if (!valid)
		return;
	src->umem_valid = true;
	src->umem_id = be32_to_cpup(id);
	src->umem_offset = be64_to_cpup(offset);
	src->pas = NULL;
	src->npas = 0;
}
