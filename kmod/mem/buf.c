// SPDX-License-Identifier: GPL-2.0
/*
 * Queue memory: lists of equal pages, and doorbell records.
 */
#define pr_fmt(fmt) "softhca: " fmt

#include <linux/math64.h>
#include <linux/overflow.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "mem/internal.h"

#define SHCA_PAGE_SHIFT_MIN	12
#define SHCA_PAGE_SHIFT_MAX	30
/* Low bits of a list entry are permissions, not address. */
#define SHCA_PAGE_FLAGS		0x7ULL

u64 *shca_pages_alloc(const __be64 *list, u32 n, u8 page_shift, int *err)
{
	u64 inside = (1ULL << page_shift) - 1;
	u64 *page;
	u32 i;

	page = kvmalloc_array(n, sizeof(*page), GFP_KERNEL);
	if (!page) {
		*err = -ENOMEM;
		return NULL;
	}
	for (i = 0; i < n; i++) {
		page[i] = be64_to_cpu(list[i]) & ~SHCA_PAGE_FLAGS;
		if (page[i] & inside) {
			kvfree(page);
			*err = -EINVAL;
			return NULL;
		}
	}
	*err = 0;
	return page;
}

u64 shca_buf_addr(const struct shca_buf *buf, u64 off, u64 *chunk)
{
	u64 pos = buf->offset + off;
	u64 page_size = 1ULL << buf->page_shift;
	u64 in_page = pos & (page_size - 1);

	*chunk = page_size - in_page;
	return buf->page[pos >> buf->page_shift] + in_page;
}

/* Every byte of the buffer must be reachable at creation, so that a mistake
 * shows in the command that made it.
 */
static int buf_check_mapped(struct shca_fn *fn, const struct shca_buf *buf)
{
	u64 off, chunk, addr;

	for (off = 0; off < buf->size; off += chunk) {
		addr = shca_buf_addr(buf, off, &chunk);
		chunk = min(chunk, buf->size - off);
		if (!shca_dma_mapped(fn, addr, chunk))
			return -EFAULT;
	}
	return 0;
}

static int buf_from_list(struct shca_buf *buf, const struct shca_buf_src *src,
			 u64 size)
{
	u64 need;
	int err;

	if (src->page_shift < SHCA_PAGE_SHIFT_MIN ||
	    src->page_shift > SHCA_PAGE_SHIFT_MAX ||
	    src->page_offset >> src->page_shift)
		return -EINVAL;
	if (check_add_overflow((u64)src->page_offset, size, &need))
		return -EINVAL;
	need = ((need - 1) >> src->page_shift) + 1;
	if (!src->pas || need > src->npas)
		return -EINVAL;

	buf->page = shca_pages_alloc(src->pas, need, src->page_shift, &err);
	if (!buf->page)
		return err;
	buf->npages = need;
	buf->page_shift = src->page_shift;
	buf->offset = src->page_offset;
	return 0;
}

static int buf_from_umem(struct shca_fn *fn, struct shca_buf *buf,
			 const struct shca_buf_src *src, u64 size)
{
	struct shca_umem *umem = shca_umem_hold(fn, src->uid, src->umem_id);
	u64 have;

	if (!umem)
		return -ENOENT;
	have = ((u64)umem->npages << umem->page_shift) - umem->offset;
	if (src->umem_offset > have || size > have - src->umem_offset) {
		shca_umem_unhold(umem);
		return -EINVAL;
	}
	buf->umem = umem;
	buf->page = umem->page;
	buf->npages = umem->npages;
	buf->page_shift = umem->page_shift;
	buf->offset = umem->offset + src->umem_offset;
	return 0;
}

int shca_buf_init(struct shca_fn *fn, struct shca_buf *buf,
		  const struct shca_buf_src *src, u64 size)
{
	int err;

	memset(buf, 0, sizeof(*buf));
	if (!size)
		return 0;

	if (src->umem_valid)
		err = buf_from_umem(fn, buf, src, size);
	else
		err = buf_from_list(buf, src, size);
	if (err)
		return err;

	buf->size = size;
	err = buf_check_mapped(fn, buf);
	if (err)
		shca_buf_exit(buf);
	return err;
}

void shca_buf_exit(struct shca_buf *buf)
{
	if (buf->umem)
		shca_umem_unhold(buf->umem);
	else
		kvfree(buf->page);
	memset(buf, 0, sizeof(*buf));
}

static bool buf_outside(const struct shca_buf *buf, u64 off, u64 len)
{
	return len > buf->size || off > buf->size - len;
}

int shca_buf_read(struct shca_fn *fn, const struct shca_buf *buf, u64 off,
		  void *dst, size_t len)
{
	u64 chunk, addr;
	int err;

	if (buf_outside(buf, off, len))
		return -ERANGE;
	while (len) {
		addr = shca_buf_addr(buf, off, &chunk);
		chunk = min_t(u64, chunk, len);
		err = shca_dma_read(fn, addr, dst, chunk);
		if (err)
			return err;
		off += chunk;
		dst += chunk;
		len -= chunk;
	}
	return 0;
}

int shca_buf_write(struct shca_fn *fn, const struct shca_buf *buf, u64 off,
		   const void *src, size_t len)
{
	u64 chunk, addr;
	int err;

	if (buf_outside(buf, off, len))
		return -ERANGE;
	while (len) {
		addr = shca_buf_addr(buf, off, &chunk);
		chunk = min_t(u64, chunk, len);
		err = shca_dma_write(fn, addr, src, chunk);
		if (err)
			return err;
		off += chunk;
		src += chunk;
		len -= chunk;
	}
	return 0;
}

int shca_buf_write_owned(struct shca_fn *fn, const struct shca_buf *buf,
			 u64 off, const void *src, size_t len)
{
	u64 chunk, addr;

	if (buf_outside(buf, off, len))
		return -ERANGE;
	addr = shca_buf_addr(buf, off, &chunk);
	if (len > chunk)
		return -ERANGE;
	return shca_dma_write_owned(fn, addr, src, len);
}

int shca_dbr_init(struct shca_fn *fn, struct shca_dbr *dbr, u16 uid,
		  bool umem_valid, u32 umem_id, u64 addr)
{
	__be64 page = cpu_to_be64(addr & PAGE_MASK);
	struct shca_buf_src src = { .uid = uid };
	u64 chunk;
	int err;

	if (umem_valid) {
		src.umem_valid = true;
		src.umem_id = umem_id;
		src.umem_offset = addr;
	} else {
		src.pas = &page;
		src.npas = 1;
		src.page_shift = PAGE_SHIFT;
		src.page_offset = addr & ~PAGE_MASK;
	}
	err = shca_buf_init(fn, &dbr->buf, &src, sizeof(u64));
	if (err)
		return err;
	dbr->addr = shca_buf_addr(&dbr->buf, 0, &chunk);
	if (!IS_ALIGNED(dbr->addr, sizeof(u64))) {
		shca_buf_exit(&dbr->buf);
		return -EINVAL;
	}
	return 0;
}

void shca_dbr_exit(struct shca_dbr *dbr)
{
	shca_buf_exit(&dbr->buf);
}
