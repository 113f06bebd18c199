// SPDX-License-Identifier: GPL-2.0
/*
 * UMR work requests: the driver takes rights of a memory key away, or gives
 * others, without a command.
 */
#include <linux/errno.h>
#include <linux/mlx5/qp.h>

#include "engine/hw.h"

int shca_umr_execute(struct shca_qp *qp, const void *wqe, u32 len)
{
	const struct mlx5_wqe_ctrl_seg *ctrl = wqe;
	const struct mlx5_wqe_umr_ctrl_seg *umr = wqe + sizeof(*ctrl);
	const void *mkc = wqe + sizeof(*ctrl) + sizeof(*umr);

	if (len < sizeof(*ctrl) + sizeof(*umr) + sizeof(struct mlx5_mkey_seg))
		return -EINVAL;
	if (umr->xlt_octowords || (umr->flags & MLX5_UMR_TRANSLATION_OFFSET_EN))
		return -EOPNOTSUPP;
	return shca_mkey_umr(qp->hw->fn, be32_to_cpu(ctrl->umr_mkey),
			     umr->flags, be64_to_cpu(umr->mkey_mask), mkc);
}
