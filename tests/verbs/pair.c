// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Two connected queue pairs in one process.
 */
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "pair.h"

#define NEAR_PSN	0xfffff0	/* goes around soon */
#define FAR_PSN		0x123456
#define INLINE_MAX	128

const struct pair_options pair_defaults = {
	.type = IBV_QPT_RC,
	.access = IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ |
		  IBV_ACCESS_REMOTE_ATOMIC,
	.retry = 7, .rnr_retry = 7, .timeout = 14, .min_rnr = 1, .reads = 4,
};

static unsigned int number_from(const char *name)
{
	const char *text = getenv(name);
	int value = text ? atoi(text) : 1;

	return value > 0 ? (unsigned int)value : 1;
}

unsigned int scaled(unsigned int n)
{
	return n * number_from("SOFTHCA_SCALE");
}

static struct ibv_context *open_device(const char *name)
{
	struct ibv_device **list = ibv_get_device_list(NULL);
	struct ibv_context *ctx = NULL;
	unsigned int i;

	for (i = 0; list && list[i]; i++)
		if (!strcmp(ibv_get_device_name(list[i]), name))
			ctx = ibv_open_device(list[i]);
	if (list)
		ibv_free_device_list(list);
	if (!ctx)
		fprintf(stderr, "cannot open %s\n", name);
	return ctx;
}

static int end_open(struct end *end, const char *name, unsigned int port)
{
	int access = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE |
		     IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_ATOMIC;
	struct ibv_port_attr attr;
	int flags;

	end->port = (uint8_t)port;
	end->ctx = open_device(name);
	if (!end->ctx || ibv_query_port(end->ctx, end->port, &attr))
		return -1;
	if (attr.state != IBV_PORT_ACTIVE) {
		fprintf(stderr, "port %u of %s is not ACTIVE\n", port, name);
		return -1;
	}
	end->lid = attr.lid;
	end->mtu_code = attr.active_mtu;
	end->mtu = 128 << attr.active_mtu;
	end->buf = aligned_alloc(4096, PAIR_BUFFER);
	end->pd = ibv_alloc_pd(end->ctx);
	end->cq = ibv_create_cq(end->ctx, 2 * PAIR_DEPTH, NULL, NULL, 0);
	if (!end->buf || !end->pd || !end->cq)
		return -1;
	end->mr = ibv_reg_mr(end->pd, end->buf, PAIR_BUFFER, access);
	flags = fcntl(end->ctx->async_fd, F_GETFL);
	fcntl(end->ctx->async_fd, F_SETFL, flags | O_NONBLOCK);
	return end->mr ? 0 : -1;
}

static void end_close(struct end *end)
{
	if (end->mr)
		ibv_dereg_mr(end->mr);
	if (end->cq)
		ibv_destroy_cq(end->cq);
	if (end->pd)
		ibv_dealloc_pd(end->pd);
	if (end->ctx)
		ibv_close_device(end->ctx);
	free(end->buf);
}

int pair_open(struct pair *pair, const char *near_name, unsigned int near_port,
	      const char *far_name, unsigned int far_port)
{
	memset(pair, 0, sizeof(*pair));
	if (end_open(&pair->near, near_name, near_port))
		return -1;
	return end_open(&pair->far, far_name, far_port);
}

void pair_close(struct pair *pair)
{
	pair_disconnect(pair);
	end_close(&pair->near);
	end_close(&pair->far);
}

static int qp_create(struct end *end, enum ibv_qp_type type)
{
	struct ibv_qp_init_attr attr = {
		.send_cq = end->cq, .recv_cq = end->cq, .qp_type = type,
		.cap = { .max_send_wr = PAIR_DEPTH, .max_recv_wr = PAIR_DEPTH,
			 .max_send_sge = 4, .max_recv_sge = 4,
			 .max_inline_data = INLINE_MAX },
	};

	end->qp = ibv_create_qp(end->pd, &attr);
	return end->qp ? 0 : -1;
}

static int qp_init(struct end *end, unsigned int access)
{
	struct ibv_qp_attr attr = {
		.qp_state = IBV_QPS_INIT, .port_num = end->port,
		.qp_access_flags = access,
	};

	return ibv_modify_qp(end->qp, &attr, IBV_QP_STATE | IBV_QP_PKEY_INDEX |
			     IBV_QP_PORT | IBV_QP_ACCESS_FLAGS);
}

static int qp_rtr(struct end *end, const struct end *peer, uint32_t peer_psn,
		  const struct pair_options *opt)
{
	struct ibv_qp_attr attr = {
		.qp_state = IBV_QPS_RTR,
		.path_mtu = end->mtu_code < peer->mtu_code ? end->mtu_code :
							     peer->mtu_code,
		.dest_qp_num = peer->qp->qp_num, .rq_psn = peer_psn,
		.max_dest_rd_atomic = opt->reads,
		.min_rnr_timer = opt->min_rnr,
		.ah_attr = { .dlid = peer->lid, .port_num = end->port },
	};
	int mask = IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU |
		   IBV_QP_DEST_QPN | IBV_QP_RQ_PSN;

	if (opt->type == IBV_QPT_RC)
		mask |= IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER;
	return ibv_modify_qp(end->qp, &attr, mask);
}

