/* SPDX-License-Identifier: GPL-2.0 */
/*
 * base/obj: numbered objects of a function.
 *
 * Look-up is lock-free: RCU plus a reference that is refused once the object
 * is on its way out. A destroy takes the number away, waits for the last
 * reference and only then returns, so that the driver may unmap right after
 * the command's answer.
 */
#ifndef SHCA_OBJ_H
#define SHCA_OBJ_H

#include <linux/completion.h>
#include <linux/rcupdate.h>
#include <linux/refcount.h>
#include <linux/types.h>
#include <linux/xarray.h>

struct shca_obj {
	u32 id;
	u16 uid;		/* owner; 0 is the kernel driver */
	atomic_t holds;		/* objects that depend on this one */
	refcount_t ref;
	struct completion unpinned;
	struct rcu_head rcu;
};

struct shca_tbl {
	struct xarray xa;
	u32 first;		/* smallest number handed out */
	u32 last;
	u32 next;		/* cursor: a number is not reused at once */
	atomic_t count;
};

void shca_tbl_init(struct shca_tbl *tbl, u32 first, u32 last);
/* The table must be empty; whoever owns it has destroyed its objects. */
void shca_tbl_exit(struct shca_tbl *tbl);

/* Numbers @obj and publishes it. The caller has set all else. -ENOSPC, -ENOMEM. */
int shca_obj_add(struct shca_tbl *tbl, struct shca_obj *obj, u16 uid);
/* The same with a number of the caller's choice. -EBUSY when taken. */
int shca_obj_add_at(struct shca_tbl *tbl, struct shca_obj *obj, u16 uid, u32 id);
/* NULL when there is none, or when @uid is not 0 and not the owner's. */
struct shca_obj *shca_obj_get(struct shca_tbl *tbl, u32 id, u16 uid);
void shca_obj_put(struct shca_obj *obj);

/* Other objects that refer to this one: a held object cannot be destroyed. */
static inline void shca_obj_hold(struct shca_obj *obj)
{
	atomic_inc(&obj->holds);
}

static inline void shca_obj_unhold(struct shca_obj *obj)
{
	atomic_dec(&obj->holds);
}

/*
 * Takes the object out of the table and waits for its users. Returns the
 * object, which is the caller's to free with kfree_rcu(); ERR_PTR(-ENOENT)
 * when there is none for @uid, ERR_PTR(-EBUSY) while others hold it.
 * May sleep.
 */
struct shca_obj *shca_obj_del(struct shca_tbl *tbl, u32 id, u16 uid);

#define shca_tbl_for_each(tbl, id, obj) \
	xa_for_each(&(tbl)->xa, id, obj)

#endif
