// SPDX-License-Identifier: GPL-2.0
/*
 * The state machine of queue pairs: which command is legal when, and which
 * fields of its context it brings. (IBTA vol. 1, 10.3.1 and 11.2.5.2; the
 * optional ones as the driver's mask of optional parameters names them.)
 */
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/kernel.h>
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

#define TAKE(qpc, in, field) \
	MLX5_SET(qpc, qpc, field, MLX5_GET(qpc, in, field))
#define TAKE_PATH(qpc, in, path, field) \
	MLX5_SET(qpc, qpc, path.field, MLX5_GET(qpc, in, path.field))

static void take_init(void *qpc, const void *in)
{
	TAKE(qpc, in, pm_state);
	TAKE(qpc, in, lag_tx_port_affinity);
	TAKE(qpc, in, rlky);
	TAKE(qpc, in, counter_set_id);
	TAKE(qpc, in, q_key);
	TAKE(qpc, in, rre);
	TAKE(qpc, in, rwe);
	TAKE(qpc, in, rae);
	TAKE(qpc, in, atomic_mode);
	TAKE_PATH(qpc, in, primary_address_path, pkey_index);
	TAKE_PATH(qpc, in, primary_address_path, vhca_port_num);
}

/* The address vector, without port and PKey index, which have bits of their
 * own.
 */
static void take_address(void *qpc, const void *in)
{
	TAKE_PATH(qpc, in, primary_address_path, fl);
	TAKE_PATH(qpc, in, primary_address_path, free_ar);
	TAKE_PATH(qpc, in, primary_address_path, grh);
	TAKE_PATH(qpc, in, primary_address_path, mlid);
	TAKE_PATH(qpc, in, primary_address_path, rlid);
	TAKE_PATH(qpc, in, primary_address_path, ack_timeout);
	TAKE_PATH(qpc, in, primary_address_path, src_addr_index);
	TAKE_PATH(qpc, in, primary_address_path, stat_rate);
	TAKE_PATH(qpc, in, primary_address_path, hop_limit);
	TAKE_PATH(qpc, in, primary_address_path, tclass);
	TAKE_PATH(qpc, in, primary_address_path, flow_label);
	TAKE_PATH(qpc, in, primary_address_path, sl);
	memcpy(MLX5_ADDR_OF(qpc, qpc, primary_address_path.rgid_rip),
	       MLX5_ADDR_OF(qpc, in, primary_address_path.rgid_rip),
	       MLX5_FLD_SZ_BYTES(ads, rgid_rip));
}

static bool is_connected(u8 st)
{
	return st == MLX5_QP_ST_RC || st == MLX5_QP_ST_UC ||
	       st == MLX5_QP_ST_XRC;
}

static void take_rtr(void *qpc, const void *in, u8 st)
{
	TAKE(qpc, in, mtu);
	TAKE(qpc, in, log_msg_max);
	if (!is_connected(st))
		return;
	TAKE(qpc, in, remote_qpn);
	TAKE(qpc, in, next_rcv_psn);
	TAKE(qpc, in, log_rra_max);
	TAKE(qpc, in, min_rnr_nak);
	take_address(qpc, in);
}

static void take_rts(void *qpc, const void *in, u8 st)
{
	TAKE(qpc, in, next_send_psn);
	if (!is_connected(st))
		return;
	TAKE(qpc, in, log_ack_req_freq);
	TAKE(qpc, in, log_sra_max);
	TAKE(qpc, in, retry_count);
	TAKE(qpc, in, rnr_retry);
	TAKE_PATH(qpc, in, primary_address_path, ack_timeout);
}

static void take_optional(void *qpc, const void *in, u32 mask)
{
	if (mask & MLX5_QP_OPTPAR_RRE)
		TAKE(qpc, in, rre);
	if (mask & MLX5_QP_OPTPAR_RWE)
		TAKE(qpc, in, rwe);
	if (mask & MLX5_QP_OPTPAR_RAE) {
		TAKE(qpc, in, rae);
		TAKE(qpc, in, atomic_mode);
	}
	if (mask & MLX5_QP_OPTPAR_PKEY_INDEX)
		TAKE_PATH(qpc, in, primary_address_path, pkey_index);
	if (mask & MLX5_QP_OPTPAR_PRI_PORT)
		TAKE_PATH(qpc, in, primary_address_path, vhca_port_num);
	if (mask & MLX5_QP_OPTPAR_Q_KEY)
		TAKE(qpc, in, q_key);
	if (mask & MLX5_QP_OPTPAR_RNR_TIMEOUT)
		TAKE(qpc, in, min_rnr_nak);
	if (mask & MLX5_QP_OPTPAR_PRIMARY_ADDR_PATH)
		take_address(qpc, in);
	if (mask & MLX5_QP_OPTPAR_ALT_ADDR_PATH)
		memcpy(MLX5_ADDR_OF(qpc, qpc, secondary_address_path),
		       MLX5_ADDR_OF(qpc, in, secondary_address_path),
		       MLX5_ST_SZ_BYTES(ads));
	if (mask & MLX5_QP_OPTPAR_PM_STATE)
		TAKE(qpc, in, pm_state);
	if (mask & MLX5_QP_OPTPAR_SRA_MAX)
		TAKE(qpc, in, log_sra_max);
	if (mask & MLX5_QP_OPTPAR_RRA_MAX)
		TAKE(qpc, in, log_rra_max);
	if (mask & MLX5_QP_OPTPAR_RETRY_COUNT)
		TAKE(qpc, in, retry_count);
	if (mask & MLX5_QP_OPTPAR_RNR_RETRY)
		TAKE(qpc, in, rnr_retry);
	if (mask & MLX5_QP_OPTPAR_ACK_TIMEOUT)
		TAKE_PATH(qpc, in, primary_address_path, ack_timeout);
	if (mask & MLX5_QP_OPTPAR_LAG_TX_AFF)
		TAKE(qpc, in, lag_tx_port_affinity);
	if (mask & MLX5_QP_OPTPAR_COUNTER_SET_ID)
		TAKE(qpc, in, counter_set_id);
}

void shca_qp_merge(void *qpc, const void *in, u8 st, u16 opcode, u32 opt_mask)
{
	switch (opcode) {
	case MLX5_CMD_OP_RST2INIT_QP:
		take_init(qpc, in);
		break;
	case MLX5_CMD_OP_INIT2RTR_QP:
		take_rtr(qpc, in, st);
		break;
	case MLX5_CMD_OP_RTR2RTS_QP:
		take_rts(qpc, in, st);
		break;
	case MLX5_CMD_OP_2ERR_QP:
	case MLX5_CMD_OP_2RST_QP:
		return;
	}
	take_optional(qpc, in, opt_mask);
}
