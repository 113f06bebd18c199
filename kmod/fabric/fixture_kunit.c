// SPDX-License-Identifier: GPL-2.0
/*
 * Ports for the fabric's suites.
 */
#define pr_fmt(fmt) "softhca: " fmt

#include <linux/err.h>

#include "fabric/fixture_kunit.h"

/* Stands for fabric/trace.c: the tracepoints belong to softhca.ko. */
void shca_fabric_trace(u64 guid, enum shca_port_event ev)
{
	pr_debug("kunit: port 0x%llx event %d\n", guid, ev);
}

int shca_fabric_kunit_init(struct kunit_suite *suite)
{
	return shca_fabric_init();
}

void shca_fabric_kunit_exit(struct kunit_suite *suite)
{
	shca_fabric_exit();
}

static bool kport_rx(struct shca_port *port, const struct shca_pkt *pkt)
{
	struct kport *kp = shca_port_priv(port);

	if (!kp->host)
		return false;
	kp->pkt = *pkt;
	memcpy(kp->mad, pkt->data, min_t(u32, pkt->len, SHCA_MAD_SIZE));
	kp->pkt.data = kp->mad;
	kp->packets++;
	complete(&kp->got);
	return true;
}

static void kport_event(struct shca_port *port, enum shca_port_event ev)
{
	struct kport *kp = shca_port_priv(port);

	kp->events[ev]++;
	kp->last = ev;
}

static int kport_copy(struct shca_port *port, const struct shca_pkt *pkt,
		      void *dst)
{
	memcpy(dst, pkt->data, pkt->len);
	return 0;
}

static const struct shca_port_ops kport_ops = {
	.rx = kport_rx,
	.copy = kport_copy,
	.event = kport_event,
};

void kport_attr(struct shca_port_attr *attr, unsigned int num)
{
	*attr = (struct shca_port_attr){
		.node_guid = 0x1000 + num,
		.sys_guid = 0x2000 + num,
		.port_guid = 0x3000 + num,
		.device_id = 0x1017,
		.revision = 1,
		.vendor_oui = 0x0002c9,
		.num_ports = 1,
		.port_num = 1,
		.pkey_table = 128,
		.gid_table = 8,
		.cap_mask = KPORT_CAPS,
		.link_width_sup = 3,
		.link_speed_sup = 7,
		.link_speed_ext_sup = 3,
		.mtu_cap = 5,
		.vl_cap = 4,
		.node_desc = "kunit",
	};
}

void kport_del(struct kport *kp)
{
	if (kp->port)
		shca_port_del(kp->port);
	kp->port = NULL;
}

static void kport_free(struct kunit_resource *res)
{
	kport_del(res->data);
}

struct kport *kport_add_attr(struct kunit *test,
			     const struct shca_port_attr *attr)
{
	struct kport *kp = kunit_kzalloc(test, sizeof(*kp), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, kp);
	init_completion(&kp->got);
	kp->port = shca_port_add(attr, &kport_ops, kp);
	KUNIT_ASSERT_FALSE(test, IS_ERR(kp->port));
	KUNIT_ASSERT_NOT_NULL(test, kunit_alloc_resource(test, NULL, kport_free,
							 GFP_KERNEL, kp));
	return kp;
}

struct kport *kport_add(struct kunit *test, unsigned int num)
{
	struct shca_port_attr attr;

	kport_attr(&attr, num);
	return kport_add_attr(test, &attr);
}

void kport_pair(struct kunit *test, struct kport **a, struct kport **b)
{
	*a = kport_add(test, 1);
	*b = kport_add(test, 2);
	KUNIT_ASSERT_EQ(test, shca_cable_add((*a)->port, (*b)->port), 0);
	shca_port_enable((*a)->port, true);
	shca_port_enable((*b)->port, true);
}

void kport_smp_init(struct ib_smp *smp, u8 mgmt_class, u8 method, __be16 attr)
{
	*smp = (struct ib_smp){
		.base_version = IB_MGMT_BASE_VERSION,
		.mgmt_class = mgmt_class,
		.class_version = 1,
		.method = method,
		.tid = cpu_to_be64(0x1234),
		.attr_id = attr,
		.dr_slid = IB_LID_PERMISSIVE,
		.dr_dlid = IB_LID_PERMISSIVE,
	};
}

int kport_smp_key(struct kport *kp, u8 method, __be16 attr, u32 mod,
		  void *data, u64 mkey)
{
	struct ib_smp in __aligned(8), out __aligned(8);

	kport_smp_init(&in, IB_MGMT_CLASS_SUBN_LID_ROUTED, method, attr);
	in.attr_mod = cpu_to_be32(mod);
	in.mkey = cpu_to_be64(mkey);
	if (data)
		memcpy(in.data, data, sizeof(in.data));
	if (!shca_mad_process(kp->port, &in, &out, 1, false))
		return -1;
	if (data)
		memcpy(data, out.data, sizeof(out.data));
	return be16_to_cpu(out.status);
}

int kport_smp(struct kport *kp, u8 method, __be16 attr, u32 mod, void *data)
{
	return kport_smp_key(kp, method, attr, mod, data, 0);
}

static void kport_set_state(struct kunit *test, struct kport *kp, u16 lid,
			    u16 sm_lid, u8 state)
{
	struct ib_port_info info;

	KUNIT_ASSERT_EQ(test, kport_smp(kp, IB_MGMT_METHOD_GET,
					IB_SMP_ATTR_PORT_INFO, 0, &info), 0);
	info.lid = cpu_to_be16(lid);
	info.sm_lid = cpu_to_be16(sm_lid);
	info.linkspeed_portstate = state;
	info.portphysstate_linkdown = 0;
	KUNIT_ASSERT_EQ(test, kport_smp(kp, IB_MGMT_METHOD_SET,
					IB_SMP_ATTR_PORT_INFO, 0, &info), 0);
}

void kport_activate(struct kunit *test, struct kport *kp, u16 lid, u16 sm_lid)
{
	kport_set_state(test, kp, lid, sm_lid, SHCA_STATE_ARMED);
	kport_set_state(test, kp, lid, sm_lid, SHCA_STATE_ACTIVE);
}

bool kport_wait(struct kport *kp)
{
	return wait_for_completion_timeout(&kp->got, 5 * HZ);
}
