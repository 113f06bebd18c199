/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * softhca link: ports and their cables.
 */
#include <netlink/attr.h>
#include <stdio.h>
#include <string.h>

#include "tool.h"

static const char *const cable_states[] = { "down", "up" };
static const char *const port_states[] = {
	NULL, "DOWN", "INIT", "ARMED", "ACTIVE",
};
static const char *const phys_states[] = {
	NULL, "SLEEP", "POLLING", "DISABLED", "TRAINING", "LINK_UP", "RECOVERY",
};

const struct field link_fields[] = {
	{ SOFTHCA_A_LINK_DEV, "dev", FIELD_STRING, NULL, 0, NULL },
	{ SOFTHCA_A_LINK_PORT, "port", FIELD_U32, NULL, 0, NULL },
	{ SOFTHCA_A_LINK_GUID, "guid", FIELD_GUID, NULL, 0, NULL },
	{ SOFTHCA_A_LINK_CABLE, "cable", FIELD_NAMED, cable_states, 2, NULL },
	{ SOFTHCA_A_LINK_STATE, "state", FIELD_NAMED, port_states, 5, NULL },
	{ SOFTHCA_A_LINK_PHYS_STATE, "physical_state", FIELD_NAMED,
	  phys_states, 7, NULL },
	{ SOFTHCA_A_LINK_LID, "lid", FIELD_U32, NULL, 0, NULL },
	{ SOFTHCA_A_LINK_SM_LID, "sm_lid", FIELD_U32, NULL, 0, NULL },
	{ SOFTHCA_A_LINK_MTU, "mtu", FIELD_U32, NULL, 0, NULL },
	{ SOFTHCA_A_LINK_WIDTH, "width", FIELD_U32, NULL, 0, NULL },
	{ SOFTHCA_A_LINK_SPEED, "speed", FIELD_STRING, NULL, 0, NULL },
	{ SOFTHCA_A_LINK_PEER_GUID, "peer_guid", FIELD_GUID, NULL, 0, NULL },
	{ SOFTHCA_A_LINK_PEER_DEV, "peer_dev", FIELD_STRING, NULL, 0, NULL },
	{ SOFTHCA_A_LINK_PEER_PORT, "peer_port", FIELD_U32, NULL, 0, NULL },
	{ SOFTHCA_A_LINK_EVENT, "event", FIELD_STRING, NULL, 0, NULL },
	{ SOFTHCA_A_LINK_DELAY_US, "delay_us", FIELD_U32, NULL, 0, NULL },
	{ SOFTHCA_A_LINK_LOSS, "loss_ppm", FIELD_U32, NULL, 0, NULL },
	{ SOFTHCA_A_LINK_DUPLICATE, "duplicate_ppm", FIELD_U32, NULL, 0, NULL },
	{ SOFTHCA_A_LINK_REORDER, "reorder_ppm", FIELD_U32, NULL, 0, NULL },
	{ 0, NULL, 0, NULL, 0, NULL },
};

static const char help[] =
"softhca link show [DEV[/PORT]]\n"
"softhca link set DEV[/PORT] [up|down] [delay TIME] [loss PERCENT]\n"
"                            [duplicate PERCENT] [reorder PERCENT]\n"
"\n"
"'up' and 'down' give the cable's signal back or take it away, as on a cable\n"
"that is pulled and plugged in again. The others say what the link does to\n"
"packets in both directions: TIME is like 150us, 20ms or 1s, PERCENT like 0.5%;\n"
"0 for not at all.\n";

void link_label(struct json_object *link)
{
	char label[96];

	snprintf(label, sizeof(label), "%s/%s", field_string(link, "dev"),
		 field_string(link, "port"));
	json_object_object_add(link, "link", json_object_new_string(label));
}

static void add_shown(struct nlmsghdr *nlh, void *arg)
{
	struct json_object *link = message_read(nlh, link_fields);
	struct json_object *list = arg;

	link_label(link);
	json_object_array_add(list, link);
}

/* A request about the port that the word names (NULL: about all). */
static struct nl_msg *link_request(uint8_t cmd, const char *word, int *ret)
{
	struct nl_msg *msg;
	uint32_t port;
	char dev[64];

