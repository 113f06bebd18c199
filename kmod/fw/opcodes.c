// SPDX-License-Identifier: GPL-2.0
/*
 * The opcode table. An opcode that is not here is not implemented: BAD_OPCODE,
 * counted, and named once in the log. There is no default answer.
 */
#define pr_fmt(fmt) "softhca: " fmt

#include <linux/errno.h>
#include <linux/string.h>

#include "fw/internal.h"

#define BOOT	(SHCA_OP_BOOT | SHCA_OP_UP)
#define UP	SHCA_OP_UP
#define USER	(SHCA_OP_UP | SHCA_OP_UID)

#define ROW_OUT(op, layout, fl, fn, out) {			\
	.opcode = MLX5_CMD_OP_##op,				\
	.flags = (fl),						\
	.inlen = MLX5_ST_SZ_BYTES(layout##_in),			\
	.outlen = (out),					\
	.name = #op,						\
	.handler = (fn),					\
}

#define ROW(op, layout, fl, fn) \
	ROW_OUT(op, layout, fl, fn, MLX5_ST_SZ_BYTES(layout##_out))

static const struct shca_opcode table[] = {
	ROW_OUT(QUERY_HCA_CAP, query_hca_cap, BOOT | SHCA_OP_UID,
		shca_cmd_query_hca_cap,
		MLX5_BYTE_OFF(query_hca_cap_out, capability)),
	ROW(QUERY_ADAPTER, query_adapter, BOOT | SHCA_OP_UID,
	    shca_cmd_query_adapter),
	ROW(INIT_HCA, init_hca, SHCA_OP_BOOT, shca_cmd_init_hca),
	ROW(TEARDOWN_HCA, teardown_hca, UP, shca_cmd_teardown_hca),
	ROW(ENABLE_HCA, enable_hca, SHCA_OP_OFF | BOOT, shca_cmd_enable_hca),
	ROW(DISABLE_HCA, disable_hca, BOOT, shca_cmd_disable_hca),
	ROW(QUERY_PAGES, query_pages, BOOT, shca_cmd_query_pages),
	ROW(MANAGE_PAGES, manage_pages, BOOT, shca_cmd_manage_pages),
	ROW(SET_HCA_CAP, set_hca_cap, SHCA_OP_BOOT, shca_cmd_set_hca_cap),
	ROW(QUERY_ISSI, query_issi, BOOT | SHCA_OP_UID, shca_cmd_query_issi),
	ROW(SET_ISSI, set_issi, SHCA_OP_BOOT, shca_cmd_set_issi),

	ROW(CREATE_MKEY, create_mkey, USER, shca_cmd_create_mkey),
	ROW(QUERY_MKEY, query_mkey, USER, shca_cmd_query_mkey),
	ROW(DESTROY_MKEY, destroy_mkey, USER, shca_cmd_destroy_mkey),
	ROW(QUERY_SPECIAL_CONTEXTS, query_special_contexts, UP,
	    shca_cmd_query_special_contexts),

	ROW(CREATE_EQ, create_eq, USER, shca_cmd_create_eq),
	ROW(DESTROY_EQ, destroy_eq, USER, shca_cmd_destroy_eq),
	ROW(QUERY_EQ, query_eq, USER, shca_cmd_query_eq),

	ROW(CREATE_CQ, create_cq, USER, shca_cmd_create_cq),
	ROW(DESTROY_CQ, destroy_cq, USER, shca_cmd_destroy_cq),
	ROW(QUERY_CQ, query_cq, USER, shca_cmd_query_cq),
	ROW(MODIFY_CQ, modify_cq, USER, shca_cmd_modify_cq),

	ROW(CREATE_QP, create_qp, USER, shca_cmd_create_qp),
	ROW(DESTROY_QP, destroy_qp, USER, shca_cmd_destroy_qp),
	ROW(RST2INIT_QP, rst2init_qp, USER, shca_cmd_modify_qp),
	ROW(INIT2RTR_QP, init2rtr_qp, USER, shca_cmd_modify_qp),
	ROW(RTR2RTS_QP, rtr2rts_qp, USER, shca_cmd_modify_qp),
	ROW(RTS2RTS_QP, rts2rts_qp, USER, shca_cmd_modify_qp),
	ROW(SQERR2RTS_QP, sqerr2rts_qp, USER, shca_cmd_modify_qp),
	ROW(SQD_RTS_QP, sqd2rts_qp, USER, shca_cmd_modify_qp),
	ROW(2ERR_QP, qp_2err, USER, shca_cmd_modify_qp),
	ROW(2RST_QP, qp_2rst, USER, shca_cmd_modify_qp),
	ROW(QUERY_QP, query_qp, USER, shca_cmd_query_qp),
	ROW(INIT2INIT_QP, init2init_qp, USER, shca_cmd_modify_qp),
	ROW(MAD_IFC, mad_ifc, UP, shca_cmd_mad_ifc),

	ROW(CREATE_XRC_SRQ, create_xrc_srq, USER, shca_cmd_create_xrc_srq),
	ROW(DESTROY_XRC_SRQ, destroy_xrc_srq, USER, shca_cmd_destroy_xrc_srq),
	ROW(QUERY_XRC_SRQ, query_xrc_srq, USER, shca_cmd_query_xrc_srq),
	ROW(ARM_XRC_SRQ, arm_xrc_srq, USER, shca_cmd_arm_xrc_srq),

	ROW(QUERY_VPORT_STATE, query_vport_state, USER,
	    shca_cmd_query_vport_state),
	ROW(QUERY_HCA_VPORT_CONTEXT, query_hca_vport_context, USER,
	    shca_cmd_query_hca_vport_context),
	ROW(MODIFY_HCA_VPORT_CONTEXT, modify_hca_vport_context, UP,
	    shca_cmd_modify_hca_vport_context),
	ROW(QUERY_HCA_VPORT_GID, query_hca_vport_gid, UP,
	    shca_cmd_query_hca_vport_gid),
	ROW(QUERY_HCA_VPORT_PKEY, query_hca_vport_pkey, UP,
	    shca_cmd_query_hca_vport_pkey),

	ROW(ALLOC_Q_COUNTER, alloc_q_counter, USER, shca_cmd_alloc_q_counter),
	ROW(DEALLOC_Q_COUNTER, dealloc_q_counter, USER,
	    shca_cmd_dealloc_q_counter),
	ROW(QUERY_Q_COUNTER, query_q_counter, USER, shca_cmd_query_q_counter),
	ROW(ALLOC_PD, alloc_pd, USER, shca_cmd_alloc_pd),
	ROW(DEALLOC_PD, dealloc_pd, USER, shca_cmd_dealloc_pd),
	ROW(ALLOC_UAR, alloc_uar, USER, shca_cmd_alloc_uar),
	ROW(DEALLOC_UAR, dealloc_uar, USER, shca_cmd_dealloc_uar),
	ROW(ATTACH_TO_MCG, attach_to_mcg, USER, shca_cmd_attach_to_mcg),
	ROW(DETACH_FROM_MCG, detach_from_mcg, USER, shca_cmd_detach_from_mcg),
	ROW(ACCESS_REG, access_register, BOOT, shca_cmd_access_reg),
	ROW(NOP, nop, BOOT | SHCA_OP_UID, shca_cmd_nop),
	ROW(ALLOC_XRCD, alloc_xrcd, USER, shca_cmd_alloc_xrcd),
	ROW(DEALLOC_XRCD, dealloc_xrcd, USER, shca_cmd_dealloc_xrcd),
	ROW(ALLOC_TRANSPORT_DOMAIN, alloc_transport_domain, USER,
	    shca_cmd_alloc_td),
	ROW(DEALLOC_TRANSPORT_DOMAIN, dealloc_transport_domain, USER,
	    shca_cmd_dealloc_td),

	ROW(CREATE_RMP, create_rmp, USER, shca_cmd_create_rmp),
	ROW(MODIFY_RMP, modify_rmp, USER, shca_cmd_modify_rmp),
	ROW(DESTROY_RMP, destroy_rmp, USER, shca_cmd_destroy_rmp),
	ROW(QUERY_RMP, query_rmp, USER, shca_cmd_query_rmp),

	ROW(CREATE_UCTX, create_uctx, UP, shca_cmd_create_uctx),
	ROW(DESTROY_UCTX, destroy_uctx, UP, shca_cmd_destroy_uctx),
	ROW(CREATE_UMEM, create_umem, USER, shca_cmd_create_umem),
	ROW(DESTROY_UMEM, destroy_umem, USER, shca_cmd_destroy_umem),
};

const struct shca_opcode *shca_opcode_table(unsigned int *rows)
{
	*rows = ARRAY_SIZE(table);
	return table;
}

const struct shca_opcode *shca_opcode_row(u16 opcode)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(table); i++)
		if (table[i].opcode == opcode)
			return &table[i];
	return NULL;
}

