// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * What is wrong with an SMP comes back as the MAD status of the specification,
 * from the HCA itself and, with "far", from the node at the end of its cable.
 */
#include <arpa/inet.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "mad_client.h"

#define BAD_VERSION	0x04
#define BAD_ATTRIBUTE	0x0c
#define BAD_VALUE	0x1c

static struct mad_client client;
static unsigned int hops;

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

static void smp_init(struct umad_smp *smp, uint8_t method, uint16_t attr,
		     uint32_t mod)
{
	uint8_t path[UMAD_SMP_MAX_HOPS] = { 0, (uint8_t)mad_test_port() };

	mad_smp_init(smp, method, attr, mod, hops, path);
}

static int query(uint8_t method, uint16_t attr, uint32_t mod)
{
	struct umad_smp smp;

	smp_init(&smp, method, attr, mod);
	return mad_call(&client, &smp);
}

static void known_attributes(void **state)
{
	static const uint16_t attrs[] = {
		UMAD_SM_ATTR_NODE_DESC, UMAD_SM_ATTR_NODE_INFO,
		UMAD_SM_ATTR_GUID_INFO, UMAD_SM_ATTR_PORT_INFO,
		UMAD_SM_ATTR_PKEY_TABLE, UMAD_SM_ATTR_SLVL_TABLE,
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(attrs) / sizeof(attrs[0]); i++)
		assert_int_equal(query(UMAD_METHOD_GET, attrs[i], 0), 0);
}

static void answer_is_marked_as_one(void **state)
{
	struct umad_smp smp;

	(void)state;
	smp_init(&smp, UMAD_METHOD_GET, UMAD_SM_ATTR_NODE_INFO, 0);
	assert_int_equal(mad_call(&client, &smp), 0);
	assert_int_equal(smp.method, UMAD_METHOD_GET_RESP);
	assert_true(ntohs(smp.status) & UMAD_SMP_DIRECTION);
	assert_int_equal(smp.hop_cnt, hops);
	assert_int_equal(ntohs(smp.attr_id), UMAD_SM_ATTR_NODE_INFO);
}

static void class_version(void **state)
{
	struct umad_smp smp;

	(void)state;
	smp_init(&smp, UMAD_METHOD_GET, UMAD_SM_ATTR_NODE_INFO, 0);
	smp.class_version = 9;
	assert_int_equal(mad_call(&client, &smp), BAD_VERSION);
}

static void unknown_attribute(void **state)
{
	(void)state;
	assert_int_equal(query(UMAD_METHOD_GET, 0x00aa, 0), BAD_ATTRIBUTE);
	/* of a switch, and this is none */
	assert_int_equal(query(UMAD_METHOD_GET, UMAD_SM_ATTR_SWITCH_INFO, 0),
			 BAD_ATTRIBUTE);
	assert_int_equal(query(UMAD_METHOD_GET, UMAD_SM_ATTR_LINEAR_FT, 0),
			 BAD_ATTRIBUTE);
}

static void method_of_attribute(void **state)
{
	(void)state;
	assert_int_equal(query(UMAD_METHOD_SET, UMAD_SM_ATTR_NODE_INFO, 0),
			 BAD_ATTRIBUTE);
}

static void attribute_modifier(void **state)
{
	(void)state;
	assert_int_equal(query(UMAD_METHOD_GET, UMAD_SM_ATTR_PORT_INFO, 200),
			 BAD_VALUE);
	assert_int_equal(query(UMAD_METHOD_GET, UMAD_SM_ATTR_PKEY_TABLE, 0xffff),
			 BAD_VALUE);
	assert_int_equal(query(UMAD_METHOD_GET, UMAD_SM_ATTR_GUID_INFO, 0xffff),
			 BAD_VALUE);
}

int main(int argc, char **argv)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_attributes),
		cmocka_unit_test(answer_is_marked_as_one),
		cmocka_unit_test(class_version),
		cmocka_unit_test(unknown_attribute),
		cmocka_unit_test(method_of_attribute),
		cmocka_unit_test(attribute_modifier),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	hops = argc > 1 && !strcmp(argv[1], "far");
	return cmocka_run_group_tests_name(hops ? "far" : "near", tests,
					   open_client, close_client);
}
