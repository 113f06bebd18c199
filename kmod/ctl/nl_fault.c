// SPDX-License-Identifier: GPL-2.0
/*
 * Requests about fault rules.
 */
#include <linux/slab.h>

#include "ctl/fault.h"
#include "ctl/nl.h"
#include "ctl/say.h"

#define WORD_ATTR	{ .type = NLA_NUL_STRING, .len = 64 }
#define MAX_DELAY_MS	600000

const struct nla_policy shca_nl_fault_add_policy[SOFTHCA_A_FAULT_MAX + 1] = {
	[SOFTHCA_A_FAULT_DEV]		= WORD_ATTR,
	[SOFTHCA_A_FAULT_OPCODE]	= { .type = NLA_U32 },
	[SOFTHCA_A_FAULT_OPCODE_NAME]	= WORD_ATTR,
	[SOFTHCA_A_FAULT_ACTION]	=
		NLA_POLICY_RANGE(NLA_U32, SOFTHCA_FAULT_ACTION_STATUS,
				 SOFTHCA_FAULT_ACTION_NEVER),
	[SOFTHCA_A_FAULT_STATUS]	= NLA_POLICY_RANGE(NLA_U32, 1, U8_MAX),
	[SOFTHCA_A_FAULT_STATUS_NAME]	= WORD_ATTR,
	[SOFTHCA_A_FAULT_SYNDROME]	= { .type = NLA_U32 },
	[SOFTHCA_A_FAULT_DELAY_MS]	= { .type = NLA_U32 },
	[SOFTHCA_A_FAULT_AFTER]		= { .type = NLA_U32 },
	[SOFTHCA_A_FAULT_COUNT]		= { .type = NLA_U32 },
};

const struct nla_policy shca_nl_fault_flush_policy[SOFTHCA_A_FAULT_MAX + 1] = {
	[SOFTHCA_A_FAULT_ID]		= { .type = NLA_U32 },
	[SOFTHCA_A_FAULT_DEV]		= WORD_ATTR,
};

static int fill_opcode(struct sk_buff *skb, const struct shca_fault_rule *rule)
{
	const char *name;

	if (rule->any_opcode)
		return 0;
	name = shca_opcode_name(rule->opcode);
	if (nla_put_u32(skb, SOFTHCA_A_FAULT_OPCODE, rule->opcode) ||
	    (name && nla_put_string(skb, SOFTHCA_A_FAULT_OPCODE_NAME, name)))
		return -EMSGSIZE;
	return 0;
}

static int fill_status(struct sk_buff *skb, const struct shca_fault *fault)
{
	const char *name = shca_status_name(fault->status);

	if (nla_put_u32(skb, SOFTHCA_A_FAULT_ACTION,
			SOFTHCA_FAULT_ACTION_STATUS) ||
	    nla_put_u32(skb, SOFTHCA_A_FAULT_STATUS, fault->status) ||
	    nla_put_u32(skb, SOFTHCA_A_FAULT_SYNDROME, fault->syndrome) ||
	    (name && nla_put_string(skb, SOFTHCA_A_FAULT_STATUS_NAME, name)))
		return -EMSGSIZE;
	return 0;
}

static int fill_action(struct sk_buff *skb, const struct shca_fault *fault)
{
	switch (fault->action) {
	case SHCA_FAULT_STATUS:
		return fill_status(skb, fault);
	case SHCA_FAULT_DELAY:
		return nla_put_u32(skb, SOFTHCA_A_FAULT_ACTION,
				   SOFTHCA_FAULT_ACTION_DELAY) ?:
		       nla_put_u32(skb, SOFTHCA_A_FAULT_DELAY_MS,
				   fault->delay_ms);
	default:
		return nla_put_u32(skb, SOFTHCA_A_FAULT_ACTION,
				   SOFTHCA_FAULT_ACTION_NEVER);
	}
}

