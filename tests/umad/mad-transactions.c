// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Requests and their answers: which belongs to which, many at once, and what
 * becomes of one that nobody answers. Needs a node at the end of the cable.
 */
#include <arpa/inet.h>
#include <endian.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "mad_client.h"

#define BATCH	32

static struct mad_client client;

static int open_client(void **state)
{
	(void)state;
	return mad_open(&client, mad_test_device(), mad_test_port(),
			UMAD_CLASS_SUBN_DIRECTED_ROUTE);
}

static int close_client(void **state)
{
	(void)state;
	mad_close(&client);
	return 0;
}

static void smp_init(struct umad_smp *smp, uint16_t attr, unsigned int hops)
{
	uint8_t path[UMAD_SMP_MAX_HOPS];

	memset(path, 1, sizeof(path));
	path[1] = (uint8_t)mad_test_port();
	mad_smp_init(smp, UMAD_METHOD_GET, attr, 0, hops, path);
}

/* The kernel keeps the lower half; the upper is its own. */
static uint32_t tid_of(const struct umad_smp *smp)
{
	return (uint32_t)be64toh(smp->tid);
}

static unsigned int scale(void)
{
	const char *text = getenv("SOFTHCA_SCALE");
	int value = text ? atoi(text) : 1;

	return value > 0 ? (unsigned int)value : 1;
}

static long elapsed_ms(const struct timespec *since)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (now.tv_sec - since->tv_sec) * 1000 +
	       (now.tv_nsec - since->tv_nsec) / 1000000;
}

static void answer_bears_the_requests_tid(void **state)
{
	struct umad_smp smp;
	uint32_t tid;

	(void)state;
	smp_init(&smp, UMAD_SM_ATTR_NODE_INFO, 1);
	tid = tid_of(&smp);
	assert_int_equal(mad_call(&client, &smp), 0);
	assert_int_equal(tid_of(&smp), tid);
}

/* Sends a batch near and far in turn; returns its first TID. */
static uint32_t send_batch(void)
{
	struct umad_smp smp;
	uint32_t first = 0;
	unsigned int i;

	for (i = 0; i < BATCH; i++) {
		smp_init(&smp, i % 2 ? UMAD_SM_ATTR_NODE_DESC :
				       UMAD_SM_ATTR_NODE_INFO, i / 2 % 2);
		if (!i)
			first = tid_of(&smp);
		assert_int_equal(mad_send(&client, &smp, MAD_TIMEOUT_MS, 1), 0);
	}
	return first;
}

static void receive_batch(uint32_t first)
{
	bool seen[BATCH] = { false };
	struct umad_smp smp;
	unsigned int i, at;

	for (i = 0; i < BATCH; i++) {
		assert_int_equal(mad_receive(&client, &smp, 10000), 0);
		at = tid_of(&smp) - first;
		assert_true(at < BATCH);
		assert_false(seen[at]);
		seen[at] = true;
		assert_int_equal(ntohs(smp.attr_id),
				 at % 2 ? UMAD_SM_ATTR_NODE_DESC :
					  UMAD_SM_ATTR_NODE_INFO);
		assert_int_equal(smp.hop_cnt, at / 2 % 2);
	}
}

static void many_at_once(void **state)
{
	unsigned int i;

	(void)state;
	for (i = 0; i < 4 * scale(); i++)
		receive_batch(send_batch());
}

/* Two hops lead through the neighbour, which is no switch and drops them. */
static void no_answer_is_a_time_out(void **state)
{
	struct timespec start;
	struct umad_smp smp;
	uint32_t tid;
	long ms;

	(void)state;
	smp_init(&smp, UMAD_SM_ATTR_NODE_INFO, 2);
	tid = tid_of(&smp);
	clock_gettime(CLOCK_MONOTONIC, &start);
	assert_int_equal(mad_send(&client, &smp, 200, 2), 0);
	assert_int_equal(mad_receive(&client, &smp, 30000), MAD_TIMED_OUT);
	ms = elapsed_ms(&start);
	assert_int_equal(tid_of(&smp), tid);
	/* once and two retries, each with its own time */
	assert_true(ms >= 590);
}

static void works_after_a_time_out(void **state)
{
	answer_bears_the_requests_tid(state);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(answer_bears_the_requests_tid),
		cmocka_unit_test(many_at_once),
		cmocka_unit_test(no_answer_is_a_time_out),
		cmocka_unit_test(works_after_a_time_out),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("transactions", tests, open_client,
					   close_client);
}
