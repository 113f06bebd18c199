/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * softhca dev: cards come, go and are shown. The kernel queues what takes
 * time and tells the end; "add" and "del" listen before they ask, so that the
 * end cannot be missed.
 */
#include <netlink/attr.h>
#include <netlink/socket.h>
#include <stdio.h>
#include <string.h>

#include "tool.h"

static const char *const dev_states[] = { "plugging", "live", "unplugging" };
static const char *const fn_states[] = { "absent", "ready", "up", "dead" };

static const struct field fn_fields[] = {
	{ SOFTHCA_A_FN_NUM, "num", FIELD_U32, NULL, 0, NULL },
	{ SOFTHCA_A_FN_NAME, "name", FIELD_STRING, NULL, 0, NULL },
	{ SOFTHCA_A_FN_PCI, "pci", FIELD_STRING, NULL, 0, NULL },
	{ SOFTHCA_A_FN_NODE_GUID, "node_guid", FIELD_GUID, NULL, 0, NULL },
	{ SOFTHCA_A_FN_PORT_GUID, "port_guid", FIELD_GUID, NULL, 0, NULL },
	{ SOFTHCA_A_FN_STATE, "state", FIELD_NAMED, fn_states, 4, NULL },
	{ 0, NULL, 0, NULL, 0, NULL },
};

const struct field dev_fields[] = {
	{ SOFTHCA_A_DEV_ID, "id", FIELD_U32, NULL, 0, NULL },
	{ SOFTHCA_A_DEV_NAME, "name", FIELD_STRING, NULL, 0, NULL },
	{ SOFTHCA_A_DEV_PROFILE, "profile", FIELD_STRING, NULL, 0, NULL },
	{ SOFTHCA_A_DEV_PORTS, "ports", FIELD_U32, NULL, 0, NULL },
	{ SOFTHCA_A_DEV_GUID, "guid", FIELD_GUID, NULL, 0, NULL },
	{ SOFTHCA_A_DEV_CMD_SLOTS, "cmd_slots", FIELD_U32, NULL, 0, NULL },
	{ SOFTHCA_A_DEV_STATE, "state", FIELD_NAMED, dev_states, 3, NULL },
	{ SOFTHCA_A_DEV_FN, "fn", FIELD_LIST, NULL, 0, fn_fields },
	{ SOFTHCA_A_DEV_ERROR, "error", FIELD_U32, NULL, 0, NULL },
	{ SOFTHCA_A_DEV_MESSAGE, "message", FIELD_STRING, NULL, 0, NULL },
	{ 0, NULL, 0, NULL, 0, NULL },
};

static const char help[] =
"softhca dev add [NAME] [profile PROFILE] [ports 1|2] [guid GUID] [cmd-slots N]\n"
"softhca dev del NAME [surprise]\n"
"softhca dev show [NAME]\n"
"\n"
"PROFILE is connectx-5, connectx-6 or connectx-7. NAME is hca0, hca1, ... when\n"
"left out. With 'surprise' the card is gone before its driver is told.\n";

/* The card whose end of a journey is awaited, and whether it came. */
struct journey {
	uint8_t end;		/* the notification that says so */
	int64_t id;
	char name[64];
	bool ended, gone;
	char message[256];
};

static void note_answer(struct nlmsghdr *nlh, void *arg)
{
	struct json_object *dev = message_read(nlh, dev_fields);
	struct journey *j = arg;

	j->id = field_number(dev, "id");
	snprintf(j->name, sizeof(j->name), "%s", field_string(dev, "name"));
	json_object_put(dev);
}

static void note_event(struct nlmsghdr *nlh, void *arg)
{
	uint8_t cmd = message_cmd(nlh);
	struct journey *j = arg;
	struct json_object *dev;

	if (cmd != SOFTHCA_CMD_DEV_ADD_NTF && cmd != SOFTHCA_CMD_DEV_DEL_NTF)
		return;
	dev = message_read(nlh, dev_fields);
	if (field_number(dev, "id") == j->id) {
		j->ended = j->ended || cmd == j->end;
		j->gone = j->gone || cmd == SOFTHCA_CMD_DEV_DEL_NTF;
		if (field_number(dev, "error"))
			snprintf(j->message, sizeof(j->message), "%s",
				 field_string(dev, "message"));
	}
	json_object_put(dev);
}

