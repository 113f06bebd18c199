// SPDX-License-Identifier: GPL-2.0
/*
 * The generic netlink family: which requests there are, and what they share.
 */
#define pr_fmt(fmt) "softhca: " fmt

#include <linux/module.h>

#include "ctl/ctl.h"
#include "ctl/fault.h"
#include "ctl/nl.h"
#include "ctl/notify.h"

struct sk_buff *shca_nl_reply(struct genl_info *info, void **hdr)
{
	struct sk_buff *skb = genlmsg_new(GENLMSG_DEFAULT_SIZE, GFP_KERNEL);

	if (!skb)
		return NULL;
	*hdr = genlmsg_put_reply(skb, info, &shca_nl_family, 0,
				 info->genlhdr->cmd);
	if (!*hdr) {
		nlmsg_free(skb);
		return NULL;
	}
	return skb;
}

int shca_nl_answer(struct sk_buff *skb, void *hdr, struct genl_info *info,
		   int err)
{
	if (err) {
		nlmsg_free(skb);
		return err;
	}
	genlmsg_end(skb, hdr);
	return genlmsg_reply(skb, info);
}

void *shca_nl_part(struct sk_buff *skb, struct netlink_callback *cb, u8 cmd)
{
	return genlmsg_put(skb, NETLINK_CB(cb->skb).portid, cb->nlh->nlmsg_seq,
			   &shca_nl_family, NLM_F_MULTI, cmd);
}

/* The ports of one card that have not been told yet. */
static int dump_card(struct sk_buff *skb, struct netlink_callback *cb,
		     struct shca_ctl_card *c, u8 cmd, shca_nl_fill_port fill)
{
	struct shca_fn *fn;
	void *hdr;

	while ((fn = shca_card_port_fn(c, cb->args[1] + 1))) {
		hdr = shca_nl_part(skb, cb, cmd);
		if (!hdr)
			return -EMSGSIZE;
		if (fill(skb, fn)) {
			genlmsg_cancel(skb, hdr);
			return -EMSGSIZE;
		}
		genlmsg_end(skb, hdr);
		cb->args[1]++;
	}
	cb->args[0] = c->id;
	cb->args[1] = 0;
	return 0;
}

int shca_nl_dump_ports(struct sk_buff *skb, struct netlink_callback *cb, u8 cmd,
		       shca_nl_fill_port fill)
{
	struct shca_ctl_card *c;

	mutex_lock(&shca_cards_lock);
	list_for_each_entry(c, &shca_cards, node)
		if (c->id > cb->args[0] && dump_card(skb, cb, c, cmd, fill))
			break;
	mutex_unlock(&shca_cards_lock);
	return skb->len;
}

struct shca_ctl_card *shca_nl_card(struct genl_info *info, int attr)
{
	struct nlattr *name = info->attrs[attr];
	struct shca_ctl_card *c;

	if (!name) {
		NL_SET_ERR_MSG(info->extack, "the request names no device");
		return ERR_PTR(-EINVAL);
	}
	c = shca_card_find(nla_data(name));
	if (!c) {
		NL_SET_ERR_MSG_ATTR(info->extack, name,
				    "there is no device of this name");
		return ERR_PTR(-ENODEV);
	}
	return c;
}

struct shca_fn *shca_nl_port(struct genl_info *info, int attr_dev,
			     int attr_port)
{
	struct shca_ctl_card *c = shca_nl_card(info, attr_dev);
	u32 port = shca_nl_u32(info, attr_port, 1);
	struct shca_fn *fn;

	if (IS_ERR(c))
		return ERR_CAST(c);
	if (!c->alive) {
		NL_SET_ERR_MSG(info->extack, "the device is being removed");
		return ERR_PTR(-EBUSY);
	}
	fn = shca_card_port_fn(c, port);
	if (!fn) {
		NL_SET_ERR_MSG_ATTR(info->extack, info->attrs[attr_port],
				    "the device has no port of this number");
		return ERR_PTR(-ENOENT);
	}
	return fn;
}

