// SPDX-License-Identifier: GPL-2.0
/*
 * A function's hardware for suites.
 */
#define pr_fmt(fmt) "softhca: " fmt

#include <linux/string.h>
#include <linux/mlx5/qp.h>

#include "engine/fixture_kunit.h"

#define KEY_BYTE	0x42

/* Stands for engine/trace.c: the tracepoints belong to softhca.ko. */
void shca_engine_trace_eqe(const struct shca_eq *eq, u8 type, u8 sub_type)
{
	pr_debug("kunit: eqn %u type %u %u\n", eq->obj.id, type, sub_type);
}

static bool khw_poll(struct shca_fn *fn)
{
	return false;
}

static void khw_port_event(struct shca_fn *fn, u8 port,
			   enum shca_port_event ev)
{
}

static const struct shca_engine_ops khw_ops = {
	.poll = khw_poll,
	.port_event = khw_port_event,
};

int shca_engine_kunit_init(struct kunit_suite *suite)
{
	int err = shca_fabric_init();

	if (err)
		return err;
	err = shca_engine_init(&khw_ops);
	if (err)
		shca_fabric_exit();
	return err;
}

void shca_engine_kunit_exit(struct kunit_suite *suite)
{
	shca_engine_exit();
	shca_fabric_exit();
}

static const struct shca_hw_limits khw_limits = {
	.log_max_qp = 4, .log_max_qp_sz = 10, .log_max_cq = 4,
	.log_max_cq_sz = 10, .log_max_eq = 3, .log_max_eq_sz = 10,
	.log_max_srq = 4, .log_max_srq_sz = 10,
	.num_ports = 1, .pkey_table = 4, .gid_table = 4,
};

static const struct shca_port_attr khw_port = {
	.node_guid = 0x77, .sys_guid = 0x77, .port_guid = 0x77,
	.device_id = 0x1017, .num_ports = 1, .port_num = 1,
	.pkey_table = 4, .gid_table = 4,
	.link_width_sup = 2, .link_speed_sup = 7, .mtu_cap = 5, .vl_cap = 1,
	.node_desc = "kunit",
};

static void khw_free(struct kunit_resource *res)
{
	struct kfn *kfn = res->data;

	shca_hw_fn_exit(&kfn->fn);
}

static void create_eq(struct kunit *test, struct khw *khw)
{
	__be64 mask[4] = { cpu_to_be64(U64_MAX), };
	u32 eqc[MLX5_ST_SZ_DW(eqc)] = {};
	struct shca_buf_src src;
	__be64 pas;

	kfn_src(&src, &pas, KHW_EQ_PAGE);
	MLX5_SET(eqc, eqc, log_eq_size, KHW_EQ_LOG);
	MLX5_SET(eqc, eqc, intr, KHW_VECTOR);
	KUNIT_ASSERT_EQ(test, shca_eq_create(&khw->kfn->fn, SHCA_SHARED_UID, eqc,
					     mask, &src, &khw->eqn), 0);
}

int khw_create_cq(struct khw *khw, u16 uid, bool overrun_ok, u32 *cqn)
{
	u32 cqc[MLX5_ST_SZ_DW(cqc)] = {};
	struct shca_buf_src src;
	__be64 pas;

	kfn_src(&src, &pas, KHW_CQ_PAGE);
	MLX5_SET(cqc, cqc, log_cq_size, KHW_CQ_LOG);
	MLX5_SET(cqc, cqc, c_eqn_or_apu_element, khw->eqn);
	MLX5_SET(cqc, cqc, uar_page, khw->uar);
	MLX5_SET(cqc, cqc, oi, overrun_ok);
	MLX5_SET64(cqc, cqc, dbr_addr, kfn_bus(KHW_CQ_DBR));
	return shca_cq_create(&khw->kfn->fn, uid, cqc, &src, cqn);
}

struct khw *khw_alloc(struct kunit *test)
{
	struct khw *khw = kunit_kzalloc(test, sizeof(*khw), GFP_KERNEL);
	struct shca_fn *fn;

	KUNIT_ASSERT_NOT_NULL(test, khw);
	khw->kfn = kfn_alloc(test);
	fn = &khw->kfn->fn;
	KUNIT_ASSERT_EQ(test, shca_hw_fn_init(fn, &khw_limits, &khw_port), 0);
	KUNIT_ASSERT_NOT_NULL(test, kunit_alloc_resource(test, NULL, khw_free,
							 GFP_KERNEL, khw->kfn));
	khw->hw = fn->hw;
	create_eq(test, khw);
	KUNIT_ASSERT_EQ(test, shca_uar_alloc(fn, 0, &khw->uar), 0);
	KUNIT_ASSERT_EQ(test, khw_create_cq(khw, 0, false, &khw->cqn), 0);
	return khw;
}

