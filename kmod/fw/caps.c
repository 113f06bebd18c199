// SPDX-License-Identifier: GPL-2.0
/*
 * What the device can do. A capability is set only when what it promises works:
 * the drivers believe each of them.
 */
#include <linux/log2.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "fw/internal.h"

#define MAX_CAP_TYPE		0x3f
#define PKEY_TABLE_128		0	/* PRM encodings */
#define GID_TABLE_8		0
#define LOG_MAX_MKEY		20
#define LOG_MAX_PD		16
#define LOG_MAX_XRCD		12
#define LOG_MAX_TD		12
#define LOG_MAX_RMP		12
#define LOG_MAX_UCTX		12
#define LOG_MAX_UMEM		16
#define CLOCK_KHZ		1000000	/* shca_hw_clock() counts ns */
#define CHECKSUM_MAX		3
#define ATOMIC_HOST_ENDIAN	1	/* PRM encodings */
#define UMR_FENCE_NONE		2
#define ATOMIC_8_BYTES		BIT(3)
#define ATOMIC_CMP_SWAP		BIT(0)
#define ATOMIC_FETCH_ADD	BIT(1)

const struct shca_hw_limits shca_hw_limits = {
	.log_max_qp = 17, .log_max_qp_sz = 15,
	.log_max_cq = 17, .log_max_cq_sz = 20,
	.log_max_eq = 6, .log_max_eq_sz = 16,
	.log_max_srq = 16, .log_max_srq_sz = 15,
	.num_ports = 1,
	.pkey_table = 128,
	.gid_table = 8,
};

#define SET(field, value)	MLX5_SET(cmd_hca_cap, cap, field, value)

static void set_objects(void *cap)
{
	const struct shca_hw_limits *lim = &shca_hw_limits;

	SET(log_max_qp, lim->log_max_qp);
	SET(log_max_qp_sz, lim->log_max_qp_sz);
	SET(log_max_cq, lim->log_max_cq);
	SET(log_max_cq_sz, lim->log_max_cq_sz);
	SET(log_max_eq, lim->log_max_eq);
	SET(log_max_eq_sz, lim->log_max_eq_sz);
	SET(max_num_eqs, (1 << lim->log_max_eq) - 1);
	SET(log_max_srq, lim->log_max_srq);
	SET(log_max_srq_sz, lim->log_max_srq_sz);
	SET(log_max_rmp, LOG_MAX_RMP);
	SET(log_max_mkey, LOG_MAX_MKEY);
	SET(log_max_mrw_sz, 40);
	SET(log_max_klm_list_size, 12);
	SET(log_max_pd, LOG_MAX_PD);
	SET(log_max_xrcd, LOG_MAX_XRCD);
	SET(log_max_transport_domain, LOG_MAX_TD);
	SET(log_max_uctx, LOG_MAX_UCTX);
	SET(log_max_umem, LOG_MAX_UMEM);
}

static void set_transport(void *cap)
{
	SET(ud, 1);
	SET(rc, 1);
	SET(uc, 1);
	SET(log_max_mcg, ilog2(SHCA_MCGS));
	SET(max_qp_mcg, SHCA_MCG_QPS);
	SET(block_lb_mc, 1);
	SET(xrc, 1);
	SET(atomic, 1);
	SET(log_max_msg, 30);
	SET(log_max_ra_req_qp, 4);
	SET(log_max_ra_res_qp, 4);
	SET(max_wqe_sz_sq, 512);
	SET(max_wqe_sz_rq, 512);
	SET(max_sgl_for_optimized_performance, 8);
	SET(local_ca_ack_delay, 16);
	SET(cqe_version, 1);
	SET(compact_address_vector, 1);
	SET(basic_cyclic_rcv_wqe, 1);
	SET(cq_moderation, 1);
	SET(cq_resize, 1);
	SET(max_qp_cnt, SHCA_QCNTS);
	SET(out_of_seq_cnt, 1);
	SET(retransmission_q_counters, 1);
	SET(enhanced_error_q_counters, 1);
	SET(rts2rts_qp_counters_set_id, 1);
	SET(pkv, 1);
	SET(qkv, 1);
	/* UMR, also of translations, and memory windows. A UMR waits for what
	 * was posted before it, so that it needs no fence.
	 */
	SET(umr_ptr_rlky, 1);
	SET(umr_extended_translation_offset, 1);
	SET(umr_fence, UMR_FENCE_NONE);
	SET(imaicl, 1);
}

