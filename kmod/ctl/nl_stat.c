// SPDX-License-Identifier: GPL-2.0
/*
 * Requests about counters.
 */
#include "ctl/nl.h"
#include "pci/pci.h"

static int put_u64(struct sk_buff *skb, int attr, u64 val)
{
	return nla_put_u64_64bit(skb, attr, val, SOFTHCA_A_STAT_PAD);
}

static int fill_stat(struct sk_buff *skb, struct shca_fn *fn)
{
	struct shca_fw_stat stat;

	shca_fw_stat(fn, &stat);
	if (nla_put_string(skb, SOFTHCA_A_STAT_DEV, fn->card->name) ||
	    nla_put_u32(skb, SOFTHCA_A_STAT_FN, fn->num) ||
	    put_u64(skb, SOFTHCA_A_STAT_COMMANDS, stat.commands) ||
	    put_u64(skb, SOFTHCA_A_STAT_BAD_OPCODE, stat.bad_opcode) ||
	    put_u64(skb, SOFTHCA_A_STAT_FAILED, stat.failed) ||
	    put_u64(skb, SOFTHCA_A_STAT_DMA_FAULTS, shca_dma_faults(fn)) ||
	    nla_put_u32(skb, SOFTHCA_A_STAT_PAGES, stat.pages) ||
	    nla_put_u32(skb, SOFTHCA_A_STAT_QPS, stat.qps) ||
	    nla_put_u32(skb, SOFTHCA_A_STAT_CQS, stat.cqs) ||
	    nla_put_u32(skb, SOFTHCA_A_STAT_EQS, stat.eqs) ||
	    nla_put_u32(skb, SOFTHCA_A_STAT_MKEYS, stat.mkeys) ||
	    nla_put_u32(skb, SOFTHCA_A_STAT_SRQS, stat.srqs) ||
	    nla_put_u32(skb, SOFTHCA_A_STAT_UARS, stat.uars) ||
	    nla_put_u32(skb, SOFTHCA_A_STAT_UCTXS, stat.uctxs))
		return -EMSGSIZE;
	return 0;
}

/* The functions of one card that have not been told yet. */
static int dump_card(struct sk_buff *skb, struct netlink_callback *cb,
		     struct shca_ctl_card *c)
{
	struct shca_fn *fn;
	void *hdr;

	while ((fn = shca_card_port_fn(c, cb->args[1] + 1))) {
		hdr = shca_nl_part(skb, cb, SOFTHCA_CMD_STAT_GET);
		if (!hdr)
			return -EMSGSIZE;
		if (fill_stat(skb, fn)) {
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

int shca_nl_stat_dump(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct shca_ctl_card *c;

	mutex_lock(&shca_cards_lock);
	list_for_each_entry(c, &shca_cards, node)
		if (c->id > cb->args[0] && dump_card(skb, cb, c))
			break;
	mutex_unlock(&shca_cards_lock);
	return skb->len;
}
