// SPDX-License-Identifier: GPL-2.0
/*
 * Arithmetic of completion and event rings.
 */
#include <linux/mlx5/cq.h>

#include "engine/hw.h"

/* The driver's record of a CQ it never armed; see mlx5_create_cq(). */
#define SHCA_CQ_DRIVER_INIT	(2 << 28)

u8 shca_ring_owner(u32 pi, u8 log_size)
{
	return (pi >> log_size) & 1;
}

bool shca_cq_full(u32 pi, u32 ci, u8 log_size)
{
	return ((pi - ci) & SHCA_CQ_INDEX_MASK) >= 1U << log_size;
}

/* Is the CQ armed by record @arm, and is there something to tell? The record
 * holds a sequence number, so the one that was answered last does not count.
 */
bool shca_cq_answers(u32 arm, u32 fired, u32 pi, u32 solicited)
{
	u32 end = arm & MLX5_CQ_DB_REQ_NOT_SOL ? solicited : pi;
	u32 ahead = (end - arm) & SHCA_CQ_INDEX_MASK;

	if (arm == fired)
		return false;
	if (fired == SHCA_CQ_UNARMED && arm == SHCA_CQ_DRIVER_INIT)
		return false;
	/* Signed: @solicited may lie behind the consumer. */
	return ahead && ahead <= SHCA_CQ_INDEX_MASK / 2;
}
