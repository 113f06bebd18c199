// SPDX-License-Identifier: GPL-2.0
/*
 * The engine's tracepoints.
 */
#include "base/trace.h"
#include "engine/hw.h"

void shca_engine_trace_eqe(const struct shca_eq *eq, u8 type, u8 sub_type)
{
	trace_shca_eqe(eq->hw->fn->name, eq->obj.id, type, sub_type,
		       eq->vector);
}
