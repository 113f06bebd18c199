// SPDX-License-Identifier: GPL-2.0
/* The opcode table and what commands may do to whose objects. */
#include <linux/string.h>

#include "fw/fixture_kunit.h"

#define MAX_OPCODE	0xfff

static void table_is_sound(struct kunit *test)
{
	const struct shca_opcode *row;
	unsigned int rows, i, j;

	row = shca_opcode_table(&rows);
	for (i = 0; i < rows; i++) {
		KUNIT_EXPECT_LE(test, row[i].opcode, MAX_OPCODE);
		KUNIT_EXPECT_NOT_NULL(test, row[i].handler);
		/* What handlers read and write without asking. */
		KUNIT_EXPECT_GE(test, row[i].inlen, 16);
		KUNIT_EXPECT_GE(test, row[i].outlen, 8);
		KUNIT_EXPECT_EQ(test, row[i].inlen % 4, 0);
		KUNIT_EXPECT_EQ(test, row[i].outlen % 4, 0);
		KUNIT_EXPECT_EQ(test, shca_opcode_find(row[i].name),
				row[i].opcode);
		/* Nobody has a user context before INIT_HCA. */
		KUNIT_EXPECT_FALSE(test, row[i].flags & SHCA_OP_OFF &&
				   row[i].flags & SHCA_OP_UID);
		for (j = 0; j < i; j++)
			KUNIT_EXPECT_NE(test, row[j].opcode, row[i].opcode);
	}
	KUNIT_EXPECT_EQ(test, shca_opcode_find("create_cq"),
			MLX5_CMD_OP_CREATE_CQ);
	KUNIT_EXPECT_EQ(test, shca_opcode_find("CREATE"), -ENOENT);
	KUNIT_EXPECT_NULL(test, shca_opcode_name(MLX5_CMD_OP_CREATE_TIR));
}

/* One byte less than each row asks for, each way. */
static void table_sizes_are_enforced(struct kunit *test)
{
	struct kfw *kfw = kfw_alloc(test);
	const struct shca_opcode *row;
	unsigned int rows, i;
	u8 *in, *out;

	in = kunit_kzalloc(test, 8192, GFP_KERNEL);
	out = kunit_kzalloc(test, 8192, GFP_KERNEL);
	KUNIT_ASSERT_TRUE(test, in && out);
	row = shca_opcode_table(&rows);
	for (i = 0; i < rows; i++) {
		KUNIT_ASSERT_LE(test, max(row[i].inlen, row[i].outlen), 8192);
		MLX5_SET(nop_in, in, opcode, row[i].opcode);
		KUNIT_EXPECT_EQ(test, kfw_exec(kfw, in, row[i].inlen - 4, out,
					       row[i].outlen),
				MLX5_CMD_STAT_BAD_INP_LEN_ERR);
		KUNIT_EXPECT_EQ(test, kfw_exec(kfw, in, row[i].inlen, out,
					       row[i].outlen - 4),
				MLX5_CMD_STAT_BAD_OUTP_LEN_ERR);
		if (!(row[i].flags & SHCA_OP_OFF))
			KUNIT_EXPECT_EQ(test,
					kfw_exec(kfw, in, row[i].inlen, out,
						 row[i].outlen),
					MLX5_CMD_STAT_BAD_SYS_STATE_ERR);
	}
}

static void unknown_opcodes_are_counted(struct kunit *test)
{
	struct kfw *kfw = kfw_alloc(test);

	KUNIT_EXPECT_EQ(test, kfw_simple(kfw, MLX5_CMD_OP_CREATE_TIR, 0, 0,
					 NULL), MLX5_CMD_STAT_BAD_OP_ERR);
	KUNIT_EXPECT_EQ(test, kfw_simple(kfw, 0xffff, 0, 0, NULL),
			MLX5_CMD_STAT_BAD_OP_ERR);
	KUNIT_EXPECT_EQ(test, kfw->fw->bad_opcode, 2);
}

