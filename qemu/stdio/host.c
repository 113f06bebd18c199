// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The host's end of qemu/vm: starts QEMU, carries the command's standard streams, enforces the time limit, and reports
 * in one line how it ended. It ends QEMU and nothing else.
 *
 *   host --report FILE [--timeout S] [--tty] -- QEMU ARG...
 *
 * QEMU inherits one end of a socket pair for each channel, at fixed descriptors that its chardevs name:
 * 10 status, 11 stdin, 12 stdout, 13 stderr, 14 monitor.
 *
 * Reports: "exit STATUS NOTES...", "fail REASON", "timeout", "interrupted", "gone CODE" (QEMU ended without a word).
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "pump.h"

#define FIRST_FD	10
#define NMI_MS		8000	/* for the guest to print its stacks and end itself */
#define OFF_MS		20000	/* for the guest to power off after its last word */
#define DRAIN_MS	2000	/* for output that QEMU had passed on before it ended */

enum { STATUS, STDIN, STDOUT, STDERR, MONITOR, CHANNELS };

static volatile sig_atomic_t got_signal, got_winch;

struct run {
	int fd[CHANNELS];
	struct pump in, out, err;
	struct lines ctl;
	pid_t qemu;
	int qemu_status;
	bool qemu_gone, ready, tty, eof_told, shut_out, shut_err, bye_said, nmi_sent, killed;
	uint64_t want_out, want_err, deadline, gone_at;
	char verdict[1024];
	struct termios saved;
};

static void on_signal(int sig)
{
	got_signal = sig;
}

static void on_winch(int sig)
{
	(void)sig;
	got_winch = 1;
}

static void on_child(int sig)
{
	(void)sig;
}

static void start_qemu(struct run *r, char **argv)
{
	int pair[CHANNELS][2], i;
	pid_t parent = getpid();

	for (i = 0; i < CHANNELS; i++) {
		if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair[i]) < 0) {
			perror("socketpair");
			exit(125);
		}
		/* Out of the way of the numbers that QEMU gets. */
		r->fd[i] = fcntl(pair[i][0], F_DUPFD_CLOEXEC, 64);
		close(pair[i][0]);
		set_nonblock(r->fd[i]);
	}
	r->qemu = fork();
	if (r->qemu < 0) {
		perror("fork");
		exit(125);
	}
	if (r->qemu == 0) {
		int null = open("/dev/null", O_RDWR | O_CLOEXEC);
		int high[CHANNELS];

		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != parent)
			_exit(125);
		/* A Ctrl-C of the terminal is for us; we end QEMU in good order. */
		setsid();
		signal(SIGPIPE, SIG_DFL);
		for (i = 0; i < CHANNELS; i++)
			high[i] = fcntl(pair[i][1], F_DUPFD_CLOEXEC, 128);
		dup2(null, 0);
		/* Whoever called us closed descriptor 3 for its own use: the log of QEMU itself. */
		dup2(3, 1);
		dup2(3, 2);
		for (i = 0; i < CHANNELS; i++)
			dup2(high[i], FIRST_FD + i);
		execvp(argv[0], argv);
		fprintf(stderr, "cannot run %s: %s\n", argv[0], strerror(errno));
		_exit(127);
	}
	for (i = 0; i < CHANNELS; i++)
		close(pair[i][1]);
}

static void verdict(struct run *r, const char *text)
{
	if (!r->verdict[0])
		snprintf(r->verdict, sizeof(r->verdict), "%s", text);
}

static void tell_winsize(struct run *r)
{
	struct winsize ws;

	if (r->tty && r->ready && ioctl(0, TIOCGWINSZ, &ws) == 0)
		lines_send(r->fd[STATUS], "winsize %hu %hu", ws.ws_row, ws.ws_col);
}

static void guest_line(struct run *r, const char *line)
{
	char notes[512] = "";
	int status;

	if (!strcmp(line, "ready")) {
		r->ready = true;
		tell_winsize(r);
	} else if (sscanf(line, "done %d %" SCNu64 " %" SCNu64 " %511[^\n]", &status, &r->want_out, &r->want_err,
			  notes) >= 3) {
		snprintf(r->verdict, sizeof(r->verdict), "exit %d %s", status, notes);
	} else if (!strncmp(line, "fail ", 5)) {
		verdict(r, line);
		r->want_out = 0;
		r->want_err = 0;
	}
}

/* The guest may power off once all of its output has passed through our hands. */
static void say_bye(struct run *r)
{
	bool out = r->out.sent >= r->want_out || r->out.broken;
	bool err = r->err.sent >= r->want_err || r->err.broken;

	if (r->bye_said || !r->verdict[0] || !out || !err)
		return;
	r->bye_said = true;
	lines_send(r->fd[STATUS], "bye");
	r->deadline = now_ms() + OFF_MS;
}

static void tell_guest(struct run *r)
{
	if (r->ready && r->in.eof && r->in.start == r->in.fill && !r->eof_told) {
		r->eof_told = true;
		lines_send(r->fd[STATUS], "eof %" PRIu64, r->in.sent);
	}
	if (r->ready && r->out.broken && !r->shut_out) {
		r->shut_out = true;
		lines_send(r->fd[STATUS], "shut 1");
	}
	if (r->ready && r->err.broken && !r->shut_err) {
		r->shut_err = true;
		lines_send(r->fd[STATUS], "shut 2");
	}
	if (got_winch) {
		got_winch = 0;
		tell_winsize(r);
	}
}

