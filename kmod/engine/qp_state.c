// SPDX-License-Identifier: GPL-2.0
/*
 * The state machine of queue pairs: which command is legal when, and which
 * fields of its context it brings. (IBTA vol. 1, 10.3.1 and 11.2.5.2; the
 * optional ones as the driver's mask of optional parameters names them, and as
 * it uses them for each service type.)
 */
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/mlx5/mlx5_ifc.h>
#include <linux/mlx5/qp.h>

#include "engine/hw.h"

#define ANY_STATE	0xffff

/* Service types that have the same optional parameters. */
enum qp_class {
	CLASS_RC,		/* and XRC */
	CLASS_UC,
	CLASS_UD,
	CLASS_MAD,		/* QP0 and QP1 */
	CLASSES,
};

#define OPT(name)	MLX5_QP_OPTPAR_##name
#define OPT_REMOTE	(OPT(RRE) | OPT(RWE) | OPT(RAE))

/* Alternate paths are not offered, nor are link aggregation and what else the
 * driver has a bit for.
 */
static const struct qp_transition {
	u16 opcode;
	u16 from;		/* bit per state */
	u8 to;
	u32 opt[CLASSES];
	u32 opt_any;		/* for every service type */
} qp_transitions[] = {
	{
		.opcode = MLX5_CMD_OP_RST2INIT_QP,
		.from = BIT(MLX5_QPC_STATE_RST), .to = MLX5_QPC_STATE_INIT,
	}, {
		.opcode = MLX5_CMD_OP_INIT2INIT_QP,
		.from = BIT(MLX5_QPC_STATE_INIT), .to = MLX5_QPC_STATE_INIT,
		.opt[CLASS_RC] = OPT_REMOTE | OPT(PKEY_INDEX) | OPT(PRI_PORT),
		.opt[CLASS_UC] = OPT(RWE) | OPT(PKEY_INDEX) | OPT(PRI_PORT),
		.opt[CLASS_UD] = OPT(Q_KEY) | OPT(PKEY_INDEX) | OPT(PRI_PORT),
	}, {
		.opcode = MLX5_CMD_OP_INIT2RTR_QP,
		.from = BIT(MLX5_QPC_STATE_INIT), .to = MLX5_QPC_STATE_RTR,
		.opt[CLASS_RC] = OPT_REMOTE | OPT(PKEY_INDEX),
		.opt[CLASS_UC] = OPT(RWE) | OPT(PKEY_INDEX),
		.opt[CLASS_UD] = OPT(Q_KEY) | OPT(PKEY_INDEX),
		.opt[CLASS_MAD] = OPT(Q_KEY) | OPT(PKEY_INDEX),
	}, {
		.opcode = MLX5_CMD_OP_RTR2RTS_QP,
		.from = BIT(MLX5_QPC_STATE_RTR), .to = MLX5_QPC_STATE_RTS,
		.opt[CLASS_RC] = OPT_REMOTE | OPT(PM_STATE) | OPT(RNR_TIMEOUT),
		.opt[CLASS_UC] = OPT(RWE) | OPT(PM_STATE),
		.opt[CLASS_UD] = OPT(Q_KEY),
	}, {
		.opcode = MLX5_CMD_OP_RTS2RTS_QP,
		.from = BIT(MLX5_QPC_STATE_RTS), .to = MLX5_QPC_STATE_RTS,
		.opt[CLASS_RC] = OPT_REMOTE | OPT(PM_STATE) | OPT(RNR_TIMEOUT),
		.opt[CLASS_UC] = OPT(RWE) | OPT(PM_STATE),
		.opt[CLASS_UD] = OPT(Q_KEY),
		.opt_any = OPT(COUNTER_SET_ID),
	}, {
		.opcode = MLX5_CMD_OP_SQERR2RTS_QP,
		.from = BIT(MLX5_QPC_STATE_SQER), .to = MLX5_QPC_STATE_RTS,
		.opt[CLASS_RC] = OPT_REMOTE | OPT(RNR_TIMEOUT),
		.opt[CLASS_UC] = OPT(RWE),
		.opt[CLASS_UD] = OPT(Q_KEY),
		.opt[CLASS_MAD] = OPT(Q_KEY),
	}, {
		/* No command leads to that state. */
		.opcode = MLX5_CMD_OP_SQD_RTS_QP,
		.from = BIT(MLX5_QPC_STATE_SQD), .to = MLX5_QPC_STATE_RTS,
		.opt[CLASS_RC] = OPT_REMOTE | OPT(RNR_TIMEOUT),
		.opt[CLASS_UC] = OPT(RWE),
		.opt[CLASS_UD] = OPT(Q_KEY),
		.opt[CLASS_MAD] = OPT(Q_KEY),
	}, {
		.opcode = MLX5_CMD_OP_2ERR_QP,
		.from = ANY_STATE, .to = MLX5_QPC_STATE_ERR,
	}, {
		.opcode = MLX5_CMD_OP_2RST_QP,
		.from = ANY_STATE, .to = MLX5_QPC_STATE_RST,
	},
};

static const struct qp_transition *transition_of(u16 opcode)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(qp_transitions); i++)
		if (qp_transitions[i].opcode == opcode)
			return &qp_transitions[i];
	return NULL;
}

int shca_qp_next_state(u8 state, u16 opcode)
{
	const struct qp_transition *tr = transition_of(opcode);

	return tr && tr->from & BIT(state) ? tr->to : -EPROTO;
}

static u32 class_options(const struct qp_transition *tr, u8 st)
{
	switch (st) {
	case MLX5_QP_ST_RC:
	case MLX5_QP_ST_XRC:
		return tr->opt[CLASS_RC];
	case MLX5_QP_ST_UC:
		return tr->opt[CLASS_UC];
	case MLX5_QP_ST_UD:
		return tr->opt[CLASS_UD];
	case MLX5_QP_ST_QP0:
	case MLX5_QP_ST_QP1:
		return tr->opt[CLASS_MAD];
	default:
		return 0;
	}
}

int shca_qp_check_options(u8 st, u16 opcode, u32 opt_mask, const void *in)
{
	const struct qp_transition *tr = transition_of(opcode);

	if (!tr || opt_mask & ~(class_options(tr, st) | tr->opt_any))
		return -EINVAL;
	/* There is no other path to migrate to. */
	if (opt_mask & OPT(PM_STATE) &&
	    MLX5_GET(qpc, in, pm_state) != MLX5_QPC_PM_STATE_MIGRATED)
		return -EINVAL;
	return 0;
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
	if (opt_mask & OPT(RRE))
		MLX5_SET(qpc, mask, rre, ALL);
	if (opt_mask & OPT(RWE))
		MLX5_SET(qpc, mask, rwe, ALL);
	if (opt_mask & OPT(RAE)) {
		MLX5_SET(qpc, mask, rae, ALL);
		MLX5_SET(qpc, mask, atomic_mode, ALL);
	}
	if (opt_mask & OPT(PKEY_INDEX))
		MLX5_SET(qpc, mask, primary_address_path.pkey_index, ALL);
	if (opt_mask & OPT(PRI_PORT))
		MLX5_SET(qpc, mask, primary_address_path.vhca_port_num, ALL);
	if (opt_mask & OPT(Q_KEY))
		MLX5_SET(qpc, mask, q_key, ALL);
	if (opt_mask & OPT(RNR_TIMEOUT))
		MLX5_SET(qpc, mask, min_rnr_nak, ALL);
	if (opt_mask & OPT(PM_STATE))
		MLX5_SET(qpc, mask, pm_state, ALL);
	if (opt_mask & OPT(COUNTER_SET_ID))
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