static int fill_rule(struct sk_buff *skb, struct shca_fault_rule *rule)
{
	u64 seen, hits;

	shca_fault_counts(rule, &seen, &hits);
	if (nla_put_u32(skb, SOFTHCA_A_FAULT_ID, rule->id) ||
	    nla_put_string(skb, SOFTHCA_A_FAULT_DEV, rule->card->name) ||
	    fill_opcode(skb, rule) || fill_action(skb, &rule->fault) ||
	    nla_put_u32(skb, SOFTHCA_A_FAULT_AFTER, rule->after) ||
	    nla_put_u32(skb, SOFTHCA_A_FAULT_COUNT, rule->count) ||
	    nla_put_u64_64bit(skb, SOFTHCA_A_FAULT_SEEN, seen,
			      SOFTHCA_A_FAULT_PAD) ||
	    nla_put_u64_64bit(skb, SOFTHCA_A_FAULT_HITS, hits,
			      SOFTHCA_A_FAULT_PAD))
		return -EMSGSIZE;
	return 0;
}

int shca_nl_fault_dump(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct shca_fault_rule *rule;
	void *hdr;

	mutex_lock(&shca_cards_lock);
	list_for_each_entry(rule, &shca_fault_rules, node) {
		if (rule->id <= cb->args[0])
			continue;
		hdr = shca_nl_part(skb, cb, SOFTHCA_CMD_FAULT_GET);
		if (!hdr)
			break;
		if (fill_rule(skb, rule)) {
			genlmsg_cancel(skb, hdr);
			break;
		}
		genlmsg_end(skb, hdr);
		cb->args[0] = rule->id;
	}
	mutex_unlock(&shca_cards_lock);
	return skb->len;
}

static int parse_opcode(struct genl_info *info, struct shca_fault_rule *rule)
{
	struct nlattr *number = info->attrs[SOFTHCA_A_FAULT_OPCODE];
	struct nlattr *name = info->attrs[SOFTHCA_A_FAULT_OPCODE_NAME];
	int opcode;

	if (number && name) {
		shca_say(info->extack, "an opcode by number and by name");
		return -EINVAL;
	}
	rule->any_opcode = !number && !name;
	/* A policy's bounds are 16 bits with a sign, too few for an opcode. */
	if (number && nla_get_u32(number) > U16_MAX) {
		shca_say(info->extack, "0x%x is no opcode, they have 16 bits",
			 nla_get_u32(number));
		return -ERANGE;
	}
	if (number)
		rule->opcode = nla_get_u32(number);
	if (!name)
		return 0;
	opcode = shca_opcode_find(nla_data(name));
	if (opcode < 0) {
		shca_say(info->extack,
			 "the firmware has no command '%s'; names are those of the PRM, like CREATE_CQ",
			 (char *)nla_data(name));
		NL_SET_BAD_ATTR(info->extack, name);
		return -ENOENT;
	}
	rule->opcode = opcode;
	return 0;
}

static int parse_status(struct genl_info *info, struct shca_fault *fault)
{
	struct nlattr *number = info->attrs[SOFTHCA_A_FAULT_STATUS];
	struct nlattr *name = info->attrs[SOFTHCA_A_FAULT_STATUS_NAME];
	int status;

	fault->action = SHCA_FAULT_STATUS;
	fault->syndrome = shca_nl_u32(info, SOFTHCA_A_FAULT_SYNDROME, 0);
	if (!number == !name) {
		shca_say(info->extack,
			 "a status is given by its number or by its name");
		return -EINVAL;
	}
	status = number ? nla_get_u32(number) : shca_status_find(nla_data(name));
	if (status < 0) {
		shca_say(info->extack,
			 "unknown status '%s'; names are those of the PRM, like BAD_PARAM",
			 (char *)nla_data(name));
		NL_SET_BAD_ATTR(info->extack, name);
		return -ENOENT;
	}
	fault->status = status;
	return 0;
}

static int parse_delay(struct genl_info *info, struct shca_fault *fault)
{
	fault->action = SHCA_FAULT_DELAY;
	fault->delay_ms = shca_nl_u32(info, SOFTHCA_A_FAULT_DELAY_MS, 0);
	if (!fault->delay_ms || fault->delay_ms > MAX_DELAY_MS) {
		shca_say(info->extack, "a delay is 1 to %u ms, not %u",
			 MAX_DELAY_MS, fault->delay_ms);
		return -ERANGE;
	}
	return 0;
}

