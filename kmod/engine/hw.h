/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the files of the engine room share among themselves.
 *
 * Locks, outermost first: hw->config (commands), qp->sq_lock, qp->rq_lock,
 * srq->lock, cq->lock, eq->lock; uar->lock and hw->err_lock only guard their
 * lists. A packet is delivered inside the sender's sq_lock; receive sides never
 * take an sq_lock, nor two of one kind. All but eq->lock and hw->event_lock are
 * taken in process context only.
 */
#ifndef SHCA_HW_H
#define SHCA_HW_H

#include <linux/bitmap.h>
#include <linux/bits.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>

#include "engine/engine.h"

/* The key that ends a receive work request's list (PRM); its name in the
 * headers changed between kernels.
 */
#define SHCA_TERMINATE_LKEY	0x100

#define SHCA_UAR_SHIFT		12
#define SHCA_UAR_FIRST		(SHCA_BAR_UAR >> SHCA_UAR_SHIFT)
#define SHCA_UAR_END		(SHCA_BAR_SIZE >> SHCA_UAR_SHIFT)

#define SHCA_SHARED_UID		0xffff	/* what the driver calls its shared EQs */
#define SHCA_NO_UIDX		0xffffff	/* completions name no user index */
#define SHCA_WQE_MAX		1024	/* 63 segments of 16 bytes */
#define SHCA_AV_GRH		BIT(30)

struct shca_hw;
struct shca_rc;
struct shca_cur;
struct shca_qcnt;
struct mlx5_av;

struct shca_eq {
	struct shca_obj obj;
	struct shca_hw *hw;
	struct shca_buf buf;
	u64 mask[4];
	u8 log_size;
	u8 vector;
	spinlock_t lock;	/* all below; any context */
	u32 pi;
	u8 status;
	u32 eqc[MLX5_ST_SZ_DW(eqc)];
};

struct shca_uar {
	struct shca_obj obj;
	spinlock_t lock;	/* all below */
	struct list_head qps, cqs;
	u32 nqps, ncqs;
	u32 qps_due, cqs_due;	/* left to look at in the sweep under way */
};

struct shca_cq {
	struct shca_obj obj;
	struct shca_hw *hw;
	struct shca_eq *eq;
	struct shca_uar *uar;
	struct list_head uar_node;
	struct shca_buf buf;
	struct shca_dbr dbr;
	u8 log_size;
	u8 stride_shift;
	bool wide;		/* 128-byte CQEs: ours is the second half */
	bool overrun_ok;
	spinlock_t lock;	/* all below */
	u32 pi;			/* 24 bits */
	u32 solicited;		/* pi behind the last solicited one */
	u32 ci;			/* as last read */
	u32 fired;		/* arm record that was last answered */
	bool untold;		/* completions came since, and solicited ones */
	bool untold_solicited;
	u32 moved;		/* consumer index at the last resize */
	bool moving;		/* the driver may not know of it yet */
	u16 max_count;		/* moderation of events; 0 for none */
	u64 period;		/* ns, 0 for none */
	u32 told;		/* pi at the last event */
	u64 told_at;		/* ns */
	struct list_head timed_node;
	u8 status;
	u32 cqc[MLX5_ST_SZ_DW(cqc)];
};

enum shca_srq_kind { SHCA_SRQ_XRC, SHCA_SRQ_RMP };

struct shca_srq {
	struct shca_obj obj;
	struct shca_hw *hw;
	enum shca_srq_kind kind;
	struct shca_cq *cq;	/* XRC */
	u64 serial;		/* no other SRQ's, ever */
	struct shca_buf buf;
	struct shca_dbr dbr;
	u8 log_size;
	u8 log_stride;
	u32 pd;
	spinlock_t lock;	/* all below */
	u16 head;		/* index of the next WQE */
	u16 consumed;		/* counts against the doorbell record */
	u16 limit;		/* 0: not armed */
	bool error;
	u32 ctx[MLX5_ST_SZ_DW(rmpc)];	/* the larger of the two contexts */
};

