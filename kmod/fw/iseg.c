// SPDX-License-Identifier: GPL-2.0
/*
 * The init segment, the only registers of the function: plain memory that
 * driver and device both write. What the driver stores is noticed by polling.
 */
#include <linux/io.h>
#include <linux/io-64-nonatomic-lo-hi.h>
#include <linux/jiffies.h>

#include "fw/internal.h"

#define CMDIF_REV		5	/* the one the drivers speak */
#define SIZE_MASK		0xff	/* log_sz and log_stride */
#define NIC_STATE_SHIFT		8
#define NIC_STATE_MASK		(0x7 << NIC_STATE_SHIFT)
#define NIC_DISABLED		1
#define ADDR_MASK		0xfffff000
#define INITIALIZING		BIT(31)
#define BEAT_MS			500	/* the drivers look every 2 s */
#define ISEG_LEN		0x2000	/* up to the MSI-X table */

/* A time-out field: units in bits 31:29 (0: ms), value in bits 19:0. */
#define CMD_EXEC_TO_MS		60000
#define CMDQ_INIT_TO_MS		120000

static struct mlx5_init_seg __iomem *iseg(struct shca_fw *fw)
{
	return (struct mlx5_init_seg __iomem *)shca_bar(fw->fn);
}

static u32 size_bits(struct shca_fw *fw)
{
	return fw->cmdq.log_sz << 4 | SHCA_CMD_LOG_STRIDE;
}

/* Both sides store into these words, so changes to them are exchanges. */
static u32 word_cmpxchg(__be32 __iomem *word, u32 old, u32 new)
{
	__be32 prev = cmpxchg((__force __be32 *)word, cpu_to_be32(old),
			      cpu_to_be32(new));

	return be32_to_cpu(prev);
}

static u32 word_take(__be32 __iomem *word)
{
	return be32_to_cpu(xchg((__force __be32 *)word, 0));
}

/* One store: the driver reads high, low, high and compares the high ones. */
static void timer_store(struct shca_fw *fw)
{
	__raw_writeq((__force u64)cpu_to_be64(shca_hw_clock()),
		     &iseg(fw)->internal_timer_h);
}

static void beat(struct shca_fw *fw)
{
	fw->next_beat = jiffies + msecs_to_jiffies(BEAT_MS);
	iowrite32be(++fw->beat, &iseg(fw)->health_counter);
}

void shca_iseg_init(struct shca_fw *fw)
{
	const struct shca_profile *p = fw->profile;
	struct mlx5_init_seg __iomem *seg = iseg(fw);
	u32 fw_ver = p->fw_major << 24 | p->fw_minor << 16 | p->fw_sub;

	memset_io(seg, 0, ISEG_LEN);
	iowrite32be(p->fw_minor << 16 | p->fw_major, &seg->fw_rev);
	iowrite32be(CMDIF_REV << 16 | p->fw_sub, &seg->cmdif_rev_fw_sub);
	iowrite32be(size_bits(fw), &seg->cmdq_addr_l_sz);
	iowrite32be(CMD_EXEC_TO_MS, &seg->cmd_exec_to);
	iowrite32be(CMDQ_INIT_TO_MS, &seg->cmd_q_init_to);
	iowrite32be(fw_ver, &seg->health.fw_ver);
	iowrite32be(p->device_id, &seg->health.hw_id);
	timer_store(fw);
	beat(fw);
}

/* Any context: the bus calls it with a raw spinlock held. */
void shca_iseg_initializing(struct shca_fw *fw, bool on)
{
	iowrite32be(on ? INITIALIZING : 0, &iseg(fw)->initializing);
}

/* A card that is not there reads as all ones. */
void shca_iseg_dead(struct shca_fw *fw)
{
	memset_io(iseg(fw), 0xff, ISEG_LEN);
}

/*
 * The driver clears the size bits whenever it writes the queue's address or the
 * NIC state, which is how a write is told from our own value, even of an
 * address that was there before. The next driver needs them back.
 */
static bool ifc_poll(struct shca_fw *fw)
{
	__be32 __iomem *word = &iseg(fw)->cmdq_addr_l_sz;
	u32 now = ioread32be(word);

	if ((now & SIZE_MASK) == size_bits(fw))
		return false;
	if (word_cmpxchg(word, now, (now & ~SIZE_MASK) | size_bits(fw)) == now)
		set_bit(SHCA_FW_EV_IFC, &fw->events);
	return true;
}

/* The doorbell is read before the address: who rings it has written that. */
bool shca_iseg_poll(struct shca_fw *fw)
{
	__be32 __iomem *bell = &iseg(fw)->cmd_dbell;
	unsigned long rung = 0;
	unsigned int slot;
	bool found;

	if (__raw_readl(bell))
		rung = word_take(bell);
	found = ifc_poll(fw) || rung;
	for_each_set_bit(slot, &rung, 1U << fw->cmdq.log_sz)
		set_bit(slot, &fw->rung);

	timer_store(fw);
	if (time_after_eq(jiffies, fw->next_beat))
		beat(fw);
	return found;
}

u64 shca_iseg_cmdq(struct shca_fw *fw, u8 *nic_state)
{
	struct mlx5_init_seg __iomem *seg = iseg(fw);
	u32 low = ioread32be(&seg->cmdq_addr_l_sz);
	u64 high = ioread32be(&seg->cmdq_addr_h);

	*nic_state = (low & NIC_STATE_MASK) >> NIC_STATE_SHIFT;
	return high << 32 | (low & ADDR_MASK);
}

/* Software reset is over when the NIC state reads DISABLED. */
void shca_iseg_nic_disabled(struct shca_fw *fw)
{
	__be32 __iomem *word = &iseg(fw)->cmdq_addr_l_sz;
	u32 old = ioread32be(word);

	word_cmpxchg(word, old, (old & ~NIC_STATE_MASK) |
		     NIC_DISABLED << NIC_STATE_SHIFT);
}
