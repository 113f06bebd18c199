/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * softhca event: an event reported to the driver by hand.
 */
#include <netlink/attr.h>
#include <stdio.h>
#include <strings.h>

#include "tool.h"

static const char help[] =
"softhca event raise DEV[/PORT] type TYPE [sub-type TYPE] [timeout MS]\n"
"\n"
"Returns when the driver's handlers have returned. TYPE is a number of the PRM,\n"
"or port-change with the sub-types down, active, initialized, lid, pkey, guid\n"
"and client-reregister.\n";

struct named {
	const char *name;
	uint32_t number;
};

static const struct named types[] = {
	{ "port-change", 0x9 },
	{ NULL, 0 },
};

static const struct named sub_types[] = {
	{ "down", 1 },
	{ "active", 4 },
	{ "initialized", 5 },
	{ "lid", 6 },
	{ "pkey", 7 },
	{ "guid", 8 },
	{ "client-reregister", 9 },
	{ NULL, 0 },
};

static const struct field event_fields[] = {
	{ SOFTHCA_A_EVENT_DELIVERED, "delivered", FIELD_U32, NULL, 0, NULL },
	{ 0, NULL, 0, NULL, 0, NULL },
};

static bool take_named(struct words *w, const char *keyword,
		       const struct named *names, uint32_t *number)
{
	const char *text;

	if (!take_value(w, keyword, &text))
		return false;
	for (; names->name; names++)
		if (!strcasecmp(names->name, text)) {
			*number = names->number;
			return true;
		}
	if (parse_u32(text, number) && *number <= UINT8_MAX)
		return true;
	say_error("'%s' is neither a number up to 255 nor a known %s", text,
		  keyword);
	return false;
}

static void show_delivered(struct nlmsghdr *nlh, void *arg)
{
	struct json_object *answer = message_read(nlh, event_fields);

	(void)arg;
	if (opt.json)
		show_one(answer, "delivered");
	else if (opt.verbose)
		printf("delivered to %s event queues\n",
		       field_string(answer, "delivered"));
	json_object_put(answer);
}

struct event_words {
	char dev[64];
	uint32_t port, type, sub_type, timeout_ms;
	bool has_type, has_timeout;
};

static bool event_word(struct words *w, struct event_words *e)
{
	if (take(w, "type"))
		return e->has_type = take_named(w, "type", types, &e->type);
	if (take(w, "sub-type"))
		return take_named(w, "sub-type", sub_types, &e->sub_type);
	if (take(w, "port"))
		return take_u32(w, "port", &e->port);
	if (take(w, "timeout"))
		return e->has_timeout = take_u32(w, "timeout", &e->timeout_ms);
	return no_more(w);
}

static int put_event(struct nl_msg *msg, const struct event_words *e)
{
	int err = nla_put_string(msg, SOFTHCA_A_EVENT_DEV, e->dev);

	err |= nla_put_u32(msg, SOFTHCA_A_EVENT_PORT, e->port);
	err |= nla_put_u32(msg, SOFTHCA_A_EVENT_TYPE, e->type);
	err |= nla_put_u32(msg, SOFTHCA_A_EVENT_SUB_TYPE, e->sub_type);
	if (e->has_timeout)
		err |= nla_put_u32(msg, SOFTHCA_A_EVENT_TIMEOUT_MS,
				   e->timeout_ms);
	return err;
}

static int event_raise(struct words *w)
{
	const char *dev = take_any(w);
	struct event_words e = { 0 };
	struct nl_msg *msg;

	if (!dev) {
		say_error("'event raise' needs a device");
		return USAGE;
	}
	if (!parse_port(dev, e.dev, sizeof(e.dev), &e.port))
		return USAGE;
	while (w->left)
		if (!event_word(w, &e))
			return USAGE;
	if (!e.has_type) {
		say_error("'event raise' needs a type");
		return USAGE;
	}
	if (nl_start())
		return REFUSED;
	msg = nl_new(SOFTHCA_CMD_EVENT_RAISE, NLM_F_ACK);
	if (!msg)
		return REFUSED;
	if (put_event(msg, &e)) {
		nlmsg_free(msg);
		return REFUSED;
	}
	return nl_call(msg, show_delivered, NULL);
}

int cmd_event(struct words *w)
{
	static const struct command commands[] = {
		{ "raise", event_raise },
		{ NULL, NULL },
	};

	return run_command(commands, w, "help", help);
}
