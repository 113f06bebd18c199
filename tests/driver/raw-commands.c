// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Commands that no driver would send, to a function that is really there. Each
 * is answered with the delivery status or the command status that the PRM has
 * for it, or not at all, and then a good command is answered as ever.
 *
 *   raw-commands PCI-ADDRESS
 */
#include <endian.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "raw_hca.h"

#define LONG_MS		5000
#define SILENT_MS	700	/* longer than anything that is looked for */

/* Delivery statuses */
enum {
	DELIVERED		= 0x00,
	BAD_SIGNATURE		= 0x01,
	BAD_TOKEN		= 0x02,
	BAD_BLOCK_NUM		= 0x03,
	BAD_OUT_PTR		= 0x04,
	BAD_IN_PTR		= 0x05,
	BAD_ACCESS		= 0x06,
	BAD_IN_LENGTH		= 0x07,
	BAD_OUT_LENGTH		= 0x08,
	BAD_DESCRIPTOR		= 0x10,
};

/* Command statuses */
enum {
	OK			= 0x00,
	BAD_OP			= 0x02,
	BAD_PARAM		= 0x03,
	BAD_SYS_STATE		= 0x04,
	BAD_RESOURCE		= 0x05,
	BAD_INPUT_LEN		= 0x50,
	BAD_OUTPUT_LEN		= 0x51,
};

#define CAP_LEN		4112	/* QUERY_HCA_CAP's answer, SET_HCA_CAP's request */
#define CAP_OFF		16
#define CAP_CHECKSUM	(CAP_OFF + 66)	/* the byte with cmdif_checksum, bits 7:6 */
#define ADAPTER_LEN	272
#define UCTX_LEN	64

static struct raw_hca hca;
static const char *address;

/* A command of the usual short form. */
static int call(uint16_t opcode, uint16_t uid, uint32_t arg, uint8_t out[16])
{
	uint8_t in[16] = { 0 };
	struct raw_cmd cmd = { in, sizeof(in), out, 16 };

	raw_store16(in, 0, opcode);
	raw_store16(in, 2, uid);
	raw_store32(in, 8, arg);
	return raw_command(&hca, &cmd);
}

static int nop(void)
{
	uint8_t out[16];

	return call(RAW_NOP, 0, 0, out);
}

static int query_adapter(void)
{
	uint8_t in[16] = { 0 }, out[ADAPTER_LEN];
	struct raw_cmd cmd = { in, sizeof(in), out, sizeof(out) };

	raw_store16(in, 0, RAW_QUERY_ADAPTER);
	return raw_command(&hca, &cmd);
}

/* A long request and a long answer. */
static int cap(uint16_t opcode, uint16_t op_mod, uint8_t *in, uint32_t inlen,
	       uint8_t *out, uint32_t outlen)
{
	struct raw_cmd cmd = { in, inlen, out, outlen };

	memset(in, 0, 16);
	raw_store16(in, 0, opcode);
	raw_store16(in, 6, op_mod);
	return raw_command(&hca, &cmd);
}

static int set_checksum(uint8_t bits)
{
	uint8_t in[16], out[16];
	uint8_t *caps = malloc(CAP_LEN);
	int status;

	assert_non_null(caps);
	status = cap(RAW_QUERY_HCA_CAP, 1, in, sizeof(in), caps, CAP_LEN);
	if (!status) {
		caps[CAP_CHECKSUM] = (uint8_t)((caps[CAP_CHECKSUM] & 0x3f) | bits << 6);
		status = cap(RAW_SET_HCA_CAP, 0, caps, CAP_LEN, out, sizeof(out));
	}
	free(caps);
	return status;
}

static int enabled(void **state)
{
	uint8_t out[16];

	(void)state;
	return raw_start(&hca) || call(RAW_ENABLE_HCA, 0, 0, out);
}

static int up(void **state)
{
	uint8_t in[32] = { 0 }, out[16];
	struct raw_cmd init = { in, sizeof(in), out, sizeof(out) };

	if (enabled(state))
		return -1;
	raw_store16(in, 0, RAW_INIT_HCA);
	return raw_command(&hca, &init);
}

