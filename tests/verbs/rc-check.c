// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Connected queue pairs: every byte of what they move, and how each mistake
 * ends. Both ends are queue pairs of this process, on two ports.
 *
 * usage: rc-check NEAR-DEVICE NEAR-PORT FAR-DEVICE FAR-PORT [data]
 * data: only what a link that loses packets must not change
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "pair.h"

#define FAR_OFF		8192	/* where the far end's data goes */
#define IMM		0x12345678u

static struct pair pair;
static struct end *const near = &pair.near, *const far = &pair.far;

static int setup_rc(void **state)
{
	(void)state;
	return pair_connect(&pair, &pair_defaults);
}

static int setup_uc(void **state)
{
	struct pair_options opt = pair_defaults;

	(void)state;
	opt.type = IBV_QPT_UC;
	return pair_connect(&pair, &opt);
}

/* Gives up soon. */
static int setup_impatient(void **state)
{
	struct pair_options opt = pair_defaults;

	(void)state;
	opt.retry = 2;
	opt.rnr_retry = 1;
	opt.timeout = 12;
	return pair_connect(&pair, &opt);
}

static int setup_no_access(void **state)
{
	struct pair_options opt = pair_defaults;

	(void)state;
	opt.access = 0;
	return pair_connect(&pair, &opt);
}

static int teardown(void **state)
{
	(void)state;
	pair_disconnect(&pair);
	return 0;
}

static struct ibv_wc expect_wc(struct end *end, enum ibv_wc_status status,
			       uint64_t id)
{
	struct ibv_wc wc;

	assert_int_equal(wait_wc(end, &wc), 0);
	if (wc.status != status)
		print_message("# request %llu: %s\n",
			      (unsigned long long)wc.wr_id,
			      ibv_wc_status_str(wc.status));
	assert_int_equal(wc.status, status);
	assert_int_equal(wc.wr_id, id);
	return wc;
}

static void expect_nothing(struct end *end)
{
	struct ibv_wc wc;

	usleep(20000);
	assert_int_equal(ibv_poll_cq(end->cq, 1, &wc), 0);
}

/* The far buffer: its own pattern but for @len bytes at FAR_OFF, which are the
 * near one's from its beginning.
 */
static void expect_far(uint32_t len)
{
	uint8_t *p = far->buf + FAR_OFF;
	uint32_t i;

	assert_int_equal(first_wrong(p, len, 1), -1);
	for (i = 1; i <= PAIR_GUARD; i++)
		assert_int_equal(p[-(long)i], pattern(2, FAR_OFF - i));
	for (i = 0; i < PAIR_GUARD; i++)
		assert_int_equal(p[len + i], pattern(2, FAR_OFF + len + i));
}

static struct ibv_send_wr remote_wr(enum ibv_wr_opcode opcode)
{
	struct ibv_send_wr wr = { .opcode = opcode };

	wr.wr.rdma.remote_addr = (uintptr_t)(far->buf + FAR_OFF);
	wr.wr.rdma.rkey = far->mr->rkey;
	return wr;
}

static uint32_t sizes(unsigned int i)
{
	const uint32_t mtu = (uint32_t)near->mtu;
	const uint32_t size[] = { 0, 1, 7, 64, 1023, mtu - 1, mtu, mtu + 1,
				  3 * mtu + 5, 65536, (1u << 20) + 3 };

	return i < sizeof(size) / sizeof(size[0]) ? size[i] : UINT32_MAX;
}

#define for_each_size(i, len)	\
	for (i = 0; len = sizes(i), len != UINT32_MAX; i++)

static void send_one(uint32_t len)
{
	struct ibv_send_wr wr = { .opcode = IBV_WR_SEND };
	struct ibv_wc wc;

	assert_int_equal(post_recv(far, FAR_OFF, len ? len : 1, 9), 0);
	assert_int_equal(post_send(near, &wr, 0, len, 8), 0);
	wc = expect_wc(far, IBV_WC_SUCCESS, 9);
	assert_int_equal(wc.opcode, IBV_WC_RECV);
	assert_int_equal(wc.byte_len, len);
	assert_int_equal(wc.wc_flags & IBV_WC_WITH_IMM, 0);
	assert_int_equal(wc.qp_num, far->qp->qp_num);
	wc = expect_wc(near, IBV_WC_SUCCESS, 8);
	assert_int_equal(wc.opcode, IBV_WC_SEND);
	expect_far(len);
}

