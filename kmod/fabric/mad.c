// SPDX-License-Identifier: GPL-2.0
/*
 * fabric/mad: from a MAD to the agent of its class.
 */
#define pr_fmt(fmt) "softhca: " fmt

#include <linux/string.h>

#include "fabric/node.h"

/* Requests get an answer even when nothing else is right with them; datagrams
 * (Send, Trap, Report, TrapRepress) and responses never do: no ping-pong.
 */
bool shca_mad_asks(const struct ib_mad_hdr *hdr)
{
	if (hdr->method & IB_MGMT_METHOD_RESP)
		return false;
	switch (hdr->method) {
	case IB_MGMT_METHOD_SEND:
	case IB_MGMT_METHOD_TRAP:
	case IB_MGMT_METHOD_REPORT:
	case IB_MGMT_METHOD_TRAP_REPRESS:
		return false;
	default:
		return true;
	}
}

/* The request turned into its answer, as far as that is the same for all. */
static void shca_mad_respond(const void *in, struct ib_mad *out)
{
	memcpy(out, in, SHCA_MAD_SIZE);
	if (out->mad_hdr.method == IB_MGMT_METHOD_SET)
		out->mad_hdr.method = IB_MGMT_METHOD_GET_RESP;
	else
		out->mad_hdr.method |= IB_MGMT_METHOD_RESP;
	out->mad_hdr.status = 0;
}

bool shca_mad_process(struct shca_port *port, const void *in, void *out,
		      u16 slid, bool ignore_mkey)
{
	const struct ib_mad *mad = in;
	struct ib_mad *resp = out;
	bool answer;

	if (mad->mad_hdr.method & IB_MGMT_METHOD_RESP)
		return false;
	shca_mad_respond(in, resp);

	mutex_lock(&shca_fabric_lock);
	switch (mad->mad_hdr.mgmt_class) {
	case IB_MGMT_CLASS_SUBN_LID_ROUTED:
	case IB_MGMT_CLASS_SUBN_DIRECTED_ROUTE:
		answer = shca_sma_process(port, in, out, slid, ignore_mkey);
		break;
	case IB_MGMT_CLASS_PERF_MGMT:
		answer = shca_pma_process(port, in, out);
		break;
	default:
		answer = shca_mad_asks(&mad->mad_hdr);
		resp->mad_hdr.status = cpu_to_be16(SHCA_MAD_BAD_VERSION);
	}
	mutex_unlock(&shca_fabric_lock);
	return answer;
}
