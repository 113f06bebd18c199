// SPDX-License-Identifier: GPL-2.0
/*
 * The link state machine: who may move what, and what the other end sees.
 */
#include "fabric/fixture_kunit.h"

static u8 state_of(struct kport *kp)
{
	struct shca_port_info info;

	shca_port_query(kp->port, &info);
	return info.state;
}

static u8 phys_of(struct kport *kp)
{
	struct shca_port_info info;

	shca_port_query(kp->port, &info);
	return info.phys_state;
}

/* SubnSet(PortInfo) of state, physical state and LinkDownDefaultState. */
static int set_link(struct kport *kp, u8 state, u8 phys, u8 down_default)
{
	struct ib_port_info info;

	kport_smp(kp, IB_MGMT_METHOD_GET, IB_SMP_ATTR_PORT_INFO, 0, &info);
	info.linkspeed_portstate = state;
	info.portphysstate_linkdown = phys << 4 | down_default;
	return kport_smp(kp, IB_MGMT_METHOD_SET, IB_SMP_ATTR_PORT_INFO, 0,
			 &info);
}

static int set_enabled(struct kport *kp, u8 width, u8 speed)
{
	struct ib_port_info info;

	kport_smp(kp, IB_MGMT_METHOD_GET, IB_SMP_ATTR_PORT_INFO, 0, &info);
	info.link_width_enabled = width;
	info.linkspeedactive_enabled = speed;
	info.linkspeed_portstate = 0;
	info.portphysstate_linkdown = 0;
	return kport_smp(kp, IB_MGMT_METHOD_SET, IB_SMP_ATTR_PORT_INFO, 0,
			 &info);
}

static void link_comes_up_when_all_is_there(struct kunit *test)
{
	struct kport *a = kport_add(test, 1), *b = kport_add(test, 2);

	KUNIT_EXPECT_EQ(test, phys_of(a), SHCA_PHYS_DISABLED);
	shca_port_enable(a->port, true);
	KUNIT_EXPECT_EQ(test, phys_of(a), SHCA_PHYS_POLLING);
	KUNIT_EXPECT_EQ(test, shca_cable_add(a->port, b->port), 0);
	KUNIT_EXPECT_EQ(test, phys_of(a), SHCA_PHYS_POLLING);
	KUNIT_EXPECT_EQ(test, a->events[SHCA_PORT_INIT], 0);

	shca_port_enable(b->port, true);
	KUNIT_EXPECT_EQ(test, phys_of(a), SHCA_PHYS_LINKUP);
	KUNIT_EXPECT_EQ(test, phys_of(b), SHCA_PHYS_LINKUP);
	KUNIT_EXPECT_EQ(test, state_of(a), SHCA_STATE_INIT);
	KUNIT_EXPECT_EQ(test, state_of(b), SHCA_STATE_INIT);
	KUNIT_EXPECT_EQ(test, a->events[SHCA_PORT_INIT], 1);
	KUNIT_EXPECT_EQ(test, b->events[SHCA_PORT_INIT], 1);
	KUNIT_EXPECT_EQ(test, shca_port_peer_guid(a->port), 0x3002);
}

static void cable_rules(struct kunit *test)
{
	struct kport *a, *b, *c = kport_add(test, 3);

	kport_pair(test, &a, &b);
	KUNIT_EXPECT_EQ(test, shca_cable_add(c->port, c->port), -EINVAL);
	KUNIT_EXPECT_EQ(test, shca_cable_add(a->port, c->port), -EBUSY);
	KUNIT_EXPECT_EQ(test, shca_port_set_cable(c->port, true), -ENOTCONN);
	KUNIT_EXPECT_FALSE(test, shca_port_cable_up(c->port));
	KUNIT_EXPECT_EQ(test, shca_port_peer_guid(c->port), 0);
}