static void end_qemu(struct run *r)
{
	if (!r->qemu_gone && !r->killed)
		kill(r->qemu, SIGKILL);
	r->killed = true;
}

/* Time is up: have the guest print where its CPUs are, then end it. */
static void check_deadline(struct run *r)
{
	if (got_signal) {
		verdict(r, "interrupted");
		end_qemu(r);
	}
	if (!r->deadline || now_ms() < r->deadline)
		return;
	if (r->bye_said || r->nmi_sent) {
		end_qemu(r);
		return;
	}
	verdict(r, "timeout");
	r->nmi_sent = true;
	lines_send(r->fd[MONITOR], "nmi");
	r->deadline = now_ms() + NMI_MS;
}

static void reap(struct run *r)
{
	if (!r->qemu_gone && waitpid(r->qemu, &r->qemu_status, WNOHANG) == r->qemu) {
		r->qemu_gone = true;
		r->gone_at = now_ms();
	}
}

static bool finished(const struct run *r)
{
	if (!r->qemu_gone)
		return false;
	return (pump_finished(&r->out) && pump_finished(&r->err)) || now_ms() > r->gone_at + DRAIN_MS;
}

static void drain_monitor(struct run *r)
{
	char buf[512];

	while (read(r->fd[MONITOR], buf, sizeof(buf)) > 0)
		;
}

static void loop(struct run *r)
{
	struct pollfd pfd[8];
	char line[1024];

	while (!finished(r)) {
		pump_prepare(&r->in, &pfd[0]);
		if (!r->ready)
			pfd[0].fd = -1;
		pump_prepare(&r->out, &pfd[2]);
		pump_prepare(&r->err, &pfd[4]);
		pfd[6] = (struct pollfd){ .fd = r->ctl.eof ? -1 : r->fd[STATUS], .events = POLLIN };
		pfd[7] = (struct pollfd){ .fd = r->qemu_gone ? -1 : r->fd[MONITOR], .events = POLLIN };
		poll(pfd, 8, 200);
		if (pfd[6].revents)
			lines_fill(&r->ctl);
		if (pfd[7].revents)
			drain_monitor(r);
		while (lines_next(&r->ctl, line, sizeof(line)))
			guest_line(r, line);
		if (pfd[0].fd >= 0 || pfd[1].fd >= 0)
			pump_run(&r->in, &pfd[0]);
		pump_run(&r->out, &pfd[2]);
		pump_run(&r->err, &pfd[4]);
		tell_guest(r);
		say_bye(r);
		check_deadline(r);
		reap(r);
	}
}

static void raw_terminal(struct run *r)
{
	struct termios t;

	if (tcgetattr(0, &r->saved) < 0) {
		r->tty = false;
		return;
	}
	t = r->saved;
	cfmakeraw(&t);
	tcsetattr(0, TCSADRAIN, &t);
}

/* Reading a terminal that belongs to another job would stop us; then there is no input. */
static bool may_read_stdin(void)
{
	return !isatty(0) || tcgetpgrp(0) == getpgrp();
}

static void set_signals(void)
{
	struct sigaction sa = { .sa_handler = on_signal };

	sigaction(SIGINT, &sa, NULL);
	sigaction(SIGTERM, &sa, NULL);
	sigaction(SIGHUP, &sa, NULL);
	sa.sa_handler = on_winch;
	sigaction(SIGWINCH, &sa, NULL);
	sa.sa_handler = on_child;
	sigaction(SIGCHLD, &sa, NULL);
	signal(SIGPIPE, SIG_IGN);
}

static int report(struct run *r, const char *path)
{
	FILE *f = fopen(path, "we");

	if (!f) {
		perror(path);
		return 125;
	}
	if (r->verdict[0])
		fprintf(f, "%s\n", r->verdict);
	else
		fprintf(f, "gone %d\n", WIFEXITED(r->qemu_status) ? WEXITSTATUS(r->qemu_status) :
			128 + WTERMSIG(r->qemu_status));
	return fclose(f) ? 125 : 0;
}

int main(int argc, char **argv)
{
	const char *path = NULL;
	static struct run r;
	long timeout = 0;
	int i;

	for (i = 1; i < argc && strcmp(argv[i], "--"); i++) {
		if (!strcmp(argv[i], "--report") && i + 1 < argc)
			path = argv[++i];
		else if (!strcmp(argv[i], "--timeout") && i + 1 < argc)
			timeout = strtol(argv[++i], NULL, 10);
		else if (!strcmp(argv[i], "--tty"))
			r.tty = true;
	}
	if (!path || i + 1 >= argc) {
		fprintf(stderr, "usage: host --report FILE [--timeout S] [--tty] -- QEMU ARG...\n");
		return 125;
	}
	set_signals();
	/* When the script that called us is killed, nobody would ever end QEMU. */
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	start_qemu(&r, argv + i + 1);
	r.ctl.fd = r.fd[STATUS];
	r.deadline = timeout > 0 ? now_ms() + (uint64_t)timeout * 1000 : 0;
	/* What the caller has as output may block and is not ours to change: small writes, each after a poll. */
	pump_init(&r.in, may_read_stdin() ? 0 : -1, r.fd[STDIN], sizeof(r.in.buf));
	pump_init(&r.out, r.fd[STDOUT], 1, PIPE_BUF);
	pump_init(&r.err, r.fd[STDERR], 2, PIPE_BUF);
	r.in.eof = r.in.in < 0;
	if (r.tty)
		raw_terminal(&r);
	loop(&r);
	if (r.tty)
		tcsetattr(0, TCSADRAIN, &r.saved);
	return report(&r, path);
}
