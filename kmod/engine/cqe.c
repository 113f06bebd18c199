// SPDX-License-Identifier: GPL-2.0
/*
 * Completion queue entries.
 */
#include <linux/build_bug.h>
#include <linux/string.h>
#include <linux/mlx5/cq.h>

#include "engine/hw.h"
#include "engine/qcnt.h"

/* The number by which a process finds its queue; the kernel goes by QPN. */
static __be32 cqe_user_index(const struct shca_qp *qp)
{
	if (qp->uidx != SHCA_NO_UIDX)
		return cpu_to_be32(qp->uidx);
	return cpu_to_be32(qp->srq ? qp->srq->obj.id : 0);
}

void shca_cqe_fill(struct mlx5_cqe64 *cqe, const struct shca_qp *qp, u8 opcode,
		   u16 wqe_counter, u8 wqe_opcode)
{
	memset(cqe, 0, sizeof(*cqe));
	cqe->op_own = opcode << 4;
	cqe->sop_drop_qpn = cpu_to_be32((u32)wqe_opcode << 24 | qp->obj.id);
	cqe->srqn = cqe_user_index(qp);
	cqe->wqe_counter = cpu_to_be16(wqe_counter);
}

/* Only completions without error have room for the time. */
static void cqe_stamp(struct mlx5_cqe64 *cqe)
{
	u64 now = shca_hw_clock();

	cqe->timestamp_h = cpu_to_be32(now >> 32);
	cqe->timestamp_l = cpu_to_be32(now);
}

void shca_cqe_good(struct shca_cq *cq, struct mlx5_cqe64 *cqe, bool solicited)
{
	cqe_stamp(cqe);
	shca_cq_post(cq, cqe, solicited);
}

void shca_cqe_error(struct shca_cq *cq, const struct shca_qp *qp, u8 opcode,
		    u16 wqe_counter, u8 wqe_opcode, u8 syndrome)
{
	struct mlx5_cqe64 cqe;
	struct mlx5_err_cqe *err = (struct mlx5_err_cqe *)&cqe;

	/* Both forms have queue, counter and opcode in the same places. */
	BUILD_BUG_ON(sizeof(*err) != sizeof(cqe));
	BUILD_BUG_ON(offsetof(struct mlx5_err_cqe, s_wqe_opcode_qpn) !=
		     offsetof(struct mlx5_cqe64, sop_drop_qpn));
	shca_cqe_fill(&cqe, qp, opcode, wqe_counter, wqe_opcode);
	err->syndrome = syndrome;
	shca_qcnt_error(qp, opcode == MLX5_CQE_REQ_ERR, syndrome);
	/* Errors count as solicited: whoever waits must learn of them. */
	shca_cq_post(cq, &cqe, true);
}
