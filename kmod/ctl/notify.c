// SPDX-License-Identifier: GPL-2.0
/*
 * Multicast notifications: a test waits for the thing itself.
 */
#include "ctl/nl.h"
#include "ctl/notify.h"

static struct sk_buff *ntf_new(u8 cmd, void **hdr)
{
	struct sk_buff *skb = genlmsg_new(GENLMSG_DEFAULT_SIZE, GFP_KERNEL);

	if (!skb)
		return NULL;
	*hdr = genlmsg_put(skb, 0, 0, &shca_nl_family, 0, cmd);
	if (!*hdr) {
		nlmsg_free(skb);
		return NULL;
	}
	return skb;
}

static void ntf_send(struct sk_buff *skb, void *hdr, int err)
{
	if (err) {
		nlmsg_free(skb);
		return;
	}
	genlmsg_end(skb, hdr);
	/* -ESRCH, nobody listens, is no error. */
	genlmsg_multicast(&shca_nl_family, skb, 0, 0, GFP_KERNEL);
}

void shca_notify_add(struct shca_ctl_card *c)
{
	struct sk_buff *skb;
	void *hdr;

	skb = ntf_new(SOFTHCA_CMD_DEV_ADD_NTF, &hdr);
	if (skb)
		ntf_send(skb, hdr, shca_nl_dev_fill(skb, c));
}

void shca_notify_add_failed(struct shca_ctl_card *c, int err)
{
	struct sk_buff *skb;
	void *hdr;

	skb = ntf_new(SOFTHCA_CMD_DEV_ADD_NTF, &hdr);
	if (!skb)
		return;
	ntf_send(skb, hdr,
		 shca_nl_dev_fill(skb, c) ?:
		 nla_put_u32(skb, SOFTHCA_A_DEV_ERROR, -err) ?:
		 nla_put_string(skb, SOFTHCA_A_DEV_MESSAGE,
				"it cannot be put on the PCI bus; the kernel log says why"));
}

void shca_notify_del(struct shca_ctl_card *c)
{
	struct sk_buff *skb;
	void *hdr;

	skb = ntf_new(SOFTHCA_CMD_DEV_DEL_NTF, &hdr);
	if (skb)
		ntf_send(skb, hdr,
			 nla_put_u32(skb, SOFTHCA_A_DEV_ID, c->id) ?:
			 nla_put_string(skb, SOFTHCA_A_DEV_NAME,
					c->card->name));
}

static const char *const event_name[] = {
	[SHCA_PORT_DOWN]	= "down",
	[SHCA_PORT_INIT]	= "init",
	[SHCA_PORT_ACTIVE]	= "active",
	[SHCA_PORT_LID]		= "lid",
	[SHCA_PORT_PKEY]	= "pkey",
	[SHCA_PORT_GUID]	= "guid",
	[SHCA_PORT_REREG]	= "reregister",
};

void shca_notify_link(struct shca_fn *fn, u8 port, enum shca_port_event ev)
{
	struct sk_buff *skb;
	void *hdr;

	if (WARN_ON_ONCE(ev >= ARRAY_SIZE(event_name)))
		return;
	skb = ntf_new(SOFTHCA_CMD_LINK_NTF, &hdr);
	if (skb)
		ntf_send(skb, hdr,
			 shca_nl_link_fill(skb, fn) ?:
			 nla_put_string(skb, SOFTHCA_A_LINK_EVENT,
					event_name[ev]));
}