struct shca_qp {
	struct shca_obj obj;
	struct shca_hw *hw;
	struct shca_uar *uar;
	struct list_head uar_node;
	struct list_head err_node;
	struct shca_cq *scq, *rcq;
	struct shca_srq *srq;
	struct shca_qcnt *cnt;	/* changed with both locks held */
	struct shca_buf buf;
	struct shca_dbr dbr;
	u8 st;
	u8 state;		/* written under rq_lock */
	u32 rq_size;		/* entries, 0 without */
	u8 log_stride;
	u32 sq_size;		/* basic blocks, 0 without */
	u64 sq_off;
	u32 pd, uidx;
	/* Written in commands with both locks held. */
	u32 qkey, mtu;
	u16 pkey_index;
	u8 port;
	bool rlky;
	bool block_lb;		/* of its own multicast packets */
	spinlock_t sq_lock;	/* the send queue is being served */
	u16 sq_head;
	spinlock_t rq_lock;	/* the receive queue, and state */
	u16 rq_head;
	struct shca_rc *rc;	/* connected service types only */
	struct list_head due_node, timed_node;
	u32 qpc[MLX5_ST_SZ_DW(qpc)];	/* hw->config */
};

struct shca_hw_port {
	struct shca_hw *hw;
	struct shca_port *port;
	u8 num;
	u32 special[2];		/* numbers of QP0 and QP1 that receive, or 0 */
};

#define SHCA_HW_PORTS	2
#define SHCA_HW_EVENTS	64

struct shca_hw_event {
	u8 port;
	u8 event;
};

struct shca_hw {
	struct shca_fn *fn;
	struct shca_hw_limits lim;
	struct mutex config;	/* objects made, changed and destroyed */
	struct shca_tbl uars, eqs, cqs, srqs, qps, qcnts;
	struct list_head mcgs;		/* RCU */
	unsigned int nmcgs;
	struct shca_hw_port ports[SHCA_HW_PORTS];

	/* Doorbells: pages that have queues, and those to be swept. */
	DECLARE_BITMAP(uar_live, SHCA_UAR_END);
	DECLARE_BITMAP(uar_due, SHCA_UAR_END);

	spinlock_t err_lock;		/* the list and its length */
	struct list_head err_qps;	/* QPs in error: flushed as WQEs come */
	unsigned int nerr_qps;
	u64 err_next;			/* ns */

	spinlock_t due_lock;		/* the lists */
	struct list_head due_qps;	/* have something to send */
	struct list_head timed_qps;	/* wait for an answer or a delay */
	unsigned int ndue_qps;
	u64 timed_next;			/* ns; nothing is due before */
	struct list_head timed_cqs;	/* an event is held back */
	u64 cq_next;			/* ns, for those */

	spinlock_t event_lock;		/* the ring of events */
	struct shca_hw_event events[SHCA_HW_EVENTS];
	unsigned int event_head, event_count;
	struct work_struct event_work;

	struct list_head shard_node;
};

/* Room for one WQE and one packet; the poller's. */
struct shca_scratch {
	u8 wqe[SHCA_WQE_MAX];
	u8 data[SHCA_UD_MTU_MAX];
};

/* poller.c */
int shca_poller_init(const struct shca_engine_ops *ops);
void shca_poller_exit(void);
void shca_poller_kick(void);
/* There is work for the poller; nothing to be done where it is the caller. */
void shca_poller_notice(void);
void shca_poller_add(struct shca_hw *hw);
/* Waits for the round under way. */
void shca_poller_del(struct shca_hw *hw);

/*
 * Where doorbell hints come from. A hint tells that a word of a UAR page was
 * stored to, maybe also which; the counters are in the doorbell records, so a
 * hint may be late and may stand for many, but must never be lost.
 */
struct shca_db_source {
	/* A page begins or ends to have queues. */
	void (*open)(struct shca_hw *hw, u32 index);
	void (*close)(struct shca_hw *hw, u32 index);
	/* Collects what was stored since; NULL when hints come by themselves. */
	bool (*poll)(struct shca_hw *hw, struct shca_scratch *scratch);
};

/* db_poll.c: reads the words */
extern const struct shca_db_source shca_db_polling;

