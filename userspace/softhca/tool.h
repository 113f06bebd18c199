/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * softhca: what the parts of the tool share.
 */
#ifndef TOOL_H
#define TOOL_H

#include <json-c/json.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <netlink/msg.h>

#include "ctl/softhca.h"

enum exit_code {
	DONE = 0,
	REFUSED = 1,	/* the kernel said no, or it did not happen in time */
	USAGE = 2,
};

struct options {
	bool json;
	bool pretty;
	bool verbose;
	bool no_wait;
	unsigned int timeout_s;
	bool timeout_given;
};

extern struct options opt;

/* The words after the options. Each command takes what it knows. */
struct words {
	int left;
	char **next;
};

struct command {
	const char *name;
	int (*run)(struct words *w);
};

/* main.c */
int run_command(const struct command *commands, struct words *w,
		const char *otherwise, const char *help);

/* words.c */
/* Is @word the name, or the beginning of it? */
bool means(const char *word, const char *name);
/* The next word if it means @name; it is taken then. */
bool take(struct words *w, const char *name);
const char *take_any(struct words *w);
const char *peek(const struct words *w);
/* The value behind a keyword. False after a message. */
bool take_value(struct words *w, const char *keyword, const char **value);
bool take_u32(struct words *w, const char *keyword, uint32_t *value);
bool parse_u32(const char *text, uint32_t *value);
/* 150us, 20ms, 1s; 0 needs no unit. In microseconds. */
bool parse_time_us(const char *text, uint32_t *us);
/* 0.5%, or 0. In millionths; at most 100%. */
bool parse_percent_ppm(const char *text, uint32_t *ppm);
bool parse_guid(const char *text, uint64_t *guid);
/* DEV/PORT, or DEV for its first port. */
bool parse_port(const char *text, char *dev, size_t size, uint32_t *port);
/* True when nothing is left; else a message. */
bool no_more(const struct words *w);

/* say.c */
__attribute__((format(printf, 1, 2)))
void say_error(const char *fmt, ...);

/* nl.c */
struct nl_sock;

/* Called for each message of an answer. */
typedef void (*on_message)(struct nlmsghdr *nlh, void *arg);

/* A message after which the tool ends: no module, no memory. */
int nl_start(void);
struct nl_msg *nl_new(uint8_t cmd, int flags);
/* Sends, frees and waits for the end of the answer. DONE, or REFUSED after the
 * kernel's words on standard error.
 */
int nl_call(struct nl_msg *msg, on_message fn, void *arg);
/* A socket of its own that hears the notifications. */
struct nl_sock *nl_listen(void);
/* The next notifications, until @deadline_ms on nl_now_ms() (negative: no
 * end). 1: heard something, 0: time is up, -1: some were lost, -2: an error,
 * told.
 */
int nl_hear(struct nl_sock *sk, int64_t deadline_ms, on_message fn, void *arg);
int64_t nl_now_ms(void);

/* fields.c: from attributes to JSON, by table */
enum field_kind {
	FIELD_U32,
	FIELD_U64,
	FIELD_HEX,
	FIELD_GUID,
	FIELD_STRING,
	FIELD_NAMED,	/* a number that has a name */
	FIELD_LIST,	/* nested, any number of times */
};

struct field {
	int attr;
	const char *key;
	enum field_kind kind;
	const char *const *names;	/* FIELD_NAMED, NULL where none */
	unsigned int count;		/* of names */
	const struct field *nested;	/* FIELD_LIST */
};

struct json_object *fields_read(struct nlattr *first, int len,
				const struct field *fields);
struct json_object *message_read(struct nlmsghdr *nlh,
				 const struct field *fields);
uint8_t message_cmd(struct nlmsghdr *nlh);
const char *field_string(struct json_object *obj, const char *key);
int64_t field_number(struct json_object *obj, const char *key);

/* out.c */
/* @head: the key whose value heads the line. */
void show_list(struct json_object *list, const char *head);
void show_one(struct json_object *obj, const char *head);

/* dump.c */
/* Shows the dump of @cmd, or of it what is the device's that the next word
 * names. A named device without anything is an error if each has something.
 */
int show_of_device(struct words *w, uint8_t cmd, const struct field *fields,
		   const char *head, bool every_device_has_one);

/* sysfs.c: which driver and RDMA device sit on the function */
void sysfs_add(struct json_object *fn);

/* dev.c, link.c ... */
extern const struct field dev_fields[], link_fields[];
void link_label(struct json_object *link);
int cmd_dev(struct words *w);
int cmd_link(struct words *w);
int cmd_fault(struct words *w);
int cmd_stat(struct words *w);
int cmd_event(struct words *w);
int cmd_monitor(struct words *w);

#endif
