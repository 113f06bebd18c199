// SPDX-License-Identifier: GPL-2.0
/*
 * The SMA: each attribute, each status, who may with which M_Key.
 */
#include "fabric/fixture_kunit.h"

#define GET	IB_MGMT_METHOD_GET
#define SET	IB_MGMT_METHOD_SET

static int raw(struct kport *kp, struct ib_smp *in, struct ib_smp *out)
{
	if (!shca_mad_process(kp->port, in, out, 1, false))
		return -1;
	return be16_to_cpu(out->status);
}

static void node_info(struct kunit *test)
{
	struct kport *kp = kport_add(test, 1);
	u8 data[IB_SMP_DATA_SIZE] __aligned(8) = {};
	struct ib_node_info *info = (struct ib_node_info *)data;

	KUNIT_EXPECT_EQ(test, kport_smp(kp, GET, IB_SMP_ATTR_NODE_INFO, 0,
					data), 0);
	KUNIT_EXPECT_EQ(test, info->node_type, 1);
	KUNIT_EXPECT_EQ(test, info->num_ports, 1);
	KUNIT_EXPECT_EQ(test, be64_to_cpu(info->sys_guid), 0x2001);
	KUNIT_EXPECT_EQ(test, be64_to_cpu(info->node_guid), 0x1001);
	KUNIT_EXPECT_EQ(test, be64_to_cpu(info->port_guid), 0x3001);
	KUNIT_EXPECT_EQ(test, be16_to_cpu(info->partition_cap), 128);
	KUNIT_EXPECT_EQ(test, be16_to_cpu(info->device_id), 0x1017);
	KUNIT_EXPECT_EQ(test, info->local_port_num, 1);
	KUNIT_EXPECT_EQ(test, info->vendor_id[2], 0xc9);
	KUNIT_EXPECT_EQ(test, kport_smp(kp, GET, IB_SMP_ATTR_NODE_INFO, 1,
					NULL), 0x1c);
	KUNIT_EXPECT_EQ(test, kport_smp(kp, SET, IB_SMP_ATTR_NODE_INFO, 0,
					NULL), 0xc);
}

static void node_description(struct kunit *test)
{
	struct kport *kp = kport_add(test, 1);
	char data[IB_SMP_DATA_SIZE] = {}, desc[IB_SMP_DATA_SIZE] = "new name";

	KUNIT_EXPECT_EQ(test, kport_smp(kp, GET, IB_SMP_ATTR_NODE_DESC, 0,
					data), 0);
	KUNIT_EXPECT_STREQ(test, data, "kunit");
	shca_port_node_desc_set(kp->port, desc);
	kport_smp(kp, GET, IB_SMP_ATTR_NODE_DESC, 0, data);
	KUNIT_EXPECT_STREQ(test, data, "new name");
	KUNIT_EXPECT_EQ(test, kport_smp(kp, SET, IB_SMP_ATTR_NODE_DESC, 0,
					NULL), 0xc);
}

static void what_is_not_there(struct kunit *test)
{
	struct kport *kp = kport_add(test, 1);
	static const __be16 absent[] = {
		IB_SMP_ATTR_SWITCH_INFO, IB_SMP_ATTR_LINEAR_FORWARD_TABLE,
		IB_SMP_ATTR_MCAST_FORWARD_TABLE, IB_SMP_ATTR_SM_INFO,
		IB_SMP_ATTR_LED_INFO, IB_SMP_ATTR_NOTICE,
		cpu_to_be16(0xff91), 0,
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(absent); i++)
		KUNIT_EXPECT_EQ_MSG(test, kport_smp(kp, GET, absent[i], 0,
						    NULL), 0xc,
				    "attribute 0x%x", be16_to_cpu(absent[i]));
}

