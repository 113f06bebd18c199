/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * The command line's words: keywords that may be shortened, and their values.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tool.h"

bool means(const char *word, const char *name)
{
	size_t len = strlen(word);

	return len && !strncmp(word, name, len);
}

const char *peek(const struct words *w)
{
	return w->left ? *w->next : NULL;
}

const char *take_any(struct words *w)
{
	if (!w->left)
		return NULL;
	w->left--;
	return *w->next++;
}

bool take(struct words *w, const char *name)
{
	if (!w->left || !means(*w->next, name))
		return false;
	take_any(w);
	return true;
}

bool take_value(struct words *w, const char *keyword, const char **value)
{
	*value = take_any(w);
	if (!*value)
		say_error("'%s' needs a value", keyword);
	return *value;
}

bool parse_u32(const char *text, uint32_t *value)
{
	unsigned long long n;
	char *end;

	errno = 0;
	n = strtoull(text, &end, 0);
	if (errno || end == text || *end || *text == '-' || n > UINT32_MAX)
		return false;
	*value = (uint32_t)n;
	return true;
}

bool take_u32(struct words *w, const char *keyword, uint32_t *value)
{
	const char *text;

	if (!take_value(w, keyword, &text))
		return false;
	if (!parse_u32(text, value)) {
		say_error("'%s' needs a number, not '%s'", keyword, text);
		return false;
	}
	return true;
}

/* A decimal number, times @scale, that ends where *end says. */
static bool parse_scaled(const char *text, uint32_t scale, const char **end,
			 uint64_t *value)
{
	uint64_t whole = 0, part = 0, unit = scale;
	const char *p = text;

	for (; *p >= '0' && *p <= '9' && whole < UINT32_MAX; p++)
		whole = whole * 10 + (uint64_t)(*p - '0');
	if (p == text)
		return false;
	if (*p == '.') {
		for (p++; *p >= '0' && *p <= '9'; p++) {
			unit /= 10;
			part += unit * (uint64_t)(*p - '0');
		}
	}
	*end = p;
	*value = whole * scale + part;
	return true;
}

bool parse_time_us(const char *text, uint32_t *us)
{
	static const struct { const char *name; uint32_t us; } units[] = {
		{ "us", 1 }, { "ms", 1000 }, { "s", 1000000 },
	};
	const char *end;
	uint64_t value;
	size_t i;

	if (!strcmp(text, "0")) {
		*us = 0;
		return true;
	}
	for (i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (!parse_scaled(text, units[i].us, &end, &value))
			return false;
		if (!strcmp(end, units[i].name) && value <= UINT32_MAX) {
			*us = (uint32_t)value;
			return true;
		}
	}
	return false;
}

bool parse_percent_ppm(const char *text, uint32_t *ppm)
{
	const char *end;
	uint64_t value;

	if (!parse_scaled(text, 10000, &end, &value) || value > 1000000 ||
	    (strcmp(end, "%") && (*end || value)))
		return false;
	*ppm = (uint32_t)value;
	return true;
}

/* 0002c90000ca0000, with 0x in front, or in groups with colons. */
bool parse_guid(const char *text, uint64_t *guid)
{
	unsigned int digits = 0;
	uint64_t val = 0;

	if (!strncmp(text, "0x", 2))
		text += 2;
	for (; *text; text++) {
		char c = *text;

		if (c == ':')
			continue;
		if (c >= '0' && c <= '9')
			c = (char)(c - '0');
		else if (c >= 'a' && c <= 'f')
			c = (char)(c - 'a' + 10);
		else if (c >= 'A' && c <= 'F')
			c = (char)(c - 'A' + 10);
		else
			return false;
		val = val << 4 | (uint64_t)c;
		digits++;
	}
	*guid = val;
	return digits && digits <= 16;
}

bool parse_port(const char *text, char *dev, size_t size, uint32_t *port)
{
	const char *slash = strchr(text, '/');
	size_t len = slash ? (size_t)(slash - text) : strlen(text);

	*port = 1;
	if (!len || len >= size || (slash && !parse_u32(slash + 1, port))) {
		say_error("'%s' is no port; write DEVICE/PORT, like hca0/1",
			  text);
		return false;
	}
	memcpy(dev, text, len);
	dev[len] = '\0';
	return true;
}

bool no_more(const struct words *w)
{
	if (w->left)
		say_error("'%s' is not expected here", *w->next);
	return !w->left;
}
