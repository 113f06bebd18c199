/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Connected transports: RC, UC and XRC.
 *
 * A queue pair has two halves. The requester sends what the send queue holds
 * and takes the answers; its state is under sq_lock. The responder takes
 * requests and owes answers; its state is under rq_lock. A request is taken
 * inside the sender's sq_lock, so nothing is answered there: what is owed is
 * noted, and the poller sends it later with no lock held. An answer is then
 * taken under the requester's sq_lock, where nothing is sent either.
 */
#ifndef SHCA_RC_H
#define SHCA_RC_H

#include <linux/mlx5/qp.h>
#include <rdma/ib_pack.h>

#include "engine/cursor.h"
#include "engine/hw.h"

#define SHCA_PSN_MASK		0xffffff
#define SHCA_RC_MSGS		64	/* requests not completed */
#define SHCA_RC_READS		16	/* answers kept: READs and atomics */
#define SHCA_RC_WINDOW		128	/* packets sent and not acknowledged */
#define SHCA_RC_ACK_EVERY	32	/* packets, in long messages */
#define SHCA_RC_BUDGET		16	/* packets per visit */
#define SHCA_RC_MSG_MAX		0x40000000U
#define SHCA_ATOMIC_SIZE	8

/* IBTA opcodes: transport in the upper three bits; the kernel has no XRC. */
#define SHCA_BTH_OP(opcode)	((opcode) & 0x1f)
#define SHCA_BTH_XRC		0xa0

/* AETH syndromes */
#define SHCA_AETH_KIND		0x60
#define SHCA_AETH_ACK		0x00
#define SHCA_AETH_RNR		0x20
#define SHCA_AETH_NAK		0x60
#define SHCA_AETH_VALUE		0x1f
#define SHCA_AETH_NO_CREDITS	0x1f	/* end-to-end credits are not used */
#define SHCA_NAK_SEQUENCE	(SHCA_AETH_NAK | 0)
#define SHCA_NAK_INVALID	(SHCA_AETH_NAK | 1)
#define SHCA_NAK_ACCESS		(SHCA_AETH_NAK | 2)
#define SHCA_NAK_OPERATION	(SHCA_AETH_NAK | 3)

#define SHCA_RNR_FOREVER	7

/* How far a is ahead of b; PSNs go around at 2^24. */
static inline s32 shca_psn_diff(u32 a, u32 b)
{
	return (s32)((a - b) << 8) >> 8;
}

static inline u32 shca_psn_add(u32 psn, u32 n)
{
	return (psn + n) & SHCA_PSN_MASK;
}

/* Packets that @len bytes make; an empty message is a packet too. */
static inline u32 shca_rc_packets(u32 len, u32 mtu)
{
	return len ? (len - 1) / mtu + 1 : 1;
}

enum shca_msg_kind {
	SHCA_MSG_LOCAL,		/* sends nothing */
	SHCA_MSG_SEND,
	SHCA_MSG_WRITE,
	SHCA_MSG_READ,
	SHCA_MSG_ATOMIC,
};

/* A work request that was begun. */
struct shca_rc_msg {
	u8 kind;		/* enum shca_msg_kind */
	u8 opcode;		/* MLX5_OPCODE_* */
	u8 fm_ce_se;
	u8 syndrome;		/* it cannot be executed */
	bool answered;		/* READ and atomic: all is there */
	u16 wqe;
	u16 size;		/* bytes of the WQE */
	u16 data;		/* its first data segment */
	u32 psn, npsn;
	u32 len;
	__be32 imm;
	u32 xrcsrq;
	u64 va;
	u32 rkey;
	u64 swap_add, compare;
};

/* Messages go in with @tail, are sent up to @cur and leave at @first. */
struct shca_rc_req {
	struct shca_rc_msg msg[SHCA_RC_MSGS];
	u32 first, cur, tail;
	u32 cur_pkt;		/* of message @cur: the next to be sent */
	u32 psn;		/* of the next message */
	u32 una;		/* the oldest one without an acknowledgment */
	u32 top;		/* behind the last one ever sent */
	u8 max_reads;
	u8 retry, rnr_retry;	/* as configured */
	u8 retries, rnr_retries;	/* left */
	u8 ack_timeout;
	bool rnr_wait;
	bool progressed;	/* since the deadline was set */
	bool nak_taken;		/* what is missing at @una was sent again */
	u64 deadline;		/* ns, 0 for none */
};

/* A READ or an atomic that was accepted: owed, or kept for its duplicates. */
struct shca_rc_read {
	u32 psn, npsn;
	u32 sent;		/* packets of the answer */
	u32 len;
	struct shca_span span;
	bool atomic;
	bool again;		/* was answered before */
	u64 value;
};

