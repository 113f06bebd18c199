// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* "show" of what belongs to devices: a dump, narrowed to one of them. */
#include <json-c/json.h>
#include <string.h>

#include "tool.h"

struct wanted {
	const char *dev;
	const struct field *fields;
	struct json_object *list;
};

static void add_wanted(struct nlmsghdr *nlh, void *arg)
{
	struct wanted *wanted = arg;
	struct json_object *item = message_read(nlh, wanted->fields);

	if (!wanted->dev || !strcmp(wanted->dev, field_string(item, "dev")))
		json_object_array_add(wanted->list, item);
	else
		json_object_put(item);
}

int show_of_device(struct words *w, uint8_t cmd, const struct field *fields,
		   const char *head, bool every_device_has_one)
{
	struct wanted wanted = { .dev = take_any(w), .fields = fields };
	struct nl_msg *msg;
	int ret;

	if (!no_more(w))
		return USAGE;
	if (nl_start())
		return REFUSED;
	msg = nl_new(cmd, NLM_F_DUMP);
	if (!msg)
		return REFUSED;
	wanted.list = json_object_new_array();
	ret = nl_call(msg, add_wanted, &wanted);
	if (ret == DONE && every_device_has_one && wanted.dev &&
	    !json_object_array_length(wanted.list)) {
		say_error("there is no device '%s'", wanted.dev);
		ret = REFUSED;
	}
	if (ret == DONE)
		show_list(wanted.list, head);
	json_object_put(wanted.list);
	return ret;
}