static void extended_port_info(struct kunit *test)
{
	struct kport *kp = kport_add(test, 1);
	const __be16 attr = cpu_to_be16(0xff90);
	u8 data[IB_SMP_DATA_SIZE] = { [0 ... 63] = 0xff };

	KUNIT_EXPECT_EQ(test, kport_smp(kp, GET, attr, 1, data), 0);
	KUNIT_EXPECT_EQ(test, data[7], 0);	/* no FDR10 */
	KUNIT_EXPECT_EQ(test, kport_smp(kp, GET, attr, 2, data), 0x1c);
	/* a set about FDR10 may only leave it off */
	data[3] = 1;
	KUNIT_EXPECT_EQ(test, kport_smp(kp, SET, attr, 1, data), 0);
	data[3] = 1;
	data[11] = 1;
	KUNIT_EXPECT_EQ(test, kport_smp(kp, SET, attr, 1, data), 0x1c);
}

static void bad_headers(struct kunit *test)
{
	struct kport *kp = kport_add(test, 1);
	struct ib_smp in __aligned(8), out __aligned(8);

	kport_smp_init(&in, 1, GET, IB_SMP_ATTR_NODE_INFO);
	in.class_version = 2;
	KUNIT_EXPECT_EQ(test, raw(kp, &in, &out), 0x4);
	in.class_version = 1;
	in.base_version = 0x80;
	KUNIT_EXPECT_EQ(test, raw(kp, &in, &out), 0x4);
	in.base_version = 1;
	in.method = 0x12;
	KUNIT_EXPECT_EQ(test, raw(kp, &in, &out), 0x8);
	KUNIT_EXPECT_EQ(test, out.method, 0x92);
	in.method = GET;
	in.mgmt_class = IB_MGMT_CLASS_BM;
	KUNIT_EXPECT_EQ(test, raw(kp, &in, &out), 0x4);
	KUNIT_EXPECT_EQ(test, out.method, 0x81);

	/* an error in a directed route keeps its direction bit */
	in.mgmt_class = IB_MGMT_CLASS_SUBN_DIRECTED_ROUTE;
	in.attr_id = IB_SMP_ATTR_SWITCH_INFO;
	KUNIT_EXPECT_EQ(test, raw(kp, &in, &out), 0x800c);
}

static void no_answer_to_what_asks_none(struct kunit *test)
{
	struct kport *kp = kport_add(test, 1);
	struct ib_smp in __aligned(8), out __aligned(8);
	static const u8 methods[] = {
		IB_MGMT_METHOD_SEND, IB_MGMT_METHOD_TRAP,
		IB_MGMT_METHOD_REPORT, IB_MGMT_METHOD_TRAP_REPRESS,
		IB_MGMT_METHOD_GET_RESP,
	};
	static const u8 classes[] = {
		IB_MGMT_CLASS_SUBN_LID_ROUTED, IB_MGMT_CLASS_PERF_MGMT,
		IB_MGMT_CLASS_DEVICE_MGMT,
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(methods) * ARRAY_SIZE(classes); i++) {
		kport_smp_init(&in, classes[i / ARRAY_SIZE(methods)],
			       methods[i % ARRAY_SIZE(methods)],
			       IB_SMP_ATTR_NOTICE);
		KUNIT_EXPECT_EQ_MSG(test, raw(kp, &in, &out), -1,
				    "class 0x%x method 0x%x", in.mgmt_class,
				    in.method);
	}
	kport_smp_init(&in, IB_MGMT_CLASS_SUBN_DIRECTED_ROUTE, GET,
		       IB_SMP_ATTR_NODE_INFO);
	in.status = IB_SMP_DIRECTION;
	KUNIT_EXPECT_EQ(test, raw(kp, &in, &out), -1);
}

static void port_info_defaults(struct kunit *test)
{
	struct kport *kp = kport_add(test, 1);
	struct ib_port_info info = {};

	KUNIT_EXPECT_EQ(test, kport_smp(kp, GET, IB_SMP_ATTR_PORT_INFO, 0,
					&info), 0);
	KUNIT_EXPECT_EQ(test, be64_to_cpu(info.gid_prefix),
			0xfe80000000000000ULL);
	KUNIT_EXPECT_EQ(test, be16_to_cpu(info.lid), 0);
	KUNIT_EXPECT_EQ(test, be32_to_cpu(info.cap_mask),
			KPORT_CAPS | IB_PORT_EXTENDED_SPEEDS_SUP);
	KUNIT_EXPECT_EQ(test, info.linkspeed_portstate, 0x71);
	KUNIT_EXPECT_EQ(test, info.portphysstate_linkdown, 0x32);
	KUNIT_EXPECT_EQ(test, info.neighbormtu_mastersmsl, 0x50);
	KUNIT_EXPECT_EQ(test, info.guid_cap, 8);
	/* port 1 by name, with the bit of an SM that knows extended speeds */
	KUNIT_EXPECT_EQ(test, kport_smp(kp, GET, IB_SMP_ATTR_PORT_INFO,
					0x80000001, NULL), 0);
	KUNIT_EXPECT_EQ(test, kport_smp(kp, GET, IB_SMP_ATTR_PORT_INFO, 2,
					NULL), 0x1c);
}

