/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * softhca fault: rules that make a card misbehave.
 */
#include <netlink/attr.h>
#include <stdio.h>
#include <string.h>

#include "tool.h"

static const char *const actions[] = { NULL, "status", "delay", "never" };

static const struct field fault_fields[] = {
	{ SOFTHCA_A_FAULT_ID, "id", FIELD_U32, NULL, 0, NULL },
	{ SOFTHCA_A_FAULT_DEV, "dev", FIELD_STRING, NULL, 0, NULL },
	{ SOFTHCA_A_FAULT_OPCODE, "opcode", FIELD_HEX, NULL, 0, NULL },
	{ SOFTHCA_A_FAULT_OPCODE_NAME, "opcode_name", FIELD_STRING, NULL, 0, NULL },
	{ SOFTHCA_A_FAULT_ACTION, "action", FIELD_NAMED, actions, 4, NULL },
	{ SOFTHCA_A_FAULT_STATUS, "status", FIELD_HEX, NULL, 0, NULL },
	{ SOFTHCA_A_FAULT_STATUS_NAME, "status_name", FIELD_STRING, NULL, 0, NULL },
	{ SOFTHCA_A_FAULT_SYNDROME, "syndrome", FIELD_HEX, NULL, 0, NULL },
	{ SOFTHCA_A_FAULT_DELAY_MS, "delay_ms", FIELD_U32, NULL, 0, NULL },
	{ SOFTHCA_A_FAULT_AFTER, "after", FIELD_U32, NULL, 0, NULL },
	{ SOFTHCA_A_FAULT_COUNT, "count", FIELD_U32, NULL, 0, NULL },
	{ SOFTHCA_A_FAULT_SEEN, "seen", FIELD_U64, NULL, 0, NULL },
	{ SOFTHCA_A_FAULT_HITS, "hits", FIELD_U64, NULL, 0, NULL },
	{ SOFTHCA_A_FAULT_FLUSHED, "flushed", FIELD_U32, NULL, 0, NULL },
	{ 0, NULL, 0, NULL, 0, NULL },
};

static const char help[] =
"softhca fault add DEV command [opcode OPCODE]\n"
"              status STATUS [syndrome N] | delay MS | never\n"
"              [after N] [count N]\n"
"softhca fault show [DEV]\n"
"softhca fault flush [DEV]\n"
"softhca fault del ID\n"
"\n"
"OPCODE and STATUS are names of the PRM, like CREATE_CQ and BAD_PARAM, or\n"
"numbers. 'after' lets that many commands through first, 'count' ends the rule\n"
"after that many hits. Of several rules the first that acts decides.\n";

struct fault_words {
	const char *dev, *opcode, *status;
	uint32_t action, syndrome, delay_ms, after, count;
};

static bool set_action(struct fault_words *f, uint32_t action)
{
	if (f->action) {
		say_error("a rule is one of 'status', 'delay' and 'never'");
		return false;
	}
	f->action = action;
	return true;
}

static bool fault_word(struct words *w, struct fault_words *f)
{
	if (take(w, "opcode"))
		return take_value(w, "opcode", &f->opcode);
	if (take(w, "status"))
		return set_action(f, SOFTHCA_FAULT_ACTION_STATUS) &&
		       take_value(w, "status", &f->status);
	if (take(w, "syndrome"))
		return take_u32(w, "syndrome", &f->syndrome);
	if (take(w, "delay"))
		return set_action(f, SOFTHCA_FAULT_ACTION_DELAY) &&
		       take_u32(w, "delay", &f->delay_ms);
	if (take(w, "never"))
		return set_action(f, SOFTHCA_FAULT_ACTION_NEVER);
	if (take(w, "after"))
		return take_u32(w, "after", &f->after);
	if (take(w, "count"))
		return take_u32(w, "count", &f->count);
	return no_more(w);
}

/* A word that is a number goes as one, else as a name. */
static int put_word(struct nl_msg *msg, const char *word, int as_number,
		    int as_name)
{
	uint32_t number;

	if (!word)
		return 0;
	return parse_u32(word, &number) ? nla_put_u32(msg, as_number, number) :
					  nla_put_string(msg, as_name, word);
}

