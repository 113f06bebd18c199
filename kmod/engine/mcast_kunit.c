// SPDX-License-Identifier: GPL-2.0
/* Multicast groups: who is in them, and who gets a packet. */
#include <linux/string.h>
#include <linux/mlx5/cq.h>
#include <linux/mlx5/qp.h>
#include <rdma/ib_verbs.h>

#include "engine/fixture_kunit.h"

#define OTHER_QPN	0x99

static const u8 group[SHCA_GID_SIZE] = { 0xff, 0x12, 0x40, 0x1b, };

/* A member that can receive, and a packet to the group. */
static void begin(struct kunit *test, struct khw *khw, struct shca_pkt *pkt)
{
	static u8 data[] = "news";
	struct ib_grh *grh = (struct ib_grh *)pkt->grh_hdr;
	unsigned int i;

	khw_create_qp(test, khw, MLX5_QP_ST_UD);
	khw_to_rts(test, khw);
	for (i = 0; i < 1 << KHW_RQ_LOG; i++)
		khw_post_recv(khw, i, khw_make_key(test, khw), 0x80);
	*pkt = (struct shca_pkt) {
		.slid = 3, .dlid = 0xc001, .sqpn = OTHER_QPN, .dqpn = 0xffffff,
		.pkey = 0xffff, .grh = true, .len = sizeof(data), .data = data,
	};
	memcpy(grh->dgid.raw, group, sizeof(group));
}

static u32 received(struct khw *khw, const struct shca_pkt *pkt)
{
	u32 before = khw_cq(khw)->pi;

	shca_mcast_receive(&khw->hw->ports[0], pkt);
	return khw_cq(khw)->pi - before;
}

static void members_receive(struct kunit *test)
{
	struct khw *khw = khw_alloc(test);
	struct shca_fn *fn = &khw->kfn->fn;
	struct shca_pkt pkt;

	begin(test, khw, &pkt);
	KUNIT_EXPECT_EQ(test, received(khw, &pkt), 0U);
	KUNIT_ASSERT_EQ(test, shca_mcast_attach(fn, 0, khw->qpn, group), 0);
	KUNIT_EXPECT_EQ(test, received(khw, &pkt), 1U);
	/* once, however often it joined */
	KUNIT_ASSERT_EQ(test, shca_mcast_attach(fn, 0, khw->qpn, group), 0);
	KUNIT_EXPECT_EQ(test, received(khw, &pkt), 1U);

	/* another group, and no group at all */
	pkt.grh_hdr[24 + 15] ^= 1;
	KUNIT_EXPECT_EQ(test, received(khw, &pkt), 0U);
	pkt.grh_hdr[24 + 15] ^= 1;
	pkt.grh = false;
	KUNIT_EXPECT_EQ(test, received(khw, &pkt), 0U);
	pkt.grh = true;

	KUNIT_EXPECT_EQ(test, shca_mcast_detach(fn, 0, khw->qpn, group), 0);
	KUNIT_EXPECT_EQ(test, received(khw, &pkt), 0U);
	KUNIT_EXPECT_EQ(test, shca_mcast_detach(fn, 0, khw->qpn, group),
			-ENOENT);
	KUNIT_EXPECT_EQ(test, khw->hw->nmcgs, 0U);
	shca_mem_fn_reset(fn);
}

/* What it sent itself comes back, unless it does not want that. */
static void loopback(struct kunit *test)
{
	struct khw *khw = khw_alloc(test);
	struct shca_pkt pkt;

	begin(test, khw, &pkt);
	KUNIT_ASSERT_EQ(test, shca_mcast_attach(&khw->kfn->fn, 0, khw->qpn,
						group), 0);
	/* the port has no LID, so 0 is its own */
	pkt.slid = 0;
	pkt.sqpn = khw->qpn;
	KUNIT_EXPECT_EQ(test, received(khw, &pkt), 1U);
	khw_qp(khw)->block_lb = true;
	KUNIT_EXPECT_EQ(test, received(khw, &pkt), 0U);
	/* the queue pair of that number on another port */
	pkt.slid = 3;
	KUNIT_EXPECT_EQ(test, received(khw, &pkt), 1U);
	shca_mem_fn_reset(&khw->kfn->fn);
}

static void queue_pair_goes(struct kunit *test)
{
	struct khw *khw = khw_alloc(test);
	struct shca_fn *fn = &khw->kfn->fn;
	struct shca_pkt pkt;

	begin(test, khw, &pkt);
	KUNIT_ASSERT_EQ(test, shca_mcast_attach(fn, 0, khw->qpn, group), 0);
	KUNIT_ASSERT_EQ(test, shca_qp_destroy(fn, 0, khw->qpn), 0);
	KUNIT_EXPECT_EQ(test, khw->hw->nmcgs, 0U);
	shca_mcast_receive(&khw->hw->ports[0], &pkt);
	shca_mem_fn_reset(fn);
}

static void refusals(struct kunit *test)
{
	static const u8 unicast[SHCA_GID_SIZE] = { 0xfe, 0x80, };
	struct khw *khw = khw_alloc(test);
	struct shca_fn *fn = &khw->kfn->fn;
	u8 gid[SHCA_GID_SIZE] = { 0xff, };
	unsigned int i;

	khw_create_qp(test, khw, MLX5_QP_ST_UD);
	KUNIT_EXPECT_EQ(test, shca_mcast_attach(fn, 0, khw->qpn, unicast),
			-EINVAL);
	KUNIT_EXPECT_EQ(test, shca_mcast_attach(fn, 0, khw->qpn + 1, group),
			-ENOENT);
	/* somebody else's */
	KUNIT_EXPECT_EQ(test, shca_mcast_attach(fn, 7, khw->qpn, group),
			-ENOENT);
	for (i = 0; i < SHCA_MCGS; i++) {
		gid[15] = i;
		KUNIT_ASSERT_EQ(test, shca_mcast_attach(fn, 0, khw->qpn, gid),
				0);
	}
	KUNIT_EXPECT_EQ(test, shca_mcast_attach(fn, 0, khw->qpn, group),
			-ENOSPC);
}

static void connected_queue_pairs_cannot(struct kunit *test)
{
	struct khw *khw = khw_alloc(test);

	khw_create_qp(test, khw, MLX5_QP_ST_RC);
	KUNIT_EXPECT_EQ(test, shca_mcast_attach(&khw->kfn->fn, 0, khw->qpn,
						group), -EINVAL);
}

static struct kunit_case mcast_cases[] = {
	KUNIT_CASE(members_receive),
	KUNIT_CASE(loopback),
	KUNIT_CASE(queue_pair_goes),
	KUNIT_CASE(refusals),
	KUNIT_CASE(connected_queue_pairs_cannot),
	{}
};

static struct kunit_suite mcast_suite = {
	.name = "softhca_engine_mcast",
	.suite_init = shca_engine_kunit_init,
	.suite_exit = shca_engine_kunit_exit,
	.test_cases = mcast_cases,
};

kunit_test_suite(mcast_suite);
