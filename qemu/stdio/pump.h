/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * Moves bytes between two file descriptors without ever blocking, so that one stream that nobody reads does not hold up
 * the others. Both ends of qemu/vm (host and guest) are built on it.
 */
#ifndef SOFTHCA_QEMU_PUMP_H
#define SOFTHCA_QEMU_PUMP_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pump {
	int in;			/* -1: not reading */
	int out;		/* -1: what comes in is dropped */
	size_t chunk;		/* most bytes for one write: PIPE_BUF when @out may block */
	size_t start, fill;	/* valid bytes are buf[start..fill) */
	uint64_t received;	/* bytes read from @in */
	uint64_t sent;		/* bytes written to @out, or dropped */
	uint64_t limit;		/* stop reading after so many bytes */
	bool eof;		/* @in has ended */
	bool broken;		/* @out does not take any more */
	char buf[65536];
};

/* One bidirectional channel of text lines. */
struct lines {
	int fd;
	size_t fill;
	bool eof;
	char buf[4096];
};

void pump_init(struct pump *p, int in, int out, size_t chunk);

/* Fill two pollfds; an end that has nothing to do gets fd -1. */
void pump_prepare(const struct pump *p, struct pollfd pfd[2]);
void pump_run(struct pump *p, const struct pollfd pfd[2]);

/* Nothing is left to write and no more will come. */
bool pump_finished(const struct pump *p);

/* Take one line off the channel; false when no complete line has arrived. */
bool lines_next(struct lines *l, char *line, size_t size);
void lines_fill(struct lines *l);
void lines_send(int fd, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

void set_nonblock(int fd);
uint64_t now_ms(void);

#endif
