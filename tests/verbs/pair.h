/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * Two queue pairs of one process, on two ports, connected to each other.
 */
#ifndef SOFTHCA_TESTS_PAIR_H
#define SOFTHCA_TESTS_PAIR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <infiniband/verbs.h>

#define PAIR_BUFFER	(4u << 20)
#define PAIR_DEPTH	256
#define PAIR_GUARD	64

struct end {
	struct ibv_context *ctx;
	struct ibv_pd *pd;
	struct ibv_cq *cq;
	struct ibv_qp *qp;
	struct ibv_mr *mr;
	uint8_t *buf;
	uint8_t port;
	uint16_t lid;
	int mtu;		/* bytes */
	enum ibv_mtu mtu_code;
};

struct pair_options {
	enum ibv_qp_type type;
	unsigned int access;	/* of the far queue pair */
	uint8_t retry, rnr_retry, timeout, min_rnr, reads;
};

struct pair {
	struct end near, far;
	struct pair_options opt;
};

extern const struct pair_options pair_defaults;

/* The devices, from the command line or the environment: near, far. 0 or -1
 * with the reason on standard error.
 */
int pair_open(struct pair *pair, const char *near_name, unsigned int near_port,
	      const char *far_name, unsigned int far_port);
void pair_close(struct pair *pair);
/* Fresh queue pairs, connected, and both buffers filled with the end's own
 * pattern. The receive queue is empty.
 */
int pair_connect(struct pair *pair, const struct pair_options *opt);
void pair_disconnect(struct pair *pair);

/* What byte @i of a pattern is. */
uint8_t pattern(unsigned int seed, size_t i);
void fill(uint8_t *p, size_t len, unsigned int seed);
/* The first byte that is not the pattern's, or -1. */
long first_wrong(const uint8_t *p, size_t len, unsigned int seed);

int post_recv(struct end *end, size_t off, uint32_t len, uint64_t id);
/* Posts a signalled request over one piece of the buffer. */
int post_send(struct end *end, struct ibv_send_wr *wr, size_t off,
	      uint32_t len, uint64_t id);
/* The next completion, within ten seconds (times SOFTHCA_TIMEOUT_SCALE). */
int wait_wc(struct end *end, struct ibv_wc *wc);
/* Its asynchronous event, acknowledged; -1 when none comes. */
int wait_event(struct end *end);
unsigned int scaled(unsigned int n);

#endif
