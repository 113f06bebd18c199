// SPDX-License-Identifier: GPL-2.0
/* Queue pair commands. */
#include <linux/mlx5/qp.h>

#include "fw/internal.h"

/* In a reserved range of the kernel's layout: the UMEM of the rings. */
#define UMEM_OFFSET_OFF		0x100
#define UMEM_ID_OFF		0x108

/* The layouts of all state changes agree on where these stand. */
#define MODIFY_WITH_CONTEXT	MLX5_ST_SZ_BYTES(rst2init_qp_in)

static u32 qp_xrcd(const void *qpc)
{
	return MLX5_GET(qpc, qpc, st) == MLX5_QP_ST_XRC ?
	       MLX5_GET(qpc, qpc, xrcd) : 0;
}

int shca_cmd_create_qp(struct shca_cmd *cmd)
{
	void *qpc = MLX5_ADDR_OF(create_qp_in, cmd->in, qpc);
	struct shca_buf_src src = {};
	struct shca_rec *rec;
	u32 qpn;
	int err;

	shca_src_pas(cmd, &src, MLX5_ST_SZ_BYTES(create_qp_in),
		     MLX5_GET(qpc, qpc, log_page_size),
		     MLX5_GET(qpc, qpc, page_offset));
	shca_src_umem(cmd, &src, MLX5_GET(create_qp_in, cmd->in, wq_umem_valid),
		      cmd->in + UMEM_ID_OFF, cmd->in + UMEM_OFFSET_OFF);
	err = shca_rec_begin(cmd, SHCA_REC_QP, MLX5_GET(qpc, qpc, pd),
			     qp_xrcd(qpc), &rec);
	if (err)
		return err;
	err = shca_qp_create(cmd->fn, cmd->uid, qpc, &src, &qpn);
	err = shca_rec_end(cmd, rec, err, qpn);
	if (!err)
		MLX5_SET(create_qp_out, cmd->out, qpn, qpn);
	return err;
}

int shca_cmd_modify_qp(struct shca_cmd *cmd)
{
	u32 qpn = MLX5_GET(rst2init_qp_in, cmd->in, qpn);
	bool bare = cmd->opcode == MLX5_CMD_OP_2ERR_QP ||
		    cmd->opcode == MLX5_CMD_OP_2RST_QP;

	if (bare)
		return shca_qp_modify(cmd->fn, cmd->uid, qpn, cmd->opcode, 0,
				      NULL);
	if (cmd->inlen < MODIFY_WITH_CONTEXT)
		return shca_cmd_refuse(cmd, -E2BIG, SHCA_SYND_INLEN);
	return shca_qp_modify(cmd->fn, cmd->uid, qpn, cmd->opcode,
			      MLX5_GET(rst2init_qp_in, cmd->in, opt_param_mask),
			      MLX5_ADDR_OF(rst2init_qp_in, cmd->in, qpc));
}

int shca_cmd_query_qp(struct shca_cmd *cmd)
{
	u32 opt_mask = 0;
	int err;

	err = shca_qp_query(cmd->fn, cmd->uid,
			    MLX5_GET(query_qp_in, cmd->in, qpn),
			    MLX5_ADDR_OF(query_qp_out, cmd->out, qpc),
			    &opt_mask);
	if (!err)
		MLX5_SET(query_qp_out, cmd->out, opt_param_mask, opt_mask);
	return err;
}

int shca_cmd_destroy_qp(struct shca_cmd *cmd)
{
	return shca_rec_destroy(cmd, SHCA_REC_QP,
				MLX5_GET(destroy_qp_in, cmd->in, qpn));
}

int shca_cmd_attach_to_mcg(struct shca_cmd *cmd)
{
	return shca_mcast_attach(cmd->fn, cmd->uid,
				 MLX5_GET(attach_to_mcg_in, cmd->in, qpn),
				 MLX5_ADDR_OF(attach_to_mcg_in, cmd->in,
					      multicast_gid));
}

int shca_cmd_detach_from_mcg(struct shca_cmd *cmd)
{
	return shca_mcast_detach(cmd->fn, cmd->uid,
				 MLX5_GET(detach_from_mcg_in, cmd->in, qpn),
				 MLX5_ADDR_OF(detach_from_mcg_in, cmd->in,
					      multicast_gid));
}
