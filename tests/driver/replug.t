#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#
# What an administrator can do to a PCI device through /sys: remove and rescan
# the function or its port, reset it; then surprise removal with the device in
# use.
# needs: vm, emulator, root, command:jq, command:setpci, quick-kernel
# timeout: 300

. "$(dirname "$0")/../lib/tap.sh"
. "$(dirname "$0")/../lib/emulator.sh"
sys=/sys/bus/pci/devices

works() {
	wait_for 20 ready plug && smpquery -C "$(fn_field plug ibdev)" -D nodeinfo 0
}
sysfs() {
	echo "$2" >"$1"
}
unbind() {
	sysfs /sys/bus/pci/drivers/mlx5_core/unbind "$pci"
}
bind() {
	sysfs /sys/bus/pci/drivers/mlx5_core/bind "$pci"
}

ok "a card" softhca dev add plug
pci=$(fn_field plug pci)
port=$(basename "$(dirname "$(realpath "$sys/$pci")")")
log_mark

ok "the function is removed" sysfs "$sys/$pci/remove" 1
ok "and is off the bus" [ ! -e "$sys/$pci" ]
is "$(fn_field plug driver)" "" "the tool says that it has no driver"
ok "a rescan finds it" sysfs /sys/bus/pci/rescan 1
ok "and it works again" works

ok "the port is removed, and what is behind it" sysfs "$sys/$port/remove" 1
ok "both are off the bus" [ ! -e "$sys/$port" -a ! -e "$sys/$pci" ]
ok "a rescan finds them" sysfs /sys/bus/pci/rescan 1
ok "and the card works again" works

ok "unbind" unbind
read -ra methods <"$sys/$pci/reset_method"
for method in "${methods[@]}"; do
	ok "reset method $method" sysfs "$sys/$pci/reset_method" "$method"
	ok "resets the function" sysfs "$sys/$pci/reset" 1
	ok "the driver finds a working device" bind
	ok "that answers" works
	ok "unbind" unbind
done
ok "bind" bind
ok "it works" works
is "$(complaints)" "" "the kernel has nothing to complain of"

ok "the function is removed once more" sysfs "$sys/$pci/remove" 1
ok "a card whose function was removed can be deleted" softhca dev del plug

ok "a card" softhca dev add plug
ok "works" works
ibdev=$(fn_field plug ibdev)
umad=$(basename "$(echo "/sys/class/infiniband/$ibdev/device/infiniband_mad/umad"*)")
uverbs=$(basename "$(echo "/sys/class/infiniband/$ibdev/device/infiniband_verbs/uverbs"*)")
exec 7<>"/dev/infiniband/$umad" 8<>"/dev/infiniband/$uverbs"
began=$SECONDS
ok "it is pulled out while umad and uverbs are open" timeout 60 softhca dev del plug surprise
diag "surprise removal took $((SECONDS - began)) s"
ok "its device is gone" [ ! -e "/sys/class/infiniband/$ibdev" ]
exec 7>&- 8>&-
ok "another one takes its place" softhca dev add plug
ok "and works" works
ok "del" softhca dev del plug
done_testing
