/* SPDX-License-Identifier: GPL-2.0 */
/*
 * base/fault: the points at which a test may make the device misbehave.
 *
 * The room concerned asks; ctl, which keeps the rules, answers. Without a rule
 * a point costs one static branch.
 */
#ifndef SHCA_FAULT_H
#define SHCA_FAULT_H

#include <linux/jump_label.h>
#include <linux/types.h>

struct shca_fn;

enum shca_fault_action {
	SHCA_FAULT_NONE,
	SHCA_FAULT_STATUS,	/* answer with status and syndrome */
	SHCA_FAULT_DELAY,	/* answer later, by delay_ms */
	SHCA_FAULT_NEVER,	/* do not answer */
};

struct shca_fault {
	enum shca_fault_action action;
	u8 status;
	u32 syndrome;
	u32 delay_ms;
};

struct shca_fault_ops {
	/* May be called from any context that may take a spinlock. */
	void (*command)(struct shca_fn *fn, u16 opcode, struct shca_fault *out);
};

DECLARE_STATIC_KEY_FALSE(shca_fault_active);

/* NULL takes them away and waits for callers. */
void shca_fault_register(const struct shca_fault_ops *ops);
void __shca_fault_command(struct shca_fn *fn, u16 opcode, struct shca_fault *out);

static inline void shca_fault_command(struct shca_fn *fn, u16 opcode,
				      struct shca_fault *out)
{
	out->action = SHCA_FAULT_NONE;
	if (static_branch_unlikely(&shca_fault_active))
		__shca_fault_command(fn, opcode, out);
}

#endif
