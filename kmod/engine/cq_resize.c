// SPDX-License-Identifier: GPL-2.0
/*
 * A completion queue gets another ring.
 *
 * The last entry of the old ring says so (RESIZE_CQ); it takes an index, and
 * the next completion is the first in the new ring. The driver copies what it
 * has not read yet in front of that one, each entry one place further on: so
 * the entries fit when the marker finds room in the old ring, and they and the
 * marker do in the new one.
 */
#define pr_fmt(fmt) "softhca: " fmt

#include <linux/errno.h>
#include <linux/mlx5/cq.h>

#include "engine/hw.h"
#include "pci/pci.h"

#define SHCA_CQ_RESIZE_FIELDS	(MLX5_MODIFY_CQ_MASK_LOG_SIZE | \
				 MLX5_MODIFY_CQ_MASK_PG_OFFSET | \
				 MLX5_MODIFY_CQ_MASK_PG_SIZE)

static int resize_fits(struct shca_cq *cq, u8 log_size)
{
	__be32 ci;
	int err;

	if (cq->status != MLX5_CQC_STATUS_OK)
		return -EPROTO;
	err = shca_dma_read32(cq->hw->fn, cq->dbr.addr, &ci);
	if (err)
		return err;
	cq->ci = be32_to_cpu(ci) & SHCA_CQ_INDEX_MASK;
	/* Whoever does not mind overruns need not tell what it has read. */
	if (cq->overrun_ok)
		return 0;
	return shca_cq_full(cq->pi, cq->ci, cq->log_size) ||
	       shca_cq_full(cq->pi, cq->ci, log_size) ? -EOVERFLOW : 0;
}

/* Under cq->lock: between two completions. */
static int resize_switch(struct shca_cq *cq, struct shca_buf *buf,
			 const void *cqc)
{
	struct mlx5_cqe64 cqe = { .op_own = MLX5_CQE_RESIZE_CQ << 4 };
	u8 log_size = MLX5_GET(cqc, cqc, log_cq_size);
	int err;

	err = resize_fits(cq, log_size);
	if (!err)
		err = shca_cq_write(cq, &cqe);
	if (err)
		return err;
	cq->moved = cq->ci;
	cq->moving = true;
	cq->pi = (cq->pi + 1) & SHCA_CQ_INDEX_MASK;
	/* What was solicited moves along with the others. */
	cq->solicited = (cq->solicited + 1) & SHCA_CQ_INDEX_MASK;
	cq->log_size = log_size;
	swap(cq->buf, *buf);
	MLX5_SET(cqc, cq->cqc, log_cq_size, log_size);
	MLX5_SET(cqc, cq->cqc, page_offset, MLX5_GET(cqc, cqc, page_offset));
	MLX5_SET(cqc, cq->cqc, log_page_size,
		 MLX5_GET(cqc, cqc, log_page_size));
	return 0;
}

static int resize(struct shca_cq *cq, const void *cqc,
		  const struct shca_buf_src *src)
{
	u8 log_size = MLX5_GET(cqc, cqc, log_cq_size);
	struct shca_buf buf = {};
	int err;

	/* The size of an entry stays what it is. */
	if (log_size > cq->hw->lim.log_max_cq_sz ||
	    MLX5_GET(cqc, cqc, cqe_sz) != MLX5_GET(cqc, cq->cqc, cqe_sz))
		return -EINVAL;
	err = shca_buf_init(cq->hw->fn, &buf, src,
			    1ULL << (log_size + cq->stride_shift));
	if (!err) {
		spin_lock(&cq->lock);
		err = resize_switch(cq, &buf, cqc);
		spin_unlock(&cq->lock);
	}
	/* The old memory, or the new one that is not needed. */
	shca_buf_exit(&buf);
	return err;
}

int shca_cq_resize(struct shca_fn *fn, u16 uid, u32 cqn, const void *cqc,
		   u32 field_select, const struct shca_buf_src *src)
{
	struct shca_hw *hw = fn->hw;
	struct shca_cq *cq;
	int err = -ENOENT;

	if (field_select != SHCA_CQ_RESIZE_FIELDS)
		return -EINVAL;
	mutex_lock(&hw->config);
	cq = shca_cq_get(hw, cqn, uid);
	if (cq) {
		err = resize(cq, cqc, src);
		shca_obj_put(&cq->obj);
	}
	mutex_unlock(&hw->config);
	return err;
}
