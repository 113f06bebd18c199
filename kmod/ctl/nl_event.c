// SPDX-License-Identifier: GPL-2.0
/*
 * Events raised by hand.
 */
#include <linux/mlx5/device.h>

#include "ctl/nl.h"
#include "ctl/say.h"
#include "engine/engine.h"

#define TIMEOUT_MS	2000
#define MAX_TIMEOUT_MS	10000

const struct nla_policy shca_nl_event_policy[SOFTHCA_A_EVENT_MAX + 1] = {
	[SOFTHCA_A_EVENT_DEV]		= { .type = NLA_NUL_STRING, .len = 64 },
	[SOFTHCA_A_EVENT_PORT]		= { .type = NLA_U32 },
	[SOFTHCA_A_EVENT_TYPE]		= NLA_POLICY_MAX(NLA_U32, U8_MAX),
	[SOFTHCA_A_EVENT_SUB_TYPE]	= NLA_POLICY_MAX(NLA_U32, U8_MAX),
	[SOFTHCA_A_EVENT_TIMEOUT_MS]	=
		NLA_POLICY_RANGE(NLA_U32, 1, MAX_TIMEOUT_MS),
};

/* Why a type cannot be raised by number alone, NULL when it can: a driver
 * believes what it is told and looks the object up, or ends the command.
 */
static const char *why_not(u32 type)
{
	switch (type) {
	case MLX5_EVENT_TYPE_COMP:
	case MLX5_EVENT_TYPE_CMD:
	case MLX5_EVENT_TYPE_PAGE_REQUEST:
		return "completions, commands and page requests are not raised by hand";
	case MLX5_EVENT_TYPE_PATH_MIG:
	case MLX5_EVENT_TYPE_COMM_EST:
	case MLX5_EVENT_TYPE_SQ_DRAINED:
	case MLX5_EVENT_TYPE_SRQ_LAST_WQE:
	case MLX5_EVENT_TYPE_SRQ_RQ_LIMIT:
	case MLX5_EVENT_TYPE_CQ_ERROR:
	case MLX5_EVENT_TYPE_WQ_CATAS_ERROR:
	case MLX5_EVENT_TYPE_PATH_MIG_FAILED:
	case MLX5_EVENT_TYPE_WQ_INVAL_REQ_ERROR:
	case MLX5_EVENT_TYPE_WQ_ACCESS_ERROR:
	case MLX5_EVENT_TYPE_SRQ_CATAS_ERROR:
	case MLX5_EVENT_TYPE_XRQ_ERROR:
	case MLX5_EVENT_TYPE_DCT_DRAINED:
	case MLX5_EVENT_TYPE_OBJECT_CHANGE:
	case MLX5_EVENT_TYPE_PAGE_FAULT:
		return "this type reports on an object, and there is no way to name one here";
	}
	return NULL;
}

/* The function, held so that it stays while the lock does not. */
static struct shca_fn *event_fn(struct genl_info *info)
{
	struct shca_fn *fn;

	mutex_lock(&shca_cards_lock);
	fn = shca_nl_port(info, SOFTHCA_A_EVENT_DEV, SOFTHCA_A_EVENT_PORT);
	if (!IS_ERR(fn) && !shca_fn_get(fn))
		fn = ERR_PTR(-ENODEV);
	mutex_unlock(&shca_cards_lock);
	return fn;
}

static int raise(struct genl_info *info, struct shca_fn *fn)
{
	u32 type = nla_get_u32(info->attrs[SOFTHCA_A_EVENT_TYPE]);
	/* Each port is a function of its own: on it, the port is number 1. */
	union ev_data data = { .port.port = 1 << 4 };
	int queues;

	queues = shca_eq_event_sync(fn, type,
				    shca_nl_u32(info, SOFTHCA_A_EVENT_SUB_TYPE, 0),
				    type == MLX5_EVENT_TYPE_PORT_CHANGE ?
				    &data : NULL,
				    shca_nl_u32(info, SOFTHCA_A_EVENT_TIMEOUT_MS,
						TIMEOUT_MS));
	if (queues == -ETIMEDOUT)
		shca_say(info->extack,
			 "the driver's handlers have not returned in time");
	else if (!queues)
		shca_say(info->extack,
			 "no event queue of %s takes type 0x%x: no driver is bound, or it did not ask for this type",
			 fn->name, type);
	return queues ?: -ENOENT;
}

int shca_nl_event_raise(struct sk_buff *skb, struct genl_info *info)
{
	struct nlattr *type = info->attrs[SOFTHCA_A_EVENT_TYPE];
	struct sk_buff *msg;
	struct shca_fn *fn;
	const char *reason;
	void *hdr;
	int ret;

	if (!type) {
		shca_say(info->extack, "the request names no event type");
		return -EINVAL;
	}
	reason = why_not(nla_get_u32(type));
	if (reason) {
		shca_say(info->extack, "%s", reason);
		return -EOPNOTSUPP;
	}
	msg = shca_nl_reply(info, &hdr);
	if (!msg)
		return -ENOMEM;
	fn = event_fn(info);
	if (IS_ERR(fn))
		return shca_nl_answer(msg, hdr, info, PTR_ERR(fn));
	ret = raise(info, fn);
	shca_fn_put(fn);
	if (ret > 0)
		ret = nla_put_u32(msg, SOFTHCA_A_EVENT_DELIVERED, ret);
	return shca_nl_answer(msg, hdr, info, ret);
}
