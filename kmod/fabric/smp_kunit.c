// SPDX-License-Identifier: GPL-2.0
/*
 * SMPs on their way: the directed route step by step, then the same and LID
 * routing over a cable to a node whose own agents answer.
 */
#include <rdma/ib_pma.h>

#include "fabric/fixture_kunit.h"

static void dr_init(struct ib_smp *smp, u8 hop_ptr, u8 hop_cnt)
{
	kport_smp_init(smp, IB_MGMT_CLASS_SUBN_DIRECTED_ROUTE,
		       IB_MGMT_METHOD_GET, IB_SMP_ATTR_NODE_INFO);
	smp->hop_ptr = hop_ptr;
	smp->hop_cnt = hop_cnt;
	smp->initial_path[1] = 1;
}

static void request_ends_here(struct kunit *test)
{
	struct ib_smp smp;

	dr_init(&smp, 1, 1);
	KUNIT_EXPECT_TRUE(test, shca_smp_arrive(&smp, 7));
	KUNIT_EXPECT_EQ(test, smp.hop_ptr, 2);
	KUNIT_EXPECT_EQ(test, smp.return_path[1], 7);

	/* no hops: from next door by the permissive LID */
	dr_init(&smp, 0, 0);
	KUNIT_EXPECT_TRUE(test, shca_smp_arrive(&smp, 7));
	KUNIT_EXPECT_EQ(test, smp.hop_ptr, 1);
	KUNIT_EXPECT_EQ(test, smp.return_path[0], 0);

	/* the directed part ended at a switch before */
	dr_init(&smp, 3, 2);
	smp.dr_dlid = cpu_to_be16(5);
	KUNIT_EXPECT_TRUE(test, shca_smp_arrive(&smp, 7));
	KUNIT_EXPECT_EQ(test, smp.hop_ptr, 3);

	/* the longest route there is */
	dr_init(&smp, 63, 63);
	KUNIT_EXPECT_TRUE(test, shca_smp_arrive(&smp, 7));
	KUNIT_EXPECT_EQ(test, smp.return_path[63], 7);
}

static void request_is_discarded(struct kunit *test)
{
	struct ib_smp smp;

	/* to be forwarded, which a CA does not do */
	dr_init(&smp, 1, 2);
	KUNIT_EXPECT_FALSE(test, shca_smp_arrive(&smp, 1));
	/* the sender did not step */
	dr_init(&smp, 0, 1);
	KUNIT_EXPECT_FALSE(test, shca_smp_arrive(&smp, 1));
	/* beyond the end */
	dr_init(&smp, 3, 1);
	KUNIT_EXPECT_FALSE(test, shca_smp_arrive(&smp, 1));
	/* on by LID from here: only a switch could */
	dr_init(&smp, 1, 1);
	smp.dr_dlid = cpu_to_be16(5);
	KUNIT_EXPECT_FALSE(test, shca_smp_arrive(&smp, 1));
	/* hop counts that no route has; the path must not be overrun */
	dr_init(&smp, 64, 64);
	KUNIT_EXPECT_FALSE(test, shca_smp_arrive(&smp, 1));
	dr_init(&smp, 255, 255);
	KUNIT_EXPECT_FALSE(test, shca_smp_arrive(&smp, 1));
	KUNIT_EXPECT_FALSE(test, shca_smp_depart(&smp, 1));
}

static void response_leaves(struct kunit *test)
{
	struct ib_smp smp;

	dr_init(&smp, 2, 1);
	smp.status = IB_SMP_DIRECTION;
	smp.return_path[1] = 7;
	KUNIT_EXPECT_TRUE(test, shca_smp_depart(&smp, 7));
	KUNIT_EXPECT_EQ(test, smp.hop_ptr, 1);

	dr_init(&smp, 2, 1);
	smp.return_path[1] = 7;
	KUNIT_EXPECT_FALSE(test, shca_smp_depart(&smp, 6));

	dr_init(&smp, 1, 0);
	KUNIT_EXPECT_TRUE(test, shca_smp_depart(&smp, 7));
	KUNIT_EXPECT_EQ(test, smp.hop_ptr, 0);

	dr_init(&smp, 1, 1);
	KUNIT_EXPECT_FALSE(test, shca_smp_depart(&smp, 7));
}

