// SPDX-License-Identifier: GPL-2.0
/*
 * Fault rules: kept in the order they were added; the first that acts on a
 * command decides. A rule that is used up stays to be shown.
 */
#include <linux/slab.h>
#include <linux/spinlock.h>

#include "ctl/fault.h"

#define MAX_RULES	256

LIST_HEAD(shca_fault_rules);

/* Against commands being asked about; changes have the cards' lock as well. */
static DEFINE_SPINLOCK(rules_lock);
static unsigned int rules;
static u32 last_id;

static void on_command(struct shca_fn *fn, u16 opcode, struct shca_fault *out)
{
	struct shca_fault_rule *rule;
	unsigned long flags;

	spin_lock_irqsave(&rules_lock, flags);
	list_for_each_entry(rule, &shca_fault_rules, node)
		if (shca_fault_rule_hit(rule, fn->card, opcode)) {
			*out = rule->fault;
			break;
		}
	spin_unlock_irqrestore(&rules_lock, flags);
}

static const struct shca_fault_ops fault_ops = {
	.command = on_command,
};

int shca_fault_add(struct shca_fault_rule *rule)
{
	if (rules == MAX_RULES)
		return -ENOSPC;
	rule->id = ++last_id;
	spin_lock_irq(&rules_lock);
	list_add_tail(&rule->node, &shca_fault_rules);
	spin_unlock_irq(&rules_lock);
	if (!rules++)
		shca_fault_register(&fault_ops);
	return 0;
}

unsigned int shca_fault_flush(const struct shca_card *card, u32 id)
{
	struct shca_fault_rule *rule, *next;
	unsigned int gone = 0;
	LIST_HEAD(dead);

	spin_lock_irq(&rules_lock);
	list_for_each_entry_safe(rule, next, &shca_fault_rules, node)
		if ((!card || rule->card == card) && (!id || rule->id == id)) {
			list_move(&rule->node, &dead);
			gone++;
		}
	spin_unlock_irq(&rules_lock);

	rules -= gone;
	if (gone && !rules)
		shca_fault_register(NULL);
	list_for_each_entry_safe(rule, next, &dead, node)
		kfree(rule);
	return gone;
}

void shca_faults_forget(const struct shca_card *card)
{
	shca_fault_flush(card, 0);
}

void shca_fault_counts(struct shca_fault_rule *rule, u64 *seen, u64 *hits)
{
	spin_lock_irq(&rules_lock);
	*seen = rule->seen;
	*hits = rule->hits;
	spin_unlock_irq(&rules_lock);
}
