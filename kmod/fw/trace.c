// SPDX-License-Identifier: GPL-2.0
/* The tracepoint of commands. A file of its own: suites do without it. */
#include "base/trace.h"
#include "fw/internal.h"

void shca_fw_trace_cmd(const struct shca_cmd *cmd, u64 ns)
{
	trace_shca_cmd(cmd->fn->name, cmd->opcode,
		       shca_opcode_name(cmd->opcode) ?: "unknown", cmd->status,
		       cmd->syndrome, ns);
}