int shca_opcode_find(const char *name)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(table); i++)
		if (!strcasecmp(table[i].name, name))
			return table[i].opcode;
	return -ENOENT;
}

const char *shca_opcode_name(u16 opcode)
{
	const struct shca_opcode *row = shca_opcode_row(opcode);

	return row ? row->name : NULL;
}

u8 shca_cmd_status(int err)
{
	switch (err) {
	case 0:
		return MLX5_CMD_STAT_OK;
	case -EINVAL:
	case -EFAULT:
	case -EACCES:
		return MLX5_CMD_STAT_BAD_PARAM_ERR;
	case -ENOENT:
		return MLX5_CMD_STAT_BAD_RES_ERR;
	case -EBUSY:
		return MLX5_CMD_STAT_RES_BUSY;
	case -ENOSPC:
		return MLX5_CMD_STAT_LIM_ERR;
	case -ENOMEM:
		return MLX5_CMD_STAT_NO_RES_ERR;
	case -EPROTO:
		return MLX5_CMD_STAT_BAD_RES_STATE_ERR;
	case -EOPNOTSUPP:
		return MLX5_CMD_STAT_BAD_OP_ERR;
	case -ENODEV:
		return MLX5_CMD_STAT_BAD_SYS_STATE_ERR;
	case -ERANGE:
		return MLX5_CMD_STAT_IX_ERR;
	case -E2BIG:
		return MLX5_CMD_STAT_BAD_INP_LEN_ERR;
	case -EMSGSIZE:
		return MLX5_CMD_STAT_BAD_OUTP_LEN_ERR;
	case -EBADMSG:
		return MLX5_CMD_STAT_BAD_PKT_ERR;
	case -EOVERFLOW:
		return MLX5_CMD_STAT_BAD_SIZE_OUTS_CQES_ERR;
	default:
		return MLX5_CMD_STAT_INT_ERR;
	}
}