static int set_port_info(struct kport *kp, struct ib_port_info *info)
{
	info->linkspeed_portstate &= 0xf0;
	info->portphysstate_linkdown &= 0x0f;
	return kport_smp(kp, SET, IB_SMP_ATTR_PORT_INFO, 0, info);
}

static void port_info_set(struct kunit *test)
{
	struct kport *kp = kport_add(test, 1);
	struct ib_port_info info = {};

	kport_smp(kp, GET, IB_SMP_ATTR_PORT_INFO, 0, &info);
	info.lid = cpu_to_be16(16);
	info.mkeyprot_resv_lmc = 4;
	info.sm_lid = cpu_to_be16(3);
	info.neighbormtu_mastersmsl = 0x42;
	info.gid_prefix = cpu_to_be64(0xfec0000000000001ULL);
	info.operationalvl_pei_peo_fpi_fpo = 0x3f;
	info.clientrereg_resv_subnetto = 0x80 | 18;
	info.vl_high_limit = 9;
	info.cap_mask = 0;
	KUNIT_EXPECT_EQ(test, set_port_info(kp, &info), 0);
	KUNIT_EXPECT_EQ(test, info.clientrereg_resv_subnetto, 0x80 | 18);

	KUNIT_EXPECT_EQ(test, kport_smp(kp, GET, IB_SMP_ATTR_PORT_INFO, 0,
					&info), 0);
	KUNIT_EXPECT_EQ(test, be16_to_cpu(info.lid), 16);
	KUNIT_EXPECT_EQ(test, info.mkeyprot_resv_lmc, 4);
	KUNIT_EXPECT_EQ(test, be16_to_cpu(info.sm_lid), 3);
	KUNIT_EXPECT_EQ(test, info.neighbormtu_mastersmsl, 0x42);
	KUNIT_EXPECT_EQ(test, info.operationalvl_pei_peo_fpi_fpo, 0x30);
	KUNIT_EXPECT_EQ(test, info.clientrereg_resv_subnetto, 18);
	KUNIT_EXPECT_EQ(test, info.vl_high_limit, 9);
	/* can only be read */
	KUNIT_EXPECT_NE(test, be32_to_cpu(info.cap_mask), 0);
	KUNIT_EXPECT_EQ(test, kp->events[SHCA_PORT_LID], 1);
	KUNIT_EXPECT_EQ(test, kp->events[SHCA_PORT_GUID], 1);
	KUNIT_EXPECT_EQ(test, kp->events[SHCA_PORT_REREG], 1);
	/* the same again is no news */
	KUNIT_EXPECT_EQ(test, set_port_info(kp, &info), 0);
	KUNIT_EXPECT_EQ(test, kp->events[SHCA_PORT_LID], 1);
}

#define BAD_SET(field, value) do {					\
	struct ib_port_info bad = good;					\
	bad.field = value;						\
	bad.sm_lid = cpu_to_be16(77);					\
	KUNIT_EXPECT_EQ(test, set_port_info(kp, &bad), 0x1c);		\
} while (0)

