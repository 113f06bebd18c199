// SPDX-License-Identifier: GPL-2.0
/* A function's firmware for suites. */
#define pr_fmt(fmt) "softhca: " fmt

#include <linux/delay.h>
#include <linux/string.h>

#include "fw/fixture_kunit.h"

#define OWNER_HW	1

/* Stands for fw/trace.c: the tracepoints belong to softhca.ko. */
void shca_fw_trace_cmd(const struct shca_cmd *cmd, u64 ns)
{
	pr_debug("kunit: opcode 0x%x status 0x%x\n", cmd->opcode, cmd->status);
}

/* Stands for pci/dma.c. */
void shca_dma_allow(struct shca_fn *fn, bool allow)
{
	container_of(fn, struct kfn, fn)->dma_off = !allow;
}

int shca_fw_kunit_init(struct kunit_suite *suite)
{
	int err = shca_fabric_init();

	if (err)
		return err;
	err = shca_fw_init();
	if (err)
		shca_fabric_exit();
	return err;
}

void shca_fw_kunit_exit(struct kunit_suite *suite)
{
	shca_fw_exit();
	shca_fabric_exit();
}

static void kfw_free(struct kunit_resource *res)
{
	struct kfw *kfw = res->data;

	shca_fw_fn_exit(&kfw->kfn->fn);
	/* The function's own fixture ends the mem room, as it began it. */
	shca_mem_fn_init(&kfw->kfn->fn);
}

struct kfw *kfw_alloc(struct kunit *test)
{
	struct kfw *kfw = kunit_kzalloc(test, sizeof(*kfw), GFP_KERNEL);
	struct shca_fw_attr attr = { .log_cmdq_sz = 1 };
	struct shca_fn *fn;

	KUNIT_ASSERT_NOT_NULL(test, kfw);
	kfw->kfn = kfn_alloc(test);
	fn = &kfw->kfn->fn;
	fn->card = &kfw->card;
	fn->node_guid = 0x99;
	fn->port_guid = 0x99;
	fn->sys_guid = 0x99;
	mutex_init(&fn->lock);
	/* The firmware sets the mem room up itself. */
	shca_mem_fn_exit(fn);
	attr.profile = shca_profile_next(NULL);
	KUNIT_ASSERT_EQ(test, shca_fw_fn_init(fn, &attr), 0);
	KUNIT_ASSERT_NOT_NULL(test, kunit_alloc_resource(test, NULL, kfw_free,
							 GFP_KERNEL, kfw));
	kfw->fw = fn->fw;
	return kfw;
}

void kfw_up(struct kunit *test, struct kfw *kfw)
{
	KUNIT_ASSERT_EQ(test, kfw_simple(kfw, MLX5_CMD_OP_ENABLE_HCA, 0, 0,
					 NULL), MLX5_CMD_STAT_OK);
	KUNIT_ASSERT_EQ(test, kfw_simple(kfw, MLX5_CMD_OP_INIT_HCA, 0, 0,
					 NULL), MLX5_CMD_STAT_OK);
}

u8 kfw_exec(struct kfw *kfw, void *in, u32 inlen, void *out, u32 outlen)
{
	struct shca_cmd cmd = {
		.fw = kfw->fw,
		.fn = &kfw->kfn->fn,
		.opcode = MLX5_GET(nop_in, in, opcode),
		.op_mod = MLX5_GET(nop_in, in, op_mod),
		.in = in,
		.inlen = inlen,
		.out = out,
		.outlen = outlen,
	};

	shca_cmd_execute(&cmd);
	return cmd.status;
}

u8 kfw_simple(struct kfw *kfw, u16 opcode, u16 uid, u32 arg, u32 *result)
{
	u32 in[8] = {}, out[8] = {};
	u8 status;

	MLX5_SET(general_obj_in_cmd_hdr, in, opcode, opcode);
	MLX5_SET(general_obj_in_cmd_hdr, in, uid, uid);
	MLX5_SET(general_obj_in_cmd_hdr, in, obj_id, arg);
	status = kfw_exec(kfw, in, sizeof(in), out, sizeof(out));
	if (result)
		*result = be32_to_cpup((__force __be32 *)&out[2]) & 0xffffff;
	return status;
}

static struct mlx5_init_seg *kfw_iseg(struct kfw *kfw)
{
	return kfw->kfn->bar;
}

void kfw_queue(struct kunit *test, struct kfw *kfw)
{
	struct mlx5_init_seg *seg = kfw_iseg(kfw);
	u64 addr = kfn_bus(KFW_QUEUE_PAGE);
	unsigned int tries = 1000;

	WRITE_ONCE(seg->cmdq_addr_h, cpu_to_be32(addr >> 32));
	WRITE_ONCE(seg->cmdq_addr_l_sz, cpu_to_be32(addr));
	while (tries-- && !READ_ONCE(kfw->fw->cmdq.on))
		usleep_range(1000, 2000);
	KUNIT_ASSERT_TRUE(test, READ_ONCE(kfw->fw->cmdq.on));
	/* Otherwise the next driver could not tell the queue's size. */
	KUNIT_EXPECT_EQ(test, be32_to_cpu(READ_ONCE(seg->cmdq_addr_l_sz)) &
			0xff, 0x16);
}

struct mlx5_cmd_layout *kfw_entry(struct kfw *kfw, unsigned int slot)
{
	struct mlx5_cmd_layout *lay = kfn_ptr(kfw->kfn, KFW_QUEUE_PAGE);

	return lay + slot;
}

void kfw_post_nop(struct kfw *kfw, unsigned int slot, u8 token)
{
	struct mlx5_cmd_layout *lay = kfw_entry(kfw, slot);

	memset(lay, 0, sizeof(*lay));
	lay->type = 7;
	lay->inlen = cpu_to_be32(16);
	lay->outlen = cpu_to_be32(16);
	lay->token = token;
	MLX5_SET(nop_in, lay->in, opcode, MLX5_CMD_OP_NOP);
	/* The owner bit after all that it hands over. */
	smp_store_release(&lay->status_own, OWNER_HW);
}

void kfw_ring(struct kfw *kfw, u32 bits)
{
	WRITE_ONCE(kfw_iseg(kfw)->cmd_dbell, cpu_to_be32(bits));
}

bool kfw_wait(struct kfw *kfw, unsigned int slot, unsigned int ms)
{
	struct mlx5_cmd_layout *lay = kfw_entry(kfw, slot);
	unsigned long end = jiffies + msecs_to_jiffies(ms);

	do {
		/* The answer after the owner bit. */
		if (!(smp_load_acquire(&lay->status_own) & OWNER_HW))
			return true;
		usleep_range(500, 1000);
	} while (time_before(jiffies, end));
	return false;
}