/* uar.c: what a source calls */
void shca_uar_hint_sq(struct shca_hw *hw, u32 index, u32 qpn,
		      struct shca_scratch *scratch);
void shca_uar_hint_cq(struct shca_hw *hw, u32 index);
/* Queues of the page that a hint made due; true while some are left. */
bool shca_uar_sweep(struct shca_hw *hw, u32 index,
		    struct shca_scratch *scratch);

struct shca_uar *shca_uar_get_held(struct shca_hw *hw, u32 index, u16 uid);
void shca_uar_put_held(struct shca_uar *uar);
void shca_uar_add_qp(struct shca_hw *hw, struct shca_qp *qp);
void shca_uar_del_qp(struct shca_hw *hw, struct shca_qp *qp);
void shca_uar_add_cq(struct shca_hw *hw, struct shca_cq *cq);
void shca_uar_del_cq(struct shca_hw *hw, struct shca_cq *cq);

/* eq.c */
struct shca_eq *shca_eq_hold(struct shca_hw *hw, u32 eqn, u16 uid);
int shca_eq_post(struct shca_eq *eq, u8 type, u8 sub_type,
		 const union ev_data *data);
/* An event of a queue: its kind (MLX5_EVENT_QUEUE_TYPE_*) and number. */
void shca_eq_queue_event(struct shca_hw *hw, u8 type, u8 queue, u32 num);

/* trace.c; a seam, so that KUnit links the room without the tracepoints */
void shca_engine_trace_eqe(const struct shca_eq *eq, u8 type, u8 sub_type);

/* owner.c: arithmetic of rings, for the queues and for KUnit */
u8 shca_ring_owner(u32 pi, u8 log_size);
bool shca_cq_full(u32 pi, u32 ci, u8 log_size);
bool shca_cq_answers(u32 arm, u32 fired, u32 pi, u32 solicited);

/* cq.c */
#define SHCA_CQ_UNARMED		0xffffffff
#define SHCA_CQ_INDEX_MASK	0xffffff

struct shca_cq *shca_cq_hold(struct shca_hw *hw, u32 cqn, u16 uid);
/* @cqe complete but for the owner. */
void shca_cq_post(struct shca_cq *cq, struct mlx5_cqe64 *cqe, bool solicited);
/* The driver may have armed it. */
void shca_cq_rearmed(struct shca_cq *cq);
/* Time has passed. */
void shca_cq_due(struct shca_cq *cq, u64 now);
/* Writes to the next place of the ring. Under cq->lock. */
int shca_cq_write(struct shca_cq *cq, struct mlx5_cqe64 *cqe);
/* The CQ with a reference, which the caller puts back. */
struct shca_cq *shca_cq_get(struct shca_hw *hw, u32 cqn, u16 uid);

/* cq_moderate.c; the first three under cq->lock */
void shca_cq_moderate(struct shca_cq *cq);
/* The time by which events are held back; 0 when they are not. */
u64 shca_cq_time(const struct shca_cq *cq);
/* Has an event to wait? The poller asks again when its time has come. */
bool shca_cq_holds_back(struct shca_cq *cq, u64 now);
/* The CQ is going; nobody uses it any more. */
void shca_cq_timer_del(struct shca_cq *cq);
/* Events whose time has come. True when there were some. */
bool shca_cq_timers_run(struct shca_hw *hw, u64 now);

/* srq.c */
struct shca_srq *shca_srq_hold(struct shca_hw *hw, u32 num, u16 uid);
/* Takes the next WQE: its place in the queue and number. -ENOENT when none is
 * posted. Under srq->lock.
 */
int shca_srq_take(struct shca_srq *srq, u64 *off, u16 *index);

/* qp_state.c: the state after a command, or -EPROTO; and what of a command's
 * context is taken over.
 */
int shca_qp_next_state(u8 state, u16 opcode);
/* May the command bring these optional parameters for the service type? */
int shca_qp_check_options(u8 st, u16 opcode, u32 opt_mask, const void *in);
void shca_qp_merge(u32 *qpc, const u32 *in, u8 st, u16 opcode, u32 opt_mask);

