/* SPDX-License-Identifier: GPL-2.0 */
/*
 * engine: the hardware. Event, completion, receive and send queues, doorbells
 * and transports, and the poller that notices what drivers store.
 *
 * The firmware creates objects from PRM contexts, as real hardware reads them
 * from its context memory; here the engine reads them with MLX5_GET. Return
 * values are negative errnos that the firmware turns into a command status:
 * -EINVAL bad parameter, -ENOENT bad resource, -EBUSY resource busy, -ENOSPC
 * limit exceeded, -ENOMEM no resources, -EPROTO bad resource state, -EFAULT bad
 * parameter (an address that is not mapped), -EOPNOTSUPP not supported,
 * -EOVERFLOW more outstanding than the new size holds.
 */
#ifndef SHCA_ENGINE_H
#define SHCA_ENGINE_H

#include <linux/mlx5/device.h>
#include <linux/mlx5/mlx5_ifc.h>
#include <linux/types.h>
#include "base/base.h"
#include "base/obj.h"
#include "fabric/fabric.h"
#include "mem/mem.h"

struct shca_engine_ops {
	/* Each poll round, from the poller thread: init segment and command
	 * doorbell. Returns true when it found something to do. Quick, does not
	 * sleep.
	 */
	bool (*poll)(struct shca_fn *fn);
	/* The port's link, addresses or tables changed; from process context. */
	void (*port_event)(struct shca_fn *fn, u8 port, enum shca_port_event ev);
};

int shca_engine_init(const struct shca_engine_ops *ops);
void shca_engine_exit(void);

/* Limits that the capabilities promise (log2 where the PRM has log2). */
struct shca_hw_limits {
	u8 log_max_qp, log_max_qp_sz, log_max_cq, log_max_cq_sz;
	u8 log_max_eq, log_max_eq_sz, log_max_srq, log_max_srq_sz;
	u8 num_ports;
	u8 pkey_table;		/* entries */
	u8 gid_table;		/* entries */
};

/* Makes the function's hardware and its fabric port(s); @port has one entry for
 * each of lim->num_ports. The poller serves the
 * function from shca_hw_start() to shca_hw_stop(), which waits for the round
 * under way.
 */
int shca_hw_fn_init(struct shca_fn *fn, const struct shca_hw_limits *lim,
		    const struct shca_port_attr *port);
void shca_hw_fn_exit(struct shca_fn *fn);
void shca_hw_start(struct shca_fn *fn);
void shca_hw_stop(struct shca_fn *fn);
/* Something was stored that the poller should look at soon. Any context. */
void shca_hw_kick(struct shca_fn *fn);
/* Function reset or TEARDOWN_HCA: every queue is gone, quietly. May sleep. */
void shca_hw_reset(struct shca_fn *fn);
/* INIT_HCA / TEARDOWN_HCA: the port's transceiver on or off. */
void shca_hw_port_enable(struct shca_fn *fn, bool on);
struct shca_port *shca_hw_port(struct shca_fn *fn, u8 port);	/* 1-based */

struct shca_hw_stat {
	u32 qps, cqs, eqs, srqs, uars;
};

void shca_hw_stat(struct shca_fn *fn, struct shca_hw_stat *stat);
/* The device's free-running clock in ns: time stamps of completions, and the
 * internal timer of the init segment.
 */
u64 shca_hw_clock(void);

/* UARs. A page of the BAR; index = offset in BAR / 4096. */
int shca_uar_alloc(struct shca_fn *fn, u16 uid, u32 *index);
int shca_uar_free(struct shca_fn *fn, u16 uid, u32 index);

/* Event queues */
int shca_eq_create(struct shca_fn *fn, u16 uid, const void *eqc,
		   const __be64 event_mask[4], const struct shca_buf_src *src,
		   u8 *eqn);
int shca_eq_query(struct shca_fn *fn, u16 uid, u8 eqn, void *eqc);
int shca_eq_destroy(struct shca_fn *fn, u16 uid, u8 eqn);
/* An asynchronous event: one EQE on every EQ whose mask has @type. @data NULL
 * for zeros. Any context.
 * Returns the number of EQs that got it.
 */
int shca_eq_event(struct shca_fn *fn, u8 type, u8 sub_type,
		  const union ev_data *data);
/* Same, and waits until the handlers have returned: see shca_irq_wait(). */
int shca_eq_event_sync(struct shca_fn *fn, u8 type, u8 sub_type,
		       const union ev_data *data, unsigned int timeout_ms);
/* Is there an EQ for command completions? To be asked before a command runs:
 * it tells the number (-ENOENT without), and shca_eq_command() reports to
 * exactly that one.
 */
