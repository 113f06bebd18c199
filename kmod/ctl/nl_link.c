// SPDX-License-Identifier: GPL-2.0
/*
 * Requests about ports and their cables.
 */
#include "ctl/nl.h"
#include "engine/engine.h"

#define DEV_ATTR	{ .type = NLA_NUL_STRING, .len = 64 }

const struct nla_policy shca_nl_link_get_policy[SOFTHCA_A_LINK_MAX + 1] = {
	[SOFTHCA_A_LINK_DEV]	= DEV_ATTR,
	[SOFTHCA_A_LINK_PORT]	= { .type = NLA_U32 },
};

const struct nla_policy shca_nl_link_set_policy[SOFTHCA_A_LINK_MAX + 1] = {
	[SOFTHCA_A_LINK_DEV]	= DEV_ATTR,
	[SOFTHCA_A_LINK_PORT]	= { .type = NLA_U32 },
	[SOFTHCA_A_LINK_CABLE]	= NLA_POLICY_MAX(NLA_U32, 1),
	[SOFTHCA_A_LINK_DELAY_US] = { .type = NLA_U32 },
	[SOFTHCA_A_LINK_LOSS]	= { .type = NLA_U32 },
	[SOFTHCA_A_LINK_DUPLICATE] = { .type = NLA_U32 },
	[SOFTHCA_A_LINK_REORDER] = { .type = NLA_U32 },
};

/* IBTA's one-hot link width in lanes; 0 while there is none. */
static u32 lanes(u8 width)
{
	switch (width) {
	case 1:
		return 1;
	case 2:
		return 4;
	case 4:
		return 8;
	case 8:
		return 12;
	case 16:
		return 2;
	default:
		return 0;
	}
}

static const char *speed_name(const struct shca_port_info *info)
{
	switch (info->link_speed_ext_active) {
	case 1:
		return "FDR";
	case 2:
		return "EDR";
	case 4:
		return "HDR";
	case 8:
		return "NDR";
	}
	switch (info->link_speed_active) {
	case 1:
		return "SDR";
	case 2:
		return "DDR";
	case 4:
		return "QDR";
	}
	return "unknown";
}

static int fill_active(struct sk_buff *skb, const struct shca_port_info *info)
{
	if (info->state == SHCA_STATE_DOWN)
		return 0;
	if (nla_put_u32(skb, SOFTHCA_A_LINK_MTU, 128U << info->mtu_active) ||
	    nla_put_u32(skb, SOFTHCA_A_LINK_WIDTH,
			lanes(info->link_width_active)) ||
	    nla_put_string(skb, SOFTHCA_A_LINK_SPEED, speed_name(info)))
		return -EMSGSIZE;
	return 0;
}

/* A link that does nothing to packets is not worth a word. */
static int fill_unless_zero(struct sk_buff *skb, int attr, u32 val)
{
	return val ? nla_put_u32(skb, attr, val) : 0;
}

static int fill_impairment(struct sk_buff *skb, struct shca_port *port)
{
	struct shca_impairment set;

	shca_port_impairment(port, &set);
	if (fill_unless_zero(skb, SOFTHCA_A_LINK_DELAY_US, set.delay_us) ||
	    fill_unless_zero(skb, SOFTHCA_A_LINK_LOSS, set.loss) ||
	    fill_unless_zero(skb, SOFTHCA_A_LINK_DUPLICATE, set.duplicate) ||
	    fill_unless_zero(skb, SOFTHCA_A_LINK_REORDER, set.reorder))
		return -EMSGSIZE;
	return 0;
}

int shca_nl_link_fill(struct sk_buff *skb, struct shca_fn *fn)
{
	struct shca_port *port = shca_hw_port(fn, 1);
	u64 peer = shca_port_peer_guid(port);
	struct shca_port_info info;

	shca_port_query(port, &info);
	if (nla_put_string(skb, SOFTHCA_A_LINK_DEV, fn->card->name) ||
	    nla_put_u32(skb, SOFTHCA_A_LINK_PORT, fn->num + 1) ||
	    nla_put_u64_64bit(skb, SOFTHCA_A_LINK_GUID, info.port_guid,
			      SOFTHCA_A_LINK_PAD) ||
	    nla_put_u32(skb, SOFTHCA_A_LINK_CABLE, shca_port_cable_up(port)) ||
	    nla_put_u32(skb, SOFTHCA_A_LINK_STATE, info.state) ||
	    nla_put_u32(skb, SOFTHCA_A_LINK_PHYS_STATE, info.phys_state) ||
	    nla_put_u32(skb, SOFTHCA_A_LINK_LID, info.lid) ||
	    nla_put_u32(skb, SOFTHCA_A_LINK_SM_LID, info.sm_lid) ||
	    fill_active(skb, &info) || fill_impairment(skb, port))
		return -EMSGSIZE;
	if (peer && nla_put_u64_64bit(skb, SOFTHCA_A_LINK_PEER_GUID, peer,
				      SOFTHCA_A_LINK_PAD))
		return -EMSGSIZE;
	return 0;
}