static void send_sizes(void **state)
{
	unsigned int i;
	uint32_t len;

	(void)state;
	for_each_size(i, len)
		send_one(len);
}

static void send_with_immediate(void **state)
{
	struct ibv_send_wr wr = { .opcode = IBV_WR_SEND_WITH_IMM,
				  .imm_data = IMM };
	uint32_t len = (uint32_t)near->mtu + 1;
	struct ibv_wc wc;

	(void)state;
	assert_int_equal(post_recv(far, FAR_OFF, len, 9), 0);
	assert_int_equal(post_send(near, &wr, 0, len, 8), 0);
	wc = expect_wc(far, IBV_WC_SUCCESS, 9);
	assert_true(wc.wc_flags & IBV_WC_WITH_IMM);
	assert_int_equal(wc.imm_data, IMM);
	expect_wc(near, IBV_WC_SUCCESS, 8);
	expect_far(len);
}

static void send_inline(void **state)
{
	struct ibv_send_wr wr = { .opcode = IBV_WR_SEND,
				  .send_flags = IBV_SEND_INLINE };

	(void)state;
	assert_int_equal(post_recv(far, FAR_OFF, 128, 9), 0);
	assert_int_equal(post_send(near, &wr, 0, 100, 8), 0);
	/* It was taken when it was posted. */
	memset(near->buf, 0, 100);
	expect_wc(far, IBV_WC_SUCCESS, 9);
	expect_wc(near, IBV_WC_SUCCESS, 8);
	expect_far(100);
}

/* Cuts @len bytes at @off into three uneven pieces. */
static void three_pieces(struct ibv_sge sge[3], struct end *end, size_t off,
			 uint32_t len)
{
	uint32_t part[3] = { len / 7, len / 3, 0 };
	unsigned int i;

	part[2] = len - part[0] - part[1];
	for (i = 0; i < 3; i++) {
		sge[i].addr = (uintptr_t)(end->buf + off);
		sge[i].length = part[i];
		sge[i].lkey = end->mr->lkey;
		off += part[i];
	}
}

static void gather_and_scatter(void **state)
{
	uint32_t len = 5 * (uint32_t)near->mtu + 77;
	struct ibv_send_wr wr = { .opcode = IBV_WR_SEND, .num_sge = 3 };
	struct ibv_sge from[3], to[3];
	struct ibv_recv_wr rwr = { .wr_id = 9, .sg_list = to, .num_sge = 3 };
	struct ibv_recv_wr *bad;

	(void)state;
	three_pieces(from, near, 0, len);
	/* Other cuts than the sender's: there is more room than data. */
	three_pieces(to, far, FAR_OFF, len + 1000);
	wr.sg_list = from;
	assert_int_equal(ibv_post_recv(far->qp, &rwr, &bad), 0);
	assert_int_equal(post_send(near, &wr, 0, 0, 8), 0);
	assert_int_equal(expect_wc(far, IBV_WC_SUCCESS, 9).byte_len, len);
	expect_wc(near, IBV_WC_SUCCESS, 8);
	expect_far(len);
}

static void write_sizes(void **state)
{
	struct ibv_send_wr wr;
	unsigned int i;
	uint32_t len;

	(void)state;
	for_each_size(i, len) {
		wr = remote_wr(IBV_WR_RDMA_WRITE);
		assert_int_equal(post_send(near, &wr, 0, len, i), 0);
		assert_int_equal(expect_wc(near, IBV_WC_SUCCESS, i).opcode,
				 IBV_WC_RDMA_WRITE);
		expect_far(len);
	}
}

static void write_with_immediate(void **state)
{
	struct ibv_send_wr wr = remote_wr(IBV_WR_RDMA_WRITE_WITH_IMM);
	uint32_t len = 2 * (uint32_t)near->mtu + 9;
	struct ibv_wc wc;

	(void)state;
	wr.imm_data = IMM;
	assert_int_equal(post_recv(far, 0, 16, 9), 0);
	assert_int_equal(post_send(near, &wr, 0, len, 8), 0);
	wc = expect_wc(far, IBV_WC_SUCCESS, 9);
	assert_int_equal(wc.opcode, IBV_WC_RECV_RDMA_WITH_IMM);
	assert_int_equal(wc.byte_len, len);
	assert_int_equal(wc.imm_data, IMM);
	expect_wc(near, IBV_WC_SUCCESS, 8);
	expect_far(len);
	/* The receive buffer itself is not written to. */
	assert_int_equal(first_wrong(far->buf, 16, 2), -1);
}

