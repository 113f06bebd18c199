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

int shca_nl_stat_dump(struct sk_buff *skb, struct netlink_callback *cb)
{
	return shca_nl_dump_ports(skb, cb, SOFTHCA_CMD_STAT_GET, fill_stat);
}
