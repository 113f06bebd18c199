// SPDX-License-Identifier: GPL-2.0
/*
 * The PMA: counters that count, their two views, statuses.
 */
#include <rdma/ib_pma.h>

#include "fabric/fixture_kunit.h"

#define GET	IB_MGMT_METHOD_GET
#define SET	IB_MGMT_METHOD_SET

static int pma(struct kport *kp, u8 method, __be16 attr, void *data)
{
	struct ib_pma_mad in __aligned(8) = { .mad_hdr = {
		.base_version = IB_MGMT_BASE_VERSION,
		.mgmt_class = IB_MGMT_CLASS_PERF_MGMT,
		.class_version = 1,
		.method = method,
		.attr_id = attr,
	} };
	struct ib_pma_mad out __aligned(8);

	memcpy(in.data, data, sizeof(in.data));
	if (!shca_mad_process(kp->port, &in, &out, 1, false))
		return -1;
	memcpy(data, out.data, sizeof(out.data));
	return be16_to_cpu(out.mad_hdr.status);
}

union pma_data {
	struct ib_pma_portcounters cnt;
	struct ib_pma_portcounters_ext ext;
	struct ib_class_port_info info;
	u8 bytes[192];
};

static void get_counters(struct kunit *test, struct kport *kp,
			 union pma_data *data)
{
	memset(data, 0, sizeof(*data));
	data->cnt.port_select = 1;
	KUNIT_ASSERT_EQ(test, pma(kp, GET, IB_PMA_PORT_COUNTERS, data), 0);
}

static void get_extended(struct kunit *test, struct kport *kp,
			 union pma_data *data)
{
	memset(data, 0, sizeof(*data));
	data->ext.port_select = 1;
	KUNIT_ASSERT_EQ(test, pma(kp, GET, IB_PMA_PORT_COUNTERS_EXT, data), 0);
}

static void send(struct kport *kp, u16 dlid, u32 len)
{
	static u8 payload[64];
	struct shca_pkt pkt = { .slid = 1, .dlid = dlid, .dqpn = 100,
				.len = len, .data = payload };

	shca_port_send(kp->port, &pkt);
}

static void active_pair(struct kunit *test, struct kport **a, struct kport **b)
{
	kport_pair(test, a, b);
	(*a)->host = true;
	(*b)->host = true;
	kport_activate(test, *a, 1, 1);
	kport_activate(test, *b, 2, 1);
}

static void counts_what_is_on_the_wire(struct kunit *test)
{
	/* LRH, BTH, DETH, ICRC and the payload with its padding */
	const u32 words = (8 + 12 + 8 + 4 + 12) / 4;
	union pma_data data;
	struct kport *a, *b;

	active_pair(test, &a, &b);
	send(a, 2, 9);
	send(a, 0xc001, 9);
	send(a, 1, 9);		/* to itself: never leaves the port */

	get_counters(test, a, &data);
	KUNIT_EXPECT_EQ(test, be32_to_cpu(data.cnt.port_xmit_packets), 2);
	KUNIT_EXPECT_EQ(test, be32_to_cpu(data.cnt.port_xmit_data), 2 * words);
	KUNIT_EXPECT_EQ(test, be32_to_cpu(data.cnt.port_rcv_packets), 0);
	get_extended(test, b, &data);
	KUNIT_EXPECT_EQ(test, be64_to_cpu(data.ext.port_rcv_packets), 2);
	KUNIT_EXPECT_EQ(test, be64_to_cpu(data.ext.port_rcv_data), 2 * words);
	KUNIT_EXPECT_EQ(test, be64_to_cpu(data.ext.port_unicast_rcv_packets), 1);
	KUNIT_EXPECT_EQ(test, be64_to_cpu(data.ext.port_multicast_rcv_packets),
			1);
}

static void counts_errors(struct kunit *test)
{
	union pma_data data;
	struct kport *a, *b;

	active_pair(test, &a, &b);
	send(a, 3, 4);				/* nobody's LID */
	get_counters(test, b, &data);
	KUNIT_EXPECT_EQ(test, be16_to_cpu(data.cnt.port_rcv_errors), 1);
	shca_port_set_cable(a->port, false);
	send(a, 2, 4);
	get_counters(test, a, &data);
	KUNIT_EXPECT_EQ(test, be16_to_cpu(data.cnt.port_xmit_discards), 1);
	KUNIT_EXPECT_EQ(test, data.cnt.link_downed_counter, 1);
}

