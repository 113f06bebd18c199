/* SPDX-License-Identifier: GPL-2.0 */
/*
 * mem: what addresses in commands and work requests mean.
 *
 * Three kinds: page lists of queues (struct shca_buf), UMEMs, and memory keys.
 * All end in shca_dma_*(), the gate of the pci room.
 */
#ifndef SHCA_MEM_H
#define SHCA_MEM_H

#include <linux/types.h>
#include "base/base.h"
#include "base/obj.h"
#include "pci/pci.h"

int shca_mem_fn_init(struct shca_fn *fn);
/* Everything was destroyed before; says what was not. */
void shca_mem_fn_exit(struct shca_fn *fn);
/* Function reset: all keys and UMEMs are gone; the queues went before. */
void shca_mem_fn_reset(struct shca_fn *fn);
/* UCTX clean-up: the keys and UMEMs of @uid; its queues went before. */
void shca_mem_uid_gone(struct shca_fn *fn, u16 uid);
/* Keys in existence. */
u32 shca_mem_mkeys(struct shca_fn *fn);

/* A queue's memory: equal pages, entered at an offset. */
struct shca_buf {
	u64 *page;		/* bus addresses */
	u32 npages;
	u8 page_shift;		/* 12..30 */
	u64 offset;		/* of byte 0, counted from the first page */
	u64 size;
	struct shca_umem *umem;	/* held when the pages are a UMEM's */
};

/* Where a command says a queue's memory is: a list in its mailbox, or a UMEM. */
struct shca_buf_src {
	const __be64 *pas;	/* NULL for a UMEM */
	u32 npas;		/* entries present in the mailbox */
	u8 page_shift;
	u32 page_offset;	/* bytes */
	bool umem_valid;
	u32 umem_id;
	u64 umem_offset;
	u16 uid;
};

/* -EINVAL: too few pages, bad shift or offset; -ENOENT: no such UMEM;
 * -EFAULT: a page is not mapped.
 */
int shca_buf_init(struct shca_fn *fn, struct shca_buf *buf,
		  const struct shca_buf_src *src, u64 size);
void shca_buf_exit(struct shca_buf *buf);
int shca_buf_read(struct shca_fn *fn, const struct shca_buf *buf, u64 off,
		  void *dst, size_t len);
int shca_buf_write(struct shca_fn *fn, const struct shca_buf *buf, u64 off,
		   const void *src, size_t len);
/* As shca_dma_write_owned(); the range must not cross a page. */
int shca_buf_write_owned(struct shca_fn *fn, const struct shca_buf *buf,
			 u64 off, const void *src, size_t len);

/* Where byte @off lies on the bus, and how many bytes follow it there. @off is
 * within the buffer.
 */
u64 shca_buf_addr(const struct shca_buf *buf, u64 off, u64 *chunk);

/* A doorbell record: 8 bytes in one page, at a bus address or in a UMEM. */
struct shca_dbr {
	struct shca_buf buf;
	u64 addr;
};

/* @addr is an offset when @umem_valid. Errors as for shca_buf_init(). */
int shca_dbr_init(struct shca_fn *fn, struct shca_dbr *dbr, u16 uid,
		  bool umem_valid, u32 umem_id, u64 addr);
void shca_dbr_exit(struct shca_dbr *dbr);

/* UMEMs. @umem is a PRM umem context, @mtt its translation list. */
int shca_umem_create(struct shca_fn *fn, u16 uid, const void *umem,
		     const void *mtt, u32 nmtt, u32 *id);
int shca_umem_destroy(struct shca_fn *fn, u16 uid, u32 id);

/* Memory keys. @mkc is a PRM mkey context, @xlt the translation list with
 * @xlt_len bytes present; @umem, when not NULL, is the UMEM that the key covers
 * instead. *index gets the number; the key byte is the context's.
 */
int shca_mkey_create(struct shca_fn *fn, u16 uid, const void *mkc,
		     const void *xlt, u32 xlt_len, const struct shca_buf_src *umem,
		     u32 *index);
int shca_mkey_query(struct shca_fn *fn, u16 uid, u32 index, void *mkc);
int shca_mkey_destroy(struct shca_fn *fn, u16 uid, u32 index);
/* The reserved lkey stands for bus addresses; kernel QPs only. */
u32 shca_mkey_reserved(struct shca_fn *fn);

/*
 * A UMR work request: changes what @mask (MLX5_MKEY_MASK_*) selects of @mkc in
 * the key, and @n octowords of its translations from octoword @first on, once
 * all accesses under way are over. Who asks is the queue pair @qpn with its
 * domain and user; what is not the @kernel's may only bind: see umr.c.
 */
struct shca_umr {
	u32 key;
	u32 pd, qpn;
	u16 uid;
	bool kernel;
	u8 flags;		/* MLX5_UMR_* */
	u64 mask;
	const void *mkc;
	u64 first;
	u32 n;
	/* @len bytes of the new list, from byte @off on; no lock is held */
	int (*fetch)(void *ctx, u32 off, void *dst, u32 len);
	void *ctx;
};

/* -EINVAL key or context, -EACCES not the asker's, not UMR-enabled or the wrong
 * state, -ERANGE no room for the list, -EOPNOTSUPP a field that cannot be
 * changed; or what @fetch returned, and then the key is free.
 */
int shca_mkey_umr(struct shca_fn *fn, const struct shca_umr *umr);

enum shca_access {
	SHCA_LOCAL_READ		= 0,
	SHCA_LOCAL_WRITE	= 1 << 0,
	SHCA_REMOTE_READ	= 1 << 1,
	SHCA_REMOTE_WRITE	= 1 << 2,
	SHCA_REMOTE_ATOMIC	= 1 << 3,
};

/* Stands for the domain of a queue that has none and may use any key. */
#define SHCA_PD_ANY	0xffffffff

/* Copies between @va under @key (index << 8 | key byte) and @buf. Checks PD,
 * key byte, access and bounds. -EINVAL key, -EACCES right or PD, -ERANGE
 * bounds, -EFAULT not mapped.
 */
int shca_mkey_read(struct shca_fn *fn, u32 pd, u32 key, u64 va, void *dst,
		   size_t len, u32 access);
int shca_mkey_write(struct shca_fn *fn, u32 pd, u32 key, u64 va,
		    const void *src, size_t len, u32 access);

/* Memory behind a key, as one side of a copy. */
struct shca_span {
	struct shca_fn *fn;
	u32 pd;
	u32 qpn;		/* the queue pair that a peer speaks to, or 0 */
	u32 key;
	u64 va;
	u32 access;
};

/* Copies from one key to another, of the same or of another function. Errors as
 * for shca_mkey_read(); *src_failed tells which side is to blame.
 */
int shca_mkey_copy(const struct shca_span *src, const struct shca_span *dst,
		   size_t len, bool *src_failed);

/* May a packet of the PD name all of the span? Nothing is touched. The reserved
 * key is nothing that a peer may name.
 */
int shca_mkey_remote_check(const struct shca_span *span, u64 len);
/* A peer's wish that @key be invalidated. -EINVAL key, -EACCES not its PD or
 * queue pair, or a key that was not made for that.
 */
int shca_mkey_invalidate(struct shca_fn *fn, u32 pd, u32 qpn, u32 key);

#endif
