// SPDX-License-Identifier: GPL-2.0
/* Completion queue commands. */
#include "fw/internal.h"

/* In a reserved range of the kernel's layout: the UMEM of the ring. */
#define UMEM_OFFSET_OFF		0x50
#define UMEM_ID_OFF		0x58

int shca_cmd_create_cq(struct shca_cmd *cmd)
{
	void *cqc = MLX5_ADDR_OF(create_cq_in, cmd->in, cq_context);
	struct shca_buf_src src = {};
	struct shca_rec *rec;
	u32 cqn;
	int err;

	shca_src_pas(cmd, &src, MLX5_ST_SZ_BYTES(create_cq_in),
		     MLX5_GET(cqc, cqc, log_page_size),
		     MLX5_GET(cqc, cqc, page_offset));
	shca_src_umem(cmd, &src, MLX5_GET(create_cq_in, cmd->in, cq_umem_valid),
		      cmd->in + UMEM_ID_OFF, cmd->in + UMEM_OFFSET_OFF);
	err = shca_rec_begin(cmd, SHCA_REC_CQ, 0, 0, &rec);
	if (err)
		return err;
	err = shca_cq_create(cmd->fn, cmd->uid, cqc, &src, &cqn);
	err = shca_rec_end(cmd, rec, err, cqn);
	if (!err)
		MLX5_SET(create_cq_out, cmd->out, cqn, cqn);
	return err;
}

int shca_cmd_query_cq(struct shca_cmd *cmd)
{
	return shca_cq_query(cmd->fn, cmd->uid,
			     MLX5_GET(query_cq_in, cmd->in, cqn),
			     MLX5_ADDR_OF(query_cq_out, cmd->out, cq_context));
}

static int resize_cq(struct shca_cmd *cmd, u32 cqn, const void *cqc,
		     u32 fields)
{
	struct shca_buf_src src = {};
	int err;

	shca_src_pas(cmd, &src, MLX5_ST_SZ_BYTES(modify_cq_in),
		     MLX5_GET(cqc, cqc, log_page_size),
		     MLX5_GET(cqc, cqc, page_offset));
	/* Where CREATE_CQ has them. */
	shca_src_umem(cmd, &src, MLX5_GET(modify_cq_in, cmd->in, cq_umem_valid),
		      cmd->in + UMEM_ID_OFF, cmd->in + UMEM_OFFSET_OFF);
	err = shca_cq_resize(cmd->fn, cmd->uid, cqn, cqc, fields, &src);
	if (err == -EOVERFLOW)
		return shca_cmd_refuse(cmd, err, SHCA_SYND_CQ_FULL);
	return err;
}

int shca_cmd_modify_cq(struct shca_cmd *cmd)
{
	void *cqc = MLX5_ADDR_OF(modify_cq_in, cmd->in, cq_context);
	void *select = MLX5_ADDR_OF(modify_cq_in, cmd->in,
				    modify_field_select_resize_field_select);
	u32 cqn = MLX5_GET(modify_cq_in, cmd->in, cqn);
	u32 fields = MLX5_GET(modify_field_select, select,
			      modify_field_select);

	switch (cmd->op_mod) {
	case MLX5_MODIFY_CQ_IN_OP_MOD_MODIFY_CQ:
		return shca_cq_modify(cmd->fn, cmd->uid, cqn, cqc, fields);
	case MLX5_MODIFY_CQ_IN_OP_MOD_RESIZE_CQ:
		return resize_cq(cmd, cqn, cqc, fields);
	default:
		return shca_cmd_refuse(cmd, -EINVAL, SHCA_SYND_OP_MOD);
	}
}

int shca_cmd_destroy_cq(struct shca_cmd *cmd)
{
	return shca_rec_destroy(cmd, SHCA_REC_CQ,
				MLX5_GET(destroy_cq_in, cmd->in, cqn));
}