void khw_create_qp(struct kunit *test, struct khw *khw, u8 st)
{
	u32 qpc[MLX5_ST_SZ_DW(qpc)] = {};
	struct shca_buf_src src;
	__be64 pas;

	kfn_src(&src, &pas, KHW_QP_PAGE);
	MLX5_SET(qpc, qpc, st, st);
	MLX5_SET(qpc, qpc, pd, KHW_PD);
	MLX5_SET(qpc, qpc, log_sq_size, KHW_SQ_LOG);
	MLX5_SET(qpc, qpc, log_rq_size, KHW_RQ_LOG);
	MLX5_SET(qpc, qpc, log_rq_stride, 2);
	MLX5_SET(qpc, qpc, uar_page, khw->uar);
	MLX5_SET(qpc, qpc, cqn_snd, khw->cqn);
	MLX5_SET(qpc, qpc, cqn_rcv, khw->cqn);
	MLX5_SET(qpc, qpc, user_index, SHCA_NO_UIDX);
	MLX5_SET64(qpc, qpc, dbr_addr, kfn_bus(KHW_QP_DBR));
	KUNIT_ASSERT_EQ(test, shca_qp_create(&khw->kfn->fn, 0, qpc, &src,
					     &khw->qpn), 0);
}

int khw_modify(struct khw *khw, u16 opcode, const void *qpc)
{
	return shca_qp_modify(&khw->kfn->fn, 0, khw->qpn, opcode, 0, qpc);
}

void khw_to_rts(struct kunit *test, struct khw *khw)
{
	u32 qpc[MLX5_ST_SZ_DW(qpc)] = {};

	MLX5_SET(qpc, qpc, mtu, MLX5_QPC_MTU_4K_BYTES);
	MLX5_SET(qpc, qpc, primary_address_path.vhca_port_num, 1);
	KUNIT_ASSERT_EQ(test, khw_modify(khw, MLX5_CMD_OP_RST2INIT_QP, qpc), 0);
	KUNIT_ASSERT_EQ(test, khw_modify(khw, MLX5_CMD_OP_INIT2RTR_QP, qpc), 0);
	KUNIT_ASSERT_EQ(test, khw_modify(khw, MLX5_CMD_OP_RTR2RTS_QP, qpc), 0);
}

/* The test is the only user, so what is in a table stays there. */
struct shca_cq *khw_cq(struct khw *khw)
{
	return container_of(xa_load(&khw->hw->cqs.xa, khw->cqn),
			    struct shca_cq, obj);
}

struct shca_qp *khw_qp(struct khw *khw)
{
	return container_of(xa_load(&khw->hw->qps.xa, khw->qpn),
			    struct shca_qp, obj);
}

struct mlx5_eqe *khw_eqe(struct khw *khw, u32 index)
{
	struct mlx5_eqe *eqe = kfn_ptr(khw->kfn, KHW_EQ_PAGE);

	return eqe + index;
}

struct mlx5_cqe64 *khw_cqe(struct khw *khw, u32 index)
{
	struct mlx5_cqe64 *cqe = kfn_ptr(khw->kfn, KHW_CQ_PAGE);

	return cqe + index;
}

void khw_record(struct khw *khw, u32 off, unsigned int i, u32 val)
{
	__be32 *record = kfn_ptr(khw->kfn, off);

	record[i] = cpu_to_be32(val);
}

u32 khw_make_key(struct kunit *test, struct khw *khw)
{
	__be64 pas = cpu_to_be64(kfn_bus(KHW_DATA_PAGE));
	u32 mkc[MLX5_ST_SZ_DW(mkc)];
	u32 index;

	kfn_mkc(mkc, KHW_PD, KEY_BYTE, 0, PAGE_SIZE);
	KUNIT_ASSERT_EQ(test, shca_mkey_create(&khw->kfn->fn, 0, mkc, &pas,
					       sizeof(pas), NULL, &index), 0);
	return index << 8 | KEY_BYTE;
}

void khw_post_recv(struct khw *khw, u16 index, u32 key, u32 len)
{
	struct mlx5_wqe_data_seg *seg;

	seg = kfn_ptr(khw->kfn, KHW_QP_PAGE + index * 64);
	seg[0].byte_count = cpu_to_be32(len);
	seg[0].lkey = cpu_to_be32(key);
	seg[0].addr = cpu_to_be64(0x100 * index);
	seg[1].byte_count = 0;
	seg[1].lkey = cpu_to_be32(SHCA_TERMINATE_LKEY);
	khw_record(khw, KHW_QP_DBR, MLX5_RCV_DBR, index + 1);
}
