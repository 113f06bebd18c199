// SPDX-License-Identifier: GPL-2.0
/*
 * Fault points: who is asked. The rules themselves are ctl's.
 */
#include <linux/mutex.h>
#include <linux/rcupdate.h>

#include "base/fault.h"

DEFINE_STATIC_KEY_FALSE(shca_fault_active);

static const struct shca_fault_ops __rcu *fault_ops;
static DEFINE_MUTEX(fault_lock);

void shca_fault_register(const struct shca_fault_ops *ops)
{
	bool had;

	mutex_lock(&fault_lock);
	had = rcu_access_pointer(fault_ops);
	rcu_assign_pointer(fault_ops, ops);
	if (ops && !had)
		static_branch_enable(&shca_fault_active);
	else if (!ops && had)
		static_branch_disable(&shca_fault_active);
	mutex_unlock(&fault_lock);
	synchronize_rcu();
}

void __shca_fault_command(struct shca_fn *fn, u16 opcode, struct shca_fault *out)
{
	const struct shca_fault_ops *ops;

	rcu_read_lock();
	ops = rcu_dereference(fault_ops);
	if (ops)
		ops->command(fn, opcode, out);
	rcu_read_unlock();
}
