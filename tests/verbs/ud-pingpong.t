#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#
# Datagrams of user-space queue pairs go both ways between two ports, found by
# polling and by completion events, without and with a GRH, up to the MTU.
# needs: device, two-ports, root, command:ibv_ud_pingpong, command:ibv_devinfo, command:opensm, quick-kernel
# disruptive
# timeout: 180

. "$(dirname "$0")/../lib/tap.sh"
plan 11

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
# Is the program at the other end waiting for us at this TCP port?
listens() {
	grep -q ":$(printf %04X "$1") .* 0A " /proc/net/tcp /proc/net/tcp6
}

tcp_port=18515
# pingpong OPTION...: one exchange; what the ends print is in $near_out and $far_out
pingpong() {
	local server status=0
	tcp_port=$((tcp_port + 1))
	ibv_ud_pingpong -d "$far" -i "$far_port" -p "$tcp_port" -n "$count" "$@" >"$tap_tmp/far" 2>&1 &
	server=$!
	wait_for 20 listens "$tcp_port"
	timeout 60 ibv_ud_pingpong -d "$near" -i "$port" -p "$tcp_port" -n "$count" "$@" localhost \
		>"$tap_tmp/near" 2>&1 || status=$?
	[ "$status" -eq 0 ] || kill "$server" 2>/dev/null
	wait "$server" || status=$?
	near_out=$(<"$tap_tmp/near") far_out=$(<"$tap_tmp/far")
	[ "$status" -eq 0 ] || diag "$near_out" "$far_out"
	return "$status"
}

opensm -g "$(port_guid "$near" "$port")" -f "$tap_tmp/opensm.log" >"$tap_tmp/opensm.out" 2>&1 &
opensm=$!
trap 'kill "$opensm" 2>/dev/null; wait "$opensm" 2>/dev/null; rm -rf "$tap_tmp"' EXIT
ok "the port of $near becomes ACTIVE" wait_for 60 is_active "$near" "$port"
ok "the port of $far becomes ACTIVE" wait_for 20 is_active "$far" "$far_port"

count=$(scaled 20)
mtu=$(ibv_devinfo -d "$near" -i "$port" | sed -n 's/^[[:space:]]*active_mtu:[[:space:]]*\([0-9]*\).*/\1/p')
for size in 1 2048 4096; do
	if [ "$size" -gt "${mtu:-0}" ]; then
		skip 1 "the link's MTU is ${mtu:-unknown}"
		continue
	fi
	ok "$count datagrams of $size bytes go each way" pingpong -s "$size"
done
ok "so they do when the ends sleep until a completion comes" pingpong -e
ok "so they do with one receive posted at a time" pingpong -r 1
ok "so they do with a GRH" pingpong -g 0
like "$near_out" 'remote address: .* GID fe80:' "the other end was addressed by GID"
like "$near_out" "$count iters" "the near end counted them"
like "$far_out" "$count iters" "so did the far end"
