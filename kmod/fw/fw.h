/* SPDX-License-Identifier: GPL-2.0 */
/*
 * fw: the firmware. Init segment, command queue, opcode table, profiles.
 */
#ifndef SHCA_FW_H
#define SHCA_FW_H

#include <linux/types.h>
#include "base/base.h"
#include "fabric/fabric.h"
#include "fabric/fabric.h"
#include "pci/pci.h"

struct shca_profile;

/* NULL when unknown. Names: connectx-5, connectx-6, connectx-7. */
const struct shca_profile *shca_profile_find(const char *name);
/* One after another, NULL at the end; for messages and KUnit. */
const struct shca_profile *shca_profile_next(const struct shca_profile *prev);
const char *shca_profile_name(const struct shca_profile *profile);
void shca_profile_pci_id(const struct shca_profile *profile,
			 struct shca_pci_id *id);

/* Command work etc. that is not a function's; registers with the engine. */
int shca_fw_init(void);
void shca_fw_exit(void);

struct shca_fw_attr {
	const struct shca_profile *profile;
	u8 log_cmdq_sz;		/* 1, or up to 5 */
};

/* Makes mem, engine and firmware of a function that has its BAR: writes the
 * init segment; sets fn->ops. From then on a driver may come.
 */
int shca_fw_fn_init(struct shca_fn *fn, const struct shca_fw_attr *attr);
/* No driver is bound, the bus is quiet. */
void shca_fw_fn_exit(struct shca_fn *fn);
/* Surprise removal is about to happen: answer nothing more, the init segment
 * reads all ones.
 */
void shca_fw_fn_gone(struct shca_fn *fn);

const struct shca_profile *shca_fw_profile(struct shca_fn *fn);

/* Who else wants to hear of a port's changes, after the driver was told.
 * Process context. NULL takes it away and waits for a call under way.
 */
typedef void (*shca_link_watch)(struct shca_fn *fn, u8 port,
				enum shca_port_event ev);
void shca_fw_watch(shca_link_watch watch);

struct shca_fw_stat {
	u64 commands, bad_opcode, failed;
	u32 pages;		/* given by the driver now */
	u32 qps, cqs, eqs, mkeys, srqs, uars, uctxs;
};

void shca_fw_stat(struct shca_fn *fn, struct shca_fw_stat *stat);

/* Opcode by its PRM name without the MLX5_CMD_OP_ prefix ("CREATE_CQ"), any
 * case; -ENOENT. And back; NULL for an opcode that is not implemented.
 */
int shca_opcode_find(const char *name);
const char *shca_opcode_name(u16 opcode);

#endif
