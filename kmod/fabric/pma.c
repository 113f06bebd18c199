// SPDX-License-Identifier: GPL-2.0
/*
 * fabric/pma: the performance management agent.
 *
 * The port's raw counters only grow. PortCounters and PortCountersExtended are
 * two views of them, each cleared on its own; the narrow one sticks at its
 * largest value. Errors that a virtual link cannot have read 0.
 */
#define pr_fmt(fmt) "softhca: " fmt

#include <linux/build_bug.h>
#include <linux/string.h>
#include <rdma/ib_pma.h>

#include "fabric/node.h"

#define SHCA_PMA_RESP_TIME	16	/* 4.096 us << 16: 0.27 s */

struct shca_pma_field {
	u8 offset;
	u8 bytes;
	u8 plus, minus;		/* enum shca_cnt; SHCA_CNT_NUM: none */
	__be16 select;
};

#define AT(field)	offsetof(struct ib_pma_portcounters, field)
#define XT(field)	offsetof(struct ib_pma_portcounters_ext, field)
#define NONE		SHCA_CNT_NUM

static const struct shca_pma_field shca_pma_counters[] = {
	{ AT(link_downed_counter), 1, SHCA_CNT_LINK_DOWNED, NONE,
	  IB_PMA_SEL_LINK_DOWNED },
	{ AT(port_rcv_errors), 2, SHCA_CNT_RCV_ERRORS, NONE,
	  IB_PMA_SEL_PORT_RCV_ERRORS },
	{ AT(port_xmit_discards), 2, SHCA_CNT_XMIT_DISCARDS, NONE,
	  IB_PMA_SEL_PORT_XMIT_DISCARDS },
	{ AT(vl15_dropped), 2, SHCA_CNT_VL15_DROPPED, NONE,
	  IB_PMA_SEL_PORT_VL15_DROPPED },
	{ AT(port_xmit_data), 4, SHCA_CNT_XMIT_DATA, NONE,
	  IB_PMA_SEL_PORT_XMIT_DATA },
	{ AT(port_rcv_data), 4, SHCA_CNT_RCV_DATA, NONE,
	  IB_PMA_SEL_PORT_RCV_DATA },
	{ AT(port_xmit_packets), 4, SHCA_CNT_XMIT_PKTS, NONE,
	  IB_PMA_SEL_PORT_XMIT_PACKETS },
	{ AT(port_rcv_packets), 4, SHCA_CNT_RCV_PKTS, NONE,
	  IB_PMA_SEL_PORT_RCV_PACKETS },
	{ }
};

/* Unicast is what is not multicast. */
static const struct shca_pma_field shca_pma_ext_counters[] = {
	{ XT(port_xmit_data), 8, SHCA_CNT_XMIT_DATA, NONE,
	  IB_PMA_SELX_PORT_XMIT_DATA },
	{ XT(port_rcv_data), 8, SHCA_CNT_RCV_DATA, NONE,
	  IB_PMA_SELX_PORT_RCV_DATA },
	{ XT(port_xmit_packets), 8, SHCA_CNT_XMIT_PKTS, NONE,
	  IB_PMA_SELX_PORT_XMIT_PACKETS },
	{ XT(port_rcv_packets), 8, SHCA_CNT_RCV_PKTS, NONE,
	  IB_PMA_SELX_PORT_RCV_PACKETS },
	{ XT(port_unicast_xmit_packets), 8, SHCA_CNT_XMIT_PKTS,
	  SHCA_CNT_XMIT_MCAST, IB_PMA_SELX_PORT_UNI_XMIT_PACKETS },
	{ XT(port_unicast_rcv_packets), 8, SHCA_CNT_RCV_PKTS,
	  SHCA_CNT_RCV_MCAST, IB_PMA_SELX_PORT_UNI_RCV_PACKETS },
	{ XT(port_multicast_xmit_packets), 8, SHCA_CNT_XMIT_MCAST, NONE,
	  IB_PMA_SELX_PORT_MULTI_XMIT_PACKETS },
	{ XT(port_multicast_rcv_packets), 8, SHCA_CNT_RCV_MCAST, NONE,
	  IB_PMA_SELX_PORT_MULTI_RCV_PACKETS },
	{ }
};

static u64 shca_pma_raw(struct shca_port *port,
			const struct shca_pma_field *field)
{
	u64 v = atomic64_read(&port->cnt[field->plus]);

	if (field->minus != NONE)
		v -= atomic64_read(&port->cnt[field->minus]);
	return v;
}

/* The counters' fields are big-endian and the last @bytes of a 64-bit number. */
static void shca_pma_put(u8 *at, unsigned int bytes, u64 v)
{
	__be64 wire;

	if (bytes < sizeof(wire))
		v = min_t(u64, v, (1ULL << (8 * bytes)) - 1);
	wire = cpu_to_be64(v);
	memcpy(at, (u8 *)&wire + sizeof(wire) - bytes, bytes);
}

