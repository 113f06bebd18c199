#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#
# However a VM ends, the exit status says how, and result.json names the cause.
# That is the host's doing: one kernel is enough.
# needs: runner, kernel:6.1, command:jq
# timeout: 400

. "$(dirname "$0")/../lib/tap.sh"
plan 14

results=$tap_tmp/results
mkdir -p "$results"
vm() {
	rm -rf "${results:?}"/*
	"$SOFTHCA_ROOT/qemu/vm" --kernel "${SOFTHCA_KERNEL:-6.1}" --no-hca --results "$results" "$@" </dev/null
}
cause() {
	find "$results" -name result.json -exec jq -r '.cause' {} +
}

exits 99 "a panic is 99" \
	vm --timeout 110 -- sh -c "echo before >$results/file; echo c >/proc/sysrq-trigger; sleep 60"
is "$(cat "$results/file")" before "a file written to --results before the panic is kept"
like "$(cause)" 'panic' "result.json says that it was a panic"

exits 99 "a report on the kernel log is 99, though the command succeeded" \
	vm --timeout 110 -- sh -c 'echo "WARNING: CPU: 0 PID: 1 at a.c:1 made up" >/dev/kmsg'
like "$(cause)" 'WARNING|report|kernel' "result.json says what was reported"

exits 124 "a command that does not end is 124" vm --timeout 30 -- sh -c 'echo hello; sleep 1000'
like "$out" '^hello$' "what it printed until then is not lost"
like "$(cause)" 'time' "result.json says that time ran out"

exits 99 "a command that returns 99 is 99 as well" vm --timeout 110 -- sh -c 'exit 99'
like "$(cause)" 'command|exit' "but result.json says that it was the command"

exits 127 "a command that does not exist is 127" vm --timeout 110 -- no-such-command

exits 125 "a kernel that does not exist is 125" vm --kernel /nonexistent/bzImage -- true
exits 125 "an unknown option is 125" vm --no-such-option -- true
exits 125 "no command is 125" vm