static void port_info_bad_fields(struct kunit *test)
{
	struct kport *kp = kport_add(test, 1);
	struct ib_port_info good = {}, info = {};

	kport_smp(kp, GET, IB_SMP_ATTR_PORT_INFO, 0, &good);
	good.lid = cpu_to_be16(16);
	KUNIT_ASSERT_EQ(test, set_port_info(kp, &good), 0);

	BAD_SET(lid, 0);
	BAD_SET(lid, cpu_to_be16(0xc000));
	BAD_SET(lid, cpu_to_be16(0xffff));
	BAD_SET(mkeyprot_resv_lmc, 5);		/* 16 is no base of 32 LIDs */
	BAD_SET(link_width_enabled, 4);
	BAD_SET(linkspeedactive_enabled, 8);
	BAD_SET(neighbormtu_mastersmsl, 0x00);
	BAD_SET(neighbormtu_mastersmsl, 0x60);
	BAD_SET(operationalvl_pei_peo_fpi_fpo, 0x50);
	BAD_SET(portphysstate_linkdown, 3);

	/* nothing of a set that fails is done */
	kport_smp(kp, GET, IB_SMP_ATTR_PORT_INFO, 0, &info);
	KUNIT_EXPECT_EQ(test, be16_to_cpu(info.sm_lid), 0);
	info.sm_lid = cpu_to_be16(0xc000);
	KUNIT_EXPECT_EQ(test, set_port_info(kp, &info), 0x1c);
}

static void port_info_no_change(struct kunit *test)
{
	struct kport *kp = kport_add(test, 1);
	struct ib_port_info info = {};

	kport_smp(kp, GET, IB_SMP_ATTR_PORT_INFO, 0, &info);
	info.link_width_enabled = 0;
	info.linkspeedactive_enabled = 0;
	info.operationalvl_pei_peo_fpi_fpo = 0;
	info.portphysstate_linkdown = 0;
	KUNIT_EXPECT_EQ(test, set_port_info(kp, &info), 0);
	KUNIT_EXPECT_EQ(test, info.link_width_enabled, 3);
	KUNIT_EXPECT_EQ(test, info.linkspeedactive_enabled & 0xf, 7);
	KUNIT_EXPECT_EQ(test, info.operationalvl_pei_peo_fpi_fpo, 0x40);
	KUNIT_EXPECT_EQ(test, info.portphysstate_linkdown & 0xf,
			SHCA_PHYS_POLLING);
	info.link_width_enabled = 1;
	KUNIT_EXPECT_EQ(test, set_port_info(kp, &info), 0);
	info.link_width_enabled = 0xff;
	KUNIT_EXPECT_EQ(test, set_port_info(kp, &info), 0);
	KUNIT_EXPECT_EQ(test, info.link_width_enabled, 3);
}

static void guid_info(struct kunit *test)
{
	struct kport *kp = kport_add(test, 1);
	__be64 guids[8] = {};
	u64 guid;

	guids[0] = cpu_to_be64(0xbad);
	guids[3] = cpu_to_be64(0x77);
	KUNIT_EXPECT_EQ(test, kport_smp(kp, SET, IB_SMP_ATTR_GUID_INFO, 0,
					guids), 0);
	KUNIT_EXPECT_EQ(test, be64_to_cpu(guids[0]), 0x3001);
	KUNIT_EXPECT_EQ(test, shca_port_guid(kp->port, 3, &guid), 0);
	KUNIT_EXPECT_EQ(test, guid, 0x77);
	KUNIT_EXPECT_EQ(test, shca_port_guid(kp->port, 8, &guid), -EINVAL);
	KUNIT_EXPECT_EQ(test, kp->events[SHCA_PORT_GUID], 1);
	KUNIT_EXPECT_EQ(test, kport_smp(kp, GET, IB_SMP_ATTR_GUID_INFO, 1,
					NULL), 0x1c);
	KUNIT_EXPECT_EQ(test, kport_smp(kp, SET, IB_SMP_ATTR_GUID_INFO,
					0x20000000, NULL), 0x1c);
}

