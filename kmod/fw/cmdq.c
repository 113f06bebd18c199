// SPDX-License-Identifier: GPL-2.0
/*
 * The command queue: entries in the driver's memory, each a request with room
 * for its answer. Runs in the function's command work, which may sleep.
 *
 * Two rules rest on how the drivers work. An entry is never completed before
 * its doorbell was seen, because the driver hands it over first and prepares
 * for the completion and rings afterwards. And no command is lost, although the
 * doorbell is a plain store that another one can overwrite: an entry that stays
 * handed over without its doorbell for UNRUNG_MS has been rung.
 */
#define pr_fmt(fmt) "softhca: " fmt

#include <linux/ktime.h>
#include <linux/mm.h>

#include "base/fault.h"
#include "fw/internal.h"

#define UNRUNG_MS		300
#define OWNER_HW		0x01
#define ENTRY_TYPE_PCI		0x07
#define ANSWER_OFF		offsetof(struct mlx5_cmd_layout, out)
#define ANSWER_LEN		(sizeof(struct mlx5_cmd_layout) - ANSWER_OFF)
#define MIN_INLEN		8	/* opcode and op_mod */
#define MIN_OUTLEN		8	/* status and syndrome */

static unsigned int slots(struct shca_fw *fw)
{
	return 1U << fw->cmdq.log_sz;
}

static u64 slot_addr(struct shca_fw *fw, unsigned int slot)
{
	return fw->cmdq.base + ((u64)slot << SHCA_CMD_LOG_STRIDE);
}

static int mbox_read(void *ctx, u64 addr, void *dst, size_t len)
{
	return shca_dma_read(ctx, addr, dst, len);
}

static int mbox_write(void *ctx, u64 addr, const void *src, size_t len)
{
	return shca_dma_write(ctx, addr, src, len);
}

void shca_cmdq_init(struct shca_fw *fw, u8 log_sz)
{
	fw->cmdq.log_sz = log_sz;
	fw->mbox.read = mbox_read;
	fw->mbox.write = mbox_write;
	fw->mbox.ctx = fw->fn;
}

void shca_cmdq_start(struct shca_fw *fw, u64 base)
{
	fw->cmdq.base = base;
	fw->cmdq.taken = 0;
	memset(fw->cmdq.unrung, 0, sizeof(fw->cmdq.unrung));
	fw->cmdq.last = false;
	fw->cmdq.on = true;
	shca_dma_allow(fw->fn, true);
}

/* The driver frees the queue's page next. */
void shca_cmdq_stop(struct shca_fw *fw)
{
	fw->cmdq.on = false;
	shca_dma_allow(fw->fn, false);
}

static void answer(struct shca_fw *fw, unsigned int slot, int eqn,
		   struct mlx5_cmd_layout *lay, enum shca_delivery delivery)
{
	if (READ_ONCE(fw->gone))
		return;

	lay->status_own = delivery << 1;
	shca_mbox_entry_sign(lay);
	/* The driver may use the entry again as soon as it owns it. */
	fw->cmdq.taken &= ~BIT(slot);
	if (shca_dma_write_owned(fw->fn, slot_addr(fw, slot) + ANSWER_OFF,
				 lay->out, ANSWER_LEN))
		return;
	if (eqn >= 0)
		shca_eq_command(fw->fn, eqn, BIT(slot));
}

/* False: the command is not answered. */
static bool inject(struct shca_cmd *cmd)
{
	struct shca_fw *fw = cmd->fw;
	struct shca_fault fault;

	shca_fault_command(cmd->fn, cmd->opcode, &fault);
	switch (fault.action) {
	case SHCA_FAULT_NEVER:
		return false;
	case SHCA_FAULT_STATUS:
		cmd->status = fault.status;
		cmd->syndrome = fault.syndrome ?: SHCA_SYND_FAULT;
		return true;
	case SHCA_FAULT_DELAY:
		wait_event_timeout(fw->gone_wait, READ_ONCE(fw->gone),
				   msecs_to_jiffies(fault.delay_ms));
		return true;
	case SHCA_FAULT_NONE:
		break;
	}
	return true;
}

static void note(struct shca_cmd *cmd, ktime_t start)
{
	const char *name = shca_opcode_name(cmd->opcode);
	u64 ns = ktime_to_ns(ktime_sub(ktime_get(), start));

	cmd->fw->commands++;
	if (cmd->status) {
		cmd->fw->failed++;
		shca_dbg(cmd->fn, "%s (0x%x) refused, status 0x%x, syndrome 0x%x: %s\n",
			 name ?: "command", cmd->opcode, cmd->status,
			 cmd->syndrome, shca_syndrome_text(cmd->syndrome));
	}
	shca_fw_trace_cmd(cmd, ns);
}

static void set_result(struct shca_cmd *cmd)
{
	if (cmd->status)
		memset(cmd->out, 0, cmd->outlen);
	MLX5_SET(nop_out, cmd->out, status, cmd->status);
	MLX5_SET(nop_out, cmd->out, syndrome, cmd->syndrome);
}