static u32 new_uctx(struct kunit *test, struct kfw *kfw)
{
	u32 in[MLX5_ST_SZ_DW(create_uctx_in)] = {};
	u32 out[MLX5_ST_SZ_DW(create_uctx_out)] = {};

	MLX5_SET(create_uctx_in, in, opcode, MLX5_CMD_OP_CREATE_UCTX);
	KUNIT_ASSERT_EQ(test, kfw_exec(kfw, in, sizeof(in), out, sizeof(out)),
			MLX5_CMD_STAT_OK);
	return MLX5_GET(create_uctx_out, out, uid);
}

static u8 create_mkey(struct kfw *kfw, u16 uid, u32 pd, u8 mode, u32 *index)
{
	u32 in[MLX5_ST_SZ_DW(create_mkey_in)] = {};
	u32 out[MLX5_ST_SZ_DW(create_mkey_out)] = {};
	void *mkc = MLX5_ADDR_OF(create_mkey_in, in, memory_key_mkey_entry);
	u8 status;

	MLX5_SET(create_mkey_in, in, opcode, MLX5_CMD_OP_CREATE_MKEY);
	MLX5_SET(create_mkey_in, in, uid, uid);
	MLX5_SET(mkc, mkc, access_mode_1_0, mode);
	MLX5_SET(mkc, mkc, pd, pd);
	MLX5_SET(mkc, mkc, qpn, 0xffffff);
	MLX5_SET(mkc, mkc, length64, mode == MLX5_MKC_ACCESS_MODE_PA);
	MLX5_SET(mkc, mkc, free, mode != MLX5_MKC_ACCESS_MODE_PA);
	MLX5_SET(mkc, mkc, umr_en, 1);
	MLX5_SET(mkc, mkc, log_page_size, PAGE_SHIFT);
	status = kfw_exec(kfw, in, sizeof(in), out, sizeof(out));
	*index = MLX5_GET(create_mkey_out, out, mkey_index);
	return status;
}

static void objects_belong_to_their_uid(struct kunit *test)
{
	struct kfw *kfw = kfw_alloc(test);
	u32 a, b, pd;

	kfw_up(test, kfw);
	a = new_uctx(test, kfw);
	b = new_uctx(test, kfw);
	KUNIT_EXPECT_NE(test, a, b);
	KUNIT_ASSERT_EQ(test, kfw_simple(kfw, MLX5_CMD_OP_ALLOC_PD, a, 0, &pd),
			MLX5_CMD_STAT_OK);
	KUNIT_EXPECT_EQ(test, kfw_simple(kfw, MLX5_CMD_OP_DEALLOC_PD, b, pd,
					 NULL), MLX5_CMD_STAT_BAD_RES_ERR);
	KUNIT_EXPECT_EQ(test, kfw_simple(kfw, MLX5_CMD_OP_DEALLOC_PD, a, pd,
					 NULL), MLX5_CMD_STAT_OK);
	KUNIT_EXPECT_EQ(test, kfw_simple(kfw, MLX5_CMD_OP_ALLOC_PD, b + 1, 0,
					 &pd), MLX5_CMD_STAT_BAD_PARAM_ERR);
}

static void users_get_no_physical_keys(struct kunit *test)
{
	struct kfw *kfw = kfw_alloc(test);
	u32 uid, pd, kpd, index;

	kfw_up(test, kfw);
	uid = new_uctx(test, kfw);
	kfw_simple(kfw, MLX5_CMD_OP_ALLOC_PD, uid, 0, &pd);
	kfw_simple(kfw, MLX5_CMD_OP_ALLOC_PD, 0, 0, &kpd);
	KUNIT_EXPECT_EQ(test, create_mkey(kfw, uid, pd, MLX5_MKC_ACCESS_MODE_PA,
					  &index), MLX5_CMD_STAT_BAD_PARAM_ERR);
	KUNIT_EXPECT_EQ(test, create_mkey(kfw, 0, kpd, MLX5_MKC_ACCESS_MODE_PA,
					  &index), MLX5_CMD_STAT_OK);
	/* Nor a key in the kernel's domain. */
	KUNIT_EXPECT_EQ(test, create_mkey(kfw, uid, kpd,
					  MLX5_MKC_ACCESS_MODE_MTT, &index),
			MLX5_CMD_STAT_BAD_RES_ERR);
}

