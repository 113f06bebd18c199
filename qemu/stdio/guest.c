// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The guest's end of qemu/vm: runs the command and carries its standard streams to the host, each over a virtio-serial
 * port of its own, and tells the host over a fourth port, in lines of text, how it went.
 *
 *   guest run RESULT ARGV ENV DIR [tty]   run the command of the NUL-separated file ARGV with the environment of the
 *                                         file ENV in DIR; write "STATUS OUT ERR" to RESULT, the byte counts being what
 *                                         the host has to see before it has seen everything
 *   guest say LINE                        send LINE to the host and wait until the host says that it is done with us
 *
 * The command gets pipes, not the ports: a port can be opened only once, so "echo >/dev/stderr" would fail on it.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pump.h"

#define CONNECT_MS	10000
#define BYE_MS		30000
#define TERM_MS		2000	/* for what the command left behind to end on SIGTERM */
#define KILL_MS		5000	/* for the rest to end on SIGKILL; what sits in the kernel does not */

static char **read_list(const char *path)
{
	size_t len = 0, n = 0, i;
	char *text, **list;
	struct stat st;
	FILE *f;

	f = fopen(path, "re");
	if (!f || fstat(fileno(f), &st) < 0) {
		perror(path);
		exit(125);
	}
	text = calloc(1, (size_t)st.st_size + 1);
	if (text)
		len = fread(text, 1, (size_t)st.st_size, f);
	fclose(f);
	list = text ? calloc(len + 2, sizeof(*list)) : NULL;
	if (!list) {
		fprintf(stderr, "no memory for %s\n", path);
		exit(125);
	}
	for (i = 0; i < len; i += strlen(text + i) + 1)
		list[n++] = text + i;
	return list;
}

/* Ports are numbered in an order that depends on the other devices; their names are fixed. */
static int open_port(const char *name)
{
	char path[128], got[64];
	struct pollfd pfd;
	int dev, nr, fd;
	FILE *f;

	for (dev = 0; dev < 32; dev++) {
		for (nr = 0; nr < 8; nr++) {
			snprintf(path, sizeof(path), "/sys/class/virtio-ports/vport%dp%d/name", dev, nr);
			f = fopen(path, "re");
			if (!f)
				continue;
			if (!fgets(got, sizeof(got), f))
				got[0] = 0;
			fclose(f);
			got[strcspn(got, "\n")] = 0;
			if (strcmp(got, name))
				continue;
			snprintf(path, sizeof(path), "/dev/vport%dp%d", dev, nr);
			fd = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
			if (fd < 0) {
				perror(path);
				exit(125);
			}
			/* Until the kernel has heard that the host is there, reads say "end of file". */
			pfd = (struct pollfd){ .fd = fd };
			for (nr = 0; nr < CONNECT_MS / 10; nr++) {
				if (poll(&pfd, 1, 0) == 0)
					return fd;
				usleep(10000);
			}
			fprintf(stderr, "port %s: the host does not answer\n", name);
			exit(125);
		}
	}
	fprintf(stderr, "no virtio port named %s\n", name);
	exit(125);
}

struct session {
	struct pump in, out, err;
	struct lines ctl;
	pid_t pid;
	int tty;		/* pty master, -1 without a terminal */
	bool tty_mode;
	int wstatus;
	bool exited;
	uint64_t exited_at;
	bool killed;
};

static void child_exec(char **argv, char **env, const char *dir)
{
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	if (chdir(dir) < 0) {
		fprintf(stderr, "qemu/vm: the guest cannot enter %s: %s\n", dir, strerror(errno));
		_exit(125);
	}
	clearenv();
	for (; *env; env++)
		putenv(*env);
	execvp(argv[0], argv);
	fprintf(stderr, "qemu/vm: cannot run %s in the guest: %s\n", argv[0], strerror(errno));
	_exit(errno == ENOENT ? 127 : 126);
}

static void make_pipe(int p[2])
{
	if (pipe2(p, O_CLOEXEC) < 0) {
		perror("pipe");
		exit(125);
	}
}

static void start_pipes(struct session *s, char **argv, char **env, const char *dir)
{
	int in[2], out[2], err[2];

	make_pipe(in);
	make_pipe(out);
	make_pipe(err);
	s->pid = fork();
	if (s->pid == 0) {
		setsid();
		dup2(in[0], 0);
		dup2(out[1], 1);
		dup2(err[1], 2);
		child_exec(argv, env, dir);
	}
	close(in[0]);
	close(out[1]);
	close(err[1]);
	set_nonblock(in[1]);
	set_nonblock(out[0]);
	set_nonblock(err[0]);
	pump_init(&s->in, open_port("stdin"), in[1], sizeof(s->in.buf));
	pump_init(&s->out, out[0], open_port("stdout"), 32768);
	pump_init(&s->err, err[0], open_port("stderr"), 32768);
}

static void start_tty(struct session *s, char **argv, char **env, const char *dir)
{
	s->pid = forkpty(&s->tty, NULL, NULL, NULL);
	if (s->pid == 0)
		child_exec(argv, env, dir);
	fcntl(s->tty, F_SETFD, FD_CLOEXEC);
	set_nonblock(s->tty);
	pump_init(&s->in, open_port("stdin"), s->tty, sizeof(s->in.buf));
	pump_init(&s->out, s->tty, open_port("stdout"), 32768);
	pump_init(&s->err, -1, -1, 32768);
}

