/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * softhca: control of software HCAs, in iproute2's grammar.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "tool.h"

struct options opt = { .timeout_s = 120 };

static const char help[] =
"Usage: softhca [OPTIONS] OBJECT [COMMAND ...]\n"
"\n"
"  dev     add [NAME] [profile PROFILE] [ports N] [guid GUID] [cmd-slots N]\n"
"          del NAME [surprise]\n"
"          show [NAME]\n"
"  link    show [DEV[/PORT]]\n"
"          set DEV[/PORT] up|down\n"
"  fault   add DEV command [opcode OPCODE]\n"
"              status STATUS [syndrome N] | delay MS | never\n"
"              [after N] [count N]\n"
"          show [DEV]\n"
"          flush [DEV]\n"
"          del ID\n"
"  stat    show [DEV]\n"
"  event   raise DEV[/PORT] type TYPE [sub-type TYPE] [timeout MS]\n"
"  monitor\n"
"\n"
"  -j, --json         JSON\n"
"  -p, --pretty       JSON for people\n"
"  -v, --verbose      'add' and 'del' say what they did\n"
"  -t, --timeout S    how long 'add' and 'del' wait for the end, and 'monitor'\n"
"                     for anything (120; monitor: no end)\n"
"  -n, --no-wait      'add' and 'del' only ask, and do not wait\n"
"  -V, --version\n"
"  -h, --help\n"
"\n"
"Keywords may be shortened. 'softhca OBJECT help' says more.\n"
"Exit status: 0 done, 1 refused (the kernel's words say why), 2 usage.\n";

static int cmd_help(struct words *w)
{
	(void)w;
	fputs(help, stdout);
	return DONE;
}

static const struct command objects[] = {
	{ "dev", cmd_dev },
	{ "link", cmd_link },
	{ "fault", cmd_fault },
	{ "stat", cmd_stat },
	{ "event", cmd_event },
	{ "monitor", cmd_monitor },
	{ "help", cmd_help },
	{ NULL, NULL },
};

static const struct command *find_command(const struct command *c,
					  const char *word)
{
	for (; c->name; c++)
		if (means(word, c->name))
			return c;
	return NULL;
}

int run_command(const struct command *commands, struct words *w,
		const char *otherwise, const char *text)
{
	const char *word = take_any(w);
	const struct command *c;

	if (!word)
		word = otherwise;
	c = find_command(commands, word);
	if (c)
		return c->run(w);
	if (means(word, "help")) {
		fputs(text, stdout);
		return DONE;
	}
	say_error("'%s' is unknown here\n%s", word, text);
	return USAGE;
}

static const struct option long_options[] = {
	{ "json", no_argument, NULL, 'j' },
	{ "pretty", no_argument, NULL, 'p' },
	{ "verbose", no_argument, NULL, 'v' },
	{ "timeout", required_argument, NULL, 't' },
	{ "no-wait", no_argument, NULL, 'n' },
	{ "version", no_argument, NULL, 'V' },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 },
};

static bool parse_timeout(const char *text)
{
	uint32_t seconds;

	if (!parse_u32(text, &seconds) || !seconds || seconds > 86400) {
		say_error("a time limit is 1 to 86400 seconds, not '%s'", text);
		return false;
	}
	opt.timeout_s = seconds;
	opt.timeout_given = true;
	return true;
}

/* -1: go on. */
static int parse_option(int c)
{
	switch (c) {
	case 'p':
		opt.pretty = true;
		opt.json = true;
		return -1;
	case 'j':
		opt.json = true;
		return -1;
	case 'v':
		opt.verbose = true;
		return -1;
	case 'n':
		opt.no_wait = true;
		return -1;
	case 't':
		return parse_timeout(optarg) ? -1 : USAGE;
	case 'V':
		puts("softhca " SOFTHCA_VERSION);
		return DONE;
	case 'h':
		return cmd_help(NULL);
	default:
		fputs("softhca: 'softhca --help' lists the options\n", stderr);
		return USAGE;
	}
}

int main(int argc, char **argv)
{
	struct words w;
	int c, ret;

	/* Options come first; a word that follows may begin with a '-'. */
	while ((c = getopt_long(argc, argv, "+jpvnt:Vh", long_options,
				NULL)) != -1) {
		ret = parse_option(c);
		if (ret >= 0)
			return ret;
	}
	w.left = argc - optind;
	w.next = argv + optind;
	if (!w.left) {
		fputs(help, stderr);
		return USAGE;
	}
	ret = run_command(objects, &w, "help", help);
	if (fflush(stdout) || ferror(stdout)) {
		say_error("cannot write the output");
		return REFUSED;
	}
	return ret;
}