static void pulled_cable_takes_both_down(struct kunit *test)
{
	struct kport *a, *b;

	kport_pair(test, &a, &b);
	KUNIT_EXPECT_EQ(test, shca_port_set_cable(a->port, false), 0);
	KUNIT_EXPECT_FALSE(test, shca_port_cable_up(b->port));
	KUNIT_EXPECT_EQ(test, state_of(a), SHCA_STATE_DOWN);
	KUNIT_EXPECT_EQ(test, state_of(b), SHCA_STATE_DOWN);
	KUNIT_EXPECT_EQ(test, phys_of(b), SHCA_PHYS_POLLING);
	KUNIT_EXPECT_EQ(test, a->events[SHCA_PORT_DOWN], 1);
	KUNIT_EXPECT_EQ(test, b->events[SHCA_PORT_DOWN], 1);
	/* Pulling it twice is pulling it once. */
	shca_port_set_cable(b->port, false);
	KUNIT_EXPECT_EQ(test, a->events[SHCA_PORT_DOWN], 1);

	shca_port_set_cable(b->port, true);
	KUNIT_EXPECT_EQ(test, state_of(a), SHCA_STATE_INIT);
	KUNIT_EXPECT_EQ(test, b->events[SHCA_PORT_INIT], 2);
}

static void sm_moves_state_in_order(struct kunit *test)
{
	struct kport *a, *b;

	kport_pair(test, &a, &b);
	KUNIT_EXPECT_EQ(test, set_link(a, SHCA_STATE_ACTIVE, 0, 0), 0x1c);
	KUNIT_EXPECT_EQ(test, set_link(a, SHCA_STATE_INIT, 0, 0), 0x1c);
	KUNIT_EXPECT_EQ(test, set_link(a, SHCA_STATE_ARMED,
				       SHCA_PHYS_POLLING, 0), 0x1c);
	KUNIT_EXPECT_EQ(test, state_of(a), SHCA_STATE_INIT);

	KUNIT_EXPECT_EQ(test, set_link(a, SHCA_STATE_ARMED, 0, 0), 0);
	KUNIT_EXPECT_EQ(test, state_of(a), SHCA_STATE_ARMED);
	KUNIT_EXPECT_EQ(test, set_link(a, SHCA_STATE_ARMED, 0, 0), 0x1c);
	KUNIT_EXPECT_EQ(test, set_link(a, SHCA_STATE_ACTIVE, 0, 0), 0);
	KUNIT_EXPECT_EQ(test, state_of(a), SHCA_STATE_ACTIVE);
	KUNIT_EXPECT_EQ(test, a->last, SHCA_PORT_ACTIVE);
	KUNIT_EXPECT_EQ(test, set_link(a, SHCA_STATE_ACTIVE, 0, 0), 0x1c);
	KUNIT_EXPECT_EQ(test, set_link(a, 0, 0, 0), 0);
	/* The other end has its own way to go. */
	KUNIT_EXPECT_EQ(test, state_of(b), SHCA_STATE_INIT);
	KUNIT_EXPECT_EQ(test, set_link(a, 5, 0, 0), 0x1c);
	KUNIT_EXPECT_EQ(test, set_link(a, 0, 4, 0), 0x1c);
	KUNIT_EXPECT_EQ(test, set_link(a, 0, 0, 3), 0x1c);
}

static void down_retrains(struct kunit *test)
{
	struct kport *a, *b;

	kport_pair(test, &a, &b);
	kport_activate(test, a, 1, 1);
	kport_activate(test, b, 2, 1);
	KUNIT_EXPECT_EQ(test, set_link(a, SHCA_STATE_DOWN, 0, 0), 0);
	KUNIT_EXPECT_EQ(test, state_of(a), SHCA_STATE_INIT);
	KUNIT_EXPECT_EQ(test, state_of(b), SHCA_STATE_INIT);
	KUNIT_EXPECT_EQ(test, a->events[SHCA_PORT_DOWN], 1);
	KUNIT_EXPECT_EQ(test, b->events[SHCA_PORT_DOWN], 1);
	KUNIT_EXPECT_EQ(test, b->events[SHCA_PORT_INIT], 2);
}

static void disabled_stays_down(struct kunit *test)
{
	struct kport *a, *b;

	kport_pair(test, &a, &b);
	KUNIT_EXPECT_EQ(test, set_link(a, SHCA_STATE_DOWN,
				       SHCA_PHYS_DISABLED, 0), 0);
	KUNIT_EXPECT_EQ(test, phys_of(a), SHCA_PHYS_DISABLED);
	KUNIT_EXPECT_EQ(test, phys_of(b), SHCA_PHYS_POLLING);
	shca_port_set_cable(a->port, false);
	shca_port_set_cable(a->port, true);
	KUNIT_EXPECT_EQ(test, state_of(a), SHCA_STATE_DOWN);
	/* A polling neighbour wakes a sleeper, not a disabled port. */
	KUNIT_EXPECT_EQ(test, set_link(b, 0, SHCA_PHYS_POLLING, 0), 0);
	KUNIT_EXPECT_EQ(test, state_of(b), SHCA_STATE_DOWN);

	KUNIT_EXPECT_EQ(test, set_link(a, 0, SHCA_PHYS_POLLING, 0), 0);
	KUNIT_EXPECT_EQ(test, state_of(a), SHCA_STATE_INIT);
	KUNIT_EXPECT_EQ(test, state_of(b), SHCA_STATE_INIT);
}

