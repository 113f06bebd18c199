#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#
# IP over InfiniBand between two HCAs: address resolution goes by multicast,
# data by datagrams.
# needs: vm, device, two-ports, root, command:opensm, command:ip, command:ping, quick-kernel
# timeout: 180

. "$(dirname "$0")/../lib/tap.sh"
. "$(dirname "$0")/../lib/verbs.sh"
plan 11

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

leave() {
	ip netns del far 2>/dev/null
	rmmod ib_ipoib
}
subnet_up
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
leave
done_testing
