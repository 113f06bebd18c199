#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#
# qemu/verdict finds what a kernel complains about, and nothing else.

. "$(dirname "$0")/../lib/tap.sh"

judge() {
	printf '%s\n' "$1" >"$tap_tmp/log"
	run "$SOFTHCA_ROOT/qemu/verdict" "${@:2}" "$tap_tmp/log"
}

while IFS= read -r line; do
	judge "[   12.345678] $line"
	is "$status" 1 "is a finding: $line"
	judge "[   12.345678][  T123] $line"
	is "$status" 1 "and with the caller's number in front"
done <<'LOG'
WARNING: CPU: 0 PID: 1 at drivers/foo/bar.c:12 baz+0x1/0x2 [foo]
BUG: KASAN: slab-use-after-free in foo_bar+0x12/0x34 [softhca]
BUG: sleeping function called from invalid context at mm/slab.h:1
BUG: kernel NULL pointer dereference, address: 0000000000000000
Oops: 0000 [#1] PREEMPT SMP
UBSAN: array-index-out-of-bounds in a.c:1:2
INFO: possible circular locking dependency detected
INFO: task kworker/0:1:12 blocked for more than 120 seconds.
WARNING: possible recursive locking detected
DMA-API: mlx5_core a0000:00:00.0: device driver frees DMA memory with wrong function
DMA-API: exceeded 7 overlapping mappings of cacheline 0x0000000000001234
refcount_t: underflow; use-after-free.
watchdog: BUG: soft lockup - CPU#0 stuck for 22s! [a:1]
rcu: INFO: rcu_preempt detected stalls on CPUs/tasks:
list_add corruption. prev->next should be next (1), but was 2. (prev=3).
kernel BUG at lib/list_debug.c:29!
general protection fault, probably for non-canonical address 0x1: 0000 [#1]
Kernel panic - not syncing: sysrq triggered crash
LOG

while IFS= read -r line; do
	judge "[    0.045678] $line"
	is "$status" 0 "is no finding: $line"
done <<'LOG'
mtrr: your CPUs had inconsistent MTRRdefType settings
clocksource: timekeeping watchdog on CPU0: Marking clocksource 'tsc' as unstable because the skew is too large:
tsc: Marking TSC unstable due to clocksource watchdog
softhca: loading out-of-tree module taints kernel.
DMA-API: preallocated 65536 debug entries
DMA-API: debugging enabled by kernel config
Warning: unable to open an initial console.
mlx5_core a0000:00:00.0: mlx5_cmd_out_err:835:(pid 80): QUERY_FOO(0x1) op_mod(0x0) failed, status bad operation(0x2)
my message quotes WARNING: CPU: 0 in its middle
LOG

judge "" --taint 512
is "$status" 1 "the taint bit of a warning is a finding"
judge "" --taint $((1 << 12 | 1 << 18))
is "$status" 0 "the taint bits of an out-of-tree module and of KUnit are none"
done_testing
