// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The counters of ports/N/hw_counters tell what happened to queue pairs, and
 * nothing else.
 *
 * usage: counter-check NEAR-DEVICE NEAR-PORT FAR-DEVICE FAR-PORT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "pair.h"

#define FAR_OFF		8192
#define LIFESPAN_US	50000	/* the kernel's answer may be 10 ms old */

static const char *const names[] = {
	"rx_write_requests", "rx_read_requests", "rx_atomic_requests",
	"out_of_buffer", "out_of_sequence", "duplicate_request",
	"rnr_nak_retry_err", "packet_seq_err", "implied_nak_seq_err",
	"local_ack_timeout_err", "resp_local_length_error", "resp_cqe_error",
	"req_cqe_error", "req_remote_invalid_request",
	"req_remote_access_errors", "resp_remote_access_errors",
	"resp_cqe_flush_error", "req_cqe_flush_error",
};

#define NAMES	(sizeof(names) / sizeof(names[0]))

struct counts {
	long long value[NAMES];
};

static struct pair pair;
static struct end *const near = &pair.near, *const far = &pair.far;
static struct counts near_before, far_before;

static long long read_counter(const struct end *end, const char *name)
{
	char path[512];
	long long value = -1;
	FILE *f;

	snprintf(path, sizeof(path), "%s/ports/%u/hw_counters/%s",
		 end->ctx->device->ibdev_path, end->port, name);
	f = fopen(path, "r");
	if (!f)
		return -1;
	if (fscanf(f, "%lld", &value) != 1)
		value = -1;
	fclose(f);
	return value;
}

static void read_all(const struct end *end, struct counts *counts)
{
	unsigned int i;

	for (i = 0; i < NAMES; i++)
		counts->value[i] = read_counter(end, names[i]);
}

static unsigned int index_of(const char *name)
{
	unsigned int i;

	for (i = 0; i < NAMES; i++)
		if (!strcmp(names[i], name))
			return i;
	return 0;
}

/* Of the list "name=value ..." each counter grew by so much, of "name>value"
 * by as much or more; no other one grew.
 */
static void expect_growth(const struct end *end, const struct counts *before,
			  const char *list)
{
	long long want[NAMES] = { 0 }, grown;
	unsigned int i, least[NAMES] = { 0 };
	struct counts now;
	char name[64], rel;
	int value, used;

	for (; sscanf(list, " %63[a-z_]%c%d%n", name, &rel, &value, &used) == 3;
	     list += used) {
		i = index_of(name);
		assert_string_equal(names[i], name);
		want[i] = value;
		least[i] = rel == '>';
	}
	usleep(LIFESPAN_US);
	read_all(end, &now);
	for (i = 0; i < NAMES; i++) {
		grown = now.value[i] - before->value[i];
		if (least[i] ? grown < want[i] : grown != want[i])
			fail_msg("%s of the %s end grew by %lld, not %lld",
				 names[i], end == near ? "near" : "far",
				 grown, want[i]);
	}
}

static void expect(const char *at_near, const char *at_far)
{
	expect_growth(near, &near_before, at_near);
	expect_growth(far, &far_before, at_far);
}

static int setup_with(const struct pair_options *opt)
{
	if (pair_connect(&pair, opt))
		return -1;
	usleep(LIFESPAN_US);
	read_all(near, &near_before);
	read_all(far, &far_before);
	return 0;
}

static int setup(void **state)
{
	(void)state;
	return setup_with(&pair_defaults);
}

static int setup_impatient(void **state)
{
	struct pair_options opt = pair_defaults;

	(void)state;
	opt.retry = 2;
	opt.timeout = 12;
	return setup_with(&opt);
}

static int teardown(void **state)
{
	(void)state;
	pair_disconnect(&pair);
	return 0;
}

static void expect_wc(struct end *end, enum ibv_wc_status status)
{
	struct ibv_wc wc;

	assert_int_equal(wait_wc(end, &wc), 0);
	assert_int_equal(wc.status, status);
}

static struct ibv_send_wr remote_wr(enum ibv_wr_opcode opcode)
{
	struct ibv_send_wr wr = { .opcode = opcode };

	wr.wr.rdma.remote_addr = (uintptr_t)(far->buf + FAR_OFF);
	wr.wr.rdma.rkey = far->mr->rkey;
	return wr;
}