static void set_device(void *cap)
{
	SET(port_type, MLX5_CAP_PORT_TYPE_IB);
	SET(num_ports, shca_hw_limits.num_ports);
	SET(ib_virt, 1);
	SET(pkey_table_size, PKEY_TABLE_128);
	SET(gid_table_size, GID_TABLE_8);
	SET(log_pg_sz, 12);
	/* BAR0 in units of 1 MiB, and the size of a doorbell buffer. */
	SET(uar_sz, ilog2(SHCA_BAR_SIZE >> 20));
	SET(log_bf_reg_size, 9);
	SET(device_frequency_khz, CLOCK_KHZ);
	SET(event_cap, 1);
	SET(force_teardown, 1);
	SET(fast_teardown, 1);
	SET(mcam_reg, 1);
	SET(dtor, 1);
}

#undef SET

void shca_caps_init(struct shca_fw *fw)
{
	set_objects(fw->cap_max);
	set_transport(fw->cap_max);
	set_device(fw->cap_max);
	MLX5_SET(cmd_hca_cap, fw->cap_max, vhca_id,
		 fw->fn->card->index * SHCA_MAX_FNS + fw->fn->num);
	MLX5_SET(cmd_hca_cap, fw->cap_max, cmdif_checksum, CHECKSUM_MAX);
	shca_caps_reset(fw);
}

/* Signatures are checked only once a driver asks for it. */
void shca_caps_reset(struct shca_fw *fw)
{
	memcpy(fw->cap_cur, fw->cap_max, sizeof(fw->cap_cur));
	MLX5_SET(cmd_hca_cap, fw->cap_cur, cmdif_checksum, 0);
}

bool shca_caps_checksum(struct shca_fw *fw)
{
	return MLX5_GET(cmd_hca_cap, fw->cap_cur, cmdif_checksum);
}

/*
 * Events that user space may subscribe to. Command completions and page
 * requests must never be among them: the drivers add the unaffiliated ones to
 * the mask of their asynchronous event queue, and would see each command
 * complete twice.
 */
static void device_event_cap(void *cap)
{
	u64 affiliated = BIT_ULL(MLX5_EVENT_TYPE_COMP) |
			 BIT_ULL(MLX5_EVENT_TYPE_CQ_ERROR) |
			 BIT_ULL(MLX5_EVENT_TYPE_WQ_CATAS_ERROR) |
			 BIT_ULL(MLX5_EVENT_TYPE_WQ_INVAL_REQ_ERROR) |
			 BIT_ULL(MLX5_EVENT_TYPE_WQ_ACCESS_ERROR) |
			 BIT_ULL(MLX5_EVENT_TYPE_SRQ_CATAS_ERROR) |
			 BIT_ULL(MLX5_EVENT_TYPE_SRQ_RQ_LIMIT);

	MLX5_SET64(device_event_cap, cap, user_affiliated_events[0],
		   affiliated);
	MLX5_SET64(device_event_cap, cap, user_unaffiliated_events[0],
		   BIT_ULL(MLX5_EVENT_TYPE_PORT_CHANGE));
}

/* Operands of eight bytes; values in memory are in the host's byte order, and
 * the driver has no choice of it.
 */
static void atomic_cap(void *cap)
{
	MLX5_SET(atomic_caps, cap, atomic_req_8B_endianness_mode,
		 ATOMIC_HOST_ENDIAN);
	MLX5_SET(atomic_caps, cap, atomic_operations,
		 ATOMIC_CMP_SWAP | ATOMIC_FETCH_ADD);
	MLX5_SET(atomic_caps, cap, atomic_size_qp, ATOMIC_8_BYTES);
}

/* Of every other kind the device has nothing: zeros. User space asks for kinds
 * whose general bit is clear, and expects no error.
 */
static void fill_cap(struct shca_fw *fw, u16 type, bool current_cap, void *cap)
{
	if (type == MLX5_CAP_GENERAL)
		memcpy(cap, current_cap ? fw->cap_cur : fw->cap_max,
		       SHCA_CAP_BYTES);
	else if (type == MLX5_CAP_DEV_EVENT)
		device_event_cap(cap);
	else if (type == MLX5_CAP_ATOMIC)
		atomic_cap(cap);
}

