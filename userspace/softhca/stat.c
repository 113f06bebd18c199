/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * softhca stat: counters of functions.
 */
#include <stdio.h>
#include <string.h>

#include "tool.h"

static const struct field stat_fields[] = {
	{ SOFTHCA_A_STAT_DEV, "dev", FIELD_STRING, NULL, 0, NULL },
	{ SOFTHCA_A_STAT_FN, "fn", FIELD_U32, NULL, 0, NULL },
	{ SOFTHCA_A_STAT_COMMANDS, "commands", FIELD_U64, NULL, 0, NULL },
	{ SOFTHCA_A_STAT_BAD_OPCODE, "bad_opcode", FIELD_U64, NULL, 0, NULL },
	{ SOFTHCA_A_STAT_FAILED, "failed", FIELD_U64, NULL, 0, NULL },
	{ SOFTHCA_A_STAT_DMA_FAULTS, "dma_faults", FIELD_U64, NULL, 0, NULL },
	{ SOFTHCA_A_STAT_PAGES, "pages", FIELD_U32, NULL, 0, NULL },
	{ SOFTHCA_A_STAT_QPS, "qps", FIELD_U32, NULL, 0, NULL },
	{ SOFTHCA_A_STAT_CQS, "cqs", FIELD_U32, NULL, 0, NULL },
	{ SOFTHCA_A_STAT_EQS, "eqs", FIELD_U32, NULL, 0, NULL },
	{ SOFTHCA_A_STAT_MKEYS, "mkeys", FIELD_U32, NULL, 0, NULL },
	{ SOFTHCA_A_STAT_SRQS, "srqs", FIELD_U32, NULL, 0, NULL },
	{ SOFTHCA_A_STAT_UARS, "uars", FIELD_U32, NULL, 0, NULL },
	{ SOFTHCA_A_STAT_UCTXS, "uctxs", FIELD_U32, NULL, 0, NULL },
	{ 0, NULL, 0, NULL, 0, NULL },
};

static const char help[] = "softhca stat show [DEV]\n";

struct wanted {
	const char *dev;
	struct json_object *list;
};

static void add_shown(struct nlmsghdr *nlh, void *arg)
{
	struct json_object *stat = message_read(nlh, stat_fields);
	struct wanted *wanted = arg;

	if (!wanted->dev || !strcmp(wanted->dev, field_string(stat, "dev")))
		json_object_array_add(wanted->list, stat);
	else
		json_object_put(stat);
}

static int stat_show(struct words *w)
{
	struct wanted wanted = { .dev = take_any(w) };
	struct nl_msg *msg;
	int ret;

	if (!no_more(w))
		return USAGE;
	if (nl_start())
		return REFUSED;
	msg = nl_new(SOFTHCA_CMD_STAT_GET, NLM_F_DUMP);
	if (!msg)
		return REFUSED;
	wanted.list = json_object_new_array();
	ret = nl_call(msg, add_shown, &wanted);
	if (ret == DONE && wanted.dev && !json_object_array_length(wanted.list)) {
		say_error("there is no device '%s'", wanted.dev);
		ret = REFUSED;
	}
	if (ret == DONE)
		show_list(wanted.list, "dev");
	json_object_put(wanted.list);
	return ret;
}

int cmd_stat(struct words *w)
{
	static const struct command commands[] = {
		{ "show", stat_show },
		{ "list", stat_show },
		{ NULL, NULL },
	};

	return run_command(commands, w, "show", help);
}
