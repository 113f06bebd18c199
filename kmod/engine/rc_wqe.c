// SPDX-License-Identifier: GPL-2.0
/*
 * Work requests of connected queue pairs: what they ask for.
 */
#define pr_fmt(fmt) "softhca: " fmt

#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/mlx5/cq.h>

#include "engine/rc.h"

/* All segments in front of the data: control, XRC, remote address, atomic. */
struct wqe_head {
	u8 bytes[sizeof(struct mlx5_wqe_ctrl_seg) + 3 * MLX5_SEND_WQE_DS];
};

static const struct wqe_kind {
	u8 opcode, kind;
	bool raddr, atomic, uc;
} wqe_kinds[] = {
	{ MLX5_OPCODE_NOP, SHCA_MSG_LOCAL, false, false, true },
	{ MLX5_OPCODE_UMR, SHCA_MSG_LOCAL, false, false, true },
	{ MLX5_OPCODE_SEND, SHCA_MSG_SEND, false, false, true },
	{ MLX5_OPCODE_SEND_IMM, SHCA_MSG_SEND, false, false, true },
	{ MLX5_OPCODE_SEND_INVAL, SHCA_MSG_SEND, false, false, false },
	{ MLX5_OPCODE_RDMA_WRITE, SHCA_MSG_WRITE, true, false, true },
	{ MLX5_OPCODE_RDMA_WRITE_IMM, SHCA_MSG_WRITE, true, false, true },
	{ MLX5_OPCODE_RDMA_READ, SHCA_MSG_READ, true, false, false },
	{ MLX5_OPCODE_ATOMIC_CS, SHCA_MSG_ATOMIC, true, true, false },
	{ MLX5_OPCODE_ATOMIC_FA, SHCA_MSG_ATOMIC, true, true, false },
};

static const struct wqe_kind *kind_of(const struct shca_qp *qp, u8 opcode)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(wqe_kinds); i++)
		if (wqe_kinds[i].opcode == opcode)
			return wqe_kinds[i].uc || shca_rc_reliable(qp) ?
				       &wqe_kinds[i] : NULL;
	return NULL;
}

void shca_rc_data(struct shca_qp *qp, const struct shca_rc_msg *msg,
		  struct shca_cur *cur)
{
	bool in = shca_rc_is_read(msg);

	shca_sq_data(qp, msg->wqe, msg->data, msg->size, in, cur);
}

/* The segments between control and data. */
static int parse_head(const struct shca_qp *qp, const struct wqe_kind *kind,
		      const struct wqe_head *head, struct shca_rc_msg *msg)
{
	u32 pos = sizeof(struct mlx5_wqe_ctrl_seg);
	const struct mlx5_wqe_raddr_seg *raddr;
	const struct mlx5_wqe_atomic_seg *atomic;
	const struct mlx5_wqe_xrc_seg *xrc;

	if (qp->st == MLX5_QP_ST_XRC) {
		xrc = (const void *)(head->bytes + pos);
		msg->xrcsrq = be32_to_cpu(xrc->xrc_srqn) & 0xffffff;
		pos += sizeof(*xrc);
	}
	if (kind->raddr) {
		raddr = (const void *)(head->bytes + pos);
		msg->va = be64_to_cpu(raddr->raddr);
		msg->rkey = be32_to_cpu(raddr->rkey);
		pos += sizeof(*raddr);
	}
	if (kind->atomic) {
		atomic = (const void *)(head->bytes + pos);
		msg->swap_add = be64_to_cpu(atomic->swap_add);
		msg->compare = be64_to_cpu(atomic->compare);
		pos += sizeof(*atomic);
	}
	msg->data = pos;
	return pos <= msg->size ? 0 : -EINVAL;
}

static u8 parse_length(struct shca_qp *qp, struct shca_rc_msg *msg)
{
	struct shca_cur cur;
	u64 total;
	int err;

	shca_rc_data(qp, msg, &cur);
	err = shca_cur_total(&cur, &total);
	if (err)
		return shca_sq_data_syndrome(err);
	if (total > SHCA_RC_MSG_MAX)
		return MLX5_CQE_SYNDROME_LOCAL_LENGTH_ERR;
	msg->len = total;
	if (msg->kind != SHCA_MSG_ATOMIC)
		return 0;
	msg->len = SHCA_ATOMIC_SIZE;
	return total < SHCA_ATOMIC_SIZE ? MLX5_CQE_SYNDROME_LOCAL_LENGTH_ERR :
					  0;
}

static u8 parse_body(struct shca_qp *qp, const struct wqe_head *head,
		     struct shca_rc_msg *msg)
{
	const struct wqe_kind *kind = kind_of(qp, msg->opcode);
	u8 syndrome;

	if (!kind)
		return MLX5_CQE_SYNDROME_LOCAL_QP_OP_ERR;
	msg->kind = kind->kind;
	if (msg->kind == SHCA_MSG_LOCAL)
		return 0;
	if (parse_head(qp, kind, head, msg))
		return MLX5_CQE_SYNDROME_LOCAL_QP_OP_ERR;
	syndrome = parse_length(qp, msg);
	if (syndrome)
		return syndrome;
	/* An atomic is one packet, whatever the MTU. */
	msg->npsn = msg->kind == SHCA_MSG_ATOMIC ? 1 :
		    shca_rc_packets(msg->len, qp->mtu);
	return 0;
}

int shca_rc_parse(struct shca_qp *qp, u32 todo, struct shca_rc_msg *msg)
{
	struct mlx5_wqe_ctrl_seg ctrl;
	struct wqe_head head = {};
	u32 nbb, len;
	int err;

	err = shca_sq_read(qp, qp->sq_head, 0, &ctrl, sizeof(ctrl));
	if (err)
		return err;
	len = (be32_to_cpu(ctrl.qpn_ds) & MLX5_WQE_CTRL_DS_MASK) *
	      MLX5_SEND_WQE_DS;
	nbb = clamp_t(u32, DIV_ROUND_UP(len, MLX5_SEND_WQE_BB), 1, todo);

	memset(msg, 0, sizeof(*msg));
	msg->opcode = be32_to_cpu(ctrl.opmod_idx_opcode) &
		      MLX5_WQE_CTRL_OPCODE_MASK;
	msg->fm_ce_se = ctrl.fm_ce_se;
	msg->imm = ctrl.imm;
	msg->wqe = qp->sq_head;
	msg->size = len;
	if (len < sizeof(ctrl) || len > nbb * MLX5_SEND_WQE_BB) {
		msg->syndrome = MLX5_CQE_SYNDROME_LOCAL_QP_OP_ERR;
		return nbb;
	}
	err = shca_sq_read(qp, qp->sq_head, 0, &head,
			   min_t(u32, len, sizeof(head)));
	if (err)
		return err;
	msg->syndrome = parse_body(qp, &head, msg);
	return nbb;
}
