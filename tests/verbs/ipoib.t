#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#
# IP over InfiniBand between two HCAs: address resolution goes by multicast,
# data by datagrams.
# needs: vm, device, two-ports, emulator, root, command:opensm, command:ip, command:ping, quick-kernel
# timeout: 180

. "$(dirname "$0")/../lib/tap.sh"
plan 9

near=$SOFTHCA_TEST_DEVICE
port=${SOFTHCA_TEST_PORT:-1}
read -r far far_port < <(peer_port)

is_active() {
	[[ $(<"/sys/class/infiniband/$1/ports/$2/state") == *ACTIVE ]]
}
port_guid() {
	# the lower half of the first GID
	cut -d : -f 5-8 "/sys/class/infiniband/$1/ports/$2/gids/0" | tr -d ':\n' | sed 's/^/0x/'
}
# netdev DEVICE: the network interface of its port
netdev() {
	local dirs=("/sys/class/infiniband/$1/device/net"/*)
	[ ! -e "${dirs[0]}" ] || echo "${dirs[0]##*/}"
}
has_netdev() {
	[ -n "$(netdev "$1")" ]
}
# The broadcast group is joined.
is_running() {
	ip "${@:2}" link show dev "$1" | grep -q LOWER_UP
}
sent() {
	sed -n 's/^\([0-9]*\) packets transmitted.*/\1/p' <<<"$out"
}
received() {
	sed -n 's/.* \([0-9]*\) received.*/\1/p' <<<"$out"
}

opensm -g "$(port_guid "$near" "$port")" -f "$tap_tmp/opensm.log" >"$tap_tmp/opensm.out" 2>&1 &
opensm=$!
finish() {
	ip netns del far 2>/dev/null
	rmmod ib_ipoib
	kill "$opensm" 2>/dev/null
	wait "$opensm" 2>/dev/null
	rm -rf "$tap_tmp"
}
trap finish EXIT
wait_for 60 is_active "$near" "$port" || bail "$near does not become ACTIVE"
wait_for 20 is_active "$far" "$far_port" || bail "$far does not become ACTIVE"

ok "IPoIB loads" modprobe ib_ipoib
ok "it makes an interface of $near" wait_for 20 has_netdev "$near"
ok "and one of $far" wait_for 20 has_netdev "$far"
here=$(netdev "$near") there=$(netdev "$far")
ip netns add far
ip link set "$there" netns far
ip addr add 192.0.2.1/24 dev "$here"
ip -n far addr add 192.0.2.2/24 dev "$there"
ip link set "$here" up
ip -n far link set "$there" up
ok "the interface of $near has joined its group" wait_for 30 is_running "$here"
ok "so has the one of $far" wait_for 30 is_running "$there" -n far

count=$(scaled 5)
ok "ping" ping -c "$count" -i 0.2 -W 20 192.0.2.2
is "$(received)" "$(sent)" "each is answered"
ok "so are large ones, which go in fragments" ping -c "$count" -i 0.2 -W 20 -s 8000 192.0.2.2
like "$(ip neigh show dev "$here")" '192.0.2.2 lladdr ([0-9a-f]{2}:){4}fe:80:' "the neighbour has an address of a queue pair and a GID"
done_testing