static void read_sizes(void **state)
{
	struct ibv_send_wr wr;
	struct ibv_wc wc;
	unsigned int i;
	uint32_t len;

	(void)state;
	for_each_size(i, len) {
		fill(far->buf + FAR_OFF, len, 3 + i);
		wr = remote_wr(IBV_WR_RDMA_READ);
		assert_int_equal(post_send(near, &wr, FAR_OFF, len, i), 0);
		wc = expect_wc(near, IBV_WC_SUCCESS, i);
		assert_int_equal(wc.opcode, IBV_WC_RDMA_READ);
		assert_int_equal(first_wrong(near->buf + FAR_OFF, len, 3 + i),
				 -1);
		assert_int_equal(near->buf[FAR_OFF + len],
				 pattern(1, FAR_OFF + len));
	}
}

/* More at a time than the far end takes. */
static void many_reads(void **state)
{
	const unsigned int n = 64, len = (unsigned int)near->mtu * 2;
	struct ibv_send_wr wr;
	unsigned int i;

	(void)state;
	for (i = 0; i < n; i++) {
		fill(far->buf + FAR_OFF + i * len, len, i);
		wr = remote_wr(IBV_WR_RDMA_READ);
		wr.wr.rdma.remote_addr += i * len;
		assert_int_equal(post_send(near, &wr, i * len, len, i), 0);
	}
	for (i = 0; i < n; i++)
		expect_wc(near, IBV_WC_SUCCESS, i);
	for (i = 0; i < n; i++)
		assert_int_equal(first_wrong(near->buf + i * len, len, i), -1);
}

static uint64_t atomic(enum ibv_wr_opcode opcode, uint64_t compare_add,
		       uint64_t swap)
{
	struct ibv_send_wr wr = { .opcode = opcode };
	uint64_t old;

	wr.wr.atomic.remote_addr = (uintptr_t)(far->buf + FAR_OFF);
	wr.wr.atomic.rkey = far->mr->rkey;
	wr.wr.atomic.compare_add = compare_add;
	wr.wr.atomic.swap = swap;
	assert_int_equal(post_send(near, &wr, 0, sizeof(old), 5), 0);
	expect_wc(near, IBV_WC_SUCCESS, 5);
	memcpy(&old, near->buf, sizeof(old));
	return old;
}

static uint64_t far_value(void)
{
	uint64_t value;

	memcpy(&value, far->buf + FAR_OFF, sizeof(value));
	return value;
}

static void atomics(void **state)
{
	const uint64_t first = 0x1122334455667788, second = 0x99aabbccddeeff00;
	unsigned int i;

	(void)state;
	memcpy(far->buf + FAR_OFF, &first, sizeof(first));
	assert_true(atomic(IBV_WR_ATOMIC_CMP_AND_SWP, first, second) == first);
	assert_true(far_value() == second);
	assert_true(atomic(IBV_WR_ATOMIC_CMP_AND_SWP, first, 1) == second);
	assert_true(far_value() == second);
	for (i = 0; i < 20; i++)
		assert_true(atomic(IBV_WR_ATOMIC_FETCH_AND_ADD, 3, 0) ==
			    second + 3 * i);
	assert_true(far_value() == second + 60);
	/* It may overflow. */
	atomic(IBV_WR_ATOMIC_FETCH_AND_ADD, UINT64_MAX, 0);
	assert_true(far_value() == second + 59);
}

/* What a READ fetched is there before a fenced SEND sends it on. */
static void fence(void **state)
{
	struct ibv_send_wr rd = remote_wr(IBV_WR_RDMA_READ);
	struct ibv_send_wr snd = { .opcode = IBV_WR_SEND,
				   .send_flags = IBV_SEND_FENCE };
	const uint32_t len = 100000;

	(void)state;
	fill(far->buf + FAR_OFF, len, 77);
	assert_int_equal(post_recv(far, 1 << 20, len, 9), 0);
	assert_int_equal(post_send(near, &rd, 0, len, 1), 0);
	assert_int_equal(post_send(near, &snd, 0, len, 2), 0);
	expect_wc(far, IBV_WC_SUCCESS, 9);
	expect_wc(near, IBV_WC_SUCCESS, 1);
	expect_wc(near, IBV_WC_SUCCESS, 2);
	assert_int_equal(first_wrong(far->buf + (1 << 20), len, 77), -1);
}

