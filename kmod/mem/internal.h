/* SPDX-License-Identifier: GPL-2.0 */
/* What the files of the mem room share among themselves. */
#ifndef SHCA_MEM_INTERNAL_H
#define SHCA_MEM_INTERNAL_H

#include <linux/errno.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <linux/mlx5/device.h>
#include <linux/mlx5/mlx5_ifc.h>

#include "mem/mem.h"

struct shca_mem {
	struct mutex lock;	/* look-up and hold against destroy */
	rwlock_t xlate;		/* what all keys say; see xlate.c */
	struct shca_tbl umems;
	struct shca_tbl mkeys;
};

struct shca_umem {
	struct shca_obj obj;
	u64 *page;
	u32 npages;
	u8 page_shift;
	u32 offset;
};

/* A KLM: so many bytes of another key, from @off of the indirect one. A KSM has
 * its size, and so its place, from the context.
 */
struct shca_klm {
	u64 off;
	u32 len;
	u32 key;
	u64 va;
};

/* What a memory key's context says, as accesses need it. */
struct shca_mkey_attr {
	u32 pd;
	u8 key;			/* the key byte */
	u8 mode;		/* MLX5_MKC_ACCESS_MODE_* */
	u8 page_shift;		/* MTT and KSM */
	bool free, umr_en, length64;
	bool local_read;
	u32 access;		/* enum shca_access */
	u32 qpn;		/* the only queue pair that may, or ANY_QP */
	u64 start, len;
};

#define SHCA_MKEY_ANY_QP	0xffffff
#define SHCA_XLT_SHIFT_MIN	12
#define SHCA_XLT_SHIFT_MAX	62

/* Pages that UMR wrote, as they stand in the list. */
struct shca_mtt {
	struct xarray chunks;
	u32 room;		/* entries */
};

struct shca_mkey {
	struct shca_obj obj;
	/* xlate lock from here on */
	struct shca_mkey_attr attr;
	struct shca_buf buf;	/* MTT with pages from the beginning */
	struct shca_mtt mtt;	/* MTT without */
	struct shca_klm *klm;	/* KLM and KSM */
	u32 nklm, room;
	u32 mkc[MLX5_ST_SZ_DW(mkc)];
};

/* mkey.c: pinned, NULL when there is none for @uid */
struct shca_mkey *shca_mkey_get(struct shca_fn *fn, u32 index, u16 uid);

/* klm.c: @klm as in the list; [@first, @first + @n) is within the room, and the
 * xlate lock held for writing if the key is published.
 */
struct mlx5_klm;
void shca_klm_write(struct shca_mkey *mkey, u32 first,
		    const struct mlx5_klm *klm, u32 n);
int shca_klm_init(struct shca_mkey *mkey, const struct mlx5_klm *klm, u32 n,
		  u32 room);

/* mtt.c */
void shca_mtt_init(struct shca_mtt *mtt, u32 room);
void shca_mtt_exit(struct shca_mtt *mtt);
/* -ERANGE, -ENOMEM; then a part of it may have been written. */
int shca_mtt_write(struct shca_mtt *mtt, u32 first, const __be64 *entry, u32 n);
/* 0 when there is none. */
u64 shca_mtt_entry(const struct shca_mtt *mtt, u64 i);

/* xlate.c */
struct shca_run {
	u64 addr;		/* on the bus */
	u64 len;
};

/* For the keys of both functions, which may be one. Not to be nested. */
void shca_xlate_begin(struct shca_mem *a, struct shca_mem *b);
void shca_xlate_end(struct shca_mem *a, struct shca_mem *b);
/* Where the span begins, and how many of its @len bytes follow there. Errors as
 * for shca_mkey_read(). Between begin and end.
 */
int shca_xlate(const struct shca_span *span, u64 len, struct shca_run *run);

/* mkey_check.c: rules without memory, for accesses and for KUnit */
void shca_mkey_decode(const void *mkc, struct shca_mkey_attr *attr);
int shca_mkey_allows(const struct shca_mkey_attr *attr, u32 pd, u8 key, u64 va,
		     u64 len, u32 access);
/* Does the key serve this queue pair? 0 stands for none, which may. */
static inline int shca_mkey_admits(const struct shca_mkey_attr *attr, u32 qpn)
{
	return !qpn || attr->qpn == SHCA_MKEY_ANY_QP || attr->qpn == qpn ?
		       0 : -EACCES;
}

/* The piece of an indirect key in which @off lies: where it is in the child,
 * and how many bytes of it follow. -ERANGE beyond the end.
 */
int shca_klm_find(const struct shca_mkey_attr *attr, const struct shca_klm *klm,
		  u32 nklm, u64 off, u32 *key, u64 *va, u64 *chunk);

/* umem.c: a held UMEM, NULL when there is none for @uid. */
struct shca_umem *shca_umem_hold(struct shca_fn *fn, u16 uid, u32 id);
void shca_umem_unhold(struct shca_umem *umem);
/* Bus addresses from a list of @n translations; NULL with *err set. */
u64 *shca_pages_alloc(const __be64 *list, u32 n, u8 page_shift, int *err);
/* All objects of @uid, or of everybody with @all. */
void shca_umem_drop(struct shca_fn *fn, bool all, u16 uid);
void shca_mkey_drop(struct shca_fn *fn, bool all, u16 uid);

#endif
