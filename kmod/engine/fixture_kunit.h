/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the engine's suites share: a function with an event queue, a completion
 * queue and memory for more, whose driver is the test.
 */
#ifndef SHCA_ENGINE_FIXTURE_KUNIT_H
#define SHCA_ENGINE_FIXTURE_KUNIT_H

#include "engine/hw.h"
#include "mem/fixture_kunit.h"

/* Pages of the test's memory. */
#define KHW_EQ_PAGE	0x1000
#define KHW_CQ_PAGE	0x2000
#define KHW_QP_PAGE	0x3000
#define KHW_DATA_PAGE	0x4000
#define KHW_DBR_PAGE	0x5000
#define KHW_CQ_DBR	KHW_DBR_PAGE
#define KHW_QP_DBR	(KHW_DBR_PAGE + 0x40)

#define KHW_EQ_LOG	3
#define KHW_CQ_LOG	2
#define KHW_SQ_LOG	3	/* 8 basic blocks behind the receive queue */
#define KHW_RQ_LOG	2	/* 4 WQEs of 64 bytes */
#define KHW_VECTOR	5
#define KHW_PD		5

struct khw {
	struct kfn *kfn;
	struct shca_hw *hw;
	u8 eqn;
	u32 uar, cqn, qpn;
};

int shca_engine_kunit_init(struct kunit_suite *suite);
void shca_engine_kunit_exit(struct kunit_suite *suite);

/* A function with an EQ that takes completions and all asynchronous events,
 * and a CQ on it. Goes with the test.
 */
struct khw *khw_alloc(struct kunit *test);
/* One more CQ in the same memory. */
int khw_create_cq(struct khw *khw, u16 uid, bool overrun_ok, u32 *cqn);
/* A QP of type @st in KHW_QP_PAGE, in RESET. */
void khw_create_qp(struct kunit *test, struct khw *khw, u8 st);
int khw_modify(struct khw *khw, u16 opcode, const void *qpc);
/* RESET to RTS. */
void khw_to_rts(struct kunit *test, struct khw *khw);

struct shca_cq *khw_cq(struct khw *khw);
struct shca_qp *khw_qp(struct khw *khw);
struct mlx5_eqe *khw_eqe(struct khw *khw, u32 index);
struct mlx5_cqe64 *khw_cqe(struct khw *khw, u32 index);
/* Doorbell records: [0] receive or consumer, [1] send or arm. */
void khw_record(struct khw *khw, u32 off, unsigned int i, u32 val);

/* A key for KHW_DATA_PAGE in domain KHW_PD; a receive WQE with @len bytes at
 * 0x100 * @index of it, posted.
 */
u32 khw_make_key(struct kunit *test, struct khw *khw);
void khw_post_recv(struct khw *khw, u16 index, u32 key, u32 len);

#endif
