// SPDX-License-Identifier: GPL-2.0
/*
 * Links that lose, repeat, delay and overtake.
 */
#include <linux/delay.h>
#include <linux/ktime.h>

#include "fabric/fixture_kunit.h"

#define LID_A	3
#define LID_B	4

/* An Active link between two hosts, of the given kind. */
static void begin(struct kunit *test, struct kport **a, struct kport **b,
		  const struct shca_impairment *set)
{
	kport_pair(test, a, b);
	(*a)->host = true;
	(*b)->host = true;
	kport_activate(test, *a, LID_A, LID_A);
	kport_activate(test, *b, LID_B, LID_A);
	KUNIT_ASSERT_EQ(test, shca_port_impair((*a)->port, set), 0);
}

static void send(struct kunit *test, struct kport *from, u16 dlid, u8 *data)
{
	struct shca_pkt pkt = {
		.slid = dlid ^ LID_A ^ LID_B, .dlid = dlid, .dqpn = 0x99,
		.len = 4, .data = data,
	};

	KUNIT_EXPECT_EQ(test, shca_port_send(from->port, &pkt), 0);
}

static u64 rcv_errors(struct kport *kp)
{
	struct shca_port_stat stat;

	shca_port_stat(kp->port, &stat);
	return stat.rcv_errors;
}

static void impair_limits(struct kunit *test)
{
	static const struct shca_impairment bad[] = {
		{ .delay_us = SHCA_DELAY_MAX_US + 1 },
		{ .loss = SHCA_PPM + 1 },
		{ .duplicate = SHCA_PPM + 1 },
		{ .reorder = SHCA_PPM + 1 },
	};
	struct shca_impairment set = { .loss = 5 }, shown;
	struct kport *a = kport_add(test, 1), *b = kport_add(test, 2);
	unsigned int i;

	KUNIT_EXPECT_EQ(test, shca_port_impair(a->port, &set), -ENOTCONN);
	KUNIT_EXPECT_EQ(test, shca_cable_add(a->port, b->port), 0);
	for (i = 0; i < ARRAY_SIZE(bad); i++)
		KUNIT_EXPECT_EQ(test, shca_port_impair(a->port, &bad[i]),
				-EINVAL);
	shca_port_impairment(a->port, &shown);
	KUNIT_EXPECT_EQ(test, shown.loss, 0U);
	/* Both ends are of one link. */
	KUNIT_EXPECT_EQ(test, shca_port_impair(a->port, &set), 0);
	shca_port_impairment(b->port, &shown);
	KUNIT_EXPECT_EQ(test, shown.loss, 5U);
	/* Another cable is another link. */
	kport_del(b);
	shca_port_impairment(a->port, &shown);
	KUNIT_EXPECT_EQ(test, shown.loss, 0U);
}

static void impair_loses(struct kunit *test)
{
	static const struct shca_impairment set = { .loss = SHCA_PPM };
	static const struct shca_impairment none;
	u8 data[4] = { 1, 2, 3, 4 };
	struct kport *a, *b;

	begin(test, &a, &b, &set);
	send(test, a, LID_B, data);
	send(test, b, LID_A, data);
	KUNIT_EXPECT_EQ(test, a->packets, 0U);
	KUNIT_EXPECT_EQ(test, b->packets, 0U);
	KUNIT_EXPECT_EQ(test, rcv_errors(a), 1ULL);
	KUNIT_EXPECT_EQ(test, rcv_errors(b), 1ULL);
	/* What a port sends to itself goes over no link. */
	send(test, a, LID_A, data);
	KUNIT_EXPECT_EQ(test, a->packets, 1U);

	KUNIT_EXPECT_EQ(test, shca_port_impair(b->port, &none), 0);
	send(test, a, LID_B, data);
	KUNIT_EXPECT_EQ(test, b->packets, 1U);
}

