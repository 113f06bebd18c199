/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * Output: JSON, or a line of "key value" pairs for each thing.
 */
#include <stdio.h>
#include <string.h>

#include "tool.h"

static int json_flags(void)
{
	return opt.pretty ? JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED :
			    JSON_C_TO_STRING_PLAIN;
}

static void text_pairs(struct json_object *obj, const char *head)
{
	json_object_object_foreach(obj, key, val) {
		if (strcmp(key, head) &&
		    !json_object_is_type(val, json_type_array))
			printf(" %s %s", key, json_object_get_string(val));
	}
	putchar('\n');
}

/* What is nested stands on lines of its own below. */
static void text_nested(struct json_object *obj)
{
	json_object_object_foreach(obj, key, val) {
		size_t i;

		if (!json_object_is_type(val, json_type_array))
			continue;
		for (i = 0; i < json_object_array_length(val); i++) {
			struct json_object *one = json_object_array_get_idx(val, i);

			printf("    %s %s", key, field_string(one, "num"));
			text_pairs(one, "num");
		}
	}
}

static void text_one(struct json_object *obj, const char *head)
{
	printf("%s:", field_string(obj, head));
	text_pairs(obj, head);
	text_nested(obj);
}

void show_one(struct json_object *obj, const char *head)
{
	if (opt.json)
		puts(json_object_to_json_string_ext(obj, json_flags()));
	else
		text_one(obj, head);
	fflush(stdout);
}

void show_list(struct json_object *list, const char *head)
{
	size_t i;

	if (opt.json) {
		show_one(list, head);
		return;
	}
	for (i = 0; i < json_object_array_length(list); i++)
		show_one(json_object_array_get_idx(list, i), head);
}
