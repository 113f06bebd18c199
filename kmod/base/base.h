/* SPDX-License-Identifier: GPL-2.0 */
/*
 * base: the card and its functions, their life, and what every room shares.
 *
 * A card is what a user adds and removes: one root port with one or two PCI
 * functions behind it. A function is what a driver binds to. Each room hangs
 * its own state on the function; the pointer is opaque to all other rooms.
 */
#ifndef SHCA_BASE_H
#define SHCA_BASE_H

#include <linux/completion.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/percpu-refcount.h>
#include <linux/types.h>

#define SHCA_NAME_LEN		20	/* "hca0", with the terminating zero */
#define SHCA_MAX_CARDS		16
#define SHCA_MAX_FNS		2	/* functions of one card */

struct shca_slot;	/* pci */
struct shca_mem;	/* mem */
struct shca_hw;		/* engine */
struct shca_fw;		/* fw */
struct shca_port_slot;	/* pci: the root port of a card */
struct shca_fn;

/* ABSENT: no driver can see it. READY: on the bus, HCA not initialised.
 * UP: between INIT_HCA and TEARDOWN_HCA. DEAD: going away, for good.
 */
enum shca_fn_state {
	SHCA_FN_ABSENT,
	SHCA_FN_READY,
	SHCA_FN_UP,
	SHCA_FN_DEAD,
};

enum shca_reset_cause {
	SHCA_RESET_FLR,		/* the function's own reset */
	SHCA_RESET_BUS,		/* secondary bus reset or link disable */
};

/* What the bus tells the firmware. Both run with a raw spinlock held and
 * interrupts off: note the fact and queue the work.
 */
struct shca_fn_ops {
	void (*reset)(struct shca_fn *fn, enum shca_reset_cause cause);
	void (*bus_master)(struct shca_fn *fn, bool on);
};

struct shca_fn {
	struct shca_card *card;
	unsigned int num;		/* PCI function number */
	char name[SHCA_NAME_LEN];	/* "hca0", or "hca0.1" for the second */
	u64 node_guid;			/* host byte order */
	u64 sys_guid;
	u64 port_guid;
	const struct shca_fn_ops *ops;

	struct mutex lock;		/* state changes */
	enum shca_fn_state state;
	struct percpu_ref users;
	struct completion drained;

	struct shca_slot *slot;
	struct shca_mem *mem;
	struct shca_hw *hw;
	struct shca_fw *fw;
};

struct shca_card {
	struct list_head node;
	char name[SHCA_NAME_LEN];
	unsigned int index;		/* device number on the root bus */
	unsigned int nfns;
	struct shca_fn *fn[SHCA_MAX_FNS];
	struct shca_port_slot *port;
};

/* fn.c */
struct shca_card *shca_card_alloc(const char *name, unsigned int index,
				  unsigned int nfns, u64 guid);
void shca_card_free(struct shca_card *card);

enum shca_fn_state shca_fn_state(struct shca_fn *fn);
/* Refused (-ENODEV) once the function is DEAD. */
int shca_fn_set_state(struct shca_fn *fn, enum shca_fn_state state);
/* DEAD, then waits until every user has let go. May sleep. */
void shca_fn_kill(struct shca_fn *fn);

/* A user that must not outlive the function. */
static inline bool shca_fn_get(struct shca_fn *fn)
{
	return percpu_ref_tryget_live(&fn->users);
}

static inline void shca_fn_put(struct shca_fn *fn)
{
	percpu_ref_put(&fn->users);
}

/* Names a function at the head of a log line. */
#define shca_err(fn, fmt, ...)	pr_err("%s: " fmt, (fn)->name, ##__VA_ARGS__)
#define shca_warn(fn, fmt, ...)	pr_warn("%s: " fmt, (fn)->name, ##__VA_ARGS__)
#define shca_info(fn, fmt, ...)	pr_info("%s: " fmt, (fn)->name, ##__VA_ARGS__)
#define shca_dbg(fn, fmt, ...)	pr_debug("%s: " fmt, (fn)->name, ##__VA_ARGS__)

#endif
