// SPDX-License-Identifier: GPL-2.0
/*
 * Datagrams out: QP0, QP1 and UD.
 */
#define pr_fmt(fmt) "softhca: " fmt

#include <linux/errno.h>
#include <linux/string.h>
#include <linux/mlx5/cq.h>
#include <linux/mlx5/qp.h>

#include "engine/cursor.h"
#include "engine/hw.h"

#define SHCA_QKEY_OF_QP		0x80000000	/* take the QP's own */
#define SHCA_AV_COMPACT		16

/* Octets between GRH and payload, and behind it. */
#define SHCA_BTH_DETH_ICRC	(12 + 8 + 4)
#define SHCA_IMM		4

/* Collects the payload: the segments from @pos to @end of the WQE at the head of
 * the queue. 0 or a syndrome.
 */
static u8 gather(struct shca_qp *qp, u32 pos, u32 end, u8 *data, u32 *len)
{
	struct shca_cur from, to;
	bool src_failed;
	u64 total;
	int err;

	shca_sq_data(qp, qp->sq_head, pos, end, false, &from);
	err = shca_cur_total(&from, &total);
	if (err)
		return shca_sq_data_syndrome(err);
	if (total > qp->mtu)
		return MLX5_CQE_SYNDROME_LOCAL_LENGTH_ERR;
	shca_cur_bytes(&to, data, total);
	err = shca_cur_copy(&from, &to, total, &src_failed);
	if (err)
		return shca_sq_data_syndrome(err);
	*len = total;
	return 0;
}

static void build_transport(const struct shca_qp *qp, const struct mlx5_av *av,
			    const struct mlx5_wqe_ctrl_seg *ctrl,
			    struct shca_pkt *pkt)
{
	u8 opcode = be32_to_cpu(ctrl->opmod_idx_opcode);

	pkt->vl15 = qp->st == MLX5_QP_ST_QP0;
	pkt->dqpn = be32_to_cpu(av->dqp_dct) & 0xffffff;
	pkt->sqpn = qp->obj.id;
	if (qp->st == MLX5_QP_ST_QP0)
		pkt->sqpn = 0;
	else if (qp->st == MLX5_QP_ST_QP1)
		pkt->sqpn = 1;
	pkt->qkey = be32_to_cpu(av->key.qkey.qkey);
	if (pkt->qkey & SHCA_QKEY_OF_QP)
		pkt->qkey = qp->qkey;
	pkt->solicited = ctrl->fm_ce_se & MLX5_WQE_CTRL_SOLICITED;
	pkt->has_imm = opcode == MLX5_OPCODE_SEND_IMM;
	pkt->imm = ctrl->imm;
}

/* The address vector, short or long, into the long form. */
static int parse_av(const u8 *wqe, u32 len, struct mlx5_av *av)
{
	u32 pos = sizeof(struct mlx5_wqe_ctrl_seg);
	const struct mlx5_av *in = (const void *)(wqe + pos);
	u32 size;

	if (len < pos + SHCA_AV_COMPACT)
		return -EINVAL;
	size = in->dqp_dct & cpu_to_be32(MLX5_EXTENDED_UD_AV) ? sizeof(*av) :
								SHCA_AV_COMPACT;
	if (len < pos + size)
		return -EINVAL;
	memset(av, 0, sizeof(*av));
	memcpy(av, in, size);
	return pos + size;
}

int shca_ud_send(struct shca_qp *qp, const u8 *wqe, u32 len, u8 *data)
{
	struct shca_port *port = qp->hw->ports[qp->port - 1].port;
	struct shca_pkt pkt = {};
	struct mlx5_av av;
	u8 syndrome;
	int pos;

	pos = parse_av(wqe, len, &av);
	if (pos < 0)
		return MLX5_CQE_SYNDROME_LOCAL_QP_OP_ERR;
	syndrome = gather(qp, pos, len, data, &pkt.len);
	if (syndrome)
		return syndrome;

	pkt.data = data;
	build_transport(qp, &av, (const void *)wqe, &pkt);
	if (shca_port_pkey(port, qp->pkey_index, &pkt.pkey))
		return MLX5_CQE_SYNDROME_LOCAL_QP_OP_ERR;
	shca_addr_build(port, &av, SHCA_BTH_DETH_ICRC +
			(pkt.has_imm ? SHCA_IMM : 0), &pkt);
	/* A datagram that is lost is none the less sent. */
	shca_port_send(port, &pkt);
	return 0;
}