static void response_arrives(struct kunit *test)
{
	struct ib_smp smp;

	dr_init(&smp, 1, 1);
	smp.status = IB_SMP_DIRECTION;
	KUNIT_EXPECT_TRUE(test, shca_smp_arrive(&smp, 1));
	KUNIT_EXPECT_EQ(test, smp.hop_ptr, 0);

	dr_init(&smp, 2, 2);
	smp.status = IB_SMP_DIRECTION;
	KUNIT_EXPECT_FALSE(test, shca_smp_arrive(&smp, 1));
	/* on by LID to the SM: not from a CA */
	dr_init(&smp, 1, 1);
	smp.status = IB_SMP_DIRECTION;
	smp.dr_slid = cpu_to_be16(3);
	KUNIT_EXPECT_FALSE(test, shca_smp_arrive(&smp, 1));
}

static int send_smp(struct kport *kp, struct ib_smp *smp, u16 slid, u16 dlid)
{
	struct shca_pkt pkt = {
		.slid = slid,
		.dlid = dlid,
		.vl15 = 1,
		.len = sizeof(*smp),
		.data = (u8 *)smp,
	};

	return shca_port_send(kp->port, &pkt);
}

static void expect_node_info(struct kunit *test, struct kport *kp, u64 guid)
{
	struct ib_smp *smp = (struct ib_smp *)kp->mad;
	struct ib_node_info *info = (struct ib_node_info *)smp->data;

	KUNIT_ASSERT_TRUE(test, kport_wait(kp));
	KUNIT_EXPECT_EQ(test, smp->method, IB_MGMT_METHOD_GET_RESP);
	KUNIT_EXPECT_EQ(test, be64_to_cpu(smp->tid), 0x1234);
	KUNIT_EXPECT_EQ(test, be64_to_cpu(info->node_guid), guid);
}

static void directed_over_the_cable(struct kunit *test)
{
	struct kport *a, *b;
	struct ib_smp smp, *got;

	kport_pair(test, &a, &b);
	a->host = true;
	/* as the host's SMI hands it over: its own step is made */
	dr_init(&smp, 1, 1);
	KUNIT_EXPECT_EQ(test, send_smp(a, &smp, SHCA_LID_PERMISSIVE,
				       SHCA_LID_PERMISSIVE), 0);
	expect_node_info(test, a, 0x1002);
	got = (struct ib_smp *)a->mad;
	KUNIT_EXPECT_EQ(test, be16_to_cpu(got->status), 0x8000);
	KUNIT_EXPECT_EQ(test, got->hop_ptr, 1);
	KUNIT_EXPECT_EQ(test, got->return_path[1], 1);
	KUNIT_EXPECT_EQ(test, a->pkt.dlid, SHCA_LID_PERMISSIVE);
}

static void host_gets_smps_untouched(struct kunit *test)
{
	struct kport *a, *b;
	struct ib_smp smp;

	kport_pair(test, &a, &b);
	b->host = true;
	dr_init(&smp, 1, 1);
	KUNIT_EXPECT_EQ(test, send_smp(a, &smp, SHCA_LID_PERMISSIVE,
				       SHCA_LID_PERMISSIVE), 0);
	KUNIT_ASSERT_EQ(test, b->packets, 1);
	KUNIT_EXPECT_MEMEQ(test, b->mad, &smp, sizeof(smp));
}

