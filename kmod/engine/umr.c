// SPDX-License-Identifier: GPL-2.0
/*
 * UMR work requests: a key gets other rights, bounds or translations without a
 * command. Memory windows are bound this way by processes, on their own queues.
 */
#define pr_fmt(fmt) "softhca: " fmt

#include <linux/errno.h>
#include <linux/string.h>
#include <linux/mlx5/qp.h>

#include "engine/hw.h"

#define OCTOWORD	16

struct umr_wqe {
	struct mlx5_wqe_ctrl_seg ctrl;
	struct mlx5_wqe_umr_ctrl_seg umr;
	struct mlx5_mkey_seg mkey;
};

/* The translation list: in the work request, or where it points. */
struct umr_list {
	struct shca_qp *qp;
	u16 bb;
	bool inl;
	u32 key;
	u64 va;
};

/* The driver's queue for such requests has no domain (its context names 0), and
 * lists that lie in that of the driver.
 */
static u32 list_pd(const struct shca_qp *qp)
{
	return qp->st == MLX5_QP_ST_REG_UMR && qp->rlky ? SHCA_PD_ANY : qp->pd;
}

static int list_fetch(void *ctx, u32 off, void *dst, u32 len)
{
	const struct umr_list *list = ctx;
	struct shca_qp *qp = list->qp;

	if (list->inl)
		return shca_sq_read(qp, list->bb, sizeof(struct umr_wqe) + off,
				    dst, len);
	return shca_mkey_read(qp->hw->fn, list_pd(qp), list->key,
			      list->va + off, dst, len, SHCA_LOCAL_READ);
}

/* The list has @n octowords, and @len bytes of the WQE are left for it. */
static int list_init(struct umr_list *list, u32 n, u32 len)
{
	struct shca_qp *qp = list->qp;
	struct mlx5_wqe_data_seg seg;
	int err;

	if (list->inl)
		return n * OCTOWORD <= len ? 0 : -EINVAL;
	if (len < sizeof(seg))
		return -EINVAL;
	err = shca_sq_read(qp, list->bb, sizeof(struct umr_wqe), &seg,
			   sizeof(seg));
	if (err)
		return err;
	list->key = be32_to_cpu(seg.lkey);
	list->va = be64_to_cpu(seg.addr);
	if (list->key == shca_mkey_reserved(qp->hw->fn) && !qp->rlky)
		return -EACCES;
	return n * OCTOWORD <= be32_to_cpu(seg.byte_count) ? 0 : -EINVAL;
}

/* Where in the key's list it goes. Without an offset the field means signature
 * descriptors, which there are none of.
 */
static int list_place(const struct mlx5_wqe_umr_ctrl_seg *umr, u64 *first)
{
	*first = 0;
	if (!(umr->flags & MLX5_UMR_TRANSLATION_OFFSET_EN))
		return umr->bsf_octowords ? -EOPNOTSUPP : 0;
	*first = (u64)be32_to_cpu(umr->xlt_offset_47_16) << 16 |
		 be16_to_cpu(umr->xlt_offset);
	return 0;
}

int shca_umr_execute(struct shca_qp *qp, u16 bb, u32 len)
{
	struct umr_list list = { .qp = qp, .bb = bb };
	struct shca_umr umr = {
		.pd = qp->pd, .qpn = qp->obj.id, .uid = qp->obj.uid,
		/* Only the driver's own queues may name the reserved key. */
		.kernel = qp->rlky, .fetch = list_fetch, .ctx = &list,
	};
	struct umr_wqe wqe;
	int err;

	if (len < sizeof(wqe))
		return -EINVAL;
	err = shca_sq_read(qp, bb, 0, &wqe, sizeof(wqe));
	if (err)
		return err;
	list.inl = wqe.umr.flags & MLX5_UMR_INLINE;
	umr.key = be32_to_cpu(wqe.ctrl.umr_mkey);
	umr.flags = wqe.umr.flags;
	umr.mask = be64_to_cpu(wqe.umr.mkey_mask);
	umr.mkc = &wqe.mkey;
	umr.n = be16_to_cpu(wqe.umr.xlt_octowords);
	err = list_place(&wqe.umr, &umr.first);
	if (!err && umr.n)
		err = list_init(&list, umr.n, len - sizeof(wqe));
	return err ?: shca_mkey_umr(qp->hw->fn, &umr);
}
