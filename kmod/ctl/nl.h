/* SPDX-License-Identifier: GPL-2.0 */
/*
 * ctl, private: the generic netlink family, by kind of thing asked for.
 */
#ifndef SHCA_CTL_NL_H
#define SHCA_CTL_NL_H

#include <net/genetlink.h>

#include "ctl/card.h"
#include "ctl/softhca.h"

extern struct genl_family shca_nl_family;

/* A request's answer: made, then sent (or given up when @err). */
struct sk_buff *shca_nl_reply(struct genl_info *info, void **hdr);
int shca_nl_answer(struct sk_buff *skb, void *hdr, struct genl_info *info,
		   int err);
/* One part of a dump. */
void *shca_nl_part(struct sk_buff *skb, struct netlink_callback *cb, u8 cmd);
/* A dump with one part for each port of each card; cb->args say how far it is. */
typedef int (*shca_nl_fill_port)(struct sk_buff *skb, struct shca_fn *fn);
int shca_nl_dump_ports(struct sk_buff *skb, struct netlink_callback *cb, u8 cmd,
		       shca_nl_fill_port fill);

/* The card that the attribute names; the lock is held. */
struct shca_ctl_card *shca_nl_card(struct genl_info *info, int attr);
/* The function behind the port that two attributes name; the lock is held. */
struct shca_fn *shca_nl_port(struct genl_info *info, int attr_dev,
			     int attr_port);
u32 shca_nl_u32(struct genl_info *info, int attr, u32 otherwise);

extern const struct nla_policy shca_nl_dev_get_policy[SOFTHCA_A_DEV_MAX + 1];
extern const struct nla_policy shca_nl_dev_add_policy[SOFTHCA_A_DEV_MAX + 1];
extern const struct nla_policy shca_nl_dev_del_policy[SOFTHCA_A_DEV_MAX + 1];
int shca_nl_dev_get(struct sk_buff *skb, struct genl_info *info);
int shca_nl_dev_dump(struct sk_buff *skb, struct netlink_callback *cb);
int shca_nl_dev_add(struct sk_buff *skb, struct genl_info *info);
int shca_nl_dev_del(struct sk_buff *skb, struct genl_info *info);
int shca_nl_dev_fill(struct sk_buff *skb, struct shca_ctl_card *c);

extern const struct nla_policy shca_nl_link_get_policy[SOFTHCA_A_LINK_MAX + 1];
extern const struct nla_policy shca_nl_link_set_policy[SOFTHCA_A_LINK_MAX + 1];
int shca_nl_link_get(struct sk_buff *skb, struct genl_info *info);
int shca_nl_link_dump(struct sk_buff *skb, struct netlink_callback *cb);
int shca_nl_link_set(struct sk_buff *skb, struct genl_info *info);
/* Needs no lock, but a function that stays. */
int shca_nl_link_fill(struct sk_buff *skb, struct shca_fn *fn);

extern const struct nla_policy shca_nl_fault_add_policy[SOFTHCA_A_FAULT_MAX + 1];
extern const struct nla_policy shca_nl_fault_flush_policy[SOFTHCA_A_FAULT_MAX + 1];
int shca_nl_fault_dump(struct sk_buff *skb, struct netlink_callback *cb);
int shca_nl_fault_add(struct sk_buff *skb, struct genl_info *info);
int shca_nl_fault_flush(struct sk_buff *skb, struct genl_info *info);

int shca_nl_stat_dump(struct sk_buff *skb, struct netlink_callback *cb);

extern const struct nla_policy shca_nl_event_policy[SOFTHCA_A_EVENT_MAX + 1];
int shca_nl_event_raise(struct sk_buff *skb, struct genl_info *info);

#endif