static void a_domain_in_use_stays(struct kunit *test)
{
	struct kfw *kfw = kfw_alloc(test);
	u32 pd, index;

	kfw_up(test, kfw);
	kfw_simple(kfw, MLX5_CMD_OP_ALLOC_PD, 0, 0, &pd);
	KUNIT_ASSERT_EQ(test, create_mkey(kfw, 0, pd, MLX5_MKC_ACCESS_MODE_PA,
					  &index), MLX5_CMD_STAT_OK);
	KUNIT_EXPECT_EQ(test, kfw_simple(kfw, MLX5_CMD_OP_DEALLOC_PD, 0, pd,
					 NULL), MLX5_CMD_STAT_RES_BUSY);
	KUNIT_EXPECT_EQ(test, kfw_simple(kfw, MLX5_CMD_OP_DESTROY_MKEY, 0,
					 index, NULL), MLX5_CMD_STAT_OK);
	KUNIT_EXPECT_EQ(test, kfw_simple(kfw, MLX5_CMD_OP_DEALLOC_PD, 0, pd,
					 NULL), MLX5_CMD_STAT_OK);
	KUNIT_EXPECT_EQ(test, kfw_simple(kfw, MLX5_CMD_OP_DESTROY_MKEY, 0,
					 index, NULL),
			MLX5_CMD_STAT_BAD_RES_ERR);
}

static void a_user_context_takes_all_along(struct kunit *test)
{
	u32 in[MLX5_ST_SZ_DW(destroy_uctx_in)] = {};
	u32 out[MLX5_ST_SZ_DW(destroy_uctx_out)] = {};
	struct kfw *kfw = kfw_alloc(test);
	struct shca_fw_stat stat;
	u32 uid, pd, index, uar;

	kfw_up(test, kfw);
	uid = new_uctx(test, kfw);
	kfw_simple(kfw, MLX5_CMD_OP_ALLOC_PD, uid, 0, &pd);
	KUNIT_ASSERT_EQ(test, create_mkey(kfw, uid, pd,
					  MLX5_MKC_ACCESS_MODE_MTT, &index),
			MLX5_CMD_STAT_OK);
	KUNIT_ASSERT_EQ(test, kfw_simple(kfw, MLX5_CMD_OP_ALLOC_UAR, uid, 0,
					 &uar), MLX5_CMD_STAT_OK);
	MLX5_SET(destroy_uctx_in, in, opcode, MLX5_CMD_OP_DESTROY_UCTX);
	MLX5_SET(destroy_uctx_in, in, uid, uid);
	KUNIT_EXPECT_EQ(test, kfw_exec(kfw, in, sizeof(in), out, sizeof(out)),
			MLX5_CMD_STAT_OK);
	shca_fw_stat(&kfw->kfn->fn, &stat);
	KUNIT_EXPECT_EQ(test, stat.mkeys, 0);
	KUNIT_EXPECT_EQ(test, stat.uars, 0);
	KUNIT_EXPECT_EQ(test, stat.uctxs, 0);
	KUNIT_EXPECT_EQ(test, atomic_read(&kfw->fw->pds.count), 0);
	KUNIT_EXPECT_EQ(test, kfw_exec(kfw, in, sizeof(in), out, sizeof(out)),
			MLX5_CMD_STAT_BAD_RES_ERR);
}