static int parse_action(struct genl_info *info, struct shca_fault *fault)
{
	switch (shca_nl_u32(info, SOFTHCA_A_FAULT_ACTION, 0)) {
	case SOFTHCA_FAULT_ACTION_STATUS:
		return parse_status(info, fault);
	case SOFTHCA_FAULT_ACTION_DELAY:
		return parse_delay(info, fault);
	case SOFTHCA_FAULT_ACTION_NEVER:
		fault->action = SHCA_FAULT_NEVER;
		return 0;
	}
	shca_say(info->extack, "a fault is a status, a delay or never");
	return -EINVAL;
}

static int parse_rule(struct genl_info *info, struct shca_fault_rule *rule)
{
	rule->after = shca_nl_u32(info, SOFTHCA_A_FAULT_AFTER, 0);
	rule->count = shca_nl_u32(info, SOFTHCA_A_FAULT_COUNT, 0);
	return parse_opcode(info, rule) ?: parse_action(info, &rule->fault);
}

/* The list owns the rule afterwards; the lock is held. */
static int add_rule(struct genl_info *info, struct shca_fault_rule *rule)
{
	struct shca_ctl_card *c = shca_nl_card(info, SOFTHCA_A_FAULT_DEV);
	int err;

	if (IS_ERR(c))
		return PTR_ERR(c);
	if (!c->alive) {
		shca_say(info->extack, "the device '%s' is being removed",
			 c->card->name);
		return -EBUSY;
	}
	rule->card = c->card;
	err = shca_fault_add(rule);
	if (err == -ENOSPC)
		shca_say(info->extack,
			 "there are too many rules; 'fault flush' takes them away");
	return err;
}

int shca_nl_fault_add(struct sk_buff *skb, struct genl_info *info)
{
	struct shca_fault_rule *rule;
	struct sk_buff *msg;
	void *hdr;
	int err;

	msg = shca_nl_reply(info, &hdr);
	if (!msg)
		return -ENOMEM;
	rule = kzalloc(sizeof(*rule), GFP_KERNEL);
	if (!rule)
		return shca_nl_answer(msg, hdr, info, -ENOMEM);
	err = parse_rule(info, rule);
	if (!err) {
		mutex_lock(&shca_cards_lock);
		err = add_rule(info, rule);
		if (!err)
			WARN_ON_ONCE(fill_rule(msg, rule));
		mutex_unlock(&shca_cards_lock);
	}
	if (err)
		kfree(rule);
	return shca_nl_answer(msg, hdr, info, err);
}

/* Takes away what the request names; the lock is held. */
static int flush_rules(struct genl_info *info, unsigned int *gone)
{
	u32 id = shca_nl_u32(info, SOFTHCA_A_FAULT_ID, 0);
	struct shca_ctl_card *c = NULL;

	if (info->attrs[SOFTHCA_A_FAULT_DEV]) {
		c = shca_nl_card(info, SOFTHCA_A_FAULT_DEV);
		if (IS_ERR(c))
			return PTR_ERR(c);
	}
	*gone = shca_fault_flush(c ? c->card : NULL, id);
	if (id && !*gone) {
		shca_say(info->extack, "there is no rule %u", id);
		return -ENOENT;
	}
	return 0;
}

int shca_nl_fault_flush(struct sk_buff *skb, struct genl_info *info)
{
	unsigned int gone = 0;
	struct sk_buff *msg;
	void *hdr;
	int err;

	msg = shca_nl_reply(info, &hdr);
	if (!msg)
		return -ENOMEM;
	mutex_lock(&shca_cards_lock);
	err = flush_rules(info, &gone);
	mutex_unlock(&shca_cards_lock);
	if (!err)
		err = nla_put_u32(msg, SOFTHCA_A_FAULT_FLUSHED, gone);
	return shca_nl_answer(msg, hdr, info, err);
}