static void are_all_there(void **state)
{
	unsigned int i;

	(void)state;
	for (i = 0; i < NAMES; i++)
		assert_true(near_before.value[i] >= 0);
	expect("", "");
}

static void requests(void **state)
{
	struct ibv_send_wr wr;
	unsigned int i;

	(void)state;
	for (i = 0; i < 3; i++) {
		wr = remote_wr(IBV_WR_RDMA_WRITE);
		assert_int_equal(post_send(near, &wr, 0, 20000, 1), 0);
		expect_wc(near, IBV_WC_SUCCESS);
	}
	for (i = 0; i < 2; i++) {
		wr = remote_wr(IBV_WR_RDMA_READ);
		assert_int_equal(post_send(near, &wr, 0, 20000, 1), 0);
		expect_wc(near, IBV_WC_SUCCESS);
	}
	wr = (struct ibv_send_wr) { .opcode = IBV_WR_ATOMIC_FETCH_AND_ADD };
	wr.wr.atomic.remote_addr = (uintptr_t)(far->buf + FAR_OFF);
	wr.wr.atomic.rkey = far->mr->rkey;
	assert_int_equal(post_send(near, &wr, 0, 8, 1), 0);
	expect_wc(near, IBV_WC_SUCCESS);
	expect("", "rx_write_requests=3 rx_read_requests=2 rx_atomic_requests=1");
}

static void not_ready(void **state)
{
	struct ibv_send_wr wr = { .opcode = IBV_WR_SEND };

	(void)state;
	assert_int_equal(post_send(near, &wr, 0, 100, 1), 0);
	usleep(20000);
	assert_int_equal(post_recv(far, FAR_OFF, 100, 2), 0);
	expect_wc(near, IBV_WC_SUCCESS);
	expect_wc(far, IBV_WC_SUCCESS);
	expect("rnr_nak_retry_err>1", "out_of_buffer>1");
}

static void wrong_key(void **state)
{
	struct ibv_send_wr wr = remote_wr(IBV_WR_RDMA_WRITE);
	struct ibv_send_wr next = { .opcode = IBV_WR_SEND };

	(void)state;
	wr.wr.rdma.rkey ^= 0xff;
	assert_int_equal(post_send(near, &wr, 0, 100, 1), 0);
	assert_int_equal(post_send(near, &next, 0, 100, 2), 0);
	expect_wc(near, IBV_WC_REM_ACCESS_ERR);
	expect_wc(near, IBV_WC_WR_FLUSH_ERR);
	expect("req_remote_access_errors=1 req_cqe_error=2 req_cqe_flush_error=1",
	       "rx_write_requests=1 resp_remote_access_errors=1 "
	       /* The second one may have come while the first was refused. */
	       "out_of_sequence>0");
}

static void too_long(void **state)
{
	struct ibv_send_wr wr = { .opcode = IBV_WR_SEND };

	(void)state;
	assert_int_equal(post_recv(far, FAR_OFF, 100, 1), 0);
	assert_int_equal(post_recv(far, FAR_OFF, 100, 2), 0);
	assert_int_equal(post_send(near, &wr, 0, 101, 3), 0);
	expect_wc(near, IBV_WC_REM_INV_REQ_ERR);
	expect_wc(far, IBV_WC_LOC_LEN_ERR);
	expect_wc(far, IBV_WC_WR_FLUSH_ERR);
	expect("req_remote_invalid_request=1 req_cqe_error=1",
	       "resp_local_length_error=1 resp_cqe_error=2 resp_cqe_flush_error=1");
}

static void nobody_there(void **state)
{
	struct ibv_qp_attr attr = { .qp_state = IBV_QPS_RESET };
	struct ibv_send_wr wr = { .opcode = IBV_WR_SEND };

	(void)state;
	assert_int_equal(ibv_modify_qp(far->qp, &attr, IBV_QP_STATE), 0);
	assert_int_equal(post_send(near, &wr, 0, 100, 1), 0);
	expect_wc(near, IBV_WC_RETRY_EXC_ERR);
	expect("local_ack_timeout_err=2 req_cqe_error=1", "");
}

#define COUNTS(test)	cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		COUNTS(are_all_there), COUNTS(requests), COUNTS(not_ready),
		COUNTS(wrong_key), COUNTS(too_long),
		cmocka_unit_test_setup_teardown(nobody_there, setup_impatient,
						teardown),
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