static u64 shca_pma_take(const u8 *at, unsigned int bytes)
{
	__be64 wire = 0;

	memcpy((u8 *)&wire + sizeof(wire) - bytes, at, bytes);
	return be64_to_cpu(wire);
}

static void shca_pma_read(struct shca_port *port, u64 *base,
			  const struct shca_pma_field *fields, u8 *data)
{
	unsigned int i;

	for (i = 0; fields[i].bytes; i++)
		shca_pma_put(data + fields[i].offset, fields[i].bytes,
			     shca_pma_raw(port, &fields[i]) - base[i]);
}

static void shca_pma_write(struct shca_port *port, u64 *base,
			   const struct shca_pma_field *fields, u8 *data,
			   __be16 select)
{
	unsigned int i;

	for (i = 0; fields[i].bytes; i++)
		if (select & fields[i].select)
			base[i] = shca_pma_raw(port, &fields[i]) -
				  shca_pma_take(data + fields[i].offset,
						fields[i].bytes);
}

/* Both attributes begin alike: a reserved byte, the port, the selection. */
struct shca_pma_head {
	u8 reserved;
	u8 port_select;
	__be16 counter_select;
};

static u16 shca_pma_view(struct shca_port *port, struct ib_pma_mad *mad,
			 bool set, u64 *base,
			 const struct shca_pma_field *fields)
{
	struct shca_pma_head head;

	memcpy(&head, mad->data, sizeof(head));
	if (mad->mad_hdr.attr_mod || head.port_select != port->num)
		return SHCA_MAD_BAD_VALUE;
	if (set)
		shca_pma_write(port, base, fields, mad->data,
			       head.counter_select);
	memset(mad->data, 0, sizeof(mad->data));
	memcpy(mad->data, &head, sizeof(head));
	shca_pma_read(port, base, fields, mad->data);
	return SHCA_MAD_OK;
}

static u16 shca_pma_class_port_info(struct ib_pma_mad *mad)
{
	struct ib_class_port_info info = {
		.base_version = IB_MGMT_BASE_VERSION,
		.class_version = 1,
		.capability_mask = IB_PMA_CLASS_CAP_EXT_WIDTH,
	};

	if (mad->mad_hdr.attr_mod)
		return SHCA_MAD_BAD_VALUE;
	ib_set_cpi_resp_time(&info, SHCA_PMA_RESP_TIME);
	memset(mad->data, 0, sizeof(mad->data));
	memcpy(mad->data, &info, sizeof(info));
	return SHCA_MAD_OK;
}

static u16 shca_pma_attr(struct shca_port *port, struct ib_pma_mad *mad,
			 bool set)
{
	if (mad->mad_hdr.attr_id == IB_PMA_PORT_COUNTERS)
		return shca_pma_view(port, mad, set, port->cnt_base,
				     shca_pma_counters);
	if (mad->mad_hdr.attr_id == IB_PMA_PORT_COUNTERS_EXT)
		return shca_pma_view(port, mad, set, port->ext_base,
				     shca_pma_ext_counters);
	/* Its trap fields are all that could be set, and there are no traps. */
	if (mad->mad_hdr.attr_id == IB_PMA_CLASS_PORT_INFO && !set)
		return shca_pma_class_port_info(mad);
	return SHCA_MAD_BAD_ATTR;
}

static u16 shca_pma_run(struct shca_port *port, const struct ib_mad_hdr *in,
			struct ib_pma_mad *out)
{
	if (in->base_version != IB_MGMT_BASE_VERSION || in->class_version != 1)
		return SHCA_MAD_BAD_VERSION;
	if (in->method != IB_MGMT_METHOD_GET && in->method != IB_MGMT_METHOD_SET)
		return SHCA_MAD_BAD_METHOD;
	return shca_pma_attr(port, out, in->method == IB_MGMT_METHOD_SET);
}

/* @out holds the request turned into an answer already. */
bool shca_pma_process(struct shca_port *port, const struct ib_mad *in,
		      struct ib_mad *out)
{
	BUILD_BUG_ON(ARRAY_SIZE(shca_pma_counters) > SHCA_CNT_NUM);
	BUILD_BUG_ON(ARRAY_SIZE(shca_pma_ext_counters) > SHCA_CNT_NUM);
	lockdep_assert_held(&shca_fabric_lock);
	if (!shca_mad_asks(&in->mad_hdr))
		return false;
	out->mad_hdr.status = cpu_to_be16(shca_pma_run(port, &in->mad_hdr,
						       (void *)out));
	return true;
}