static u8 manage(struct kfw *kfw, u16 op_mod, u64 *pas, u32 n, u32 *got)
{
	u8 in[64] = {}, out[64] = {};
	u32 i;
	u8 status;

	MLX5_SET(manage_pages_in, in, opcode, MLX5_CMD_OP_MANAGE_PAGES);
	MLX5_SET(manage_pages_in, in, op_mod, op_mod);
	MLX5_SET(manage_pages_in, in, input_num_entries, n);
	for (i = 0; op_mod == 1 && i < n && i < 4; i++)
		MLX5_ARRAY_SET64(manage_pages_in, in, pas, i, pas[i]);
	status = kfw_exec(kfw, in, 16 + 4 * 8, out, 16 + 4 * 8);
	*got = MLX5_GET(manage_pages_out, out, output_num_entries);
	for (i = 0; op_mod == 2 && i < *got; i++)
		pas[i] = MLX5_GET64(manage_pages_out, out, pas[i]);
	return status;
}

static void pages_come_back_as_given(struct kunit *test)
{
	struct kfw *kfw = kfw_alloc(test);
	u64 give[4], take[4];
	u32 i, n;

	kfw_up(test, kfw);
	for (i = 0; i < 4; i++)
		give[i] = kfn_bus(i * 4096);
	KUNIT_EXPECT_EQ(test, manage(kfw, 1, give, 4, &n), MLX5_CMD_STAT_OK);
	KUNIT_EXPECT_EQ(test, manage(kfw, 1, give, 5, &n),
			MLX5_CMD_STAT_BAD_INP_LEN_ERR);
	give[3]++;
	KUNIT_EXPECT_EQ(test, manage(kfw, 1, give, 4, &n),
			MLX5_CMD_STAT_BAD_PARAM_ERR);
	give[3] = kfn_bus(KFN_SIZE);
	KUNIT_EXPECT_EQ(test, manage(kfw, 1, give, 4, &n),
			MLX5_CMD_STAT_BAD_PARAM_ERR);
	KUNIT_EXPECT_EQ(test, manage(kfw, 2, take, 5, &n),
			MLX5_CMD_STAT_BAD_OUTP_LEN_ERR);
	KUNIT_EXPECT_EQ(test, manage(kfw, 2, take, 3, &n), MLX5_CMD_STAT_OK);
	KUNIT_EXPECT_EQ(test, n, 3);
	KUNIT_EXPECT_EQ(test, manage(kfw, 2, take + 3, 4, &n),
			MLX5_CMD_STAT_OK);
	KUNIT_EXPECT_EQ(test, n, 1);
	for (i = 0; i < 4; i++)
		KUNIT_EXPECT_EQ(test, take[i], kfn_bus((3 - i) * 4096));
}

static void caps_change_only_where_they_may(struct kunit *test)
{
	u32 outlen = MLX5_ST_SZ_BYTES(set_hca_cap_out);
	u32 inlen = MLX5_ST_SZ_BYTES(set_hca_cap_in);
	struct kfw *kfw = kfw_alloc(test);
	u32 out[MLX5_ST_SZ_DW(set_hca_cap_out)] = {};
	void *cap;
	u8 *in;

	in = kunit_kzalloc(test, inlen, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, in);
	kfw_simple(kfw, MLX5_CMD_OP_ENABLE_HCA, 0, 0, NULL);
	MLX5_SET(set_hca_cap_in, in, opcode, MLX5_CMD_OP_SET_HCA_CAP);
	cap = MLX5_ADDR_OF(set_hca_cap_in, in, capability);
	memcpy(cap, kfw->fw->cap_cur, SHCA_CAP_BYTES);
	MLX5_SET(cmd_hca_cap, cap, log_max_qp, 10);
	KUNIT_EXPECT_EQ(test, kfw_exec(kfw, in, inlen, out, outlen),
			MLX5_CMD_STAT_OK);
	KUNIT_EXPECT_EQ(test, MLX5_GET(cmd_hca_cap, kfw->fw->cap_cur,
				       log_max_qp), 10);
	MLX5_SET(cmd_hca_cap, cap, log_max_qp, 31);
	KUNIT_EXPECT_EQ(test, kfw_exec(kfw, in, inlen, out, outlen),
			MLX5_CMD_STAT_BAD_PARAM_ERR);
	MLX5_SET(cmd_hca_cap, cap, log_max_qp, 10);
	MLX5_SET(cmd_hca_cap, cap, eth_net_offloads, 1);
	KUNIT_EXPECT_EQ(test, kfw_exec(kfw, in, inlen, out, outlen),
			MLX5_CMD_STAT_BAD_PARAM_ERR);
	KUNIT_EXPECT_EQ(test, MLX5_GET(cmd_hca_cap, kfw->fw->cap_cur,
				       eth_net_offloads), 0);
}