static void unsignalled(void **state)
{
	struct ibv_sge sge = { .addr = (uintptr_t)near->buf, .length = 100,
			       .lkey = near->mr->lkey };
	struct ibv_send_wr wr, *bad;
	unsigned int i;

	(void)state;
	for (i = 0; i < 200; i++) {
		wr = remote_wr(IBV_WR_RDMA_WRITE);
		wr.sg_list = &sge;
		wr.num_sge = 1;
		wr.wr_id = i;
		wr.send_flags = i == 199 ? IBV_SEND_SIGNALED : 0;
		assert_int_equal(ibv_post_send(near->qp, &wr, &bad), 0);
	}
	expect_wc(near, IBV_WC_SUCCESS, 199);
	expect_nothing(near);
	expect_far(100);
}

/* Both directions at once, all sizes, until a ring has gone around. */
static void both_ways(void **state)
{
	const unsigned int n = scaled(600), batch = 30, len = 10000;
	struct ibv_send_wr wr;
	unsigned int i, j;

	(void)state;
	for (i = 0; i < n; i += batch) {
		for (j = 0; j < batch; j++) {
			assert_int_equal(post_recv(far, FAR_OFF, len, j), 0);
			assert_int_equal(post_recv(near, 1 << 21, len, j), 0);
		}
		for (j = 0; j < batch; j++) {
			wr = (struct ibv_send_wr){ .opcode = IBV_WR_SEND };
			assert_int_equal(post_send(near, &wr, 0, len - j,
						   1000 + j), 0);
			wr = (struct ibv_send_wr){ .opcode = IBV_WR_SEND };
			assert_int_equal(post_send(far, &wr, 1 << 21, len - j,
						   1000 + j), 0);
		}
		for (j = 0; j < 4 * batch; j++) {
			struct ibv_wc wc;

			assert_int_equal(wait_wc(j & 1 ? near : far, &wc), 0);
			assert_int_equal(wc.status, IBV_WC_SUCCESS);
		}
	}
	expect_far(len);
}

static void waits_for_a_receive(void **state)
{
	struct ibv_send_wr wr = { .opcode = IBV_WR_SEND };

	(void)state;
	assert_int_equal(post_send(near, &wr, 0, 5000, 8), 0);
	expect_nothing(near);
	assert_int_equal(post_recv(far, FAR_OFF, 5000, 9), 0);
	expect_wc(far, IBV_WC_SUCCESS, 9);
	expect_wc(near, IBV_WC_SUCCESS, 8);
	expect_far(5000);
}

static enum ibv_qp_state state_of(struct end *end)
{
	struct ibv_qp_init_attr init;
	struct ibv_qp_attr attr;

	assert_int_equal(ibv_query_qp(end->qp, &attr, IBV_QP_STATE, &init), 0);
	return attr.qp_state;
}

/* @wr fails with @status, what was posted behind it is flushed, and the QP is
 * in error.
 */
static void expect_failure(struct ibv_send_wr *wr, uint32_t len,
			   enum ibv_wc_status status)
{
	struct ibv_send_wr next = { .opcode = IBV_WR_SEND };

	assert_int_equal(post_send(near, wr, 0, len, 1), 0);
	assert_int_equal(post_send(near, &next, 0, 1, 2), 0);
	expect_wc(near, status, 1);
	expect_wc(near, IBV_WC_WR_FLUSH_ERR, 2);
	assert_int_equal(state_of(near), IBV_QPS_ERR);
}

static void expect_event(struct end *end, enum ibv_event_type type)
{
	assert_int_equal(wait_event(end), type);
}

static void write_bad_key(void **state)
{
	struct ibv_send_wr wr = remote_wr(IBV_WR_RDMA_WRITE);

	(void)state;
	wr.wr.rdma.rkey ^= 0xff;
	assert_int_equal(post_recv(far, 0, 16, 7), 0);
	expect_failure(&wr, 100, IBV_WC_REM_ACCESS_ERR);
	assert_int_equal(state_of(far), IBV_QPS_ERR);
	expect_event(far, IBV_EVENT_QP_ACCESS_ERR);
	expect_wc(far, IBV_WC_WR_FLUSH_ERR, 7);
}

