// SPDX-License-Identifier: GPL-2.0
/*
 * fabric/trace: the room's only use of the tracepoints.
 */
#define pr_fmt(fmt) "softhca: " fmt

#include "base/trace.h"
#include "fabric/node.h"

void shca_fabric_trace(u64 guid, enum shca_port_event ev)
{
	trace_shca_link(guid, ev);
}
