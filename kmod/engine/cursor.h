/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where data comes from or goes to: bytes, memory behind one key, or what the
 * segments of a work request list. A cursor walks along it; the segments are
 * fetched from the driver's memory one by one, and each is believed only for
 * the piece that it describes.
 */
#ifndef SHCA_CURSOR_H
#define SHCA_CURSOR_H

#include <linux/types.h>
#include "fabric/fabric.h"
#include "mem/mem.h"

enum shca_piece {
	SHCA_PIECE_BYTES,
	SHCA_PIECE_KEY,
	SHCA_PIECE_INLINE,	/* in the work request itself */
};

struct shca_cur {
	struct shca_span span;	/* the piece under way, or all of it */
	u8 *bytes;
	u32 left;		/* of the piece */
	u8 piece;
	bool rlky;		/* the reserved key may be named */
	bool may_inline;
	/* The list: offsets in a ring, @mask its size - 1. */
	const struct shca_buf *buf;
	u64 base;
	u32 mask, pos, end, in;	/* in: place of inline data */
};

void shca_cur_bytes(struct shca_cur *cur, void *bytes, u32 len);
void shca_cur_span(struct shca_cur *cur, const struct shca_span *span, u32 len);
/* @span: fn, pd and access of all pieces. */
void shca_cur_list(struct shca_cur *cur, const struct shca_span *span,
		   const struct shca_buf *buf, u64 base, u32 mask, u32 pos,
		   u32 end);

/* -EMSGSIZE when the list ends before, -EBADMSG when it is none; else what the
 * memory says.
 */
int shca_cur_skip(struct shca_cur *cur, u32 len);
/* Bytes from the cursor on. */
int shca_cur_total(const struct shca_cur *cur, u64 *total);
/* Both cursors advance. @src_failed: which side an error is of. */
int shca_cur_copy(struct shca_cur *src, struct shca_cur *dst, u32 len,
		  bool *src_failed);

/* A packet's data with its sender, who waits in his call for what becomes of
 * it.
 */
struct shca_payload {
	struct shca_cur cur;
	int err;		/* of the sender's memory */
};

/* From a packet, whichever way it carries its data, to @dst. @src_failed: the
 * packet must be treated as if it had never been sent.
 */
int shca_cur_fill(struct shca_cur *dst, const struct shca_pkt *pkt,
		  bool *src_failed);

#endif
