// SPDX-License-Identifier: GPL-2.0
/* Shared receive queue commands: XRC SRQs, and RMPs for the plain ones. */
#include "fw/internal.h"

/* In reserved ranges of the kernel's layouts: the UMEM of the ring. */
#define SRQ_UMEM_OFFSET_OFF	0x50
#define SRQ_UMEM_ID_OFF		0x58
#define WQ_UMEM_ID_OFF		0x2c	/* in a wq */
#define WQ_UMEM_OFFSET_OFF	0x30
#define ARM_SRQ_LWM		1	/* op_mod of ARM_XRC_SRQ */

int shca_cmd_create_xrc_srq(struct shca_cmd *cmd)
{
	void *srqc = MLX5_ADDR_OF(create_xrc_srq_in, cmd->in,
				  xrc_srq_context_entry);
	struct shca_buf_src src = {};
	struct shca_rec *rec;
	u32 srqn;
	int err;

	shca_src_pas(cmd, &src, MLX5_ST_SZ_BYTES(create_xrc_srq_in),
		     MLX5_GET(xrc_srqc, srqc, log_page_size),
		     MLX5_GET(xrc_srqc, srqc, page_offset));
	shca_src_umem(cmd, &src,
		      MLX5_GET(create_xrc_srq_in, cmd->in, xrc_srq_umem_valid),
		      cmd->in + SRQ_UMEM_ID_OFF, cmd->in + SRQ_UMEM_OFFSET_OFF);
	err = shca_rec_begin(cmd, SHCA_REC_SRQ, MLX5_GET(xrc_srqc, srqc, pd),
			     MLX5_GET(xrc_srqc, srqc, xrcd), &rec);
	if (err)
		return err;
	err = shca_srq_create(cmd->fn, cmd->uid, srqc, &src, &srqn);
	err = shca_rec_end(cmd, rec, err, srqn);
	if (!err)
		MLX5_SET(create_xrc_srq_out, cmd->out, xrc_srqn, srqn);
	return err;
}

int shca_cmd_query_xrc_srq(struct shca_cmd *cmd)
{
	return shca_srq_query(cmd->fn, cmd->uid,
			      MLX5_GET(query_xrc_srq_in, cmd->in, xrc_srqn),
			      MLX5_ADDR_OF(query_xrc_srq_out, cmd->out,
					   xrc_srq_context_entry));
}

int shca_cmd_arm_xrc_srq(struct shca_cmd *cmd)
{
	if (cmd->op_mod != ARM_SRQ_LWM)
		return shca_cmd_refuse(cmd, -EINVAL, SHCA_SYND_OP_MOD);
	return shca_srq_arm(cmd->fn, cmd->uid,
			    MLX5_GET(arm_xrc_srq_in, cmd->in, xrc_srqn),
			    MLX5_GET(arm_xrc_srq_in, cmd->in, lwm));
}

int shca_cmd_destroy_xrc_srq(struct shca_cmd *cmd)
{
	return shca_rec_destroy(cmd, SHCA_REC_SRQ,
				MLX5_GET(destroy_xrc_srq_in, cmd->in,
					 xrc_srqn));
}

int shca_cmd_create_rmp(struct shca_cmd *cmd)
{
	void *rmpc = MLX5_ADDR_OF(create_rmp_in, cmd->in, ctx);
	void *wq = MLX5_ADDR_OF(rmpc, rmpc, wq);
	struct shca_buf_src src = {};
	struct shca_rec *rec;
	u32 rmpn;
	int err;

	shca_src_pas(cmd, &src, MLX5_ST_SZ_BYTES(create_rmp_in),
		     MLX5_GET(wq, wq, log_wq_pg_sz),
		     MLX5_GET(wq, wq, page_offset));
	shca_src_umem(cmd, &src, MLX5_GET(wq, wq, wq_umem_valid),
		      wq + WQ_UMEM_ID_OFF, wq + WQ_UMEM_OFFSET_OFF);
	err = shca_rec_begin(cmd, SHCA_REC_RMP, MLX5_GET(wq, wq, pd), 0, &rec);
	if (err)
		return err;
	err = shca_rmp_create(cmd->fn, cmd->uid, rmpc, &src, &rmpn);
	err = shca_rec_end(cmd, rec, err, rmpn);
	if (!err)
		MLX5_SET(create_rmp_out, cmd->out, rmpn, rmpn);
	return err;
}

int shca_cmd_query_rmp(struct shca_cmd *cmd)
{
	return shca_rmp_query(cmd->fn, cmd->uid,
			      MLX5_GET(query_rmp_in, cmd->in, rmpn),
			      MLX5_ADDR_OF(query_rmp_out, cmd->out,
					   rmp_context));
}

int shca_cmd_modify_rmp(struct shca_cmd *cmd)
{
	return shca_rmp_modify(cmd->fn, cmd->uid,
			       MLX5_GET(modify_rmp_in, cmd->in, rmpn),
			       MLX5_ADDR_OF(modify_rmp_in, cmd->in, ctx),
			       MLX5_GET64(modify_rmp_in, cmd->in, bitmask));
}

int shca_cmd_destroy_rmp(struct shca_cmd *cmd)
{
	return shca_rec_destroy(cmd, SHCA_REC_RMP,
				MLX5_GET(destroy_rmp_in, cmd->in, rmpn));
}