/* qp.c */
struct shca_qp *shca_qp_get(struct shca_hw *hw, u32 qpn);
static inline void shca_qp_put(struct shca_qp *qp)
{
	shca_obj_put(&qp->obj);
}

/* A local error. Under rq_lock. */
void shca_qp_fail(struct shca_qp *qp, u8 state);
/* The driver's memory of the queue itself does not work. Under rq_lock. */
void shca_qp_catastrophe(struct shca_qp *qp);
/* Flushes what was posted to QPs in error. */
bool shca_qp_flush_due(struct shca_hw *hw, u64 now);

/* sq.c: what is owed, and the WQEs posted so far. True when some are left for
 * the next time. No lock held.
 * @scratch NULL: flush only.
 */
bool shca_sq_serve(struct shca_qp *qp, struct shca_scratch *scratch);
/* Basic blocks posted and not fetched; < 0 when the record cannot be believed. */
int shca_sq_pending(struct shca_qp *qp);
/* Of the WQE that begins at block @bb, @len bytes from @off on. */
int shca_sq_read(struct shca_qp *qp, u16 bb, u32 off, void *dst, u32 len);
/* A cursor over the data segments of that WQE, which lie in it between offsets
 * @from and @to. @in: data comes in.
 */
void shca_sq_data(struct shca_qp *qp, u16 bb, u32 from, u32 to, bool in,
		  struct shca_cur *cur);
/* What a completion says of an error of such a cursor. */
u8 shca_sq_data_syndrome(int err);

/* umr.c: the WQE of @len bytes that begins at block @bb */
int shca_umr_execute(struct shca_qp *qp, u16 bb, u32 len);

/* ud.c: 0, or the syndrome of the error */
int shca_ud_send(struct shca_qp *qp, const u8 *wqe, u32 len, u8 *data);

/* addr.c: @overhead is what a GRH counts besides the payload */
void shca_addr_build(struct shca_port *port, const struct mlx5_av *av,
		     u32 overhead, struct shca_pkt *pkt);
void shca_addr_from_path(const void *ads, struct mlx5_av *av);

/* due.c: QPs that the poller must serve though nobody rang */
void shca_due_add(struct shca_qp *qp);
void shca_due_at(struct shca_qp *qp, u64 deadline);
/* The QP is going; nobody adds it any more. */
void shca_due_del(struct shca_qp *qp);
/* Serves what is due, in turn. True when there was something. */
bool shca_due_run(struct shca_hw *hw, struct shca_scratch *scratch, u64 now);

/* rq.c */
/* The next receive WQE, under rq_lock. -ENOENT when none is posted. */
int shca_rq_take(struct shca_qp *qp, struct shca_cur *cur, u16 *index);
int shca_rq_take_shared(struct shca_srq *srq, struct shca_cur *cur, u16 *index);
bool shca_rq_pkey_admits(struct shca_qp *qp, const struct shca_pkt *pkt);
bool shca_rq_receive(struct shca_qp *qp, const struct shca_pkt *pkt);
/* True when some are left. */
bool shca_rq_flush(struct shca_qp *qp);

/* mcast.c */
/* Out of all groups; hw->config. */
void shca_mcast_forget(struct shca_hw *hw, u32 qpn);
void shca_mcast_receive(struct shca_hw_port *hp, const struct shca_pkt *pkt);

/* cqe.c */
void shca_cqe_fill(struct mlx5_cqe64 *cqe, const struct shca_qp *qp, u8 opcode,
		   u16 wqe_counter, u8 wqe_opcode);
void shca_cqe_good(struct shca_cq *cq, struct mlx5_cqe64 *cqe, bool solicited);
void shca_cqe_error(struct shca_cq *cq, const struct shca_qp *qp, u8 opcode,
		    u16 wqe_counter, u8 wqe_opcode, u8 syndrome);

/* port.c */
int shca_hw_ports_add(struct shca_hw *hw, const struct shca_port_attr *attr);
void shca_hw_ports_del(struct shca_hw *hw);
void shca_hw_event_run(struct work_struct *work);

/* engine.c */
extern const struct shca_engine_ops *shca_engine_ops;
extern struct workqueue_struct *shca_engine_wq;

#endif
