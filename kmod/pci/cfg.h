/* SPDX-License-Identifier: GPL-2.0 */
/* A configuration space as a file of registers with write rules. */
#ifndef SHCA_PCI_CFG_H
#define SHCA_PCI_CFG_H

#include <linux/types.h>

#define SHCA_CFG_SIZE	4096

struct shca_cfg {
	u8 val[SHCA_CFG_SIZE];
	u8 writable[SHCA_CFG_SIZE];	/* bits software may set and clear */
	u8 w1c[SHCA_CFG_SIZE];		/* bits that a written 1 clears */
	u8 reset[SHCA_CFG_SIZE];	/* val after a reset */
};

/* Little-endian accessors for the device's own use; no rules apply. */
u32 shca_cfg_get(const struct shca_cfg *cfg, unsigned int where, int size);
void shca_cfg_set(struct shca_cfg *cfg, unsigned int where, int size, u32 val);

/* A register as it is built: value, and which bits may be written. */
void shca_cfg_reg(struct shca_cfg *cfg, unsigned int where, int size, u32 val,
		  u32 writable);
/* A capability's header, linked in front of the ones before it. */
void shca_cfg_cap(struct shca_cfg *cfg, unsigned int where, u8 id);
void shca_cfg_ecap(struct shca_cfg *cfg, unsigned int where, u16 id, u8 version,
		   unsigned int next);

/* Accesses from the bus. A bad offset or size reads all ones and writes
 * nothing, as an access that no device claims.
 */
u32 shca_cfg_read(const struct shca_cfg *cfg, unsigned int where, int size);
void shca_cfg_write(struct shca_cfg *cfg, unsigned int where, int size, u32 val);

/* What val is now becomes what a reset brings back. */
void shca_cfg_seal(struct shca_cfg *cfg);
void shca_cfg_do_reset(struct shca_cfg *cfg);

#endif