int shca_cmd_refuse(struct shca_cmd *cmd, int err, enum shca_syndrome why)
{
	cmd->syndrome = why;
	return err;
}

static int unknown_opcode(struct shca_cmd *cmd)
{
	struct shca_fw *fw = cmd->fw;

	fw->bad_opcode++;
	if (cmd->opcode < SHCA_CMD_OPCODES &&
	    !__test_and_set_bit(cmd->opcode, fw->named))
		shca_info(cmd->fn, "command opcode 0x%x is not implemented\n",
			  cmd->opcode);
	return shca_cmd_refuse(cmd, -EOPNOTSUPP, SHCA_SYND_OPCODE);
}

static bool state_allows(struct shca_fw *fw, const struct shca_opcode *row)
{
	switch (fw->hca) {
	case SHCA_HCA_OFF:
		return row->flags & SHCA_OP_OFF;
	case SHCA_HCA_ENABLED:
		return row->flags & SHCA_OP_BOOT;
	case SHCA_HCA_UP:
		return row->flags & SHCA_OP_UP;
	}
	return false;
}

/* The drivers put the owner's uid into every command they send for a user. */
static int check_uid(struct shca_cmd *cmd, const struct shca_opcode *row)
{
	cmd->uid = MLX5_GET(general_obj_in_cmd_hdr, cmd->in, uid);
	if (!cmd->uid)
		return 0;
	if (!(row->flags & SHCA_OP_UID))
		return shca_cmd_refuse(cmd, -EINVAL, SHCA_SYND_UID_KERNEL);
	if (!shca_uctx_valid(cmd->fw, cmd->uid))
		return shca_cmd_refuse(cmd, -EINVAL, SHCA_SYND_UID_NONE);
	return 0;
}

static int checked(struct shca_cmd *cmd)
{
	const struct shca_opcode *row = shca_opcode_row(cmd->opcode);
	int err;

	if (!row)
		return unknown_opcode(cmd);
	if (cmd->inlen < row->inlen)
		return shca_cmd_refuse(cmd, -E2BIG, SHCA_SYND_INLEN);
	if (cmd->outlen < row->outlen)
		return shca_cmd_refuse(cmd, -EMSGSIZE, SHCA_SYND_OUTLEN);
	if (!state_allows(cmd->fw, row))
		return shca_cmd_refuse(cmd, -ENODEV, SHCA_SYND_STATE);
	err = check_uid(cmd, row);
	if (err)
		return err;
	return row->handler(cmd);
}

void shca_cmd_execute(struct shca_cmd *cmd)
{
	int err;

	cmd->syndrome = 0;
	err = checked(cmd);
	cmd->status = shca_cmd_status(err);
	if (!err)
		cmd->syndrome = 0;
	else if (!cmd->syndrome)
		cmd->syndrome = err == -ENOMEM ? SHCA_SYND_MEMORY :
						 SHCA_SYND_ENGINE;
}