static int put_fault(struct nl_msg *msg, const struct fault_words *f)
{
	int err = nla_put_string(msg, SOFTHCA_A_FAULT_DEV, f->dev);

	err |= put_word(msg, f->opcode, SOFTHCA_A_FAULT_OPCODE,
			SOFTHCA_A_FAULT_OPCODE_NAME);
	err |= put_word(msg, f->status, SOFTHCA_A_FAULT_STATUS,
			SOFTHCA_A_FAULT_STATUS_NAME);
	err |= nla_put_u32(msg, SOFTHCA_A_FAULT_ACTION, f->action);
	if (f->action == SOFTHCA_FAULT_ACTION_STATUS)
		err |= nla_put_u32(msg, SOFTHCA_A_FAULT_SYNDROME, f->syndrome);
	if (f->action == SOFTHCA_FAULT_ACTION_DELAY)
		err |= nla_put_u32(msg, SOFTHCA_A_FAULT_DELAY_MS, f->delay_ms);
	err |= nla_put_u32(msg, SOFTHCA_A_FAULT_AFTER, f->after);
	err |= nla_put_u32(msg, SOFTHCA_A_FAULT_COUNT, f->count);
	return err;
}

static void show_added(struct nlmsghdr *nlh, void *arg)
{
	struct json_object *rule = message_read(nlh, fault_fields);

	(void)arg;
	if (opt.verbose || opt.json)
		show_one(rule, "id");
	json_object_put(rule);
}

static bool fault_words(struct words *w, struct fault_words *f)
{
	f->dev = take_any(w);
	if (!f->dev || !take(w, "command")) {
		say_error("a fault begins with a device and 'command'\n%s", help);
		return false;
	}
	while (w->left)
		if (!fault_word(w, f))
			return false;
	if (!f->action)
		say_error("a rule needs 'status', 'delay' or 'never'");
	else if (f->syndrome && f->action != SOFTHCA_FAULT_ACTION_STATUS)
		say_error("'syndrome' goes with 'status'");
	else
		return true;
	return false;
}

static int fault_add(struct words *w)
{
	struct fault_words f = { 0 };
	struct nl_msg *msg;

	if (!fault_words(w, &f))
		return USAGE;
	if (nl_start())
		return REFUSED;
	msg = nl_new(SOFTHCA_CMD_FAULT_ADD, NLM_F_ACK);
	if (!msg)
		return REFUSED;
	if (put_fault(msg, &f)) {
		nlmsg_free(msg);
		say_error("the words are too long");
		return USAGE;
	}
	return nl_call(msg, show_added, NULL);
}

static int fault_show(struct words *w)
{
	return show_of_device(w, SOFTHCA_CMD_FAULT_GET, fault_fields, "id",
			      false);
}

static void show_flushed(struct nlmsghdr *nlh, void *arg)
{
	struct json_object *answer = message_read(nlh, fault_fields);

	(void)arg;
	if (opt.json)
		show_one(answer, "flushed");
	else if (opt.verbose)
		printf("%s rules flushed\n", field_string(answer, "flushed"));
	json_object_put(answer);
}

static int flush(const char *dev, uint32_t id)
{
	struct nl_msg *msg;

	if (nl_start())
		return REFUSED;
	msg = nl_new(SOFTHCA_CMD_FAULT_FLUSH, NLM_F_ACK);
	if (!msg)
		return REFUSED;
	if ((dev && nla_put_string(msg, SOFTHCA_A_FAULT_DEV, dev)) ||
	    (id && nla_put_u32(msg, SOFTHCA_A_FAULT_ID, id))) {
		nlmsg_free(msg);
		say_error("the name is too long");
		return USAGE;
	}
	return nl_call(msg, show_flushed, NULL);
}

static int fault_flush(struct words *w)
{
	const char *dev = take_any(w);

	return no_more(w) ? flush(dev, 0) : USAGE;
}

static int fault_del(struct words *w)
{
	uint32_t id;

	if (!take_u32(w, "fault del", &id) || !no_more(w))
		return USAGE;
	if (!id) {
		say_error("rules are numbered from 1");
		return USAGE;
	}
	return flush(NULL, id);
}

int cmd_fault(struct words *w)
{
	static const struct command commands[] = {
		{ "show", fault_show },
		{ "list", fault_show },
		{ "add", fault_add },
		{ "flush", fault_flush },
		{ "del", fault_del },
		{ NULL, NULL },
	};

	return run_command(commands, w, "show", help);
}