/* What the host has to say while the command runs. */
static void host_line(struct session *s, const char *line)
{
	struct winsize ws = { 0 };
	uint64_t n;
	int nr;

	if (sscanf(line, "eof %" SCNu64, &n) == 1) {
		s->in.limit = n;
	} else if (sscanf(line, "winsize %hu %hu", &ws.ws_row, &ws.ws_col) == 2) {
		if (s->tty >= 0)
			ioctl(s->tty, TIOCSWINSZ, &ws);
	} else if (sscanf(line, "shut %d", &nr) == 1) {
		/* Nobody reads this stream any more: let the writer get its SIGPIPE. */
		struct pump *p = nr == 1 ? &s->out : &s->err;

		if (!s->tty_mode && p->in >= 0) {
			close(p->in);
			p->in = -1;
			p->start = p->fill;
		}
	}
}

static void close_stdin_when_done(struct session *s)
{
	bool all = s->in.received >= s->in.limit && s->in.start == s->in.fill;
	static const char ctrl_d = 4;

	if (s->in.in < 0 || !(all || s->in.broken))
		return;
	s->in.in = -1;
	if (!s->tty_mode)
		close(s->in.out);
	else if (all && write(s->in.out, &ctrl_d, 1) < 0)
		s->in.broken = true;
}

/* The command is over: so is everything that it left running, or the streams would never end. */
static void end_leftovers(struct session *s)
{
	uint64_t since = now_ms() - s->exited_at;

	if (since > TERM_MS && !s->killed) {
		s->killed = true;
		kill(-1, SIGKILL);
	}
	if (since > TERM_MS + KILL_MS) {
		s->out.eof = true;
		s->err.eof = true;
	}
}

static void reap(struct session *s)
{
	int wstatus;
	pid_t pid;

	while ((pid = waitpid(-1, &wstatus, WNOHANG)) > 0) {
		if (pid != s->pid)
			continue;
		s->exited = true;
		s->exited_at = now_ms();
		s->wstatus = wstatus;
		/* Everything but init and ourselves. */
		kill(-1, SIGTERM);
		kill(-1, SIGCONT);
	}
}

static void run_loop(struct session *s)
{
	struct pollfd pfd[7];
	char line[256];

	while (!s->exited || !pump_finished(&s->out) || !pump_finished(&s->err)) {
		pump_prepare(&s->in, &pfd[0]);
		pump_prepare(&s->out, &pfd[2]);
		pump_prepare(&s->err, &pfd[4]);
		pfd[6] = (struct pollfd){ .fd = s->ctl.eof ? -1 : s->ctl.fd, .events = POLLIN };
		/* SIGCHLD interrupts; the limit covers one that came just before. */
		poll(pfd, 7, s->exited ? 50 : 250);
		if (pfd[6].revents)
			lines_fill(&s->ctl);
		while (lines_next(&s->ctl, line, sizeof(line)))
			host_line(s, line);
		pump_run(&s->in, &pfd[0]);
		pump_run(&s->out, &pfd[2]);
		pump_run(&s->err, &pfd[4]);
		close_stdin_when_done(s);
		reap(s);
		if (s->exited)
			end_leftovers(s);
	}
}

static void on_child(int sig)
{
	(void)sig;
}

static int run(char **args, bool tty)
{
	struct sigaction sa = { .sa_handler = on_child };
	static struct session s;
	char **argv, **env;
	FILE *f;

	argv = read_list(args[1]);
	env = read_list(args[2]);
	s.tty = -1;
	s.tty_mode = tty;
	signal(SIGPIPE, SIG_IGN);
	sigaction(SIGCHLD, &sa, NULL);
	s.ctl.fd = open_port("status");
	if (tty)
		start_tty(&s, argv, env, args[3]);
	else
		start_pipes(&s, argv, env, args[3]);
	if (s.pid < 0) {
		perror("fork");
		return 125;
	}
	lines_send(s.ctl.fd, "ready");
	run_loop(&s);

	f = fopen(args[0], "we");
	if (!f) {
		perror(args[0]);
		return 125;
	}
	fprintf(f, "%d %" PRIu64 " %" PRIu64 "\n",
		WIFSIGNALED(s.wstatus) ? 128 + WTERMSIG(s.wstatus) : WEXITSTATUS(s.wstatus), s.out.sent, s.err.sent);
	return fclose(f) ? 125 : 0;
}

static int say(const char *text)
{
	struct lines ctl = { .fd = open_port("status") };
	uint64_t end = now_ms() + BYE_MS;
	char line[256];

	lines_send(ctl.fd, "%s", text);
	while (now_ms() < end && !ctl.eof) {
		struct pollfd pfd = { .fd = ctl.fd, .events = POLLIN };

		if (poll(&pfd, 1, 1000) > 0)
			lines_fill(&ctl);
		while (lines_next(&ctl, line, sizeof(line)))
			if (!strcmp(line, "bye"))
				return 0;
	}
	return 1;
}

int main(int argc, char **argv)
{
	if (argc >= 6 && !strcmp(argv[1], "run"))
		return run(argv + 2, argc > 6 && !strcmp(argv[6], "tty"));
	if (argc == 3 && !strcmp(argv[1], "say"))
		return say(argv[2]);
	fprintf(stderr, "usage: guest run RESULT ARGV ENV DIR [tty] | guest say LINE\n");
	return 125;
}