static void pkey_table(struct kunit *test)
{
	struct shca_port_attr attr;
	struct kport *kp;
	__be16 pkeys[32] = {};
	u16 pkey;

	kport_attr(&attr, 1);
	attr.pkey_table = 40;
	kp = kport_add_attr(test, &attr);
	KUNIT_EXPECT_EQ(test, kport_smp(kp, GET, IB_SMP_ATTR_PKEY_TABLE, 0,
					pkeys), 0);
	KUNIT_EXPECT_EQ(test, be16_to_cpu(pkeys[0]), 0xffff);
	KUNIT_EXPECT_EQ(test, be16_to_cpu(pkeys[1]), 0);
	memset(pkeys, 0, sizeof(pkeys));
	pkeys[7] = cpu_to_be16(0x8001);
	pkeys[8] = cpu_to_be16(0x8002);		/* entry 40 does not exist */
	KUNIT_EXPECT_EQ(test, kport_smp(kp, SET, IB_SMP_ATTR_PKEY_TABLE, 1,
					pkeys), 0);
	KUNIT_EXPECT_EQ(test, be16_to_cpu(pkeys[8]), 0);
	KUNIT_EXPECT_EQ(test, shca_port_pkey(kp->port, 39, &pkey), 0);
	KUNIT_EXPECT_EQ(test, pkey, 0x8001);
	KUNIT_EXPECT_EQ(test, shca_port_pkey(kp->port, 40, &pkey), -EINVAL);
	KUNIT_EXPECT_EQ(test, kp->events[SHCA_PORT_PKEY], 1);
	KUNIT_EXPECT_EQ(test, kport_smp(kp, GET, IB_SMP_ATTR_PKEY_TABLE, 2,
					NULL), 0x1c);
}

static void sl_and_vl_tables(struct kunit *test)
{
	struct kport *kp = kport_add(test, 1);
	u8 data[IB_SMP_DATA_SIZE] = { 0x01, 0x23 };

	KUNIT_EXPECT_EQ(test, kport_smp(kp, SET, IB_SMP_ATTR_SL_TO_VL_TABLE, 0,
					data), 0);
	memset(data, 0xff, sizeof(data));
	KUNIT_EXPECT_EQ(test, kport_smp(kp, GET, IB_SMP_ATTR_SL_TO_VL_TABLE, 0,
					data), 0);
	KUNIT_EXPECT_EQ(test, data[1], 0x23);
	KUNIT_EXPECT_EQ(test, data[8], 0);

	memset(data, 0, sizeof(data));
	data[0] = 3;
	data[1] = 200;
	KUNIT_EXPECT_EQ(test, kport_smp(kp, SET, IB_SMP_ATTR_VL_ARB_TABLE,
					3 << 16, data), 0);
	KUNIT_EXPECT_EQ(test, kport_smp(kp, GET, IB_SMP_ATTR_VL_ARB_TABLE,
					3 << 16, data), 0);
	KUNIT_EXPECT_EQ(test, data[0], 3);
	KUNIT_EXPECT_EQ(test, data[1], 200);
	data[0] = 15;
	KUNIT_EXPECT_EQ(test, kport_smp(kp, SET, IB_SMP_ATTR_VL_ARB_TABLE,
					1 << 16, data), 0x1c);
	KUNIT_EXPECT_EQ(test, kport_smp(kp, GET, IB_SMP_ATTR_VL_ARB_TABLE,
					2 << 16, data), 0x1c);
	KUNIT_EXPECT_EQ(test, kport_smp(kp, GET, IB_SMP_ATTR_VL_ARB_TABLE, 0,
					data), 0x1c);
}

static void set_mkey(struct kunit *test, struct kport *kp, u64 old, u64 key,
		     u8 protect, u16 lease)
{
	struct ib_port_info info;

	KUNIT_ASSERT_EQ(test, kport_smp_key(kp, GET, IB_SMP_ATTR_PORT_INFO, 0,
					    &info, old), 0);
	info.mkey = cpu_to_be64(key);
	info.mkeyprot_resv_lmc = protect << 6;
	info.mkey_lease_period = cpu_to_be16(lease);
	info.linkspeed_portstate = 0;
	info.portphysstate_linkdown = 0;
	KUNIT_ASSERT_EQ(test, kport_smp_key(kp, SET, IB_SMP_ATTR_PORT_INFO, 0,
					    &info, old), 0);
}

