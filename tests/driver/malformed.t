#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#
# Commands that no driver would send, through a function on the bus: each gets
# the status that the PRM names, or silence, and hurts nobody.
# needs: vm, emulator, root, command:jq
# timeout: 240

. "$(dirname "$0")/../lib/tap.sh"
. "$(dirname "$0")/../lib/emulator.sh"

# raw_take PCI: gives the function to softhca_raw.ko, so that a program can be its
# driver, from whatever driver it has; /dev/softhca-raw-PCI is there then.
raw_take() {
	local device=/sys/bus/pci/devices/$1 i
	[ -d /sys/bus/pci/drivers/softhca_raw ] ||
		insmod "$SOFTHCA_ROOT/build/kmod/$(uname -r)/softhca_raw.ko" || return
	[ ! -e "$device/driver" ] || echo "$1" >"$device/driver/unbind" || return
	echo softhca_raw >"$device/driver_override" &&
		echo "$1" >/sys/bus/pci/drivers/softhca_raw/bind || return
	for ((i = 0; i < 200; i++)); do
		[ ! -e "/dev/softhca-raw-$1" ] || return 0
		sleep 0.1
	done
	echo "/dev/softhca-raw-$1 does not appear" >&2
	return 1
}

# raw_give PCI: the function is free for its own driver.
raw_give() {
	echo "$1" >/sys/bus/pci/drivers/softhca_raw/unbind &&
		echo >"/sys/bus/pci/devices/$1/driver_override"
}

softhca dev add raw || bail "no card"
wait_for 60 ready raw || bail "the driver does not take the card"
pci=$(fn_field raw pci)
raw_take "$pci" || bail "no function for the test to drive"
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
raw_give "$pci"
echo "$pci" >/sys/bus/pci/drivers/mlx5_core/bind
ok "the real driver finds a working device" wait_for 60 ready raw
ok "the card goes" softhca dev del raw
rmmod softhca_raw
done_testing