enum shca_resp_doing { SHCA_DOING_NOTHING, SHCA_DOING_SEND, SHCA_DOING_WRITE };

struct shca_rc_resp {
	struct shca_rc_read read[SHCA_RC_READS];
	u32 read_due, read_tail;	/* counters: to be answered, free */
	u8 max_reads;
	u8 min_rnr;
	u8 doing;		/* a message of several packets is under way */
	bool silent;		/* NAK sent, and its packet did not come yet */
	bool established;
	bool ack_due;
	u8 nak;			/* syndrome to be sent, 0 for none */
	u32 epsn, msn;
	u32 got, dmalen;	/* bytes of the message: here, and to come */
	bool have_wqe;		/* a receive WQE was taken */
	u16 wqe;
	u32 srqn;		/* XRC: whose */
	u64 srq_serial;
	struct shca_cur wqe_data;	/* its segments, from the beginning */
	struct shca_cur to;	/* where the message goes */
};

struct shca_rc {
	u8 transport;		/* IBTA: upper bits of the opcode */
	struct mlx5_av av;
	u32 dqpn;
	bool read_ok, write_ok, atomic_ok;
	struct shca_rc_req req;
	struct shca_rc_resp resp;
};

static inline struct shca_rc_msg *shca_rc_msg(struct shca_rc_req *req, u32 i)
{
	return &req->msg[i % SHCA_RC_MSGS];
}

static inline bool shca_rc_reliable(const struct shca_qp *qp)
{
	return qp->rc->transport != IB_OPCODE_UC;
}

/* rc.c */
int shca_rc_create(struct shca_qp *qp);
void shca_rc_free(struct shca_qp *qp);
/* The context changed by command @opcode; both locks held. */
void shca_rc_modify(struct shca_qp *qp, u16 opcode);
/* What changes by itself, into a copy of the context. */
void shca_rc_query(struct shca_qp *qp, void *qpc);
/* A packet of a connected transport. */
void shca_rc_receive(struct shca_qp *qp, const struct shca_pkt *pkt);
/* Fills in what all packets of the QP have in common. @ext: octets of the
 * headers between BTH and payload.
 */
void shca_rc_header(const struct shca_qp *qp, struct shca_pkt *pkt);
int shca_rc_transmit(struct shca_qp *qp, struct shca_pkt *pkt, u32 ext);

/* rc_wqe.c: the WQE at block sq_head, with @todo blocks there. Its number of
 * blocks, or < 0 when it cannot be read. What is wrong with it goes into
 * @msg->syndrome.
 */
int shca_rc_parse(struct shca_qp *qp, u32 todo, struct shca_rc_msg *msg);
/* A cursor over a message's data. */
void shca_rc_data(struct shca_qp *qp, const struct shca_rc_msg *msg,
		  struct shca_cur *cur);

/* rc_req.c; all under sq_lock */
/* Sends what may be sent. < 0 as shca_sq_pending(). */
int shca_rc_send(struct shca_qp *qp);
/* From the oldest PSN without an acknowledgment on, everything again. */
void shca_rc_rewind(struct shca_rc_req *req);
/* The oldest message is over. */
void shca_rc_complete(struct shca_qp *qp);
void shca_rc_fail(struct shca_qp *qp, u8 syndrome);
/* Error completions for all that was begun. */
void shca_rc_flush(struct shca_qp *qp);
bool shca_rc_is_read(const struct shca_rc_msg *msg);

/* rc_ack.c; under sq_lock */
void shca_rc_answer(struct shca_qp *qp, const struct shca_pkt *pkt);
/* Time is up: another try of what was lost, or the end of it. */
void shca_rc_retry(struct shca_qp *qp);

/* rc_resp.c; under rq_lock */
void shca_rc_request(struct shca_qp *qp, const struct shca_pkt *pkt);
/* The QP leaves the receiving states: the WQE under way is flushed. */
void shca_rc_stop(struct shca_qp *qp);
/* The answer to a READ cannot be read. */
void shca_rc_refuse(struct shca_qp *qp, u8 nak);

/* rc_reply.c; no lock held. True when some is left. */
bool shca_rc_reply(struct shca_qp *qp);

/* rc_timer.c */
u64 shca_rnr_ns(u8 code);
u64 shca_ack_timeout_ns(u8 code);
/* Under sq_lock: waits for an answer from now on, if one is owed. */
void shca_rc_timer_arm(struct shca_qp *qp);
void shca_rc_timer_rnr(struct shca_qp *qp, u8 code);
/* Under no lock. */
void shca_rc_timer_fire(struct shca_qp *qp, u64 now);

#endif
