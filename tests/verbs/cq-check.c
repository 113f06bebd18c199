// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Completion queues: resized while completions wait in them and arrive, and
 * events that wait for a count or a time.
 *
 * usage: cq-check NEAR-DEVICE NEAR-PORT FAR-DEVICE FAR-PORT
 */
#include <errno.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "pair.h"

#define SMALL	63
#define NO_MS	100
#define EVENT_MS 10000

static struct pair pair;
static struct end *const near = &pair.near;
static struct ibv_comp_channel *channel;
static struct ibv_cq *spare;	/* the pair's own meanwhile */
static uint64_t posted, polled;

static int setup(void **state)
{
	(void)state;
	posted = 0;
	polled = 0;
	spare = near->cq;
	channel = ibv_create_comp_channel(near->ctx);
	if (!channel)
		return -1;
	near->cq = ibv_create_cq(near->ctx, SMALL, NULL, channel, 0);
	return near->cq ? pair_connect(&pair, &pair_defaults) : -1;
}

static int teardown(void **state)
{
	(void)state;
	pair_disconnect(&pair);
	if (near->cq)
		ibv_destroy_cq(near->cq);
	if (channel)
		ibv_destroy_comp_channel(channel);
	near->cq = spare;
	return 0;
}

/* Small writes: the far end has no part in them. */
static void post(unsigned int n)
{
	while (n--) {
		struct ibv_send_wr wr = { .opcode = IBV_WR_RDMA_WRITE };

		wr.wr.rdma.remote_addr = (uintptr_t)pair.far.buf;
		wr.wr.rdma.rkey = pair.far.mr->rkey;
		assert_int_equal(post_send(near, &wr, 0, 8, posted++), 0);
	}
}

/* All that was posted, each once and in order. */
static void poll_all(void)
{
	struct ibv_wc wc;

	while (polled < posted) {
		assert_int_equal(wait_wc(near, &wc), 0);
		assert_int_equal(wc.status, IBV_WC_SUCCESS);
		assert_int_equal(wc.wr_id, polled++);
	}
	assert_int_equal(ibv_poll_cq(near->cq, 1, &wc), 0);
}

/* Long enough for all that was posted to complete. */
static void let_complete(void)
{
	usleep(NO_MS * 1000);
}

static void resize(int n)
{
	assert_int_equal(ibv_resize_cq(near->cq, n), 0);
	assert_true(near->cq->cqe >= n);
}

static void resize_empty(void **state)
{
	(void)state;
	resize(1023);
	post(200);
	poll_all();
	resize(15);
	post(10);
	poll_all();
}

static void resize_keeps_what_waits(void **state)
{
	(void)state;
	/* Somewhere in the second lap. */
	post(50);
	poll_all();
	post(40);
	let_complete();
	resize(511);
	post(100);
	poll_all();
	post(12);
	let_complete();
	resize(15);
	poll_all();
	post(15);
	poll_all();
}

static void resize_while_they_arrive(void **state)
{
	static const int size[] = { 127, 63, 255, 1023, 63, 511 };
	unsigned int i, n = scaled(60);

	(void)state;
	for (i = 0; i < n; i++) {
		post(40);
		resize(size[i % (sizeof(size) / sizeof(size[0]))]);
		if (i % 3)
			post(20);
		poll_all();
	}
}

static void resize_too_small(void **state)
{
	(void)state;
	post(40);
	let_complete();
	assert_int_equal(ibv_resize_cq(near->cq, 7), EINVAL);
	assert_int_equal(near->cq->cqe, SMALL);
	poll_all();
	post(SMALL);
	poll_all();
}

static int channel_has(int ms)
{
	struct pollfd pfd = { .fd = channel->fd, .events = POLLIN };

	return poll(&pfd, 1, ms);
}

static void arm(void)
{
	assert_int_equal(ibv_req_notify_cq(near->cq, 0), 0);
}

static void take_event(void)
{
	struct ibv_cq *cq;
	void *data;

	assert_int_equal(channel_has(EVENT_MS), 1);
	assert_int_equal(ibv_get_cq_event(channel, &cq, &data), 0);
	assert_ptr_equal(cq, near->cq);
	ibv_ack_cq_events(cq, 1);
}

static void resized_ones_tell(void **state)
{
	(void)state;
	arm();
	resize(255);
	assert_int_equal(channel_has(NO_MS), 0);
	post(1);
	take_event();
	poll_all();
	arm();
	resize(31);
	arm();
	post(3);
	take_event();
	poll_all();
}

static void moderate(uint16_t count, uint16_t period)
{
	struct ibv_modify_cq_attr attr = {
		.attr_mask = IBV_CQ_ATTR_MODERATE,
		.moderate = { .cq_count = count, .cq_period = period },
	};

	assert_int_equal(ibv_modify_cq(near->cq, &attr), 0);
}

static void count_of_completions(void **state)
{
	(void)state;
	moderate(8, 0);
	arm();
	post(7);
	assert_int_equal(channel_has(NO_MS), 0);
	post(1);
	take_event();
	poll_all();
	/* And no longer. */
	arm();
	post(1);
	assert_int_equal(channel_has(NO_MS), 0);
	moderate(0, 0);
	take_event();
	poll_all();
	arm();
	post(1);
	take_event();
	poll_all();
}

static long long now_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000LL + now.tv_nsec / 1000;
}

static void time_between_events(void **state)
{
	const unsigned int rounds = 20, period = 4000;
	long long start;
	unsigned int i;

	(void)state;
	moderate(1000, period);
	arm();
	post(1);
	take_event();
	start = now_us();
	for (i = 0; i < rounds; i++) {
		poll_all();
		arm();
		post(1);
		take_event();
	}
	/* The first one may have been late by much, so one period is given. */
	assert_true(now_us() - start >= (rounds - 1) * period);
	poll_all();
}

#define CQ(test)	cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		CQ(resize_empty), CQ(resize_keeps_what_waits),
		CQ(resize_while_they_arrive), CQ(resize_too_small),
		CQ(resized_ones_tell), CQ(count_of_completions),
		CQ(time_between_events),
	};
	int failed;

	if (argc != 5) {
		fprintf(stderr, "usage: %s NEAR-DEVICE NEAR-PORT FAR-DEVICE FAR-PORT\n",
			argv[0]);
		return 2;
	}
	if (pair_open(&pair, argv[1], (unsigned int)atoi(argv[2]), argv[3],
		      (unsigned int)atoi(argv[4])))
		return 1;
	cmocka_set_message_output(CM_OUTPUT_TAP);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	pair_close(&pair);
	return failed ? 1 : 0;
}
