// SPDX-License-Identifier: GPL-2.0
/*
 * Cursors over data, and copies between them.
 */
#define pr_fmt(fmt) "softhca: " fmt

#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/mlx5/qp.h>

#include "engine/cursor.h"
#include "engine/hw.h"

#define SHCA_INLINE_BOUNCE	256

void shca_cur_bytes(struct shca_cur *cur, void *bytes, u32 len)
{
	memset(cur, 0, sizeof(*cur));
	cur->piece = SHCA_PIECE_BYTES;
	cur->bytes = bytes;
	cur->left = len;
}

void shca_cur_span(struct shca_cur *cur, const struct shca_span *span, u32 len)
{
	memset(cur, 0, sizeof(*cur));
	cur->piece = SHCA_PIECE_KEY;
	cur->span = *span;
	cur->left = len;
}

void shca_cur_list(struct shca_cur *cur, const struct shca_span *span,
		   const struct shca_buf *buf, u64 base, u32 mask, u32 pos,
		   u32 end)
{
	memset(cur, 0, sizeof(*cur));
	cur->span = *span;
	cur->buf = buf;
	cur->base = base;
	cur->mask = mask;
	cur->pos = pos;
	cur->end = end;
}

/* From the ring; the range may go around its end. */
static int ring_read(const struct shca_cur *cur, u32 pos, void *dst, u32 len)
{
	u32 at = pos & cur->mask;
	u32 first = min(len, cur->mask + 1 - at);
	int err;

	err = shca_buf_read(cur->span.fn, cur->buf, cur->base + at, dst, first);
	if (err || first == len)
		return err;
	return shca_buf_read(cur->span.fn, cur->buf, cur->base, dst + first,
			     len - first);
}

static int next_inline(struct shca_cur *cur, u32 byte_count)
{
	u32 len = byte_count & MLX5_WQE_INLINE_SEG_BYTE_COUNT_MASK;
	u32 size = ALIGN(sizeof(struct mlx5_wqe_inline_seg) + len,
			 MLX5_SEND_WQE_DS);

	if (!cur->may_inline || size > cur->end - cur->pos)
		return -EBADMSG;
	cur->piece = SHCA_PIECE_INLINE;
	cur->in = cur->pos + sizeof(struct mlx5_wqe_inline_seg);
	cur->left = len;
	cur->pos += size;
	return 0;
}

static int next_piece(struct shca_cur *cur)
{
	struct mlx5_wqe_data_seg seg;
	int err;

	if (cur->pos == cur->end)
		return -EMSGSIZE;
	if (cur->end - cur->pos < sizeof(seg))
		return -EBADMSG;
	err = ring_read(cur, cur->pos, &seg, sizeof(seg));
	if (err)
		return err;
	if (seg.byte_count & cpu_to_be32(MLX5_INLINE_SEG))
		return next_inline(cur, be32_to_cpu(seg.byte_count));
	cur->piece = SHCA_PIECE_KEY;
	cur->pos += sizeof(seg);
	cur->left = be32_to_cpu(seg.byte_count);
	cur->span.key = be32_to_cpu(seg.lkey);
	cur->span.va = be64_to_cpu(seg.addr);
	if (!cur->may_inline && cur->span.key == SHCA_TERMINATE_LKEY) {
		cur->pos = cur->end;
		cur->left = 0;
		return -EMSGSIZE;
	}
	if (cur->left && !cur->rlky &&
	    cur->span.key == shca_mkey_reserved(cur->span.fn))
		return -EACCES;
	return 0;
}

/* Some of the piece under way, up to *len, which gets how much. */
static int want(struct shca_cur *cur, u32 *len)
{
	int err;

	while (!cur->left) {
		err = next_piece(cur);
		if (err)
			return err;
	}
	*len = min(*len, cur->left);
	return 0;
}

static void advance(struct shca_cur *cur, u32 len)
{
	cur->left -= len;
	switch (cur->piece) {
	case SHCA_PIECE_BYTES:
		cur->bytes += len;
		break;
	case SHCA_PIECE_KEY:
		cur->span.va += len;
		break;
	case SHCA_PIECE_INLINE:
		cur->in += len;
		break;
	}
}

int shca_cur_skip(struct shca_cur *cur, u32 len)
{
	u32 n;
	int err;

	while (len) {
		n = len;
		err = want(cur, &n);
		if (err)
			return err;
		advance(cur, n);
		len -= n;
	}
	return 0;
}

int shca_cur_total(const struct shca_cur *cur, u64 *total)
{
	struct shca_cur c = *cur;
	int err = 0;

	*total = c.left;
	while (c.pos != c.end) {
		err = next_piece(&c);
		if (err)
			break;
		*total += c.left;
	}
	return err == -EMSGSIZE ? 0 : err;
}

/* Bytes that the device holds itself, to their destination. */
static int put(const struct shca_cur *dst, const void *src, u32 len)
{
	const struct shca_span *to = &dst->span;

	if (dst->piece == SHCA_PIECE_KEY)
		return shca_mkey_write(to->fn, to->pd, to->key, to->va, src,
				       len, to->access);
	memcpy(dst->bytes, src, len);
	return 0;
}

static int copy_inline(const struct shca_cur *src, const struct shca_cur *dst,
		       u32 len, bool *src_failed)
{
	u8 bounce[SHCA_INLINE_BOUNCE];
	int err;

	err = ring_read(src, src->in, bounce, len);
	*src_failed = err;
	return err ?: put(dst, bounce, len);
}

static int copy_key(const struct shca_cur *src, const struct shca_cur *dst,
		    u32 len, bool *src_failed)
{
	const struct shca_span *from = &src->span;

	if (dst->piece == SHCA_PIECE_KEY)
		return shca_mkey_copy(from, &dst->span, len, src_failed);
	*src_failed = shca_mkey_read(from->fn, from->pd, from->key, from->va,
				     dst->bytes, len, from->access);
	return *src_failed ? -EACCES : 0;
}

static int copy_piece(const struct shca_cur *src, const struct shca_cur *dst,
		      u32 len, bool *src_failed)
{
	switch (src->piece) {
	case SHCA_PIECE_INLINE:
		return copy_inline(src, dst, len, src_failed);
	case SHCA_PIECE_KEY:
		return copy_key(src, dst, len, src_failed);
	default:
		return put(dst, src->bytes, len);
	}
}

int shca_cur_copy(struct shca_cur *src, struct shca_cur *dst, u32 len,
		  bool *src_failed)
{
	u32 n;
	int err;

	for (; len; len -= n) {
		n = len;
		*src_failed = true;
		err = want(src, &n);
		if (err)
			return err;
		*src_failed = false;
		err = want(dst, &n);
		if (err)
			return err;
		if (src->piece == SHCA_PIECE_INLINE)
			n = min_t(u32, n, SHCA_INLINE_BOUNCE);
		err = copy_piece(src, dst, n, src_failed);
		if (err)
			return err;
		advance(src, n);
		advance(dst, n);
	}
	return 0;
}

int shca_cur_fill(struct shca_cur *dst, const struct shca_pkt *pkt,
		  bool *src_failed)
{
	struct shca_cur from;
	int err;

	*src_failed = false;
	if (!pkt->len)
		return 0;
	if (!pkt->payload) {
		shca_cur_bytes(&from, pkt->data, pkt->len);
		return shca_cur_copy(&from, dst, pkt->len, src_failed);
	}
	from = pkt->payload->cur;
	err = shca_cur_copy(&from, dst, pkt->len, src_failed);
	if (err && *src_failed)
		pkt->payload->err = err;
	return err;
}