	*ret = USAGE;
	if (word && !parse_port(word, dev, sizeof(dev), &port))
		return NULL;
	*ret = REFUSED;
	if (nl_start())
		return NULL;
	msg = nl_new(cmd, word ? NLM_F_ACK : NLM_F_DUMP);
	if (msg && word && (nla_put_string(msg, SOFTHCA_A_LINK_DEV, dev) ||
			    nla_put_u32(msg, SOFTHCA_A_LINK_PORT, port))) {
		nlmsg_free(msg);
		return NULL;
	}
	return msg;
}

static int link_show(struct words *w)
{
	const char *word = take_any(w);
	struct json_object *list;
	struct nl_msg *msg;
	int ret;

	if (!no_more(w))
		return USAGE;
	msg = link_request(SOFTHCA_CMD_LINK_GET, word, &ret);
	if (!msg)
		return ret;
	list = json_object_new_array();
	ret = nl_call(msg, add_shown, list);
	if (ret == DONE)
		show_list(list, "link");
	json_object_put(list);
	return ret;
}

/* Keywords with a value, and what reads it. */
static const struct setting {
	const char *keyword;
	int attr;
	bool (*parse)(const char *text, uint32_t *value);
	const char *form;
} settings[] = {
	{ "delay", SOFTHCA_A_LINK_DELAY_US, parse_time_us,
	  "a time like 150us, 20ms or 1s" },
	{ "loss", SOFTHCA_A_LINK_LOSS, parse_percent_ppm,
	  "a percentage like 0.5%" },
	{ "duplicate", SOFTHCA_A_LINK_DUPLICATE, parse_percent_ppm,
	  "a percentage like 0.5%" },
	{ "reorder", SOFTHCA_A_LINK_REORDER, parse_percent_ppm,
	  "a percentage like 0.5%" },
};

#define SETTINGS (sizeof(settings) / sizeof(settings[0]))

/* What 'link set' is asked for: -1 where it is not. */
struct link_wish {
	int up;
	int64_t value[SETTINGS];
};

static bool take_setting(struct words *w, struct link_wish *wish)
{
	const struct setting *s;
	const char *text;
	uint32_t value;
	size_t i;

	for (i = 0; i < SETTINGS; i++) {
		s = &settings[i];
		if (!take(w, s->keyword))
			continue;
		if (!take_value(w, s->keyword, &text))
			return false;
		if (!s->parse(text, &value)) {
			say_error("'%s' needs %s, not '%s'", s->keyword,
				  s->form, text);
			return false;
		}
		wish->value[i] = value;
		return true;
	}
	say_error("'%s' is not expected here", peek(w));
	return false;
}

static bool take_wish(struct words *w, struct link_wish *wish)
{
	size_t i;

	wish->up = -1;
	for (i = 0; i < SETTINGS; i++)
		wish->value[i] = -1;
	if (!peek(w)) {
		say_error("'link set' needs 'up', 'down', 'delay', 'loss', 'duplicate' or 'reorder'");
		return false;
	}
	while (peek(w)) {
		if (take(w, "up"))
			wish->up = 1;
		else if (take(w, "down"))
			wish->up = 0;
		else if (!take_setting(w, wish))
			return false;
	}
	return true;
}

static int put_wish(struct nl_msg *msg, const struct link_wish *wish)
{
	size_t i;

	if (wish->up >= 0 &&
	    nla_put_u32(msg, SOFTHCA_A_LINK_CABLE, (uint32_t)wish->up))
		return -1;
	for (i = 0; i < SETTINGS; i++)
		if (wish->value[i] >= 0 &&
		    nla_put_u32(msg, settings[i].attr,
				(uint32_t)wish->value[i]))
			return -1;
	return 0;
}

static int link_set(struct words *w)
{
	const char *word = take_any(w);
	struct link_wish wish;
	struct nl_msg *msg;
	int ret;

	if (!word) {
		say_error("'link set' needs a port, like hca0/1");
		return USAGE;
	}
	if (!take_wish(w, &wish))
		return USAGE;
	msg = link_request(SOFTHCA_CMD_LINK_SET, word, &ret);
	if (!msg)
		return ret;
	if (put_wish(msg, &wish)) {
		nlmsg_free(msg);
		return REFUSED;
	}
	return nl_call(msg, NULL, NULL);
}

int cmd_link(struct words *w)
{
	static const struct command commands[] = {
		{ "show", link_show },
		{ "list", link_show },
		{ "set", link_set },
		{ NULL, NULL },
	};

	return run_command(commands, w, "show", help);
}