/* Request in, answer out, with the buffers that @cmd has. */
static bool run_copied(struct shca_cmd *cmd, struct mlx5_cmd_layout *lay,
		       u64 *blocks, enum shca_delivery *delivery)
{
	struct shca_fw *fw = cmd->fw;
	bool checksum = shca_caps_checksum(fw);
	ktime_t start = ktime_get();

	*delivery = SHCA_DELIVERY_SIGNATURE;
	if (checksum && !shca_mbox_entry_good(lay))
		return true;
	*delivery = shca_mbox_gather(&fw->mbox, lay, checksum, cmd->in,
				     cmd->inlen);
	if (*delivery)
		return true;
	*delivery = shca_mbox_map(&fw->mbox, lay, checksum, blocks,
				  cmd->outlen);
	if (*delivery)
		return true;

	cmd->opcode = MLX5_GET(nop_in, cmd->in, opcode);
	cmd->op_mod = MLX5_GET(nop_in, cmd->in, op_mod);
	if (!inject(cmd))
		return false;
	if (!cmd->status)
		shca_cmd_execute(cmd);
	set_result(cmd);
	if (shca_mbox_scatter(&fw->mbox, lay, checksum, blocks, cmd->out,
			      cmd->outlen))
		*delivery = SHCA_DELIVERY_FW;
	note(cmd, start);
	return true;
}

static enum shca_delivery check_lengths(const struct mlx5_cmd_layout *lay,
					u32 inlen, u32 outlen)
{
	if (lay->type != ENTRY_TYPE_PCI)
		return SHCA_DELIVERY_DESCRIPTOR;
	if (inlen < MIN_INLEN || inlen > SHCA_CMD_MAX_LEN ||
	    inlen % sizeof(u32))
		return SHCA_DELIVERY_IN_LENGTH;
	if (outlen < MIN_OUTLEN || outlen > SHCA_CMD_MAX_LEN ||
	    outlen % sizeof(u32))
		return SHCA_DELIVERY_OUT_LENGTH;
	return SHCA_DELIVERY_OK;
}

/* False: stay silent. */
static bool run_entry(struct shca_fw *fw, struct mlx5_cmd_layout *lay,
		      enum shca_delivery *delivery)
{
	struct shca_cmd cmd = {
		.fw = fw,
		.fn = fw->fn,
		.inlen = be32_to_cpu(lay->inlen),
		.outlen = be32_to_cpu(lay->outlen),
	};
	u64 *blocks;
	bool ret;

	*delivery = check_lengths(lay, cmd.inlen, cmd.outlen);
	if (*delivery)
		return true;

	/* Handlers read the 16 bytes of a request that every one has. */
	cmd.in = kvzalloc(max_t(u32, cmd.inlen, SHCA_CMD_INLINE), GFP_KERNEL);
	cmd.out = kvzalloc(max_t(u32, cmd.outlen, SHCA_CMD_INLINE), GFP_KERNEL);
	blocks = kvcalloc(shca_mbox_blocks(cmd.outlen) + 1, sizeof(*blocks),
			  GFP_KERNEL);
	if (cmd.in && cmd.out && blocks) {
		ret = run_copied(&cmd, lay, blocks, delivery);
	} else {
		*delivery = SHCA_DELIVERY_FW;
		ret = true;
	}
	kvfree(blocks);
	kvfree(cmd.out);
	kvfree(cmd.in);

	return ret;
}

static void run_slot(struct shca_fw *fw, unsigned int slot)
{
	struct mlx5_cmd_layout lay;
	enum shca_delivery delivery;
	int eqn;

	if (READ_ONCE(fw->gone) || !fw->cmdq.on)
		return;
	fw->cmdq.unrung[slot].set = false;
	if (shca_dma_read(fw->fn, slot_addr(fw, slot), &lay, sizeof(lay)))
		return;
	if (!(lay.status_own & OWNER_HW))
		return;

	/* Before it runs: the command that makes the event queue for command
	 * completions is itself polled for.
	 */
	eqn = shca_eq_command_eqn(fw->fn);
	fw->cmdq.taken |= BIT(slot);
	if (!run_entry(fw, &lay, &delivery))
		return;
	answer(fw, slot, eqn, &lay, delivery);
	if (fw->cmdq.last)
		shca_cmdq_stop(fw);
}

/* Looks for entries whose doorbell may have been overwritten; true if there is
 * one to come back for.
 */
static bool scan_slot(struct shca_fw *fw, unsigned int slot)
{
	typeof(fw->cmdq.unrung[0]) *un = &fw->cmdq.unrung[slot];
	struct mlx5_cmd_layout lay;

	if (fw->cmdq.taken & BIT(slot) ||
	    shca_dma_read(fw->fn, slot_addr(fw, slot), &lay, sizeof(lay)) ||
	    !(lay.status_own & OWNER_HW)) {
		un->set = false;
		return false;
	}
	if (!un->set || un->token != lay.token) {
		un->set = true;
		un->token = lay.token;
		un->since = jiffies;
		return true;
	}
	if (time_before(jiffies, un->since + msecs_to_jiffies(UNRUNG_MS)))
		return true;
	run_slot(fw, slot);
	return false;
}

void shca_cmdq_unrung(struct shca_fw *fw)
{
	bool again = false;
	unsigned int slot;

	for (slot = 0; slot < slots(fw); slot++) {
		if (!fw->cmdq.on || READ_ONCE(fw->gone))
			return;
		again |= scan_slot(fw, slot);
	}
	if (again)
		mod_delayed_work(fw->wq, &fw->unrung_work,
				 msecs_to_jiffies(UNRUNG_MS) + 1);
}

void shca_cmdq_run(struct shca_fw *fw, unsigned long rung)
{
	unsigned int slot;

	for_each_set_bit(slot, &rung, slots(fw))
		run_slot(fw, slot);
	shca_cmdq_unrung(fw);
}
