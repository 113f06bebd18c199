#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#
# The driver is bound and unbound, cards come and go, pulled out with and
# without a word, again and again: each time the device works, and nothing is
# left behind.
# needs: vm, emulator, root, command:jq
# timeout: 1200

. "$(dirname "$0")/../lib/tap.sh"
. "$(dirname "$0")/../lib/emulator.sh"
# A probe takes ten times as long on a kernel that checks itself.
case ${SOFTHCA_KERNEL:-} in
debug|latest)	times=$(scaled 3) ;;
*)		times=$(scaled 10) ;;
esac
few=$(scaled 3)
plan 9

count_devices() {
	find /sys/class/infiniband -type l | wc -l
}
devices_before=$(count_devices)

# The driver gets answers from the card. By /sys alone, because this is asked
# often and an emulated processor starts programs slowly.
works() {
	local device=("/sys/bus/pci/devices/$pci/infiniband"/*)
	wait_for 20 compgen -G "/sys/bus/pci/devices/$pci/infiniband_mad/umad*" &&
		smpquery -C "${device[0]##*/}" -D nodeinfo 0 >"$tap_tmp/works"
}

# repeat COUNT COMMAND...: stops at the first that fails.
repeat() {
	local i
	for ((i = 1; i <= $1; i++)); do
		if ! "${@:2}"; then
			echo "failed in round $i of $1" >&2
			return 1
		fi
	done
}

rebind() {
	echo "$pci" >"/sys/bus/pci/drivers/mlx5_core/unbind" &&
		[ ! -e "/sys/bus/pci/devices/$pci/driver" ] &&
		echo "$pci" >"/sys/bus/pci/drivers/mlx5_core/bind" &&
		works
}

add_del() {
	softhca dev add cycle profile "$1" && works && softhca dev del cycle "${@:2}"
}

# Removed before anyone has used it, perhaps while its driver is being probed.
add_del_at_once() {
	softhca -n dev add cycle && softhca dev del cycle "$@"
}

log_mark
softhca dev add cycle
pci=$(fn_field cycle pci)
ok "unbind and bind, $times times" repeat "$times" rebind
is "$(softhca -j stat show cycle | jq '.[0].dma_faults')" 0 "no access went to memory that was not mapped"
ok "the card goes" softhca dev del cycle
ok "add and del, $times times" repeat "$times" add_del connectx-6
ok "add and del at once, $few times" repeat "$few" add_del_at_once
is "$(complaints)" "" "the kernel has nothing to complain of"
ok "add and surprise removal, $few times" repeat "$few" add_del connectx-7 surprise
if [ "${SOFTHCA_SCALE:-1}" -gt 1 ]; then
	ok "surprise removal during the probe" add_del_at_once surprise
else
	skip 1 "a driver that loses its card while it waits for a command waits for a minute: with SOFTHCA_SCALE over 1"
fi
is "$(count_devices)" "$devices_before" "no device is left behind"
done_testing
