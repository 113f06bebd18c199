/* SPDX-License-Identifier: GPL-2.0 */
/*
 * ctl, private: rules that make a card misbehave. Changed and walked with the
 * cards' lock held.
 */
#ifndef SHCA_CTL_FAULT_H
#define SHCA_CTL_FAULT_H

#include <linux/list.h>
#include <linux/types.h>

#include "base/base.h"
#include "base/fault.h"

struct shca_fault_rule {
	struct list_head node;
	u32 id;
	const struct shca_card *card;
	bool any_opcode;
	u16 opcode;
	struct shca_fault fault;
	u32 after;		/* commands let through first */
	u32 count;		/* then this many are hit; 0: no limit */
	u64 seen;
	u64 hits;
};

extern struct list_head shca_fault_rules;

/* Fills in the id. The rule is the list's from then on. */
int shca_fault_add(struct shca_fault_rule *rule);
/* Rules of @card (NULL: any) with @id (0: any); how many there were. */
unsigned int shca_fault_flush(const struct shca_card *card, u32 id);
void shca_faults_forget(const struct shca_card *card);
/* A consistent copy of what changes under way. */
void shca_fault_counts(struct shca_fault_rule *rule, u64 *seen, u64 *hits);

/* Which rule acts on a command, and its bookkeeping: no lock, no device. */
bool shca_fault_rule_hit(struct shca_fault_rule *rule,
			 const struct shca_card *card, u16 opcode);

/* A command status by its name, with or without the number's: -ENOENT. */
int shca_status_find(const char *name);
const char *shca_status_name(u8 status);

#endif
