/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the fabric's suites share: ports whose owner is the test.
 */
#ifndef SHCA_FABRIC_FIXTURE_KUNIT_H
#define SHCA_FABRIC_FIXTURE_KUNIT_H

#include <kunit/test.h>
#include <linux/completion.h>

#include "fabric/node.h"

#define KPORT_EVENTS	(SHCA_PORT_REREG + 1)
#define KPORT_CAPS	(IB_PORT_TRAP_SUP | IB_PORT_SL_MAP_SUP |	\
			 IB_PORT_CLIENT_REG_SUP |			\
			 IB_PORT_CAP_MASK_NOTICE_SUP |			\
			 IB_PORT_OTHER_LOCAL_CHANGES_SUP)

struct kport {
	struct shca_port *port;
	bool host;		/* takes packets; else the agents answer */
	unsigned int events[KPORT_EVENTS];
	enum shca_port_event last;
	struct completion got;
	unsigned int packets;
	struct shca_pkt pkt;	/* the last one; its data is mad */
	u8 mad[SHCA_MAD_SIZE] __aligned(8);
};

int shca_fabric_kunit_init(struct kunit_suite *suite);
void shca_fabric_kunit_exit(struct kunit_suite *suite);

void kport_attr(struct shca_port_attr *attr, unsigned int num);
/* Ports of the test; they go with it. */
struct kport *kport_add_attr(struct kunit *test,
			     const struct shca_port_attr *attr);
struct kport *kport_add(struct kunit *test, unsigned int num);
/* Two ports, cabled, transceivers on: in Init. */
void kport_pair(struct kunit *test, struct kport **a, struct kport **b);
void kport_del(struct kport *kp);
/* Gives a linked port a LID and an SM, then makes it Active. */
void kport_activate(struct kunit *test, struct kport *kp, u16 lid, u16 sm_lid);

/* SMP by the port's SMA. The answer's status, -1 when there is none; the
 * attribute's 64 bytes are read from and written to @data (may be NULL).
 */
int kport_smp(struct kport *kp, u8 method, __be16 attr, u32 mod, void *data);
int kport_smp_key(struct kport *kp, u8 method, __be16 attr, u32 mod,
		  void *data, u64 mkey);
void kport_smp_init(struct ib_smp *smp, u8 mgmt_class, u8 method, __be16 attr);

/* Waits for a packet that did not come yet. */
bool kport_wait(struct kport *kp);

#endif
