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
times=$(scaled 10)
plan 9

devices_before=$(find /sys/class/infiniband -type l | wc -l)

# works CARD: its driver gets answers from it.
works() {
	wait_for 20 ready "$1" && ibv_devinfo -d "$(fn_field "$1" ibdev)" >"$tap_tmp/works" &&
		smpquery -C "$(fn_field "$1" ibdev)" -D nodeinfo 0 >"$tap_tmp/works"
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
		[ -z "$(fn_field cycle driver)" ] &&
		echo "$pci" >"/sys/bus/pci/drivers/mlx5_core/bind" &&
		works cycle
}

add_del() {
	softhca dev add cycle profile "$1" && works cycle && softhca dev del cycle "${@:2}"
}

# Removed before anyone has used it, perhaps while its driver is being probed.
add_del_at_once() {
	softhca -n dev add cycle && softhca dev del cycle "$@"
}

log_mark
softhca dev add cycle
pci=$(fn_field cycle pci)
ok "unbind and bind, $times times" repeat "$times" rebind
is "$(jq '.[0].dma_faults' <<<"$(softhca -j stat show cycle)")" 0 "no access went to memory that was not mapped"
ok "the card goes" softhca dev del cycle
ok "add and del, $times times" repeat "$times" add_del connectx-6
ok "add and del at once, $times times" repeat "$times" add_del_at_once
is "$(complaints)" "" "the kernel has nothing to complain of"
ok "add and surprise removal, $times times" repeat "$times" add_del connectx-7 surprise
ok "surprise removal during the probe, $times times" repeat "$times" add_del_at_once surprise
is "$(find /sys/class/infiniband -type l | wc -l)" "$devices_before" "no device is left behind"
done_testing