static void clears_one_view(struct kunit *test)
{
	union pma_data data;
	struct kport *a, *b;

	active_pair(test, &a, &b);
	send(a, 2, 4);
	memset(&data, 0, sizeof(data));
	data.cnt.port_select = 1;
	data.cnt.counter_select = IB_PMA_SEL_PORT_XMIT_PACKETS;
	KUNIT_EXPECT_EQ(test, pma(a, SET, IB_PMA_PORT_COUNTERS, &data), 0);
	KUNIT_EXPECT_EQ(test, be32_to_cpu(data.cnt.port_xmit_packets), 0);
	/* not selected: kept */
	KUNIT_EXPECT_NE(test, be32_to_cpu(data.cnt.port_xmit_data), 0);
	get_extended(test, a, &data);
	KUNIT_EXPECT_EQ(test, be64_to_cpu(data.ext.port_xmit_packets), 1);
	send(a, 2, 4);
	get_counters(test, a, &data);
	KUNIT_EXPECT_EQ(test, be32_to_cpu(data.cnt.port_xmit_packets), 1);
	get_extended(test, a, &data);
	KUNIT_EXPECT_EQ(test, be64_to_cpu(data.ext.port_xmit_packets), 2);
}

static void narrow_counters_stick(struct kunit *test)
{
	union pma_data data = {};
	struct kport *a, *b;

	active_pair(test, &a, &b);
	data.cnt.port_select = 1;
	data.cnt.counter_select = IB_PMA_SEL_PORT_XMIT_PACKETS |
				  IB_PMA_SEL_LINK_DOWNED;
	data.cnt.port_xmit_packets = cpu_to_be32(0xfffffffe);
	data.cnt.link_downed_counter = 0xff;
	KUNIT_EXPECT_EQ(test, pma(a, SET, IB_PMA_PORT_COUNTERS, &data), 0);
	KUNIT_EXPECT_EQ(test, be32_to_cpu(data.cnt.port_xmit_packets),
			0xfffffffe);
	send(a, 2, 4);
	send(a, 2, 4);
	send(a, 2, 4);
	shca_port_set_cable(a->port, false);
	get_counters(test, a, &data);
	KUNIT_EXPECT_EQ(test, be32_to_cpu(data.cnt.port_xmit_packets),
			0xffffffff);
	KUNIT_EXPECT_EQ(test, data.cnt.link_downed_counter, 0xff);
}

static void statuses(struct kunit *test)
{
	struct kport *kp = kport_add(test, 1);
	union pma_data data = {};

	KUNIT_EXPECT_EQ(test, pma(kp, GET, IB_PMA_CLASS_PORT_INFO, &data), 0);
	KUNIT_EXPECT_EQ(test, data.info.base_version, 1);
	KUNIT_EXPECT_TRUE(test, data.info.capability_mask ==
				IB_PMA_CLASS_CAP_EXT_WIDTH);
	KUNIT_EXPECT_EQ(test, pma(kp, SET, IB_PMA_CLASS_PORT_INFO, &data), 0xc);
	KUNIT_EXPECT_EQ(test, pma(kp, GET, IB_PMA_PORT_SAMPLES_CONTROL, &data),
			0xc);
	data.cnt.port_select = 2;
	KUNIT_EXPECT_EQ(test, pma(kp, GET, IB_PMA_PORT_COUNTERS, &data), 0x1c);
	data.cnt.port_select = 0xff;
	KUNIT_EXPECT_EQ(test, pma(kp, GET, IB_PMA_PORT_COUNTERS_EXT, &data),
			0x1c);
	KUNIT_EXPECT_EQ(test, pma(kp, 0x15, IB_PMA_PORT_COUNTERS, &data), 0x8);
}

static struct kunit_case pma_cases[] = {
	KUNIT_CASE(counts_what_is_on_the_wire),
	KUNIT_CASE(counts_errors),
	KUNIT_CASE(clears_one_view),
	KUNIT_CASE(narrow_counters_stick),
	KUNIT_CASE(statuses),
	{ }
};

static struct kunit_suite pma_suite = {
	.name = "softhca_fabric_pma",
	.suite_init = shca_fabric_kunit_init,
	.suite_exit = shca_fabric_kunit_exit,
	.test_cases = pma_cases,
};

kunit_test_suite(pma_suite);