/* Who knows fewer capabilities asks with less room, and gets the first ones. */
int shca_cmd_query_hca_cap(struct shca_cmd *cmd)
{
	u32 room = cmd->outlen - MLX5_BYTE_OFF(query_hca_cap_out, capability);
	u16 type = cmd->op_mod >> 1;
	void *cap;

	if (MLX5_GET(query_hca_cap_in, cmd->in, other_function))
		return shca_cmd_refuse(cmd, -EINVAL, SHCA_SYND_CAP_OTHER);
	if (type > MAX_CAP_TYPE)
		return shca_cmd_refuse(cmd, -EINVAL, SHCA_SYND_CAP_TYPE);
	cap = kzalloc(SHCA_CAP_BYTES, GFP_KERNEL);
	if (!cap)
		return -ENOMEM;
	fill_cap(cmd->fw, type, cmd->op_mod & 1, cap);
	memcpy(MLX5_ADDR_OF(query_hca_cap_out, cmd->out, capability), cap,
	       min_t(u32, room, SHCA_CAP_BYTES));
	kfree(cap);
	return 0;
}

/* What a driver may choose; all else it must hand back as it was told. */
struct choice {
	u32 log_max_qp, pkey_table_size, cmdif_checksum, log_uar_page_sz;
};

static struct choice choice_of(const void *cap)
{
	return (struct choice) {
		.log_max_qp = MLX5_GET(cmd_hca_cap, cap, log_max_qp),
		.pkey_table_size = MLX5_GET(cmd_hca_cap, cap, pkey_table_size),
		.cmdif_checksum = MLX5_GET(cmd_hca_cap, cap, cmdif_checksum),
		.log_uar_page_sz = MLX5_GET(cmd_hca_cap, cap, log_uar_page_sz),
	};
}

static bool only_choice(const void *want, void *scratch)
{
	struct choice c = choice_of(want);

	MLX5_SET(cmd_hca_cap, scratch, log_max_qp, c.log_max_qp);
	MLX5_SET(cmd_hca_cap, scratch, pkey_table_size, c.pkey_table_size);
	MLX5_SET(cmd_hca_cap, scratch, cmdif_checksum, c.cmdif_checksum);
	MLX5_SET(cmd_hca_cap, scratch, log_uar_page_sz, c.log_uar_page_sz);
	return !memcmp(scratch, want, SHCA_CAP_BYTES);
}

static bool within_max(const void *max, const void *want)
{
	struct choice m = choice_of(max), c = choice_of(want);

	return c.log_max_qp <= m.log_max_qp &&
	       c.pkey_table_size <= m.pkey_table_size &&
	       c.cmdif_checksum <= m.cmdif_checksum &&
	       c.log_uar_page_sz <= m.log_uar_page_sz;
}

int shca_cmd_set_hca_cap(struct shca_cmd *cmd)
{
	void *cap = MLX5_ADDR_OF(set_hca_cap_in, cmd->in, capability);
	struct shca_fw *fw = cmd->fw;
	void *scratch;
	bool same;

	if (MLX5_GET(set_hca_cap_in, cmd->in, other_function))
		return shca_cmd_refuse(cmd, -EINVAL, SHCA_SYND_CAP_OTHER);
	if (cmd->op_mod >> 1 != MLX5_CAP_GENERAL)
		return shca_cmd_refuse(cmd, -EINVAL, SHCA_SYND_CAP_TYPE);
	if (!within_max(fw->cap_max, cap))
		return shca_cmd_refuse(cmd, -EINVAL, SHCA_SYND_CAP_RANGE);

	scratch = kmemdup(fw->cap_cur, SHCA_CAP_BYTES, GFP_KERNEL);
	if (!scratch)
		return -ENOMEM;
	same = only_choice(cap, scratch);
	kfree(scratch);
	if (!same)
		return shca_cmd_refuse(cmd, -EINVAL, SHCA_SYND_CAP_READONLY);
	memcpy(fw->cap_cur, cap, SHCA_CAP_BYTES);
	return 0;
}