static void write_out_of_bounds(void **state)
{
	struct ibv_send_wr wr = remote_wr(IBV_WR_RDMA_WRITE);

	(void)state;
	wr.wr.rdma.remote_addr = (uintptr_t)(far->buf + PAIR_BUFFER - 9000);
	expect_failure(&wr, 9001, IBV_WC_REM_ACCESS_ERR);
	expect_event(far, IBV_EVENT_QP_ACCESS_ERR);
	/* Not even the part that would have fit. */
	assert_int_equal(far->buf[PAIR_BUFFER - 9000],
			 pattern(2, PAIR_BUFFER - 9000));
}

static void reserved_key(void **state)
{
	struct ibv_send_wr wr = remote_wr(IBV_WR_RDMA_READ);

	(void)state;
	/* What the kernel's own work requests call all of memory. */
	wr.wr.rdma.rkey = 0x200;
	wr.wr.rdma.remote_addr = 0x100000000000;
	expect_failure(&wr, 64, IBV_WC_REM_ACCESS_ERR);
	expect_event(far, IBV_EVENT_QP_ACCESS_ERR);
}

static void read_bad_key(void **state)
{
	struct ibv_send_wr wr = remote_wr(IBV_WR_RDMA_READ);

	(void)state;
	wr.wr.rdma.rkey = 0x7fffff00;
	expect_failure(&wr, 100, IBV_WC_REM_ACCESS_ERR);
	expect_event(far, IBV_EVENT_QP_ACCESS_ERR);
}

static void atomic_unaligned(void **state)
{
	struct ibv_send_wr wr = { .opcode = IBV_WR_ATOMIC_FETCH_AND_ADD };

	(void)state;
	wr.wr.atomic.remote_addr = (uintptr_t)(far->buf + FAR_OFF + 4);
	wr.wr.atomic.rkey = far->mr->rkey;
	expect_failure(&wr, 8, IBV_WC_REM_INV_REQ_ERR);
	expect_event(far, IBV_EVENT_QP_REQ_ERR);
}

static void write_not_allowed(void **state)
{
	struct ibv_send_wr wr = remote_wr(IBV_WR_RDMA_WRITE);

	(void)state;
	expect_failure(&wr, 100, IBV_WC_REM_INV_REQ_ERR);
	expect_event(far, IBV_EVENT_QP_REQ_ERR);
}

static void local_bad_key(void **state)
{
	struct ibv_sge sge = { .addr = (uintptr_t)near->buf, .length = 100,
			       .lkey = near->mr->lkey ^ 0x55 };
	struct ibv_send_wr wr = { .opcode = IBV_WR_SEND, .sg_list = &sge,
				  .num_sge = 1 };

	(void)state;
	assert_int_equal(post_recv(far, FAR_OFF, 100, 9), 0);
	expect_failure(&wr, 0, IBV_WC_LOC_PROT_ERR);
	/* The far end has seen nothing. */
	expect_nothing(far);
	assert_int_equal(state_of(far), IBV_QPS_RTS);
}

static void send_too_long(void **state)
{
	struct ibv_send_wr wr = { .opcode = IBV_WR_SEND };

	(void)state;
	assert_int_equal(post_recv(far, FAR_OFF, 5000, 9), 0);
	expect_failure(&wr, 5001, IBV_WC_REM_INV_REQ_ERR);
	expect_wc(far, IBV_WC_LOC_LEN_ERR, 9);
	assert_int_equal(state_of(far), IBV_QPS_ERR);
}

static void receive_bad_key(void **state)
{
	struct ibv_sge sge = { .addr = (uintptr_t)far->buf, .length = 100,
			       .lkey = far->mr->lkey ^ 0x55 };
	struct ibv_recv_wr rwr = { .wr_id = 9, .sg_list = &sge, .num_sge = 1 };
	struct ibv_send_wr wr = { .opcode = IBV_WR_SEND };
	struct ibv_recv_wr *bad;

	(void)state;
	assert_int_equal(ibv_post_recv(far->qp, &rwr, &bad), 0);
	expect_failure(&wr, 100, IBV_WC_REM_OP_ERR);
	expect_wc(far, IBV_WC_LOC_PROT_ERR, 9);
}

static void nobody_receives(void **state)
{
	struct ibv_send_wr wr = { .opcode = IBV_WR_SEND };

	(void)state;
	expect_failure(&wr, 100, IBV_WC_RNR_RETRY_EXC_ERR);
	assert_int_equal(state_of(far), IBV_QPS_RTS);
}