/* Of a thousand packets with a chance of a tenth: 100, give or take 9.5. */
static void impair_chance(struct kunit *test)
{
	static const struct shca_impairment set = { .loss = SHCA_PPM / 10 };
	u8 data[4] = {};
	struct kport *a, *b;
	unsigned int i;

	begin(test, &a, &b, &set);
	for (i = 0; i < 1000; i++)
		send(test, a, LID_B, data);
	KUNIT_EXPECT_GT(test, b->packets, 830U);
	KUNIT_EXPECT_LT(test, b->packets, 970U);
}

static void impair_repeats(struct kunit *test)
{
	static const struct shca_impairment set = { .duplicate = SHCA_PPM };
	u8 data[4] = { 1, 2, 3, 4 };
	struct kport *a, *b;

	begin(test, &a, &b, &set);
	send(test, a, LID_B, data);
	KUNIT_EXPECT_EQ(test, b->packets, 2U);
	KUNIT_EXPECT_EQ(test, b->mad[3], 4);
}

static void impair_delays(struct kunit *test)
{
	static const struct shca_impairment set = { .delay_us = 20000 };
	u8 data[4] = { 1, 2, 3, 4 };
	u64 began = ktime_get_ns();
	struct kport *a, *b;

	begin(test, &a, &b, &set);
	send(test, a, LID_B, data);
	KUNIT_EXPECT_EQ(test, b->packets, 0U);
	/* The sender may use his memory for something else now. */
	data[3] = 0;
	KUNIT_EXPECT_TRUE(test, kport_wait(b));
	KUNIT_EXPECT_GE(test, ktime_get_ns() - began, 20 * NSEC_PER_MSEC);
	KUNIT_EXPECT_EQ(test, b->mad[3], 4);
}

static void impair_overtakes(struct kunit *test)
{
	struct shca_impairment set = { .reorder = SHCA_PPM, .delay_us = 50000 };
	u8 first[4] = { 1 }, second[4] = { 2 };
	struct kport *a, *b;

	begin(test, &a, &b, &set);
	send(test, a, LID_B, first);
	set.reorder = 0;
	set.delay_us = 0;
	KUNIT_EXPECT_EQ(test, shca_port_impair(a->port, &set), 0);
	send(test, a, LID_B, second);
	KUNIT_EXPECT_EQ(test, b->mad[0], 2);
	KUNIT_EXPECT_TRUE(test, kport_wait(b));
	KUNIT_EXPECT_TRUE(test, kport_wait(b));
	KUNIT_EXPECT_EQ(test, b->mad[0], 1);
}

/* Packets under way when the link goes, and when the port does. */
static void impair_link_goes(struct kunit *test)
{
	static const struct shca_impairment set = { .delay_us = 30000 };
	u8 data[4] = {};
	struct kport *a, *b;
	unsigned int i;

	begin(test, &a, &b, &set);
	send(test, a, LID_B, data);
	KUNIT_EXPECT_EQ(test, shca_port_set_cable(a->port, false), 0);
	KUNIT_EXPECT_EQ(test, shca_port_set_cable(a->port, true), 0);
	msleep(60);
	KUNIT_EXPECT_EQ(test, b->packets, 0U);

	kport_activate(test, a, LID_A, LID_A);
	kport_activate(test, b, LID_B, LID_A);
	for (i = 0; i < 10; i++)
		send(test, a, LID_B, data);
	kport_del(a);
	KUNIT_EXPECT_EQ(test, b->packets, 0U);
}

static struct kunit_case impair_cases[] = {
	KUNIT_CASE(impair_limits),
	KUNIT_CASE(impair_loses),
	KUNIT_CASE(impair_chance),
	KUNIT_CASE(impair_repeats),
	KUNIT_CASE(impair_delays),
	KUNIT_CASE(impair_overtakes),
	KUNIT_CASE(impair_link_goes),
	{}
};

static struct kunit_suite impair_suite = {
	.name = "softhca_fabric_impair",
	.suite_init = shca_fabric_kunit_init,
	.suite_exit = shca_fabric_kunit_exit,
	.test_cases = impair_cases,
};

kunit_test_suite(impair_suite);
