// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include "pump.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

void set_nonblock(int fd)
{
	int flags = fcntl(fd, F_GETFL);

	if (flags >= 0)
		fcntl(fd, F_SETFL, flags | O_NONBLOCK);
}

uint64_t now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000 + (uint64_t)ts.tv_nsec / 1000000;
}

void pump_init(struct pump *p, int in, int out, size_t chunk)
{
	memset(p, 0, offsetof(struct pump, buf));
	p->in = in;
	p->out = out;
	p->chunk = chunk;
	p->limit = UINT64_MAX;
}

static bool pump_wants_input(const struct pump *p)
{
	return p->in >= 0 && !p->eof && p->start == p->fill && p->received < p->limit;
}

void pump_prepare(const struct pump *p, struct pollfd pfd[2])
{
	pfd[0] = (struct pollfd){ .fd = pump_wants_input(p) ? p->in : -1, .events = POLLIN };
	pfd[1] = (struct pollfd){ .fd = p->start < p->fill ? p->out : -1, .events = POLLOUT };
}

static void pump_read(struct pump *p)
{
	size_t room = sizeof(p->buf);
	ssize_t n;

	if (p->limit - p->received < room)
		room = (size_t)(p->limit - p->received);
	n = read(p->in, p->buf, room);
	if (n > 0) {
		p->start = 0;
		p->fill = (size_t)n;
		p->received += (uint64_t)n;
	} else if (n == 0 || (errno != EAGAIN && errno != EINTR)) {
		/* A pty reports the end of its last user as EIO, a pipe and a socket as 0. */
		p->eof = true;
	}
}

static void pump_write(struct pump *p)
{
	size_t len = p->fill - p->start;
	ssize_t n;

	if (p->out < 0 || p->broken) {
		p->sent += len;
		p->start = p->fill;
		return;
	}
	if (len > p->chunk)
		len = p->chunk;
	n = write(p->out, p->buf + p->start, len);
	if (n > 0) {
		p->start += (size_t)n;
		p->sent += (uint64_t)n;
	} else if (n < 0 && errno != EAGAIN && errno != EINTR) {
		p->broken = true;
	}
}

void pump_run(struct pump *p, const struct pollfd pfd[2])
{
	if (pfd[0].revents && pump_wants_input(p))
		pump_read(p);
	if (p->start < p->fill && (pfd[1].revents || p->out < 0 || p->broken))
		pump_write(p);
}

bool pump_finished(const struct pump *p)
{
	return p->start == p->fill && (p->eof || p->in < 0);
}

void lines_fill(struct lines *l)
{
	ssize_t n;

	/* A line that does not fit is not of our protocol. */
	if (l->fill == sizeof(l->buf))
		l->fill = 0;
	n = read(l->fd, l->buf + l->fill, sizeof(l->buf) - l->fill);
	if (n > 0)
		l->fill += (size_t)n;
	else if (n == 0 || (errno != EAGAIN && errno != EINTR))
		l->eof = true;
}

bool lines_next(struct lines *l, char *line, size_t size)
{
	char *end = memchr(l->buf, '\n', l->fill);
	size_t len, take;

	if (!end)
		return false;
	len = (size_t)(end - l->buf);
	take = len < size ? len : size - 1;
	memcpy(line, l->buf, take);
	line[take] = 0;
	l->fill -= len + 1;
	memmove(l->buf, end + 1, l->fill);
	return true;
}

void lines_send(int fd, const char *fmt, ...)
{
	char line[2048];
	size_t done = 0, len;
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(line, sizeof(line) - 1, fmt, ap);
	va_end(ap);
	if (n < 0)
		return;
	len = (size_t)n < sizeof(line) - 1 ? (size_t)n : sizeof(line) - 2;
	line[len++] = '\n';
	while (done < len) {
		struct pollfd pfd = { .fd = fd, .events = POLLOUT };
		ssize_t w = write(fd, line + done, len - done);

		if (w > 0)
			done += (size_t)w;
		else if (w < 0 && errno == EAGAIN)
			poll(&pfd, 1, 1000);
		else if (w < 0 && errno != EINTR)
			return;
	}
}