static void two_sleepers_sleep(struct kunit *test)
{
	struct kport *a, *b;

	kport_pair(test, &a, &b);
	/* The poller at the other end wakes it at once. */
	KUNIT_EXPECT_EQ(test, set_link(a, 0, SHCA_PHYS_SLEEP, 0), 0);
	KUNIT_EXPECT_EQ(test, state_of(a), SHCA_STATE_INIT);

	KUNIT_EXPECT_EQ(test, set_link(a, 0, 0, SHCA_PHYS_SLEEP), 0);
	KUNIT_EXPECT_EQ(test, set_link(b, 0, 0, SHCA_PHYS_SLEEP), 0);
	KUNIT_EXPECT_EQ(test, state_of(a), SHCA_STATE_INIT);
	KUNIT_EXPECT_EQ(test, set_link(a, SHCA_STATE_DOWN, 0, 0), 0);
	KUNIT_EXPECT_EQ(test, phys_of(a), SHCA_PHYS_SLEEP);
	KUNIT_EXPECT_EQ(test, phys_of(b), SHCA_PHYS_SLEEP);
	KUNIT_EXPECT_EQ(test, set_link(b, 0, SHCA_PHYS_POLLING, 0), 0);
	KUNIT_EXPECT_EQ(test, state_of(a), SHCA_STATE_INIT);
	KUNIT_EXPECT_EQ(test, state_of(b), SHCA_STATE_INIT);
}

static void best_common_speed_and_width(struct kunit *test)
{
	struct shca_port_attr attr;
	struct shca_port_info info;
	struct kport *a, *b;

	kport_attr(&attr, 1);
	attr.link_width_sup = 0x13;	/* 1x, 4x, 2x */
	attr.link_speed_ext_sup = 7;	/* up to HDR */
	a = kport_add_attr(test, &attr);
	b = kport_add(test, 2);
	shca_port_enable(a->port, true);
	shca_port_enable(b->port, true);
	KUNIT_ASSERT_EQ(test, shca_cable_add(a->port, b->port), 0);

	shca_port_query(a->port, &info);
	KUNIT_EXPECT_EQ(test, info.link_width_active, 2);
	KUNIT_EXPECT_EQ(test, info.link_speed_ext_active, 2);
	KUNIT_EXPECT_EQ(test, info.link_speed_active, 4);
	KUNIT_EXPECT_TRUE(test, info.cap_mask & IB_PORT_CAP_MASK2_SUP);

	shca_port_set_cable(a->port, false);
	shca_port_query(a->port, &info);
	KUNIT_EXPECT_EQ(test, info.link_speed_active, 1);
	KUNIT_EXPECT_EQ(test, info.link_speed_ext_active, 0);
}

static void nothing_in_common_stays_down(struct kunit *test)
{
	struct kport *a, *b;

	kport_pair(test, &a, &b);
	KUNIT_EXPECT_EQ(test, set_enabled(a, 1, 0), 0);
	KUNIT_EXPECT_EQ(test, set_enabled(b, 2, 0), 0);
	/* What is enabled counts when the link trains. */
	KUNIT_EXPECT_EQ(test, state_of(a), SHCA_STATE_INIT);
	KUNIT_EXPECT_EQ(test, set_link(a, SHCA_STATE_DOWN, 0, 0), 0);
	KUNIT_EXPECT_EQ(test, state_of(a), SHCA_STATE_DOWN);
	KUNIT_EXPECT_EQ(test, phys_of(a), SHCA_PHYS_POLLING);
	KUNIT_EXPECT_EQ(test, set_enabled(b, 0xff, 0), 0);
	KUNIT_EXPECT_EQ(test, set_link(b, 0, SHCA_PHYS_POLLING, 0), 0);
	KUNIT_EXPECT_EQ(test, state_of(a), SHCA_STATE_INIT);
}