int shca_eq_command_eqn(struct shca_fn *fn);
int shca_eq_command(struct shca_fn *fn, int eqn, u32 vector);

/* Completion queues */
int shca_cq_create(struct shca_fn *fn, u16 uid, const void *cqc,
		   const struct shca_buf_src *src, u32 *cqn);
int shca_cq_query(struct shca_fn *fn, u16 uid, u32 cqn, void *cqc);
/* @field_select: MODIFY_CQ's. Moderation period and count only. */
int shca_cq_modify(struct shca_fn *fn, u16 uid, u32 cqn, const void *cqc,
		   u32 field_select);
/* The ring moves to the memory that @src names, while completions arrive.
 * -EOVERFLOW when what is outstanding does not fit. Nothing has changed then,
 * nor on any other error.
 */
int shca_cq_resize(struct shca_fn *fn, u16 uid, u32 cqn, const void *cqc,
		   u32 field_select, const struct shca_buf_src *src);
int shca_cq_destroy(struct shca_fn *fn, u16 uid, u32 cqn);

/* Shared receive queues: XRC SRQ (xrc_srqc) and RMP (rmpc, a wq inside). One
 * number space for both: events name a number without its kind, and the driver
 * keeps both in one table.
 */
int shca_srq_create(struct shca_fn *fn, u16 uid, const void *xrc_srqc,
		    const struct shca_buf_src *src, u32 *srqn);
int shca_srq_query(struct shca_fn *fn, u16 uid, u32 srqn, void *xrc_srqc);
int shca_srq_arm(struct shca_fn *fn, u16 uid, u32 srqn, u16 lwm);
int shca_srq_destroy(struct shca_fn *fn, u16 uid, u32 srqn);
int shca_rmp_create(struct shca_fn *fn, u16 uid, const void *rmpc,
		    const struct shca_buf_src *src, u32 *rmpn);
int shca_rmp_query(struct shca_fn *fn, u16 uid, u32 rmpn, void *rmpc);
/* @bitmask: MODIFY_RMP's */
#define SHCA_RMP_MODIFY_LWM	1
int shca_rmp_modify(struct shca_fn *fn, u16 uid, u32 rmpn, const void *rmpc,
		    u64 bitmask);
int shca_rmp_destroy(struct shca_fn *fn, u16 uid, u32 rmpn);

/* Queue pairs. Service types served: QP0 (7), QP1 (8), REG_UMR (0xc), UD, RC,
 * UC, XRC.
 */
int shca_qp_create(struct shca_fn *fn, u16 uid, const void *qpc,
		   const struct shca_buf_src *src, u32 *qpn);
/* @opcode: MLX5_CMD_OP_RST2INIT_QP and its kin; @opt_mask as in the command. */
int shca_qp_modify(struct shca_fn *fn, u16 uid, u32 qpn, u16 opcode,
		   u32 opt_mask, const void *qpc);
int shca_qp_query(struct shca_fn *fn, u16 uid, u32 qpn, void *qpc,
		  u32 *opt_mask);
int shca_qp_destroy(struct shca_fn *fn, u16 uid, u32 qpn);

/* Sets of Q counters. A queue pair names its own user's, or one of
 * MLX5_SHARED_RESOURCE_UID. @out is a PRM query_q_counter_out, of which only the
 * counters are written; what is shared, no user may clear.
 */
#define SHCA_QCNTS	255
int shca_qcnt_alloc(struct shca_fn *fn, u16 uid, u32 *id);
int shca_qcnt_query(struct shca_fn *fn, u16 uid, u32 id, bool clear, void *out);
int shca_qcnt_free(struct shca_fn *fn, u16 uid, u32 id);

/* Multicast groups: UD queue pairs and what they listen to. -EINVAL for a GID
 * that is no group's or another kind of queue pair, -ENOENT for a queue pair
 * that is not @uid's, or not a member; -ENOSPC beyond the limits.
 */
#define SHCA_GID_SIZE	16
#define SHCA_MCGS	256	/* groups of a function */
#define SHCA_MCG_QPS	64	/* members of a group */
int shca_mcast_attach(struct shca_fn *fn, u16 uid, u32 qpn,
		      const u8 gid[SHCA_GID_SIZE]);
int shca_mcast_detach(struct shca_fn *fn, u16 uid, u32 qpn,
		      const u8 gid[SHCA_GID_SIZE]);

/* UCTX clean-up: destroys every engine object of @uid, in a legal order. */
void shca_hw_uid_gone(struct shca_fn *fn, u16 uid);

#endif