/* What is asked of every case: the HCA goes on. */
static int still_answers(void **state)
{
	(void)state;
	if (query_adapter() != OK) {
		fprintf(stderr, "a good command was not answered afterwards\n");
		return -1;
	}
	return 0;
}

/* Prepares a query with a long answer, and if @inlen says so a long request. */
static struct raw_entry *prepare(const uint8_t *in, uint32_t inlen)
{
	static uint8_t out[ADAPTER_LEN];
	struct raw_cmd cmd = { in, inlen, out, sizeof(out) };

	return raw_prepare(&hca, &cmd);
}

static struct raw_entry *query(void)
{
	static uint8_t in[16];

	raw_store16(in, 0, RAW_QUERY_ADAPTER);
	return prepare(in, sizeof(in));
}

/* Three mailboxes of request. */
static struct raw_entry *long_query(void)
{
	static uint8_t in[16 + 3 * 512];

	raw_store16(in, 0, RAW_QUERY_ADAPTER);
	return prepare(in, sizeof(in));
}

static struct raw_block *in_block(unsigned int i)
{
	return (void *)((uint8_t *)hca.in + i * 0x400UL);
}

static int ring(void)
{
	raw_ring(&hca);
	return raw_wait(&hca, LONG_MS);
}

static uint8_t entry_status(void)
{
	return hca.queue->out[0];
}

static void before_enable(void **state)
{
	uint8_t out[16];

	(void)state;
	assert_int_equal(raw_start(&hca), 0);
	assert_int_equal(nop(), BAD_SYS_STATE);
	assert_int_equal(query_adapter(), BAD_SYS_STATE);
	assert_int_equal(call(RAW_ALLOC_PD, 0, 0, out), BAD_SYS_STATE);
	assert_int_equal(call(RAW_ENABLE_HCA, 0, 0, out), OK);
}

static void before_init(void **state)
{
	uint8_t out[16];

	(void)state;
	assert_int_equal(call(RAW_ALLOC_PD, 0, 0, out), BAD_SYS_STATE);
}

static void unknown_opcodes(void **state)
{
	static const uint16_t opcodes[] = { 0, 0x0fff, 0x7777, 0xffff };
	uint8_t out[16];
	unsigned int i;

	(void)state;
	for (i = 0; i < sizeof(opcodes) / sizeof(opcodes[0]); i++)
		assert_int_equal(call(opcodes[i], 0, 0, out), BAD_OP);
	assert_int_not_equal(raw_load32(out, 4), 0);
}

static void request_too_short(void **state)
{
	static const uint32_t none[] = { 0, 4, 7, 9, 0x1000004, 0xffffffff };
	struct raw_entry *entry;
	unsigned int i;

	(void)state;
	/* of this opcode */
	entry = query();
	entry->inlen = htobe32(8);
	assert_int_equal(ring(), DELIVERED);
	assert_int_equal(entry_status(), BAD_INPUT_LEN);
	/* of any */
	for (i = 0; i < sizeof(none) / sizeof(none[0]); i++) {
		entry = query();
		entry->inlen = htobe32(none[i]);
		assert_int_equal(ring(), BAD_IN_LENGTH);
	}
}

static void answer_too_short(void **state)
{
	static const uint32_t none[] = { 0, 4, 7, 9, 0x1000004, 0xffffffff };
	struct raw_entry *entry;
	unsigned int i;

	(void)state;
	entry = query();
	entry->outlen = htobe32(16);
	assert_int_equal(ring(), DELIVERED);
	assert_int_equal(entry_status(), BAD_OUTPUT_LEN);
	for (i = 0; i < sizeof(none) / sizeof(none[0]); i++) {
		entry = query();
		entry->outlen = htobe32(none[i]);
		assert_int_equal(ring(), BAD_OUT_LENGTH);
	}
}

static void entry_type(void **state)
{
	(void)state;
	query()->type = 0;
	assert_int_equal(ring(), BAD_DESCRIPTOR);
	query()->type = 0xff;
	assert_int_equal(ring(), BAD_DESCRIPTOR);
}