static void mkey_protects(struct kunit *test)
{
	struct kport *kp = kport_add(test, 1);
	struct ib_port_info info;
	u8 protect;

	for (protect = 0; protect < 4; protect++) {
		int want = protect < 2 ? 0 : -1;

		set_mkey(test, kp, 5, 5, protect, 0);
		KUNIT_EXPECT_EQ(test, kport_smp_key(kp, GET,
						    IB_SMP_ATTR_PORT_INFO, 0,
						    &info, 6), want);
		if (!want)
			KUNIT_EXPECT_EQ(test, be64_to_cpu(info.mkey),
					protect ? 0 : 5);
		/* a set with the wrong key never gets through */
		KUNIT_EXPECT_EQ(test, kport_smp_key(kp, SET,
						    IB_SMP_ATTR_PORT_INFO, 0,
						    NULL, 6), -1);
		KUNIT_EXPECT_EQ(test, kport_smp_key(kp, GET,
						    IB_SMP_ATTR_PORT_INFO, 0,
						    &info, 5), 0);
		KUNIT_EXPECT_EQ(test, be64_to_cpu(info.mkey), 5);
	}
	/* four sets, and two gets at the levels that forbid them */
	KUNIT_EXPECT_EQ(test, be16_to_cpu(info.mkey_violations), 6);
}

static void local_host_may_ignore_mkey(struct kunit *test)
{
	struct kport *kp = kport_add(test, 1);
	struct ib_smp in __aligned(8), out __aligned(8);

	set_mkey(test, kp, 0, 5, 3, 0);
	kport_smp_init(&in, IB_MGMT_CLASS_SUBN_LID_ROUTED, GET,
		       IB_SMP_ATTR_PORT_INFO);
	KUNIT_EXPECT_EQ(test, raw(kp, &in, &out), -1);
	KUNIT_EXPECT_TRUE(test, shca_mad_process(kp->port, &in, &out, 1, true));
	KUNIT_EXPECT_EQ(test, be16_to_cpu(out.status), 0);
	KUNIT_EXPECT_EQ(test, be64_to_cpu(out.mkey), 0);
}

static void mkey_lease_ends(struct kunit *test)
{
	struct kport *kp = kport_add(test, 1);

	set_mkey(test, kp, 0, 5, 2, 100);
	/* the first wrong key starts the lease's end, the right one stops it */
	KUNIT_EXPECT_EQ(test, kport_smp_key(kp, GET, IB_SMP_ATTR_PORT_INFO, 0,
					    NULL, 6), -1);
	KUNIT_EXPECT_TRUE(test, kp->port->lease_running);
	KUNIT_EXPECT_EQ(test, kport_smp_key(kp, GET, IB_SMP_ATTR_PORT_INFO, 0,
					    NULL, 5), 0);
	KUNIT_EXPECT_FALSE(test, kp->port->lease_running);

	KUNIT_EXPECT_EQ(test, kport_smp_key(kp, GET, IB_SMP_ATTR_PORT_INFO, 0,
					    NULL, 6), -1);
	/* as if its time were over */
	kp->port->lease_end = jiffies;
	KUNIT_EXPECT_EQ(test, kport_smp_key(kp, GET, IB_SMP_ATTR_PORT_INFO, 0,
					    NULL, 6), 0);
	KUNIT_EXPECT_EQ(test, kp->port->mkey_protect, 0);
}

static struct kunit_case sma_cases[] = {
	KUNIT_CASE(node_info),
	KUNIT_CASE(node_description),
	KUNIT_CASE(what_is_not_there),
	KUNIT_CASE(extended_port_info),
	KUNIT_CASE(bad_headers),
	KUNIT_CASE(no_answer_to_what_asks_none),
	KUNIT_CASE(port_info_defaults),
	KUNIT_CASE(port_info_set),
	KUNIT_CASE(port_info_bad_fields),
	KUNIT_CASE(port_info_no_change),
	KUNIT_CASE(guid_info),
	KUNIT_CASE(pkey_table),
	KUNIT_CASE(sl_and_vl_tables),
	KUNIT_CASE(mkey_protects),
	KUNIT_CASE(local_host_may_ignore_mkey),
	KUNIT_CASE(mkey_lease_ends),
	{ }
};

static struct kunit_suite sma_suite = {
	.name = "softhca_fabric_sma",
	.suite_init = shca_fabric_kunit_init,
	.suite_exit = shca_fabric_kunit_exit,
	.test_cases = sma_cases,
};

kunit_test_suite(sma_suite);