u32 shca_nl_u32(struct genl_info *info, int attr, u32 otherwise)
{
	struct nlattr *val = info->attrs[attr];

	return val ? nla_get_u32(val) : otherwise;
}

static const struct genl_ops nl_ops[] = {
	{
		.cmd = SOFTHCA_CMD_DEV_GET,
		.doit = shca_nl_dev_get,
		.dumpit = shca_nl_dev_dump,
		.policy = shca_nl_dev_get_policy,
		.maxattr = SOFTHCA_A_DEV_MAX,
	}, {
		.cmd = SOFTHCA_CMD_DEV_ADD,
		.flags = GENL_ADMIN_PERM,
		.doit = shca_nl_dev_add,
		.policy = shca_nl_dev_add_policy,
		.maxattr = SOFTHCA_A_DEV_MAX,
	}, {
		.cmd = SOFTHCA_CMD_DEV_DEL,
		.flags = GENL_ADMIN_PERM,
		.doit = shca_nl_dev_del,
		.policy = shca_nl_dev_del_policy,
		.maxattr = SOFTHCA_A_DEV_MAX,
	}, {
		.cmd = SOFTHCA_CMD_LINK_GET,
		.doit = shca_nl_link_get,
		.dumpit = shca_nl_link_dump,
		.policy = shca_nl_link_get_policy,
		.maxattr = SOFTHCA_A_LINK_MAX,
	}, {
		.cmd = SOFTHCA_CMD_LINK_SET,
		.flags = GENL_ADMIN_PERM,
		.doit = shca_nl_link_set,
		.policy = shca_nl_link_set_policy,
		.maxattr = SOFTHCA_A_LINK_MAX,
	}, {
		.cmd = SOFTHCA_CMD_FAULT_GET,
		.dumpit = shca_nl_fault_dump,
	}, {
		.cmd = SOFTHCA_CMD_FAULT_ADD,
		.flags = GENL_ADMIN_PERM,
		.doit = shca_nl_fault_add,
		.policy = shca_nl_fault_add_policy,
		.maxattr = SOFTHCA_A_FAULT_MAX,
	}, {
		.cmd = SOFTHCA_CMD_FAULT_FLUSH,
		.flags = GENL_ADMIN_PERM,
		.doit = shca_nl_fault_flush,
		.policy = shca_nl_fault_flush_policy,
		.maxattr = SOFTHCA_A_FAULT_MAX,
	}, {
		.cmd = SOFTHCA_CMD_STAT_GET,
		.dumpit = shca_nl_stat_dump,
	}, {
		.cmd = SOFTHCA_CMD_EVENT_RAISE,
		.flags = GENL_ADMIN_PERM,
		.doit = shca_nl_event_raise,
		.policy = shca_nl_event_policy,
		.maxattr = SOFTHCA_A_EVENT_MAX,
	},
};

static const struct genl_multicast_group nl_groups[] = {
	{ .name = SOFTHCA_MCGRP_EVENTS },
};

struct genl_family shca_nl_family __ro_after_init = {
	.name = SOFTHCA_FAMILY_NAME,
	.version = SOFTHCA_FAMILY_VERSION,
	.module = THIS_MODULE,
	/* The cards' lock does it; an event's wait holds up no one else. */
	.parallel_ops = true,
	.ops = nl_ops,
	.n_ops = ARRAY_SIZE(nl_ops),
	.mcgrps = nl_groups,
	.n_mcgrps = ARRAY_SIZE(nl_groups),
};

int shca_ctl_init(void)
{
	int err;

	err = shca_cards_init();
	if (err)
		return err;
	err = genl_register_family(&shca_nl_family);
	if (err) {
		pr_err("no netlink family: error %d\n", err);
		shca_cards_exit();
		return err;
	}
	shca_fw_watch(shca_notify_link);
	return 0;
}

void shca_ctl_exit(void)
{
	/* Cards first: who listens is told of their end. New ones are refused. */
	shca_cards_exit();
	shca_fw_watch(NULL);
	genl_unregister_family(&shca_nl_family);
	mutex_lock(&shca_cards_lock);
	shca_fault_flush(NULL, 0);
	mutex_unlock(&shca_cards_lock);
}