static void chain_ends_early(void **state)
{
	(void)state;
	long_query();
	in_block(1)->next = 0;
	assert_int_equal(ring(), BAD_IN_LENGTH);
	query()->out_ptr = 0;
	assert_int_equal(ring(), BAD_OUT_LENGTH);
}

static void chain_is_a_loop(void **state)
{
	(void)state;
	long_query();
	in_block(1)->next = htobe64(raw_bus(&hca, in_block(0)));
	assert_int_equal(ring(), BAD_BLOCK_NUM);
	/* to itself, and as long as a message may be */
	long_query()->inlen = htobe32(0x1000000);
	in_block(0)->next = htobe64(raw_bus(&hca, in_block(0)));
	assert_int_equal(ring(), BAD_BLOCK_NUM);
}

static void chain_of_someone_else(void **state)
{
	(void)state;
	long_query();
	in_block(2)->token++;
	assert_int_equal(ring(), BAD_TOKEN);
	query();
	hca.out->token++;
	assert_int_equal(ring(), BAD_TOKEN);
}

static void pointers_not_aligned(void **state)
{
	struct raw_entry *entry;

	(void)state;
	entry = long_query();
	entry->in_ptr = htobe64(raw_bus(&hca, hca.in) + 8);
	assert_int_equal(ring(), BAD_IN_PTR);
	entry = query();
	entry->out_ptr = htobe64(raw_bus(&hca, hca.out) + 256);
	assert_int_equal(ring(), BAD_OUT_PTR);
}

/* Outside what is mapped for the function: just behind it, nowhere, and the
 * physical address, which is not the bus address.
 */
static void pointers_not_mapped(void **state)
{
	const uint64_t addrs[] = {
		hca.bus + hca.memory_len,
		0x1000,
		hca.bus & 0xfffffffffffULL,
		0xfffffffffffffe00ULL,
	};
	unsigned int i;

	(void)state;
	for (i = 0; i < sizeof(addrs) / sizeof(addrs[0]); i++) {
		long_query()->in_ptr = htobe64(addrs[i]);
		assert_int_equal(ring(), BAD_ACCESS);
		query()->out_ptr = htobe64(addrs[i]);
		assert_int_equal(ring(), BAD_ACCESS);
		long_query();
		in_block(1)->next = htobe64(addrs[i]);
		assert_int_equal(ring(), BAD_ACCESS);
	}
}

static void signatures(void **state)
{
	struct raw_entry *entry;

	(void)state;
	assert_int_equal(set_checksum(3), OK);
	hca.sign = true;
	assert_int_equal(query_adapter(), OK);

	query()->sig ^= 0x10;
	assert_int_equal(ring(), BAD_SIGNATURE);
	entry = query();
	entry->in[12] ^= 1;
	assert_int_equal(ring(), BAD_SIGNATURE);
	long_query();
	in_block(1)->data[100] ^= 1;
	assert_int_equal(ring(), BAD_SIGNATURE);
	long_query();
	in_block(2)->ctrl_sig ^= 1;
	assert_int_equal(ring(), BAD_SIGNATURE);

	/* once more unsigned */
	assert_int_equal(set_checksum(0), OK);
	hca.sign = false;
}

/* The entry is not the function's: nothing happens. */
static void rung_but_not_owned(void **state)
{
	struct raw_entry before;

	(void)state;
	query();
	before = *hca.queue;
	*(volatile uint32_t *)(void *)(hca.bar + 0x18) = htobe32(1);
	usleep(SILENT_MS * 1000);
	assert_memory_equal(&before, hca.queue, sizeof(before));
}

/* Slots that the queue does not have. */
static void slots_beyond_the_queue(void **state)
{
	(void)state;
	*(volatile uint32_t *)(void *)(hca.bar + 0x18) = htobe32(0xfffffffc);
	usleep(SILENT_MS * 1000);
}

static void set_bus_master(bool on)
{
	uint16_t command;
	char path[128];
	int fd;

	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/config", address);
	fd = open(path, O_RDWR | O_CLOEXEC);
	assert_true(fd >= 0);
	assert_int_equal(pread(fd, &command, 2, 4), 2);
	command = (uint16_t)((command & ~4) | (on ? 4 : 0));
	assert_int_equal(pwrite(fd, &command, 2, 4), 2);
	close(fd);
}

