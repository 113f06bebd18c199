// SPDX-License-Identifier: GPL-2.0
/*
 * Doorbell hints by polling: the words of the UAR pages are memory that both
 * sides see. Read first, exchange only what is not zero: an idle page costs a
 * few reads.
 */
#define pr_fmt(fmt) "softhca: " fmt

#include <linux/atomic.h>
#include <linux/mlx5/cq.h>
#include <linux/mlx5/doorbell.h>

#include "engine/hw.h"
#include "pci/pci.h"

#define SHCA_SQ_DB_FIRST	0x800
#define SHCA_SQ_DB_STEP		0x100
#define SHCA_SQ_DB_END		0x1000

static void db_poll_open(struct shca_hw *hw, u32 index)
{
	set_bit(index, hw->uar_live);
}

static void db_poll_close(struct shca_hw *hw, u32 index)
{
	clear_bit(index, hw->uar_live);
}

/* What was stored to the word since the last time; 0 for nothing. */
static u64 db_take(void __iomem *word)
{
	/* The BAR is memory, mapped as a device's: plain accesses do. */
	u64 *p = (__force u64 *)word;

	return READ_ONCE(*p) ? xchg(p, 0) : 0;
}

static bool db_poll_page(struct shca_hw *hw, u32 index,
			 struct shca_scratch *scratch)
{
	void __iomem *page = shca_bar(hw->fn) + ((u64)index << SHCA_UAR_SHIFT);
	bool found = false;
	unsigned int off;
	__be32 db[2];
	u64 word;

	if (db_take(page + MLX5_CQ_DOORBELL)) {
		shca_uar_hint_cq(hw, index);
		found = true;
	}
	for (off = SHCA_SQ_DB_FIRST; off < SHCA_SQ_DB_END;
	     off += SHCA_SQ_DB_STEP) {
		word = db_take(page + off);
		if (!word)
			continue;
		/* The start of a WQE: opcode and index, QPN and size. */
		memcpy(db, &word, sizeof(db));
		shca_uar_hint_sq(hw, index, be32_to_cpu(db[1]) >> 8, scratch);
		found = true;
	}
	return found;
}

static bool db_poll(struct shca_hw *hw, struct shca_scratch *scratch)
{
	bool found = false;
	u32 index;

	for_each_set_bit(index, hw->uar_live, SHCA_UAR_END)
		found |= db_poll_page(hw, index, scratch);
	return found;
}

const struct shca_db_source shca_db_polling = {
	.open = db_poll_open,
	.close = db_poll_close,
	.poll = db_poll,
};
