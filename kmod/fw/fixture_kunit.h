/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the suites of the firmware share: a function with all its rooms, whose
 * driver is the test. Its command queue lies in the test's memory.
 */
#ifndef SHCA_FW_FIXTURE_KUNIT_H
#define SHCA_FW_FIXTURE_KUNIT_H

#include "fw/internal.h"
#include "mem/fixture_kunit.h"

/* Pages of the test's memory. */
#define KFW_QUEUE_PAGE	0x8000
#define KFW_IN_PAGE	0x9000	/* mailbox blocks, 1 KiB apart */
#define KFW_OUT_PAGE	0xb000

struct kfw {
	struct kfn *kfn;
	struct shca_card card;
	struct shca_fw *fw;
};

int shca_fw_kunit_init(struct kunit_suite *suite);
void shca_fw_kunit_exit(struct kunit_suite *suite);

/* Goes with the test. */
struct kfw *kfw_alloc(struct kunit *test);
/* Enabled and initialised. */
void kfw_up(struct kunit *test, struct kfw *kfw);
/* A command without the queue: its status. */
u8 kfw_exec(struct kfw *kfw, void *in, u32 inlen, void *out, u32 outlen);
/* The same for commands that are all in their first 16 bytes. */
u8 kfw_simple(struct kfw *kfw, u16 opcode, u16 uid, u32 arg, u32 *result);

/* As a driver does: gives the queue's address and waits that it is taken. */
void kfw_queue(struct kunit *test, struct kfw *kfw);
struct mlx5_cmd_layout *kfw_entry(struct kfw *kfw, unsigned int slot);
/* Hands a NOP over, without ringing. */
void kfw_post_nop(struct kfw *kfw, unsigned int slot, u8 token);
void kfw_ring(struct kfw *kfw, u32 bits);
bool kfw_wait(struct kfw *kfw, unsigned int slot, unsigned int ms);

#endif