/* A function that may not master the bus can neither read nor answer. */
static void bus_master_off(void **state)
{
	(void)state;
	set_bus_master(false);
	query();
	raw_ring(&hca);
	assert_int_equal(raw_wait(&hca, SILENT_MS), -1);
	set_bus_master(true);
	assert_int_equal(ring(), DELIVERED);
	assert_int_equal(entry_status(), OK);
}

/* Without its doorbell an entry is not touched before the driver had its time
 * to ring; an overwritten doorbell does not lose it.
 */
static void owned_but_not_rung(void **state)
{
	(void)state;
	query();
	__atomic_store_n(&hca.queue->status_own, RAW_OWNER_HW, __ATOMIC_SEQ_CST);
	assert_int_equal(raw_wait(&hca, 50), -1);
	assert_int_equal(ring(), DELIVERED);
}

static uint16_t make_uctx(void)
{
	uint8_t in[UCTX_LEN] = { 0 }, out[16];
	struct raw_cmd cmd = { in, sizeof(in), out, sizeof(out) };

	raw_store16(in, 0, RAW_CREATE_UCTX);
	assert_int_equal(raw_command(&hca, &cmd), OK);
	return (uint16_t)(raw_load32(out, 8) & 0xffff);
}

static void objects_of_others(void **state)
{
	uint16_t mine, theirs;
	uint8_t out[16];
	uint32_t pd;

	(void)state;
	mine = make_uctx();
	theirs = make_uctx();
	assert_int_not_equal(mine, theirs);
	assert_int_equal(call(RAW_ALLOC_PD, mine, 0, out), OK);
	pd = raw_load32(out, 8) & 0xffffff;
	assert_int_equal(call(RAW_DEALLOC_PD, theirs, pd, out), BAD_RESOURCE);
	/* somebody who is not there */
	assert_int_equal(call(RAW_DEALLOC_PD, 0x7777, pd, out), BAD_PARAM);
	/* what a user may not do at all */
	assert_int_equal(call(RAW_DISABLE_HCA, mine, 0, out), BAD_PARAM);
	assert_int_equal(call(RAW_DEALLOC_PD, mine, pd, out), OK);
	assert_int_equal(call(RAW_DEALLOC_PD, mine, pd, out), BAD_RESOURCE);
	assert_int_equal(call(RAW_DEALLOC_PD, 0, 0xffffff, out), BAD_RESOURCE);
}

/* After it the function is silent, for the driver frees the queue next. */
static void disabled(void **state)
{
	uint8_t out[16];

	(void)state;
	assert_int_equal(call(RAW_DISABLE_HCA, 0, 0, out), OK);
	query();
	raw_ring(&hca);
	assert_int_equal(raw_wait(&hca, SILENT_MS), -1);
}

static int open_hca(void **state)
{
	(void)state;
	return raw_open(&hca, address);
}

static int close_hca(void **state)
{
	(void)state;
	raw_close(&hca);
	return 0;
}

#define CASE(f)		cmocka_unit_test_setup_teardown(f, enabled, still_answers)
#define CASE_UP(f)	cmocka_unit_test_setup_teardown(f, up, still_answers)

int main(int argc, char **argv)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(before_enable, still_answers),
		CASE(before_init),
		CASE(unknown_opcodes),
		CASE(request_too_short),
		CASE(answer_too_short),
		CASE(entry_type),
		CASE(chain_ends_early),
		CASE(chain_is_a_loop),
		CASE(chain_of_someone_else),
		CASE(pointers_not_aligned),
		CASE(pointers_not_mapped),
		CASE(signatures),
		CASE(rung_but_not_owned),
		CASE(slots_beyond_the_queue),
		CASE(bus_master_off),
		CASE(owned_but_not_rung),
		CASE_UP(objects_of_others),
		cmocka_unit_test_setup(disabled, up),
	};

	if (argc != 2) {
		fprintf(stderr, "Usage: raw-commands PCI-ADDRESS\n");
		return 2;
	}
	address = argv[1];
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("raw-commands", tests, open_hca,
					   close_hca);
}
