# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
# shellcheck shell=bash
#
# Gives a function to softhca_raw.ko, so that a program can be its driver, and
# back. Sourced; SOFTHCA_ROOT is the tree.

# raw_take PCI: from whatever driver it has; /dev/softhca-raw-PCI is there then.
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
