// SPDX-License-Identifier: GPL-2.0
/*
 * Requests about cards.
 */
#include <linux/log2.h>

#include "ctl/nl.h"
#include "ctl/say.h"
#include "pci/pci.h"

/* No longer than this, so that a typing error is refused here and not by a
 * truncated name; what a name may be made of is said in words later.
 */
#define NAME_ATTR	{ .type = NLA_NUL_STRING, .len = 64 }

const struct nla_policy shca_nl_dev_get_policy[SOFTHCA_A_DEV_MAX + 1] = {
	[SOFTHCA_A_DEV_NAME]		= NAME_ATTR,
};

const struct nla_policy shca_nl_dev_add_policy[SOFTHCA_A_DEV_MAX + 1] = {
	[SOFTHCA_A_DEV_NAME]		= NAME_ATTR,
	[SOFTHCA_A_DEV_PROFILE]		= NAME_ATTR,
	[SOFTHCA_A_DEV_PORTS]		= { .type = NLA_U32 },
	[SOFTHCA_A_DEV_GUID]		= { .type = NLA_U64 },
	[SOFTHCA_A_DEV_CMD_SLOTS]	= { .type = NLA_U32 },
};

const struct nla_policy shca_nl_dev_del_policy[SOFTHCA_A_DEV_MAX + 1] = {
	[SOFTHCA_A_DEV_NAME]		= NAME_ATTR,
	[SOFTHCA_A_DEV_SURPRISE]	= { .type = NLA_FLAG },
};

static enum softhca_fn_state fn_state(struct shca_fn *fn)
{
	switch (shca_fn_state(fn)) {
	case SHCA_FN_READY:
		return SOFTHCA_FN_STATE_READY;
	case SHCA_FN_UP:
		return SOFTHCA_FN_STATE_UP;
	case SHCA_FN_DEAD:
		return SOFTHCA_FN_STATE_DEAD;
	default:
		return SOFTHCA_FN_STATE_ABSENT;
	}
}

