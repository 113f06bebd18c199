// SPDX-License-Identifier: GPL-2.0
/*
 * The state machine of queue pairs: which command is legal when, and which
 * fields of its context it brings. (IBTA vol. 1, 10.3.1 and 11.2.5.2; the
 * optional ones as the driver's mask of optional parameters names them.)
 */
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/mlx5/mlx5_ifc.h>
#include <linux/mlx5/qp.h>

#include "engine/hw.h"

#define ANY_STATE	0xffff

static const struct qp_transition {
	u16 opcode;
	u16 from;		/* bit per state */
	u8 to;
} qp_transitions[] = {
	{ MLX5_CMD_OP_RST2INIT_QP, BIT(MLX5_QPC_STATE_RST),
	  MLX5_QPC_STATE_INIT },
	{ MLX5_CMD_OP_INIT2INIT_QP, BIT(MLX5_QPC_STATE_INIT),
	  MLX5_QPC_STATE_INIT },
	{ MLX5_CMD_OP_INIT2RTR_QP, BIT(MLX5_QPC_STATE_INIT),
	  MLX5_QPC_STATE_RTR },
	{ MLX5_CMD_OP_RTR2RTS_QP, BIT(MLX5_QPC_STATE_RTR),
	  MLX5_QPC_STATE_RTS },
	{ MLX5_CMD_OP_RTS2RTS_QP, BIT(MLX5_QPC_STATE_RTS),
	  MLX5_QPC_STATE_RTS },
	{ MLX5_CMD_OP_SQERR2RTS_QP, BIT(MLX5_QPC_STATE_SQER),
	  MLX5_QPC_STATE_RTS },
	{ MLX5_CMD_OP_2ERR_QP, ANY_STATE, MLX5_QPC_STATE_ERR },
	{ MLX5_CMD_OP_2RST_QP, ANY_STATE, MLX5_QPC_STATE_RST },
};

int shca_qp_next_state(u8 state, u16 opcode)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(qp_transitions); i++)
		if (qp_transitions[i].opcode == opcode)
			return qp_transitions[i].from & BIT(state) ?
				       qp_transitions[i].to : -EPROTO;
	return -EPROTO;
}

/* Fields are collected as ones in a context that serves as a mask. */
#define ALL	(~0U)

static void take_init(void *mask)
{
	MLX5_SET(qpc, mask, pm_state, ALL);
	MLX5_SET(qpc, mask, lag_tx_port_affinity, ALL);
	MLX5_SET(qpc, mask, rlky, ALL);
	MLX5_SET(qpc, mask, counter_set_id, ALL);
	MLX5_SET(qpc, mask, q_key, ALL);
	MLX5_SET(qpc, mask, rre, ALL);
	MLX5_SET(qpc, mask, rwe, ALL);
	MLX5_SET(qpc, mask, rae, ALL);
	MLX5_SET(qpc, mask, atomic_mode, ALL);
	MLX5_SET(qpc, mask, primary_address_path.pkey_index, ALL);
	MLX5_SET(qpc, mask, primary_address_path.vhca_port_num, ALL);
}

/* The address vector, without port and PKey index, which have bits of their
 * own.
 */
static void take_address(void *mask)
{
	MLX5_SET(qpc, mask, primary_address_path.fl, ALL);
	MLX5_SET(qpc, mask, primary_address_path.free_ar, ALL);
	MLX5_SET(qpc, mask, primary_address_path.grh, ALL);
	MLX5_SET(qpc, mask, primary_address_path.mlid, ALL);
	MLX5_SET(qpc, mask, primary_address_path.rlid, ALL);
	MLX5_SET(qpc, mask, primary_address_path.ack_timeout, ALL);
	MLX5_SET(qpc, mask, primary_address_path.src_addr_index, ALL);
	MLX5_SET(qpc, mask, primary_address_path.stat_rate, ALL);
	MLX5_SET(qpc, mask, primary_address_path.hop_limit, ALL);
	MLX5_SET(qpc, mask, primary_address_path.tclass, ALL);
	MLX5_SET(qpc, mask, primary_address_path.flow_label, ALL);
	MLX5_SET(qpc, mask, primary_address_path.sl, ALL);
	memset(MLX5_ADDR_OF(qpc, mask, primary_address_path.rgid_rip), 0xff,
	       MLX5_FLD_SZ_BYTES(ads, rgid_rip));
}

static bool is_connected(u8 st)
{
	return st == MLX5_QP_ST_RC || st == MLX5_QP_ST_UC ||
	       st == MLX5_QP_ST_XRC;
}

