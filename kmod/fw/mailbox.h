/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The command interface's mailbox chains: blocks of 512 bytes of data, each
 * with its number, the command's token, signatures and the next one's address.
 */
#ifndef SHCA_FW_MAILBOX_H
#define SHCA_FW_MAILBOX_H

#include <linux/mlx5/device.h>
#include <linux/types.h>

#define SHCA_CMD_INLINE		16	/* bytes of a message in the entry itself */
#define SHCA_CMD_MAX_LEN	0x1000000

/* How the command was delivered: bits 7:1 of an entry's last byte. */
enum shca_delivery {
	SHCA_DELIVERY_OK		= 0x00,
	SHCA_DELIVERY_SIGNATURE		= 0x01,
	SHCA_DELIVERY_TOKEN		= 0x02,
	SHCA_DELIVERY_BLOCK_NUM		= 0x03,
	SHCA_DELIVERY_OUT_PTR_ALIGN	= 0x04,
	SHCA_DELIVERY_IN_PTR_ALIGN	= 0x05,
	SHCA_DELIVERY_FW		= 0x06,
	SHCA_DELIVERY_IN_LENGTH		= 0x07,
	SHCA_DELIVERY_OUT_LENGTH	= 0x08,
	SHCA_DELIVERY_RESERVED		= 0x09,
	SHCA_DELIVERY_DESCRIPTOR	= 0x10,
};

/* The driver's memory, and room for the one block that is looked at. */
struct shca_mbox {
	int (*read)(void *ctx, u64 addr, void *dst, size_t len);
	int (*write)(void *ctx, u64 addr, const void *src, size_t len);
	void *ctx;
	struct mlx5_cmd_prot_block block;
};

/* Blocks that a message of @len bytes takes beside the entry. */
static inline u32 shca_mbox_blocks(u32 len)
{
	if (len <= SHCA_CMD_INLINE)
		return 0;
	return DIV_ROUND_UP(len - SHCA_CMD_INLINE, MLX5_CMD_DATA_BLOCK_SIZE);
}

u8 shca_mbox_xor(const void *buf, size_t len);
bool shca_mbox_entry_good(const struct mlx5_cmd_layout *lay);
void shca_mbox_entry_sign(struct mlx5_cmd_layout *lay);

/* Copies a request, once: the entry's bytes and then each block's. */
enum shca_delivery shca_mbox_gather(struct shca_mbox *mbox,
				    const struct mlx5_cmd_layout *lay,
				    bool checksum, void *dst, u32 len);
/* Walks the answer's blocks before the command runs and notes where they are:
 * the driver cannot redirect the answer afterwards. @addr has one word a block.
 */
enum shca_delivery shca_mbox_map(struct shca_mbox *mbox,
				 const struct mlx5_cmd_layout *lay,
				 bool checksum, u64 *addr, u32 len);
/* Writes the answer into the blocks and the entry's copy in @lay. */
int shca_mbox_scatter(struct shca_mbox *mbox, struct mlx5_cmd_layout *lay,
		      bool checksum, const u64 *addr, const void *src, u32 len);

#endif