static int fill_fn(struct sk_buff *skb, struct shca_fn *fn, bool live)
{
	struct nlattr *nest = nla_nest_start(skb, SOFTHCA_A_DEV_FN);

	if (!nest)
		return -EMSGSIZE;
	if (nla_put_u32(skb, SOFTHCA_A_FN_NUM, fn->num) ||
	    nla_put_string(skb, SOFTHCA_A_FN_NAME, fn->name) ||
	    (live && nla_put_string(skb, SOFTHCA_A_FN_PCI, shca_pci_name(fn))) ||
	    nla_put_u64_64bit(skb, SOFTHCA_A_FN_NODE_GUID, fn->node_guid,
			      SOFTHCA_A_FN_PAD) ||
	    nla_put_u64_64bit(skb, SOFTHCA_A_FN_PORT_GUID, fn->port_guid,
			      SOFTHCA_A_FN_PAD) ||
	    nla_put_u32(skb, SOFTHCA_A_FN_STATE, fn_state(fn)))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

int shca_nl_dev_fill(struct sk_buff *skb, struct shca_ctl_card *c)
{
	struct shca_card *card = c->card;
	unsigned int i;

	if (nla_put_u32(skb, SOFTHCA_A_DEV_ID, c->id) ||
	    nla_put_string(skb, SOFTHCA_A_DEV_NAME, card->name) ||
	    nla_put_string(skb, SOFTHCA_A_DEV_PROFILE,
			   shca_profile_name(c->profile)) ||
	    nla_put_u32(skb, SOFTHCA_A_DEV_PORTS, card->nfns) ||
	    nla_put_u64_64bit(skb, SOFTHCA_A_DEV_GUID, card->fn[0]->sys_guid,
			      SOFTHCA_A_DEV_PAD) ||
	    nla_put_u32(skb, SOFTHCA_A_DEV_CMD_SLOTS, 1U << c->log_cmdq_sz) ||
	    nla_put_u32(skb, SOFTHCA_A_DEV_STATE, c->state))
		return -EMSGSIZE;
	for (i = 0; i < card->nfns; i++)
		if (fill_fn(skb, card->fn[i],
			    c->state == SOFTHCA_DEV_STATE_LIVE))
			return -EMSGSIZE;
	return 0;
}

int shca_nl_dev_get(struct sk_buff *skb, struct genl_info *info)
{
	struct shca_ctl_card *c;
	struct sk_buff *msg;
	void *hdr;
	int err;

	msg = shca_nl_reply(info, &hdr);
	if (!msg)
		return -ENOMEM;
	mutex_lock(&shca_cards_lock);
	c = shca_nl_card(info, SOFTHCA_A_DEV_NAME);
	err = IS_ERR(c) ? PTR_ERR(c) : shca_nl_dev_fill(msg, c);
	mutex_unlock(&shca_cards_lock);
	return shca_nl_answer(msg, hdr, info, err);
}

int shca_nl_dev_dump(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct shca_ctl_card *c;
	void *hdr;

	mutex_lock(&shca_cards_lock);
	list_for_each_entry(c, &shca_cards, node) {
		if (c->id <= cb->args[0])
			continue;
		hdr = shca_nl_part(skb, cb, SOFTHCA_CMD_DEV_GET);
		if (!hdr)
			break;
		if (shca_nl_dev_fill(skb, c)) {
			genlmsg_cancel(skb, hdr);
			break;
		}
		genlmsg_end(skb, hdr);
		cb->args[0] = c->id;
	}
	mutex_unlock(&shca_cards_lock);
	return skb->len;
}

/* All known profiles in one line, for who named one that is not. */
static void say_profiles(struct netlink_ext_ack *extack, const char *name)
{
	const struct shca_profile *p = NULL;
	char known[96] = "";
	size_t len = 0;

	while ((p = shca_profile_next(p)))
		len += scnprintf(known + len, sizeof(known) - len, "%s%s",
				 len ? ", " : "", shca_profile_name(p));
	shca_say(extack, "unknown profile '%s'; known are %s", name, known);
}

static int want_profile(struct genl_info *info, struct shca_ctl_want *want)
{
	struct nlattr *attr = info->attrs[SOFTHCA_A_DEV_PROFILE];

	if (!attr) {
		want->profile = shca_profile_next(NULL);
		return 0;
	}
	want->profile = shca_profile_find(nla_data(attr));
	if (want->profile)
		return 0;
	say_profiles(info->extack, nla_data(attr));
	NL_SET_BAD_ATTR(info->extack, attr);
	return -EINVAL;
}

static int want_name(struct genl_info *info, struct shca_ctl_want *want)
{
	struct nlattr *attr = info->attrs[SOFTHCA_A_DEV_NAME];

	if (!attr)
		return 0;
	if (!nla_len(attr) || !*(char *)nla_data(attr) ||
	    strscpy(want->name, nla_data(attr), sizeof(want->name)) < 0) {
		shca_say(info->extack, "a name has 1 to %d characters",
			 SHCA_NAME_LEN - 3);
		return -EINVAL;
	}
	return 0;
}

static int want_numbers(struct genl_info *info, struct shca_ctl_want *want)
{
	struct nlattr *guid = info->attrs[SOFTHCA_A_DEV_GUID];

	want->ports = shca_nl_u32(info, SOFTHCA_A_DEV_PORTS, 1);
	if (!want->ports || want->ports > SHCA_MAX_FNS) {
		shca_say(info->extack, "a device has 1 to %d ports, not %u",
			 SHCA_MAX_FNS, want->ports);
		return -EINVAL;
	}
	want->cmd_slots = shca_nl_u32(info, SOFTHCA_A_DEV_CMD_SLOTS, 2);
	if (want->cmd_slots < 2 || want->cmd_slots > 32 ||
	    !is_power_of_2(want->cmd_slots)) {
		shca_say(info->extack,
			 "a command queue has 2, 4, 8, 16 or 32 slots, not %u",
			 want->cmd_slots);
		return -EINVAL;
	}
	if (guid && !nla_get_u64(guid)) {
		shca_say(info->extack, "a GUID is not 0");
		return -EINVAL;
	}
	want->guid = guid ? nla_get_u64(guid) : 0;
	return 0;
}

int shca_nl_dev_add(struct sk_buff *skb, struct genl_info *info)
{
	struct shca_ctl_want want = { };
	struct shca_ctl_card *c;
	struct sk_buff *msg;
	void *hdr;
	int err;

	err = want_profile(info, &want) ?: want_name(info, &want) ?:
	      want_numbers(info, &want);
	if (err)
		return err;
	msg = shca_nl_reply(info, &hdr);
	if (!msg)
		return -ENOMEM;

	mutex_lock(&shca_cards_lock);
	c = shca_card_make(&want, info->extack);
	if (IS_ERR(c)) {
		err = PTR_ERR(c);
	} else {
		/* One card fits into a message of this size. */
		WARN_ON_ONCE(shca_nl_dev_fill(msg, c));
		shca_card_plug(c);
	}
	mutex_unlock(&shca_cards_lock);
	return shca_nl_answer(msg, hdr, info, err);
}

int shca_nl_dev_del(struct sk_buff *skb, struct genl_info *info)
{
	bool surprise = info->attrs[SOFTHCA_A_DEV_SURPRISE];
	struct shca_ctl_card *c;
	struct sk_buff *msg;
	void *hdr;
	int err;

	msg = shca_nl_reply(info, &hdr);
	if (!msg)
		return -ENOMEM;
	mutex_lock(&shca_cards_lock);
	c = shca_nl_card(info, SOFTHCA_A_DEV_NAME);
	err = IS_ERR(c) ? PTR_ERR(c) :
			  shca_card_unplug(c, surprise, info->extack);
	if (!err)
		WARN_ON_ONCE(shca_nl_dev_fill(msg, c));
	mutex_unlock(&shca_cards_lock);
	return shca_nl_answer(msg, hdr, info, err);
}