static void nobody_there(void **state)
{
	struct ibv_qp_attr attr = { .qp_state = IBV_QPS_RESET };
	struct ibv_send_wr wr = { .opcode = IBV_WR_SEND };

	(void)state;
	assert_int_equal(ibv_modify_qp(far->qp, &attr, IBV_QP_STATE), 0);
	expect_failure(&wr, 100, IBV_WC_RETRY_EXC_ERR);
}

static void error_flushes(void **state)
{
	struct ibv_qp_attr attr = { .qp_state = IBV_QPS_ERR };
	struct ibv_send_wr wr = { .opcode = IBV_WR_SEND };
	unsigned int i;

	(void)state;
	for (i = 0; i < 3; i++)
		assert_int_equal(post_recv(near, 0, 16, i), 0);
	/* Begun, and not acknowledged: nobody receives. */
	assert_int_equal(post_send(near, &wr, 0, 16, 10), 0);
	expect_nothing(near);
	assert_int_equal(ibv_modify_qp(near->qp, &attr, IBV_QP_STATE), 0);
	wr = (struct ibv_send_wr){ .opcode = IBV_WR_SEND };
	assert_int_equal(post_send(near, &wr, 0, 16, 11), 0);
	for (i = 0; i < 5; i++) {
		struct ibv_wc wc;

		assert_int_equal(wait_wc(near, &wc), 0);
		assert_int_equal(wc.status, IBV_WC_WR_FLUSH_ERR);
	}
}

static void losses_do_not_matter(void **state)
{
	struct ibv_send_wr wr = { .opcode = IBV_WR_SEND };

	(void)state;
	/* No receive posted: lost, and the sender does not mind. */
	assert_int_equal(post_send(near, &wr, 0, 100, 1), 0);
	expect_wc(near, IBV_WC_SUCCESS, 1);
	expect_nothing(far);
	/* A key that is wrong: lost too. */
	wr = remote_wr(IBV_WR_RDMA_WRITE);
	wr.wr.rdma.rkey ^= 0xff;
	assert_int_equal(post_send(near, &wr, 0, 100, 2), 0);
	expect_wc(near, IBV_WC_SUCCESS, 2);
	assert_int_equal(state_of(far), IBV_QPS_RTS);
	send_one(20000);
}

#define RC(test)	cmocka_unit_test_setup_teardown(test, setup_rc, teardown)
#define UC(test)	{ "uc_" #test, test, setup_uc, teardown, NULL }
#define HASTY(test)	cmocka_unit_test_setup_teardown(test, setup_impatient, \
							teardown)

#define DATA								\
	RC(send_sizes), RC(send_with_immediate), RC(send_inline),	\
	RC(gather_and_scatter), RC(write_sizes),			\
	RC(write_with_immediate), RC(read_sizes), RC(many_reads),	\
	RC(atomics), RC(fence), RC(unsignalled), RC(both_ways),		\
	RC(waits_for_a_receive)

int main(int argc, char **argv)
{
	const struct CMUnitTest data[] = { DATA };
	const struct CMUnitTest tests[] = {
		DATA,
		RC(write_bad_key), RC(write_out_of_bounds), RC(reserved_key),
		RC(read_bad_key), RC(atomic_unaligned), RC(local_bad_key),
		RC(send_too_long), RC(receive_bad_key), RC(error_flushes),
		cmocka_unit_test_setup_teardown(write_not_allowed,
						setup_no_access, teardown),
		HASTY(nobody_receives), HASTY(nobody_there),
		UC(send_sizes), UC(send_with_immediate), UC(write_sizes),
		UC(write_with_immediate), UC(losses_do_not_matter),
	};
	bool only_data = argc == 6 && !strcmp(argv[5], "data");
	int failed;

	if (argc != 5 && !only_data) {
		fprintf(stderr, "usage: %s NEAR-DEVICE NEAR-PORT FAR-DEVICE FAR-PORT [data]\n",
			argv[0]);
		return 2;
	}
	if (pair_open(&pair, argv[1], (unsigned int)atoi(argv[2]), argv[3],
		      (unsigned int)atoi(argv[4])))
		return 1;
	cmocka_set_message_output(CM_OUTPUT_TAP);
	failed = only_data ? cmocka_run_group_tests(data, NULL, NULL) :
			     cmocka_run_group_tests(tests, NULL, NULL);
	pair_close(&pair);
	return failed ? 1 : 0;
}