static void note_shown(struct nlmsghdr *nlh, void *arg)
{
	struct json_object *dev = message_read(nlh, dev_fields);
	struct journey *j = arg;

	if (field_number(dev, "id") == j->id) {
		j->gone = false;
		j->ended = j->end == SOFTHCA_CMD_DEV_ADD_NTF &&
			   !strcmp(field_string(dev, "state"), "live");
	}
	json_object_put(dev);
}

/* Notifications were lost: what there is now tells as much. */
static int look_again(struct journey *j)
{
	struct nl_msg *msg = nl_new(SOFTHCA_CMD_DEV_GET, NLM_F_DUMP);
	int ret;

	if (!msg)
		return REFUSED;
	j->gone = true;
	ret = nl_call(msg, note_shown, j);
	if (j->gone && j->end == SOFTHCA_CMD_DEV_DEL_NTF)
		j->ended = true;
	return ret;
}

static int journey_wait(struct nl_sock *events, struct journey *j)
{
	int64_t deadline = nl_now_ms() + (int64_t)opt.timeout_s * 1000;
	bool add = j->end == SOFTHCA_CMD_DEV_ADD_NTF;

	while (!j->ended && !j->gone) {
		int heard = nl_hear(events, deadline, note_event, j);

		if (!heard) {
			say_error("'%s' is not %s after %u s; it goes on in the background",
				  j->name, add ? "on the bus" : "gone",
				  opt.timeout_s);
			return REFUSED;
		}
		if (heard == -2 || (heard == -1 && look_again(j)))
			return REFUSED;
	}
	if (*j->message) {
		say_error("'%s': %s", j->name, j->message);
		return REFUSED;
	}
	if (add && !j->ended) {
		say_error("'%s' was removed by someone else meanwhile", j->name);
		return REFUSED;
	}
	return DONE;
}

/* Sends the request and waits for the end that it names. */
static int journey(struct nl_msg *msg, uint8_t end)
{
	struct journey j = { .end = end };
	struct nl_sock *events = NULL;
	int ret;

	if (!opt.no_wait) {
		events = nl_listen();
		if (!events) {
			nlmsg_free(msg);
			return REFUSED;
		}
	}
	ret = nl_call(msg, note_answer, &j);
	if (ret == DONE && events)
		ret = journey_wait(events, &j);
	if (events)
		nl_socket_free(events);
	if (ret == DONE && opt.verbose)
		printf("%s %s\n", j.name,
		       end == SOFTHCA_CMD_DEV_ADD_NTF ? "added" : "deleted");
	return ret;
}

struct add_words {
	const char *name, *profile;
	uint32_t ports, cmd_slots;
	uint64_t guid;
	bool has_ports, has_slots, has_guid;
};

static bool add_guid(struct words *w, struct add_words *a)
{
	const char *text;

	if (!take_value(w, "guid", &text))
		return false;
	a->has_guid = parse_guid(text, &a->guid);
	if (!a->has_guid)
		say_error("'%s' is no GUID; write up to 16 hexadecimal digits",
			  text);
	return a->has_guid;
}

static bool add_word(struct words *w, struct add_words *a)
{
	if (take(w, "profile"))
		return take_value(w, "profile", &a->profile);
	if (take(w, "ports"))
		return a->has_ports = take_u32(w, "ports", &a->ports);
	if (take(w, "guid"))
		return add_guid(w, a);
	if (take(w, "cmd-slots"))
		return a->has_slots = take_u32(w, "cmd-slots", &a->cmd_slots);
	if (take(w, "name"))
		return take_value(w, "name", &a->name);
	return no_more(w);
}

/* A first word that is not a whole keyword is the name: "dev add p" makes a
 * card "p".
 */
