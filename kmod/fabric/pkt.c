// SPDX-License-Identifier: GPL-2.0
/*
 * fabric/pkt: packets that are kept for later, with a copy of their data.
 */
#define pr_fmt(fmt) "softhca: " fmt

#include <linux/slab.h>
#include <linux/string.h>

#include "fabric/fabric.h"

struct shca_pkt *shca_pkt_clone(const struct shca_pkt *pkt, gfp_t gfp)
{
	struct shca_pkt *copy = kmalloc(sizeof(*copy) + pkt->len, gfp);

	if (!copy)
		return NULL;
	*copy = *pkt;
	copy->data = (u8 *)(copy + 1);
	copy->payload = NULL;
	if (!pkt->payload) {
		memcpy(copy->data, pkt->data, pkt->len);
		return copy;
	}
	if (!pkt->payload->copy_out(pkt->payload, copy->data, pkt->len))
		return copy;
	kfree(copy);
	return NULL;
}

void shca_pkt_free(struct shca_pkt *pkt)
{
	kfree(pkt);
}