static void lid_routed(struct kunit *test)
{
	struct kport *a, *b;
	struct ib_smp smp;

	kport_pair(test, &a, &b);
	a->host = true;
	kport_smp_init(&smp, IB_MGMT_CLASS_SUBN_LID_ROUTED, IB_MGMT_METHOD_GET,
		       IB_SMP_ATTR_NODE_INFO);
	/* no LIDs yet: the permissive one reaches the neighbour */
	KUNIT_EXPECT_EQ(test, send_smp(a, &smp, 0, SHCA_LID_PERMISSIVE), 0);
	expect_node_info(test, a, 0x1002);

	kport_activate(test, a, 4, 4);
	kport_activate(test, b, 8, 4);
	KUNIT_EXPECT_EQ(test, send_smp(a, &smp, 4, 8), 0);
	expect_node_info(test, a, 0x1002);
	KUNIT_EXPECT_EQ(test, a->pkt.slid, 8);
	KUNIT_EXPECT_EQ(test, a->pkt.dlid, 4);

	/* a LID that is nobody's */
	KUNIT_EXPECT_EQ(test, send_smp(a, &smp, 4, 9), 0);
	drain_workqueue(shca_fabric_wq);
	KUNIT_EXPECT_EQ(test, a->packets, 2);

	/* its own LID: back to the host, not to the wire */
	KUNIT_EXPECT_EQ(test, send_smp(a, &smp, 4, 4), 0);
	KUNIT_EXPECT_EQ(test, a->packets, 3);
	KUNIT_EXPECT_MEMEQ(test, a->mad, &smp, sizeof(smp));
	a->host = false;
	KUNIT_EXPECT_EQ(test, send_smp(a, &smp, 4, 4), 0);
	drain_workqueue(shca_fabric_wq);
}

static void wants_a_link(struct kunit *test)
{
	struct kport *a, *b;
	struct ib_smp smp;

	kport_pair(test, &a, &b);
	dr_init(&smp, 1, 1);
	shca_port_set_cable(a->port, false);
	KUNIT_EXPECT_EQ(test, send_smp(a, &smp, SHCA_LID_PERMISSIVE,
				       SHCA_LID_PERMISSIVE), -ENETDOWN);
}

static int send_data(struct kport *kp, u16 dlid, u32 len, u8 *data)
{
	struct shca_pkt pkt = {
		.slid = 4,
		.dlid = dlid,
		.dqpn = 100,
		.pkey = 0xffff,
		.len = len,
		.data = data,
	};

	return shca_port_send(kp->port, &pkt);
}

static void data_wants_active(struct kunit *test)
{
	struct kport *a, *b;
	u8 *data = kunit_kzalloc(test, 8192, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, data);
	kport_pair(test, &a, &b);
	a->host = true;
	b->host = true;
	KUNIT_EXPECT_EQ(test, send_data(a, 8, 64, data), -ENETDOWN);
	kport_activate(test, a, 4, 4);
	/* the far end is in Init and takes no data */
	KUNIT_EXPECT_EQ(test, send_data(a, 8, 64, data), 0);
	KUNIT_EXPECT_EQ(test, b->packets, 0);
	kport_activate(test, b, 8, 4);
	KUNIT_EXPECT_EQ(test, send_data(a, 8, 4096, data), 0);
	KUNIT_EXPECT_EQ(test, b->packets, 1);
	KUNIT_EXPECT_EQ(test, send_data(a, 8, 4097, data), -EMSGSIZE);
	/* permissive is for SMPs */
	KUNIT_EXPECT_EQ(test, send_data(a, SHCA_LID_PERMISSIVE, 4, data), 0);
	KUNIT_EXPECT_EQ(test, b->packets, 1);
	/* multicast reaches the far end and the sender's own QPs */
	KUNIT_EXPECT_EQ(test, send_data(a, 0xc001, 4, data), 0);
	KUNIT_EXPECT_EQ(test, b->packets, 2);
	KUNIT_EXPECT_EQ(test, a->packets, 1);
}

static void lmc_gives_many_lids(struct kunit *test)
{
	u32 route = shca_route(8, 2, SHCA_STATE_ACTIVE, 5);

	KUNIT_EXPECT_FALSE(test, shca_route_owns(route, 7));
	KUNIT_EXPECT_TRUE(test, shca_route_owns(route, 8));
	KUNIT_EXPECT_TRUE(test, shca_route_owns(route, 11));
	KUNIT_EXPECT_FALSE(test, shca_route_owns(route, 12));
	KUNIT_EXPECT_FALSE(test, shca_route_owns(shca_route(0, 0, 1, 5), 0));
	KUNIT_EXPECT_EQ(test, shca_route_mtu(route), 4096);
	KUNIT_EXPECT_EQ(test, shca_route_state(route), SHCA_STATE_ACTIVE);
}

