// SPDX-License-Identifier: GPL-2.0
/*
 * Times of connected queue pairs: how long to wait for an answer, and how long
 * to let a receiver be that was not ready.
 */
#define pr_fmt(fmt) "softhca: " fmt

#include <linux/kernel.h>
#include <linux/ktime.h>

#include "engine/qcnt.h"
#include "engine/rc.h"

#define SHCA_ACK_UNIT_NS	4096ULL
/* Shorter ones would be over before the poller of a busy machine has its turn;
 * cards do not go below a time of this order either.
 */
#define SHCA_ACK_MIN_NS		(4 * NSEC_PER_MSEC)

u64 shca_ack_timeout_ns(u8 code)
{
	return max_t(u64, SHCA_ACK_UNIT_NS << (code & 0x1f), SHCA_ACK_MIN_NS);
}

/* IBTA vol. 1, table of RNR NAK timer values, in units of 10 us. From code 2
 * on, each pair is twice the one before: 2 3, 4 6, 8 12, ...
 */
u64 shca_rnr_ns(u8 code)
{
	static const u64 unit = 10 * NSEC_PER_USEC;

	code &= 0x1f;
	if (!code)
		return 65536 * unit;
	if (code == 1)
		return unit;
	return ((code & 1 ? 3ULL : 2ULL) << (code / 2 - 1)) * unit;
}

void shca_rc_timer_arm(struct shca_qp *qp)
{
	struct shca_rc_req *req = &qp->rc->req;

	if (req->rnr_wait)
		return;
	if (!shca_rc_reliable(qp) || !req->ack_timeout ||
	    req->una == req->top || req->deadline)
		return;
	req->progressed = false;
	req->deadline = ktime_get_ns() + shca_ack_timeout_ns(req->ack_timeout);
	shca_due_at(qp, req->deadline);
}

void shca_rc_timer_rnr(struct shca_qp *qp, u8 code)
{
	struct shca_rc_req *req = &qp->rc->req;

	req->rnr_wait = true;
	req->deadline = ktime_get_ns() + shca_rnr_ns(code);
	shca_due_at(qp, req->deadline);
}

static void fire(struct shca_qp *qp)
{
	struct shca_rc_req *req = &qp->rc->req;

	req->deadline = 0;
	if (req->rnr_wait) {
		req->rnr_wait = false;
		shca_due_add(qp);
		return;
	}
	/* An answer came meanwhile: the time begins anew. So it is over between
	 * once and twice the time that was asked for, as IBTA has it, and
	 * costs nothing per packet.
	 */
	if (req->una == req->top || req->progressed) {
		shca_rc_timer_arm(qp);
		return;
	}
	if (req->retries)
		shca_count(qp, local_ack_timeout_err);
	shca_rc_retry(qp);
}

void shca_rc_timer_fire(struct shca_qp *qp, u64 now)
{
	struct shca_rc_req *req = &qp->rc->req;

	spin_lock(&qp->sq_lock);
	if (!req->deadline || READ_ONCE(qp->state) != MLX5_QPC_STATE_RTS)
		goto out;
	if (now < req->deadline) {
		shca_due_at(qp, req->deadline);
		goto out;
	}
	fire(qp);
out:
	spin_unlock(&qp->sq_lock);
}