static void transceiver_off_is_disabled(struct kunit *test)
{
	struct kport *a, *b;

	kport_pair(test, &a, &b);
	shca_port_enable(b->port, false);
	KUNIT_EXPECT_EQ(test, phys_of(b), SHCA_PHYS_DISABLED);
	KUNIT_EXPECT_EQ(test, phys_of(a), SHCA_PHYS_POLLING);
	KUNIT_EXPECT_EQ(test, a->events[SHCA_PORT_DOWN], 1);
	shca_port_enable(b->port, true);
	KUNIT_EXPECT_EQ(test, state_of(a), SHCA_STATE_INIT);
}

static void data_makes_armed_active(struct kunit *test)
{
	struct kport *a, *b;
	u8 payload[4] = { 1, 2, 3, 4 };
	struct shca_pkt pkt = { .slid = 1, .dlid = 2, .dqpn = 100,
				.len = sizeof(payload), .data = payload };

	kport_pair(test, &a, &b);
	b->host = true;
	kport_activate(test, a, 1, 1);
	KUNIT_EXPECT_EQ(test, set_link(b, SHCA_STATE_ARMED, 0, 0), 0);
	/* b has no LID yet: counted as an error, yet it is data on the wire. */
	KUNIT_EXPECT_EQ(test, shca_port_send(a->port, &pkt), 0);
	KUNIT_EXPECT_EQ(test, b->packets, 0);
	drain_workqueue(shca_fabric_wq);
	KUNIT_EXPECT_EQ(test, state_of(b), SHCA_STATE_ACTIVE);
	KUNIT_EXPECT_EQ(test, b->events[SHCA_PORT_ACTIVE], 1);
}

static void removed_port_frees_its_neighbour(struct kunit *test)
{
	struct kport *a, *b, *c = kport_add(test, 3);

	kport_pair(test, &a, &b);
	kport_del(b);
	KUNIT_EXPECT_EQ(test, b->events[SHCA_PORT_DOWN], 0);
	KUNIT_EXPECT_EQ(test, a->events[SHCA_PORT_DOWN], 1);
	KUNIT_EXPECT_EQ(test, state_of(a), SHCA_STATE_DOWN);
	KUNIT_EXPECT_EQ(test, shca_port_peer_guid(a->port), 0);
	shca_port_enable(c->port, true);
	KUNIT_EXPECT_EQ(test, shca_cable_add(a->port, c->port), 0);
	KUNIT_EXPECT_EQ(test, state_of(c), SHCA_STATE_INIT);
}

static void ports_of_one_node(struct kunit *test)
{
	struct shca_port_attr attr;
	struct shca_port *dup;

	kport_attr(&attr, 1);
	attr.num_ports = 2;
	kport_add_attr(test, &attr);
	dup = shca_port_add(&attr, NULL, NULL);
	KUNIT_EXPECT_EQ(test, PTR_ERR_OR_ZERO(dup), -EEXIST);
	attr.port_num = 2;
	attr.port_guid++;
	kport_add_attr(test, &attr);
	attr.port_num = 3;
	dup = shca_port_add(&attr, NULL, NULL);
	KUNIT_EXPECT_EQ(test, PTR_ERR_OR_ZERO(dup), -EINVAL);
}

static struct kunit_case link_cases[] = {
	KUNIT_CASE(link_comes_up_when_all_is_there),
	KUNIT_CASE(cable_rules),
	KUNIT_CASE(pulled_cable_takes_both_down),
	KUNIT_CASE(sm_moves_state_in_order),
	KUNIT_CASE(down_retrains),
	KUNIT_CASE(disabled_stays_down),
	KUNIT_CASE(two_sleepers_sleep),
	KUNIT_CASE(best_common_speed_and_width),
	KUNIT_CASE(nothing_in_common_stays_down),
	KUNIT_CASE(transceiver_off_is_disabled),
	KUNIT_CASE(data_makes_armed_active),
	KUNIT_CASE(removed_port_frees_its_neighbour),
	KUNIT_CASE(ports_of_one_node),
	{ }
};

static struct kunit_suite link_suite = {
	.name = "softhca_fabric_link",
	.suite_init = shca_fabric_kunit_init,
	.suite_exit = shca_fabric_kunit_exit,
	.test_cases = link_cases,
};

kunit_test_suite(link_suite);
