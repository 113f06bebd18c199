/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * softhca monitor: notifications as they come, one a line.
 */
#include <netlink/socket.h>
#include <stdio.h>

#include "tool.h"

static void show_dev(struct nlmsghdr *nlh, const char *what)
{
	struct json_object *dev = message_read(nlh, dev_fields);

	json_object_object_add(dev, "notification",
			       json_object_new_string(what));
	show_one(dev, "name");
	json_object_put(dev);
}

static void show_link(struct nlmsghdr *nlh)
{
	struct json_object *link = message_read(nlh, link_fields);

	link_label(link);
	json_object_object_add(link, "notification",
			       json_object_new_string("link"));
	show_one(link, "link");
	json_object_put(link);
}

static void show_event(struct nlmsghdr *nlh, void *arg)
{
	(void)arg;
	switch (message_cmd(nlh)) {
	case SOFTHCA_CMD_DEV_ADD_NTF:
		show_dev(nlh, "added");
		break;
	case SOFTHCA_CMD_DEV_DEL_NTF:
		show_dev(nlh, "deleted");
		break;
	case SOFTHCA_CMD_LINK_NTF:
		show_link(nlh);
		break;
	}
}

int cmd_monitor(struct words *w)
{
	struct nl_sock *events;
	int heard = 1;
	int64_t until;

	if (!no_more(w))
		return USAGE;
	if (nl_start())
		return REFUSED;
	events = nl_listen();
	if (!events)
		return REFUSED;
	if (opt.verbose)
		fputs("softhca: listening\n", stderr);
	until = opt.timeout_given ?
		nl_now_ms() + (int64_t)opt.timeout_s * 1000 : -1;
	while (heard == 1 || heard == -1) {
		heard = nl_hear(events, until, show_event, NULL);
		if (heard == -1)
			say_error("some events were lost, they came too fast");
		if (ferror(stdout))
			break;
	}
	nl_socket_free(events);
	return heard == 0 ? DONE : REFUSED;
}