/* Whose port is at the other end; the lock is held. */
static int fill_peer(struct sk_buff *skb, struct shca_fn *fn)
{
	u64 guid = shca_port_peer_guid(shca_hw_port(fn, 1));
	struct shca_ctl_card *c;
	u32 port;

	c = guid ? shca_card_of_port(guid, &port) : NULL;
	if (!c)
		return 0;
	if (nla_put_string(skb, SOFTHCA_A_LINK_PEER_DEV, c->card->name) ||
	    nla_put_u32(skb, SOFTHCA_A_LINK_PEER_PORT, port))
		return -EMSGSIZE;
	return 0;
}

static int fill_link(struct sk_buff *skb, struct shca_fn *fn)
{
	return shca_nl_link_fill(skb, fn) ?: fill_peer(skb, fn);
}

int shca_nl_link_get(struct sk_buff *skb, struct genl_info *info)
{
	struct sk_buff *msg;
	struct shca_fn *fn;
	void *hdr;
	int err;

	msg = shca_nl_reply(info, &hdr);
	if (!msg)
		return -ENOMEM;
	mutex_lock(&shca_cards_lock);
	fn = shca_nl_port(info, SOFTHCA_A_LINK_DEV, SOFTHCA_A_LINK_PORT);
	err = IS_ERR(fn) ? PTR_ERR(fn) : fill_link(msg, fn);
	mutex_unlock(&shca_cards_lock);
	return shca_nl_answer(msg, hdr, info, err);
}

int shca_nl_link_dump(struct sk_buff *skb, struct netlink_callback *cb)
{
	return shca_nl_dump_ports(skb, cb, SOFTHCA_CMD_LINK_GET, fill_link);
}

static bool wants_impairment(struct genl_info *info)
{
	return info->attrs[SOFTHCA_A_LINK_DELAY_US] ||
	       info->attrs[SOFTHCA_A_LINK_LOSS] ||
	       info->attrs[SOFTHCA_A_LINK_DUPLICATE] ||
	       info->attrs[SOFTHCA_A_LINK_REORDER];
}

/* What the request does not name stays as it is. */
static int set_impairment(struct genl_info *info, struct shca_port *port)
{
	struct shca_impairment set;
	int err;

	shca_port_impairment(port, &set);
	set.delay_us = shca_nl_u32(info, SOFTHCA_A_LINK_DELAY_US, set.delay_us);
	set.loss = shca_nl_u32(info, SOFTHCA_A_LINK_LOSS, set.loss);
	set.duplicate = shca_nl_u32(info, SOFTHCA_A_LINK_DUPLICATE,
				    set.duplicate);
	set.reorder = shca_nl_u32(info, SOFTHCA_A_LINK_REORDER, set.reorder);
	err = shca_port_impair(port, &set);
	if (err == -EINVAL)
		NL_SET_ERR_MSG(info->extack,
			       "a delay is at most 10 s, a chance at most 100%");
	return err;
}

static int set_link(struct genl_info *info, struct shca_fn *fn)
{
	struct nlattr *cable = info->attrs[SOFTHCA_A_LINK_CABLE];
	struct shca_port *port = shca_hw_port(fn, 1);
	int err = 0;

	if (!shca_port_peer_guid(port)) {
		NL_SET_ERR_MSG(info->extack,
			       "no cable is plugged into this port");
		return -ENOTCONN;
	}
	if (wants_impairment(info))
		err = set_impairment(info, port);
	if (!err && cable)
		err = shca_port_set_cable(port, nla_get_u32(cable));
	return err;
}

int shca_nl_link_set(struct sk_buff *skb, struct genl_info *info)
{
	struct shca_fn *fn;
	int err;

	if (!info->attrs[SOFTHCA_A_LINK_CABLE] && !wants_impairment(info)) {
		NL_SET_ERR_MSG(info->extack,
			       "the request says neither up nor down, nor what the link does to packets");
		return -EINVAL;
	}
	mutex_lock(&shca_cards_lock);
	fn = shca_nl_port(info, SOFTHCA_A_LINK_DEV, SOFTHCA_A_LINK_PORT);
	err = IS_ERR(fn) ? PTR_ERR(fn) : set_link(info, fn);
	mutex_unlock(&shca_cards_lock);
	return err;
}