static int send_gmp(struct kport *kp, struct ib_pma_mad *mad, u32 qkey,
		    u16 pkey)
{
	struct shca_pkt pkt = {
		.slid = 4,
		.dlid = 8,
		.sqpn = 1,
		.dqpn = 1,
		.qkey = qkey,
		.pkey = pkey,
		.grh = true,
		.len = sizeof(*mad),
		.data = (u8 *)mad,
	};

	pkt.grh_hdr[8] = 0xaa;
	pkt.grh_hdr[24] = 0xbb;
	return shca_port_send(kp->port, &pkt);
}

static void gmp_to_the_agents(struct kunit *test)
{
	struct ib_pma_mad mad = { .mad_hdr = {
		.base_version = 1,
		.mgmt_class = IB_MGMT_CLASS_PERF_MGMT,
		.class_version = 1,
		.method = IB_MGMT_METHOD_GET,
		.attr_id = IB_PMA_CLASS_PORT_INFO,
	} };
	struct kport *a, *b;
	struct shca_port_info info;

	kport_pair(test, &a, &b);
	kport_activate(test, a, 4, 4);
	kport_activate(test, b, 8, 4);
	a->host = true;
	KUNIT_EXPECT_EQ(test, send_gmp(a, &mad, IB_QP1_QKEY, 0xffff), 0);
	KUNIT_ASSERT_TRUE(test, kport_wait(a));
	KUNIT_EXPECT_EQ(test, a->pkt.dqpn, 1);
	KUNIT_EXPECT_EQ(test, a->pkt.grh_hdr[8], 0xbb);
	KUNIT_EXPECT_EQ(test, a->pkt.grh_hdr[24], 0xaa);

	/* wrong keys get no answer; the P_Key one is counted and the SM, which
	 * is at a, hears of it
	 */
	KUNIT_EXPECT_EQ(test, send_gmp(a, &mad, 1, 0xffff), 0);
	drain_workqueue(shca_fabric_wq);
	KUNIT_EXPECT_EQ(test, a->packets, 1);
	KUNIT_EXPECT_EQ(test, send_gmp(a, &mad, IB_QP1_QKEY, 0x8001), 0);
	KUNIT_ASSERT_TRUE(test, kport_wait(a));
	KUNIT_EXPECT_EQ(test, ((struct ib_mad_hdr *)a->mad)->method,
			IB_MGMT_METHOD_TRAP);
	shca_port_query(b->port, &info);
	KUNIT_EXPECT_EQ(test, info.pkey_violations, 1);
}

static void flood_is_bounded(struct kunit *test)
{
	struct kport *a, *b;
	struct shca_port_stat stat;
	struct ib_smp smp;
	unsigned int i;

	kport_pair(test, &a, &b);
	dr_init(&smp, 1, 1);
	/* The agents cannot run, so that the queue fills. */
	mutex_lock(&shca_fabric_lock);
	for (i = 0; i < SHCA_AGENT_QUEUE + 10; i++)
		send_smp(a, &smp, SHCA_LID_PERMISSIVE, SHCA_LID_PERMISSIVE);
	mutex_unlock(&shca_fabric_lock);
	drain_workqueue(shca_fabric_wq);
	shca_port_stat(b->port, &stat);
	/* the agent may hold one that it took out of the queue */
	KUNIT_EXPECT_GE(test, stat.vl15_dropped, 9);
	KUNIT_EXPECT_LE(test, stat.vl15_dropped, 10);
}

static struct kunit_case smp_cases[] = {
	KUNIT_CASE(request_ends_here),
	KUNIT_CASE(request_is_discarded),
	KUNIT_CASE(response_leaves),
	KUNIT_CASE(response_arrives),
	KUNIT_CASE(directed_over_the_cable),
	KUNIT_CASE(host_gets_smps_untouched),
	KUNIT_CASE(lid_routed),
	KUNIT_CASE(wants_a_link),
	KUNIT_CASE(data_wants_active),
	KUNIT_CASE(lmc_gives_many_lids),
	KUNIT_CASE(gmp_to_the_agents),
	KUNIT_CASE(flood_is_bounded),
	{ }
};

static struct kunit_suite smp_suite = {
	.name = "softhca_fabric_smp",
	.suite_init = shca_fabric_kunit_init,
	.suite_exit = shca_fabric_kunit_exit,
	.test_cases = smp_cases,
};

kunit_test_suite(smp_suite);
