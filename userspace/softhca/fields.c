/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * From attributes to JSON, by table: one description serves -j and the text.
 */
#include <inttypes.h>
#include <netlink/attr.h>
#include <netlink/genl/genl.h>
#include <stdio.h>
#include <string.h>

#include "tool.h"

static const struct field *find_field(const struct field *fields, int attr)
{
	for (; fields->key; fields++)
		if (fields->attr == attr)
			return fields;
	return NULL;
}

static uint64_t number_of(struct nlattr *attr)
{
	return nla_len(attr) == sizeof(uint64_t) ? nla_get_u64(attr) :
	       nla_len(attr) == sizeof(uint32_t) ? nla_get_u32(attr) : 0;
}

static struct json_object *guid_json(uint64_t guid)
{
	char text[24];

	snprintf(text, sizeof(text), "%04x:%04x:%04x:%04x",
		 (unsigned int)(guid >> 48), (unsigned int)(guid >> 32) & 0xffff,
		 (unsigned int)(guid >> 16) & 0xffff,
		 (unsigned int)guid & 0xffff);
	return json_object_new_string(text);
}

static struct json_object *named_json(const struct field *f, uint64_t number)
{
	if (number < f->count && f->names[number])
		return json_object_new_string(f->names[number]);
	return json_object_new_int64((int64_t)number);
}

static struct json_object *hex_json(uint64_t number)
{
	char text[24];

	snprintf(text, sizeof(text), "0x%" PRIx64, number);
	return json_object_new_string(text);
}

static struct json_object *string_json(struct nlattr *attr)
{
	const char *text = nla_data(attr);

	return json_object_new_string_len(text, (int)strnlen(text, (size_t)nla_len(attr)));
}

static void list_add(struct json_object *obj, const struct field *f,
		     struct nlattr *attr)
{
	struct json_object *list;

	if (!json_object_object_get_ex(obj, f->key, &list)) {
		list = json_object_new_array();
		json_object_object_add(obj, f->key, list);
	}
	json_object_array_add(list, fields_read(nla_data(attr), nla_len(attr),
						f->nested));
}

static struct json_object *value_json(const struct field *f,
				      struct nlattr *attr)
{
	switch (f->kind) {
	case FIELD_GUID:
		return guid_json(number_of(attr));
	case FIELD_HEX:
		return hex_json(number_of(attr));
	case FIELD_NAMED:
		return named_json(f, number_of(attr));
	case FIELD_STRING:
		return string_json(attr);
	default:
		return json_object_new_int64((int64_t)number_of(attr));
	}
}

struct json_object *fields_read(struct nlattr *first, int len,
				const struct field *fields)
{
	struct json_object *obj = json_object_new_object();
	struct nlattr *attr;
	int left;

	nla_for_each_attr(attr, first, len, left) {
		const struct field *f = find_field(fields, nla_type(attr));

		if (!f)
			continue;
		if (f->kind == FIELD_LIST)
			list_add(obj, f, attr);
		else
			json_object_object_add(obj, f->key,
					       value_json(f, attr));
	}
	return obj;
}

struct json_object *message_read(struct nlmsghdr *nlh,
				 const struct field *fields)
{
	struct genlmsghdr *gh = genlmsg_hdr(nlh);

	return fields_read(genlmsg_attrdata(gh, 0), genlmsg_attrlen(gh, 0),
			   fields);
}

uint8_t message_cmd(struct nlmsghdr *nlh)
{
	return genlmsg_hdr(nlh)->cmd;
}

const char *field_string(struct json_object *obj, const char *key)
{
	struct json_object *val;

	return json_object_object_get_ex(obj, key, &val) ?
	       json_object_get_string(val) : "";
}

int64_t field_number(struct json_object *obj, const char *key)
{
	struct json_object *val;

	return json_object_object_get_ex(obj, key, &val) ?
	       json_object_get_int64(val) : 0;
}