static int qp_rts(struct end *end, uint32_t psn, const struct pair_options *opt)
{
	struct ibv_qp_attr attr = {
		.qp_state = IBV_QPS_RTS, .sq_psn = psn,
		.timeout = opt->timeout, .retry_cnt = opt->retry,
		.rnr_retry = opt->rnr_retry, .max_rd_atomic = opt->reads,
	};
	int mask = IBV_QP_STATE | IBV_QP_SQ_PSN;

	if (opt->type == IBV_QPT_RC)
		mask |= IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY |
			IBV_QP_MAX_QP_RD_ATOMIC;
	return ibv_modify_qp(end->qp, &attr, mask);
}

static unsigned int access_of(const struct pair_options *opt)
{
	return opt->type == IBV_QPT_RC ? opt->access :
	       opt->access & IBV_ACCESS_REMOTE_WRITE;
}

int pair_connect(struct pair *pair, const struct pair_options *opt)
{
	struct end *near = &pair->near, *far = &pair->far;

	pair->opt = *opt;
	if (qp_create(near, opt->type) || qp_create(far, opt->type) ||
	    qp_init(near, access_of(opt)) || qp_init(far, access_of(opt)) ||
	    qp_rtr(near, far, FAR_PSN, opt) || qp_rtr(far, near, NEAR_PSN, opt) ||
	    qp_rts(near, NEAR_PSN, opt) || qp_rts(far, FAR_PSN, opt))
		return -1;
	fill(near->buf, PAIR_BUFFER, 1);
	fill(far->buf, PAIR_BUFFER, 2);
	return 0;
}

static void end_disconnect(struct end *end)
{
	struct ibv_wc wc;

	if (!end->qp)
		return;
	while (ibv_poll_cq(end->cq, 1, &wc) > 0)
		;
	ibv_destroy_qp(end->qp);
	end->qp = NULL;
	while (ibv_poll_cq(end->cq, 1, &wc) > 0)
		;
}

void pair_disconnect(struct pair *pair)
{
	end_disconnect(&pair->near);
	end_disconnect(&pair->far);
}

uint8_t pattern(unsigned int seed, size_t i)
{
	return (uint8_t)(seed * 151 + i * 7 + (i >> 8) * 13 + (i >> 16) * 29);
}

void fill(uint8_t *p, size_t len, unsigned int seed)
{
	size_t i;

	for (i = 0; i < len; i++)
		p[i] = pattern(seed, i);
}

long first_wrong(const uint8_t *p, size_t len, unsigned int seed)
{
	size_t i;

	for (i = 0; i < len; i++)
		if (p[i] != pattern(seed, i))
			return (long)i;
	return -1;
}

int post_recv(struct end *end, size_t off, uint32_t len, uint64_t id)
{
	struct ibv_sge sge = { .addr = (uintptr_t)(end->buf + off),
			       .length = len, .lkey = end->mr->lkey };
	struct ibv_recv_wr wr = { .wr_id = id, .sg_list = &sge, .num_sge = 1 };
	struct ibv_recv_wr *bad;

	return ibv_post_recv(end->qp, &wr, &bad);
}

int post_send(struct end *end, struct ibv_send_wr *wr, size_t off, uint32_t len,
	      uint64_t id)
{
	struct ibv_sge sge = { .addr = (uintptr_t)(end->buf + off),
			       .length = len, .lkey = end->mr->lkey };
	struct ibv_send_wr *bad;

	wr->wr_id = id;
	wr->send_flags |= IBV_SEND_SIGNALED;
	if (!wr->sg_list && len) {
		wr->sg_list = &sge;
		wr->num_sge = 1;
	}
	return ibv_post_send(end->qp, wr, &bad);
}

static long ms_since(const struct timespec *since)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (now.tv_sec - since->tv_sec) * 1000 +
	       (now.tv_nsec - since->tv_nsec) / 1000000;
}

int wait_wc(struct end *end, struct ibv_wc *wc)
{
	long limit = 10000L * number_from("SOFTHCA_TIMEOUT_SCALE");
	struct timespec start;
	int n;

	clock_gettime(CLOCK_MONOTONIC, &start);
	for (;;) {
		n = ibv_poll_cq(end->cq, 1, wc);
		if (n > 0)
			return 0;
		if (n < 0 || ms_since(&start) > limit)
			return -1;
		/* The device wants a processor too. */
		usleep(100);
	}
}

/* News of the port, which a subnet manager that starts may bring at any time. */
static bool is_port_event(enum ibv_event_type type)
{
	switch (type) {
	case IBV_EVENT_PORT_ACTIVE:
	case IBV_EVENT_PORT_ERR:
	case IBV_EVENT_LID_CHANGE:
	case IBV_EVENT_PKEY_CHANGE:
	case IBV_EVENT_SM_CHANGE:
	case IBV_EVENT_CLIENT_REREGISTER:
	case IBV_EVENT_GID_CHANGE:
		return true;
	default:
		return false;
	}
}

int wait_event(struct end *end)
{
	struct pollfd pfd = { .fd = end->ctx->async_fd, .events = POLLIN };
	struct ibv_async_event event;

	do {
		if (poll(&pfd, 1, 5000) != 1 ||
		    ibv_get_async_event(end->ctx, &event))
			return -1;
		ibv_ack_async_event(&event);
	} while (is_port_event(event.event_type));
	return (int)event.event_type;
}
