// SPDX-License-Identifier: GPL-2.0
/*
 * Traps: when they go to the SM, what they say, when they stop.
 */
#include <linux/delay.h>

#include "fabric/fixture_kunit.h"

static struct ib_mad_notice_attr *notice_of(struct kport *kp)
{
	return (struct ib_mad_notice_attr *)((struct ib_smp *)kp->mad)->data;
}

static void with_sm(struct kunit *test, struct kport **ca, struct kport **sm)
{
	kport_pair(test, ca, sm);
	kport_activate(test, *ca, 1, 2);
	kport_activate(test, *sm, 2, 2);
	(*sm)->host = true;
}

static void repress(struct kport *ca, struct kport *sm)
{
	struct ib_smp in __aligned(8), out __aligned(8);

	kport_smp_init(&in, IB_MGMT_CLASS_SUBN_LID_ROUTED,
		       IB_MGMT_METHOD_TRAP_REPRESS, IB_SMP_ATTR_NOTICE);
	in.tid = ((struct ib_smp *)sm->mad)->tid;
	shca_mad_process(ca->port, &in, &out, 2, false);
}

static void capability_change(struct kunit *test)
{
	struct kport *ca, *sm;
	struct ib_smp *smp;

	with_sm(test, &ca, &sm);
	smp = (struct ib_smp *)sm->mad;
	shca_port_cap_set(ca->port, IB_PORT_SM, IB_PORT_SM);
	KUNIT_ASSERT_TRUE(test, kport_wait(sm));
	KUNIT_EXPECT_EQ(test, smp->method, IB_MGMT_METHOD_TRAP);
	KUNIT_EXPECT_EQ(test, be16_to_cpu(notice_of(sm)->trap_num), 144);
	KUNIT_EXPECT_EQ(test, be16_to_cpu(notice_of(sm)->issuer_lid), 1);
	KUNIT_EXPECT_TRUE(test,
			  be32_to_cpu(notice_of(sm)->details.ntc_144.new_cap_mask) &
			  IB_PORT_SM);
	/* again, at the pace of the subnet, until the SM represses it */
	KUNIT_ASSERT_TRUE(test, kport_wait(sm));
	repress(ca, sm);
	drain_workqueue(shca_fabric_wq);
	reinit_completion(&sm->got);
	KUNIT_EXPECT_FALSE(test, wait_for_completion_timeout(&sm->got, HZ / 2));

	/* no change, no news */
	shca_port_cap_set(ca->port, IB_PORT_SM, IB_PORT_SM);
	KUNIT_EXPECT_FALSE(test, wait_for_completion_timeout(&sm->got, HZ / 5));
}

static void gives_up(struct kunit *test)
{
	struct kport *ca, *sm;

	with_sm(test, &ca, &sm);
	shca_port_cap_set(ca->port, IB_PORT_SM, IB_PORT_SM);
	msleep(1500);
	KUNIT_EXPECT_EQ(test, sm->packets, 5);
}

static void no_sm_no_trap(struct kunit *test)
{
	struct kport *a, *b;

	kport_pair(test, &a, &b);
	b->host = true;
	shca_port_cap_set(a->port, IB_PORT_SM, IB_PORT_SM);
	msleep(50);
	KUNIT_EXPECT_EQ(test, b->packets, 0);
}

static void wrong_mkey(struct kunit *test)
{
	struct ib_smp in __aligned(8), out __aligned(8);
	struct kport *ca, *sm;

	with_sm(test, &ca, &sm);
	ca->port->mkey = 5;
	kport_smp_init(&in, IB_MGMT_CLASS_SUBN_DIRECTED_ROUTE,
		       IB_MGMT_METHOD_SET, IB_SMP_ATTR_PORT_INFO);
	in.mkey = cpu_to_be64(6);
	in.hop_cnt = 63;
	KUNIT_EXPECT_FALSE(test, shca_mad_process(ca->port, &in, &out, 7, false));
	KUNIT_ASSERT_TRUE(test, kport_wait(sm));
	KUNIT_EXPECT_EQ(test, be16_to_cpu(notice_of(sm)->trap_num), 256);
	KUNIT_EXPECT_EQ(test, be16_to_cpu(notice_of(sm)->details.ntc_256.lid), 7);
	KUNIT_EXPECT_EQ(test, notice_of(sm)->details.ntc_256.method, 2);
	/* a path longer than the notice has room for: told to be cut */
	KUNIT_EXPECT_EQ(test, notice_of(sm)->details.ntc_256.dr_trunc_hop,
			0x80 | 0x40 | 30);
}

static void wrong_pkey_and_qkey(struct kunit *test)
{
	struct shca_pkt pkt = { .slid = 7, .dlid = 1, .sqpn = 0x11,
				.dqpn = 0x22, .pkey = 0x8005, .qkey = 0x99,
				.sl = 3 };
	struct shca_port_info info;
	struct kport *ca, *sm;

	with_sm(test, &ca, &sm);
	shca_port_bad_key(ca->port, SHCA_BAD_PKEY, &pkt);
	KUNIT_ASSERT_TRUE(test, kport_wait(sm));
	KUNIT_EXPECT_EQ(test, be16_to_cpu(notice_of(sm)->trap_num), 257);
	KUNIT_EXPECT_EQ(test, be32_to_cpu(notice_of(sm)->details.ntc_257_258.key),
			0x8005);
	KUNIT_EXPECT_EQ(test,
			be32_to_cpu(notice_of(sm)->details.ntc_257_258.sl_qp1),
			0x30000011);
	repress(ca, sm);
	shca_port_bad_key(ca->port, SHCA_BAD_QKEY, &pkt);
	KUNIT_ASSERT_TRUE(test, kport_wait(sm));
	shca_port_query(ca->port, &info);
	KUNIT_EXPECT_EQ(test, info.pkey_violations, 1);
	KUNIT_EXPECT_EQ(test, info.qkey_violations, 1);
}

static struct kunit_case notice_cases[] = {
	KUNIT_CASE(capability_change),
	KUNIT_CASE(gives_up),
	KUNIT_CASE(no_sm_no_trap),
	KUNIT_CASE(wrong_mkey),
	KUNIT_CASE(wrong_pkey_and_qkey),
	{ }
};

static struct kunit_suite notice_suite = {
	.name = "softhca_fabric_notice",
	.suite_init = shca_fabric_kunit_init,
	.suite_exit = shca_fabric_kunit_exit,
	.test_cases = notice_cases,
};

kunit_test_suite(notice_suite);
