#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#
# Modules leave in every order that the kernel allows, and come back.
# needs: vm, emulator, root, command:jq, quick-kernel
# isolated
# timeout: 400

. "$(dirname "$0")/../lib/tap.sh"
. "$(dirname "$0")/../lib/emulator.sh"
softhca_ko=$SOFTHCA_ROOT/build/kmod/$(uname -r)/softhca.ko

two_cards() {
	softhca dev add && softhca dev add
}
both_work() {
	local card
	for card in hca0 hca1; do
		wait_for 20 ready "$card" &&
			smpquery -C "$(fn_field "$card" ibdev)" -D nodeinfo 0,1 || return 1
	done
}
loaded() {
	[ -d "/sys/module/$1" ]
}
none_left() {
	! compgen -G '/sys/class/infiniband/*' >/dev/null && ! compgen -G '/sys/bus/pci/devices/10000:*' >/dev/null
}
load_drivers() {
	modprobe -a mlx5_ib ib_umad ib_uverbs
}
# unload MODULE...: one after the other
unload() {
	local module
	for module; do
		rmmod "$module" || return 1
	done
}

ok "two cards work" both_work
log_mark

ok "softhca leaves first, its drivers bound" rmmod softhca
ok "no device is left" none_left
exits 1 "the tool says that the module is not loaded" softhca dev show
like "$err" 'softhca is not loaded' "in words"
ok "softhca comes back" insmod "$softhca_ko"
ok "with two cards" two_cards
ok "that work" both_work

for order in "ib_umad mlx5_ib mlx5_core" "mlx5_ib ib_umad mlx5_core" "mlx5_ib mlx5_core ib_umad ib_uverbs"; do
	read -ra modules <<<"$order"
	ok "leave: $order" unload "${modules[@]}"
	is "$(softhca -j dev show | jq -r '[.[].fn[].state] | unique | join(" ")')" ready \
		"the cards know that no driver runs them"
	ok "the drivers come back" load_drivers
	ok "and find the cards" both_work
done

ok "drivers, then softhca leave" unload mlx5_ib mlx5_core ib_umad softhca
ok "softhca comes back alone" insmod "$softhca_ko"
ok "with two cards that no driver wants" two_cards
is "$(softhca -j dev show | jq -r '[.[].fn[].state] | unique | join(" ")')" ready "they wait"
while [ "$(softhca -j dev show | jq length)" -lt 16 ]; do
	softhca dev add || break
done
exits 1 "the 17th card is refused" softhca dev add
like "$err" 'there are 16 devices, which is the most' "with the reason"
ok "softhca leaves, the cards never used" rmmod softhca
ok "the drivers first" load_drivers
ok "softhca after them" insmod "$softhca_ko"
ok "two cards" two_cards
ok "work" both_work

ok "a cycle of load and unload without a card" bash -c "rmmod softhca && insmod '$softhca_ko' && rmmod softhca"
ok "softhca comes back" insmod "$softhca_ko"
ok "two cards" two_cards
ok "work" both_work
exec 7<>/dev/infiniband/umad0 8<>/dev/infiniband/uverbs0
ok "softhca leaves while umad and uverbs are open" timeout 60 rmmod softhca
exec 7>&- 8>&-
ok "nothing is left" none_left
ok "mlx5_core is not held" unload mlx5_ib mlx5_core
is "$(complaints)" "" "the kernel has nothing to complain of"
done_testing
