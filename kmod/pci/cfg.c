// SPDX-License-Identifier: GPL-2.0
/*
 * Configuration space as a register file: byte arrays with write rules.
 */
#include <linux/pci_regs.h>
#include <linux/string.h>

#include "pci/cfg.h"

static bool cfg_ok(unsigned int where, int size)
{
	return (size == 1 || size == 2 || size == 4) &&
	       where <= SHCA_CFG_SIZE - size && !(where & (size - 1));
}

u32 shca_cfg_get(const struct shca_cfg *cfg, unsigned int where, int size)
{
	u32 val = 0;
	int i;

	for (i = 0; i < size; i++)
		val |= (u32)cfg->val[where + i] << (8 * i);
	return val;
}

void shca_cfg_set(struct shca_cfg *cfg, unsigned int where, int size, u32 val)
{
	int i;

	for (i = 0; i < size; i++)
		cfg->val[where + i] = val >> (8 * i);
}

void shca_cfg_reg(struct shca_cfg *cfg, unsigned int where, int size, u32 val,
		  u32 writable)
{
	int i;

	shca_cfg_set(cfg, where, size, val);
	for (i = 0; i < size; i++)
		cfg->writable[where + i] = writable >> (8 * i);
}

void shca_cfg_cap(struct shca_cfg *cfg, unsigned int where, u8 id)
{
	cfg->val[where] = id;
	cfg->val[where + 1] = cfg->val[PCI_CAPABILITY_LIST];
	cfg->val[PCI_CAPABILITY_LIST] = where;
	cfg->val[PCI_STATUS] |= PCI_STATUS_CAP_LIST;
}

void shca_cfg_ecap(struct shca_cfg *cfg, unsigned int where, u16 id, u8 version,
		   unsigned int next)
{
	shca_cfg_set(cfg, where, 4, id | (u32)version << 16 | next << 20);
}

u32 shca_cfg_read(const struct shca_cfg *cfg, unsigned int where, int size)
{
	return cfg_ok(where, size) ? shca_cfg_get(cfg, where, size) : ~0U;
}

void shca_cfg_write(struct shca_cfg *cfg, unsigned int where, int size, u32 val)
{
	int i;

	if (!cfg_ok(where, size))
		return;
	for (i = 0; i < size; i++) {
		u8 byte = val >> (8 * i);
		u8 wr = cfg->writable[where + i];
		u8 *p = &cfg->val[where + i];

		*p = (*p & ~wr) | (byte & wr);
		*p &= ~(byte & cfg->w1c[where + i]);
	}
}

void shca_cfg_seal(struct shca_cfg *cfg)
{
	memcpy(cfg->reset, cfg->val, sizeof(cfg->reset));
}

void shca_cfg_do_reset(struct shca_cfg *cfg)
{
	memcpy(cfg->val, cfg->reset, sizeof(cfg->val));
}