static bool is_keyword(const char *word)
{
	static const char *const keywords[] = {
		"profile", "ports", "guid", "cmd-slots", "name",
	};
	unsigned int i;

	for (i = 0; i < sizeof(keywords) / sizeof(*keywords); i++)
		if (!strcmp(word, keywords[i]))
			return true;
	return false;
}

static int put_add(struct nl_msg *msg, const struct add_words *a)
{
	int err = 0;

	if (a->name)
		err |= nla_put_string(msg, SOFTHCA_A_DEV_NAME, a->name);
	if (a->profile)
		err |= nla_put_string(msg, SOFTHCA_A_DEV_PROFILE, a->profile);
	if (a->has_ports)
		err |= nla_put_u32(msg, SOFTHCA_A_DEV_PORTS, a->ports);
	if (a->has_guid)
		err |= nla_put_u64(msg, SOFTHCA_A_DEV_GUID, a->guid);
	if (a->has_slots)
		err |= nla_put_u32(msg, SOFTHCA_A_DEV_CMD_SLOTS, a->cmd_slots);
	return err;
}

static int dev_add(struct words *w)
{
	struct add_words a = { 0 };
	struct nl_msg *msg;

	if (w->left && !is_keyword(peek(w)))
		a.name = take_any(w);
	while (w->left)
		if (!add_word(w, &a))
			return USAGE;
	if (nl_start())
		return REFUSED;
	msg = nl_new(SOFTHCA_CMD_DEV_ADD, NLM_F_ACK);
	if (!msg)
		return REFUSED;
	if (put_add(msg, &a)) {
		nlmsg_free(msg);
		say_error("the words are too long");
		return USAGE;
	}
	return journey(msg, SOFTHCA_CMD_DEV_ADD_NTF);
}

static int dev_del(struct words *w)
{
	const char *name = take_any(w);
	bool surprise = take(w, "surprise");
	struct nl_msg *msg;

	if (!name) {
		say_error("'dev del' needs the name of a device");
		return USAGE;
	}
	if (!no_more(w))
		return USAGE;
	if (nl_start())
		return REFUSED;
	msg = nl_new(SOFTHCA_CMD_DEV_DEL, NLM_F_ACK);
	if (!msg)
		return REFUSED;
	if (nla_put_string(msg, SOFTHCA_A_DEV_NAME, name) ||
	    (surprise && nla_put_flag(msg, SOFTHCA_A_DEV_SURPRISE))) {
		nlmsg_free(msg);
		say_error("the name is too long");
		return USAGE;
	}
	return journey(msg, SOFTHCA_CMD_DEV_DEL_NTF);
}

static void add_shown(struct nlmsghdr *nlh, void *arg)
{
	struct json_object *dev = message_read(nlh, dev_fields), *fns;
	struct json_object *list = arg;
	size_t i;

	if (json_object_object_get_ex(dev, "fn", &fns))
		for (i = 0; i < json_object_array_length(fns); i++)
			sysfs_add(json_object_array_get_idx(fns, i));
	json_object_array_add(list, dev);
}

static int dev_show(struct words *w)
{
	const char *name = take_any(w);
	struct json_object *list;
	struct nl_msg *msg;
	int ret;

	if (!no_more(w))
		return USAGE;
	if (nl_start())
		return REFUSED;
	msg = nl_new(SOFTHCA_CMD_DEV_GET, name ? NLM_F_ACK : NLM_F_DUMP);
	if (!msg)
		return REFUSED;
	if (name && nla_put_string(msg, SOFTHCA_A_DEV_NAME, name)) {
		nlmsg_free(msg);
		say_error("the name is too long");
		return USAGE;
	}
	list = json_object_new_array();
	ret = nl_call(msg, add_shown, list);
	if (ret == DONE)
		show_list(list, "name");
	json_object_put(list);
	return ret;
}

int cmd_dev(struct words *w)
{
	static const struct command commands[] = {
		{ "show", dev_show },
		{ "list", dev_show },
		{ "add", dev_add },
		{ "del", dev_del },
		{ NULL, NULL },
	};

	return run_command(commands, w, "show", help);
}
