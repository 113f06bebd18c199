// SPDX-License-Identifier: GPL-2.0
/*
 * Mailbox chains. Nothing here touches a device: memory is reached through the
 * two functions of struct shca_mbox.
 */
#include <linux/align.h>
#include <linux/minmax.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "fw/mailbox.h"

#define BLOCK_CTRL	offsetof(struct mlx5_cmd_prot_block, rsvd0)
#define BLOCK_CTRL_LEN	(sizeof(struct mlx5_cmd_prot_block) - BLOCK_CTRL)
/* The control signature covers the control part without the block's own one. */
#define BLOCK_CTRL_SIG	(BLOCK_CTRL_LEN - 1)

u8 shca_mbox_xor(const void *buf, size_t len)
{
	const u8 *p = buf;
	u8 sum = 0;

	while (len--)
		sum ^= *p++;
	return sum;
}

bool shca_mbox_entry_good(const struct mlx5_cmd_layout *lay)
{
	return shca_mbox_xor(lay, sizeof(*lay)) == 0xff;
}

void shca_mbox_entry_sign(struct mlx5_cmd_layout *lay)
{
	lay->sig = 0;
	lay->sig = ~shca_mbox_xor(lay, sizeof(*lay));
}

static void block_sign(struct mlx5_cmd_prot_block *block)
{
	block->ctrl_sig = 0;
	block->sig = 0;
	block->ctrl_sig = ~shca_mbox_xor(block->rsvd0, BLOCK_CTRL_SIG);
	block->sig = ~shca_mbox_xor(block, sizeof(*block));
}

static enum shca_delivery block_check(const struct mlx5_cmd_prot_block *block,
				      u32 num, u8 token, bool checksum)
{
	if (checksum && shca_mbox_xor(block->rsvd0, BLOCK_CTRL_SIG) != 0xff)
		return SHCA_DELIVERY_SIGNATURE;
	if (block->token != token)
		return SHCA_DELIVERY_TOKEN;
	/* A loop in the chain ends here: the number would not go on rising. */
	if (be32_to_cpu(block->block_num) != num)
		return SHCA_DELIVERY_BLOCK_NUM;
	return SHCA_DELIVERY_OK;
}

enum shca_delivery shca_mbox_gather(struct shca_mbox *mbox,
				    const struct mlx5_cmd_layout *lay,
				    bool checksum, void *dst, u32 len)
{
	u32 done = min_t(u32, len, SHCA_CMD_INLINE);
	u64 ptr = be64_to_cpu(lay->in_ptr);
	enum shca_delivery err;
	u32 n, i;

	memcpy(dst, lay->in, done);
	for (i = 0; i < shca_mbox_blocks(len); i++) {
		if (!ptr)
			return SHCA_DELIVERY_IN_LENGTH;
		if (!IS_ALIGNED(ptr, MLX5_CMD_DATA_BLOCK_SIZE))
			return SHCA_DELIVERY_IN_PTR_ALIGN;
		if (mbox->read(mbox->ctx, ptr, &mbox->block,
			       sizeof(mbox->block)))
			return SHCA_DELIVERY_FW;
		err = block_check(&mbox->block, i, lay->token, checksum);
		if (err)
			return err;
		if (checksum && shca_mbox_xor(&mbox->block,
					      sizeof(mbox->block)) != 0xff)
			return SHCA_DELIVERY_SIGNATURE;
		n = min_t(u32, len - done, MLX5_CMD_DATA_BLOCK_SIZE);
		memcpy(dst + done, mbox->block.data, n);
		done += n;
		ptr = be64_to_cpu(mbox->block.next);
		cond_resched();
	}
	return SHCA_DELIVERY_OK;
}

enum shca_delivery shca_mbox_map(struct shca_mbox *mbox,
				 const struct mlx5_cmd_layout *lay,
				 bool checksum, u64 *addr, u32 len)
{
	u64 ptr = be64_to_cpu(lay->out_ptr);
	enum shca_delivery err;
	u32 i;

	for (i = 0; i < shca_mbox_blocks(len); i++) {
		if (!ptr)
			return SHCA_DELIVERY_OUT_LENGTH;
		if (!IS_ALIGNED(ptr, MLX5_CMD_DATA_BLOCK_SIZE))
			return SHCA_DELIVERY_OUT_PTR_ALIGN;
		if (mbox->read(mbox->ctx, ptr + BLOCK_CTRL, mbox->block.rsvd0,
			       BLOCK_CTRL_LEN))
			return SHCA_DELIVERY_FW;
		err = block_check(&mbox->block, i, lay->token, checksum);
		if (err)
			return err;
		addr[i] = ptr;
		ptr = be64_to_cpu(mbox->block.next);
		cond_resched();
	}
	return SHCA_DELIVERY_OK;
}

static int block_write(struct shca_mbox *mbox, u64 addr, bool checksum,
		       const void *src, u32 len)
{
	int err;

	if (!checksum)
		return mbox->write(mbox->ctx, addr, src, len);

	/* The signature covers the whole block, what was there included. */
	err = mbox->read(mbox->ctx, addr, &mbox->block, sizeof(mbox->block));
	if (err)
		return err;
	memcpy(mbox->block.data, src, len);
	block_sign(&mbox->block);
	return mbox->write(mbox->ctx, addr, &mbox->block, sizeof(mbox->block));
}

int shca_mbox_scatter(struct shca_mbox *mbox, struct mlx5_cmd_layout *lay,
		      bool checksum, const u64 *addr, const void *src, u32 len)
{
	u32 done = min_t(u32, len, SHCA_CMD_INLINE);
	int err;
	u32 n, i;

	memset(lay->out, 0, sizeof(lay->out));
	memcpy(lay->out, src, done);
	for (i = 0; i < shca_mbox_blocks(len); i++) {
		n = min_t(u32, len - done, MLX5_CMD_DATA_BLOCK_SIZE);
		err = block_write(mbox, addr[i], checksum, src + done, n);
		if (err)
			return err;
		done += n;
		cond_resched();
	}
	return 0;
}