static void caps_fit_the_room(struct kunit *test)
{
	u32 in[MLX5_ST_SZ_DW(query_hca_cap_in)] = {};
	struct kfw *kfw = kfw_alloc(test);
	u32 out[16 + 1] = {};

	kfw_up(test, kfw);
	MLX5_SET(query_hca_cap_in, in, opcode, MLX5_CMD_OP_QUERY_HCA_CAP);
	out[16] = 0xabad1dea;
	KUNIT_EXPECT_EQ(test, kfw_exec(kfw, in, sizeof(in), out, 64),
			MLX5_CMD_STAT_OK);
	KUNIT_EXPECT_EQ(test, memcmp(out + 4, kfw->fw->cap_max, 48), 0);
	KUNIT_EXPECT_EQ(test, out[16], 0xabad1dea);
	/* Each kind, and no room at all. */
	for (out[4] = 0; out[4] < 0x40; out[4]++) {
		MLX5_SET(query_hca_cap_in, in, op_mod, out[4] << 1);
		KUNIT_EXPECT_EQ(test, kfw_exec(kfw, in, sizeof(in), out, 16),
				MLX5_CMD_STAT_OK);
	}
}

static void registers_know_their_limits(struct kunit *test)
{
	struct kfw *kfw = kfw_alloc(test);
	u8 in[16 + 64] = {}, out[16 + 64] = {};

	kfw_up(test, kfw);
	MLX5_SET(access_register_in, in, opcode, MLX5_CMD_OP_ACCESS_REG);
	MLX5_SET(access_register_in, in, op_mod, 1);
	MLX5_SET(access_register_in, in, register_id, 0x6001);
	KUNIT_EXPECT_EQ(test, kfw_exec(kfw, in, sizeof(in), out, sizeof(out)),
			MLX5_CMD_STAT_OK);
	KUNIT_EXPECT_EQ(test, kfw_exec(kfw, in, sizeof(in), out,
				       sizeof(out) - 4),
			MLX5_CMD_STAT_BAD_OUTP_LEN_ERR);
	KUNIT_EXPECT_EQ(test, kfw_exec(kfw, in, sizeof(in) - 4, out,
				       sizeof(out)),
			MLX5_CMD_STAT_BAD_INP_LEN_ERR);
	MLX5_SET(access_register_in, in, register_id, 0x1234);
	KUNIT_EXPECT_EQ(test, kfw_exec(kfw, in, sizeof(in), out, sizeof(out)),
			MLX5_CMD_STAT_BAD_PARAM_ERR);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(table_is_sound),
	KUNIT_CASE(table_sizes_are_enforced),
	KUNIT_CASE(unknown_opcodes_are_counted),
	KUNIT_CASE(objects_belong_to_their_uid),
	KUNIT_CASE(users_get_no_physical_keys),
	KUNIT_CASE(a_domain_in_use_stays),
	KUNIT_CASE(a_user_context_takes_all_along),
	KUNIT_CASE(pages_come_back_as_given),
	KUNIT_CASE(caps_change_only_where_they_may),
	KUNIT_CASE(caps_fit_the_room),
	KUNIT_CASE(registers_know_their_limits),
	{}
};

static struct kunit_suite suite = {
	.name = "softhca_fw_command",
	.suite_init = shca_fw_kunit_init,
	.suite_exit = shca_fw_kunit_exit,
	.test_cases = cases,
};

kunit_test_suite(suite);