static void take_rtr(void *mask, u8 st)
{
	MLX5_SET(qpc, mask, mtu, ALL);
	MLX5_SET(qpc, mask, log_msg_max, ALL);
	if (!is_connected(st))
		return;
	MLX5_SET(qpc, mask, remote_qpn, ALL);
	MLX5_SET(qpc, mask, next_rcv_psn, ALL);
	MLX5_SET(qpc, mask, log_rra_max, ALL);
	MLX5_SET(qpc, mask, min_rnr_nak, ALL);
	take_address(mask);
}

static void take_rts(void *mask, u8 st)
{
	MLX5_SET(qpc, mask, next_send_psn, ALL);
	if (!is_connected(st))
		return;
	MLX5_SET(qpc, mask, log_ack_req_freq, ALL);
	MLX5_SET(qpc, mask, log_sra_max, ALL);
	MLX5_SET(qpc, mask, retry_count, ALL);
	MLX5_SET(qpc, mask, rnr_retry, ALL);
	MLX5_SET(qpc, mask, primary_address_path.ack_timeout, ALL);
}

static void take_optional(void *mask, u32 opt_mask)
{
	if (opt_mask & MLX5_QP_OPTPAR_RRE)
		MLX5_SET(qpc, mask, rre, ALL);
	if (opt_mask & MLX5_QP_OPTPAR_RWE)
		MLX5_SET(qpc, mask, rwe, ALL);
	if (opt_mask & MLX5_QP_OPTPAR_RAE) {
		MLX5_SET(qpc, mask, rae, ALL);
		MLX5_SET(qpc, mask, atomic_mode, ALL);
	}
	if (opt_mask & MLX5_QP_OPTPAR_PKEY_INDEX)
		MLX5_SET(qpc, mask, primary_address_path.pkey_index, ALL);
	if (opt_mask & MLX5_QP_OPTPAR_PRI_PORT)
		MLX5_SET(qpc, mask, primary_address_path.vhca_port_num, ALL);
	if (opt_mask & MLX5_QP_OPTPAR_Q_KEY)
		MLX5_SET(qpc, mask, q_key, ALL);
	if (opt_mask & MLX5_QP_OPTPAR_RNR_TIMEOUT)
		MLX5_SET(qpc, mask, min_rnr_nak, ALL);
	if (opt_mask & MLX5_QP_OPTPAR_PRIMARY_ADDR_PATH)
		take_address(mask);
	if (opt_mask & MLX5_QP_OPTPAR_ALT_ADDR_PATH)
		memset(MLX5_ADDR_OF(qpc, mask, secondary_address_path), 0xff,
		       MLX5_ST_SZ_BYTES(ads));
	if (opt_mask & MLX5_QP_OPTPAR_PM_STATE)
		MLX5_SET(qpc, mask, pm_state, ALL);
	if (opt_mask & MLX5_QP_OPTPAR_SRA_MAX)
		MLX5_SET(qpc, mask, log_sra_max, ALL);
	if (opt_mask & MLX5_QP_OPTPAR_RRA_MAX)
		MLX5_SET(qpc, mask, log_rra_max, ALL);
	if (opt_mask & MLX5_QP_OPTPAR_RETRY_COUNT)
		MLX5_SET(qpc, mask, retry_count, ALL);
	if (opt_mask & MLX5_QP_OPTPAR_RNR_RETRY)
		MLX5_SET(qpc, mask, rnr_retry, ALL);
	if (opt_mask & MLX5_QP_OPTPAR_ACK_TIMEOUT)
		MLX5_SET(qpc, mask, primary_address_path.ack_timeout, ALL);
	if (opt_mask & MLX5_QP_OPTPAR_LAG_TX_AFF)
		MLX5_SET(qpc, mask, lag_tx_port_affinity, ALL);
	if (opt_mask & MLX5_QP_OPTPAR_COUNTER_SET_ID)
		MLX5_SET(qpc, mask, counter_set_id, ALL);
}

static void take(u32 *mask, u8 st, u16 opcode, u32 opt_mask)
{
	switch (opcode) {
	case MLX5_CMD_OP_RST2INIT_QP:
		take_init(mask);
		break;
	case MLX5_CMD_OP_INIT2RTR_QP:
		take_rtr(mask, st);
		break;
	case MLX5_CMD_OP_RTR2RTS_QP:
		take_rts(mask, st);
		break;
	}
	take_optional(mask, opt_mask);
}

void shca_qp_merge(u32 *qpc, const u32 *in, u8 st, u16 opcode, u32 opt_mask)
{
	u32 mask[MLX5_ST_SZ_DW(qpc)] = {};
	unsigned int i;

	/* These two come without a context. */
	if (opcode == MLX5_CMD_OP_2ERR_QP || opcode == MLX5_CMD_OP_2RST_QP)
		return;
	take(mask, st, opcode, opt_mask);
	for (i = 0; i < ARRAY_SIZE(mask); i++)
		qpc[i] = (qpc[i] & ~mask[i]) | (in[i] & mask[i]);
}
