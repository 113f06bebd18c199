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
	{ 0, NULL, 0, NULL, 0, NULL },
};

static const char help[] =
"softhca link show [DEV[/PORT]]\n"
"softhca link set DEV[/PORT] up|down\n"
"\n"
"'set' takes the cable's signal away or gives it back, as on a cable that is\n"
"pulled and plugged in again.\n";

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

static int link_set(struct words *w)
{
	const char *word = take_any(w);
	struct nl_msg *msg;
	bool up = false;
	int ret;

	if (!word) {
		say_error("'link set' needs a port, like hca0/1");
		return USAGE;
	}
	if (take(w, "up")) {
		up = true;
	} else if (!take(w, "down")) {
		say_error("'link set' needs 'up' or 'down'");
		return USAGE;
	}
	if (!no_more(w))
		return USAGE;
	msg = link_request(SOFTHCA_CMD_LINK_SET, word, &ret);
	if (!msg)
		return ret;
	if (nla_put_u32(msg, SOFTHCA_A_LINK_CABLE, up)) {
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
