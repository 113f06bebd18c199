/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tracepoints of every room: commands, event queue entries, link changes.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM softhca

#if !defined(SHCA_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define SHCA_TRACE_H

#include <linux/tracepoint.h>

#include "base/compat.h"

TRACE_EVENT(shca_cmd,
	TP_PROTO(const char *fn, u16 opcode, const char *name, u8 status,
		 u32 syndrome, u64 ns),
	TP_ARGS(fn, opcode, name, status, syndrome, ns),
	TP_STRUCT__entry(
		__string(fn, fn)
		__string(name, name)
		__field(u16, opcode)
		__field(u8, status)
		__field(u32, syndrome)
		__field(u64, ns)
	),
	TP_fast_assign(
		shca_assign_str(fn, fn);
		shca_assign_str(name, name);
		__entry->opcode = opcode;
		__entry->status = status;
		__entry->syndrome = syndrome;
		__entry->ns = ns;
	),
	TP_printk("%s %s (0x%x) status=0x%x syndrome=0x%x ns=%llu",
		  __get_str(fn), __get_str(name), __entry->opcode,
		  __entry->status, __entry->syndrome, __entry->ns)
);

TRACE_EVENT(shca_eqe,
	TP_PROTO(const char *fn, u8 eqn, u8 type, u8 sub_type, u8 vector),
	TP_ARGS(fn, eqn, type, sub_type, vector),
	TP_STRUCT__entry(
		__string(fn, fn)
		__field(u8, eqn)
		__field(u8, type)
		__field(u8, sub_type)
		__field(u8, vector)
	),
	TP_fast_assign(
		shca_assign_str(fn, fn);
		__entry->eqn = eqn;
		__entry->type = type;
		__entry->sub_type = sub_type;
		__entry->vector = vector;
	),
	TP_printk("%s eqn=%u type=0x%x sub_type=0x%x vector=%u", __get_str(fn),
		  __entry->eqn, __entry->type, __entry->sub_type,
		  __entry->vector)
);

TRACE_EVENT(shca_link,
	TP_PROTO(u64 guid, int event),
	TP_ARGS(guid, event),
	TP_STRUCT__entry(
		__field(u64, guid)
		__field(int, event)
	),
	TP_fast_assign(
		__entry->guid = guid;
		__entry->event = event;
	),
	TP_printk("port_guid=0x%016llx event=%s", __entry->guid,
		  __print_symbolic(__entry->event, { 0, "down" }, { 1, "init" },
				   { 2, "active" }, { 3, "lid" }, { 4, "pkey" },
				   { 5, "guid" }, { 6, "reregister" }))
);

#endif

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH base
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE trace
#include <trace/define_trace.h>
