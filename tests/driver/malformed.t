#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#
# Commands that no driver would send, through a function on the bus: each gets
# the status that the PRM names, or silence, and hurts nobody.
# needs: vm, emulator, root, command:jq
# timeout: 240

. "$(dirname "$0")/../lib/tap.sh"
. "$(dirname "$0")/../lib/emulator.sh"

take_raw() {
	local module
	module=$SOFTHCA_ROOT/build/kmod/$(uname -r)/softhca_raw.ko
	softhca dev add raw && wait_for 60 ready raw || return
	pci=$(fn_field raw pci)
	[ -d /sys/bus/pci/drivers/softhca_raw ] || insmod "$module" || return
	echo "$pci" >/sys/bus/pci/drivers/mlx5_core/unbind
	echo softhca_raw >"/sys/bus/pci/devices/$pci/driver_override"
	echo "$pci" >/sys/bus/pci/drivers/softhca_raw/bind
	wait_for 20 test -e "/dev/softhca-raw-$pci"
}

take_raw >&2 || bail "no function for the test to drive"
log_mark
"$(program driver/raw-commands)" "$pci" >"$tap_tmp/cases.tap"
status=$?
# The cases' results are the first of this test's own.
grep -v '^1\.\.' "$tap_tmp/cases.tap"
tap_ran=$(sed -n 's/^1\.\.//p' "$tap_tmp/cases.tap")
is "$status" 0 "all of them were answered right"
# What the function was not given is refused in words; nothing else is said.
refused='softhca: raw: .* refused: not mapped for the device$'
like "$(complaints)" "$refused" "addresses that are not mapped are reported"
is "$(complaints | grep -v "$refused")" "" "the kernel has nothing else to complain of"
echo "$pci" >/sys/bus/pci/drivers/softhca_raw/unbind
echo >"/sys/bus/pci/devices/$pci/driver_override"
echo "$pci" >/sys/bus/pci/drivers/mlx5_core/bind
ok "the real driver finds a working device" wait_for 60 ready raw
ok "the card goes" softhca dev del raw
rmmod softhca_raw
done_testing
