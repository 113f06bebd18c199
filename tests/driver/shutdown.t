#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#
# The guest reboots and is shut down with the drivers bound: the kernel comes
# to the end of it, and complains of nothing.
# needs: runner, quick-kernel
# timeout: 400

. "$(dirname "$0")/../lib/tap.sh"
plan 6

# ends HOW LINE: what the kernel says last when it gets there.
ends() {
	local results=$tap_tmp/$1
	mkdir -p "$results"
	run "$SOFTHCA_ROOT/qemu/vm" --kernel "${SOFTHCA_KERNEL:-6.1}" --results "$results" --timeout 180 -- \
		busybox "$1" -f
	is "$status" 125 "$1: the VM ends without a verdict on its command" || diag "$err"
	log=$(find "$results" -name 'kernel.log' | head -n 1)
	like "$(tail -n 20 "$log")" "$2" "$1: the kernel got to the end"
	ok "$1: the kernel's log is clean" "$SOFTHCA_ROOT/qemu/verdict" "$log"
}

ends reboot 'reboot: (Restarting system|machine restart)'
ends poweroff 'reboot: Power down'
done_testing
