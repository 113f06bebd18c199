# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
# shellcheck shell=bash
#
# For tests of traffic between the tested port and its peer: a subnet manager,
# and libibverbs' exchange programs at both ends. Sourced after tap.sh.

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

# Runs opensm until the test ends. Two results: both ports become ACTIVE.
subnet_up() {
	opensm -g "$(port_guid "$near" "$port")" -f "$tap_tmp/opensm.log" >"$tap_tmp/opensm.out" 2>&1 &
	opensm=$!
	trap 'kill "$opensm" 2>/dev/null; wait "$opensm" 2>/dev/null; rm -rf "$tap_tmp"' EXIT
	ok "the port of $near becomes ACTIVE" wait_for 60 is_active "$near" "$port"
	ok "the port of $far becomes ACTIVE" wait_for 20 is_active "$far" "$far_port"
}

# Is the program at the other end waiting for us at this TCP port?
listens() {
	grep -q ":$(printf %04X "$1") .* 0A " /proc/net/tcp /proc/net/tcp6
}

tcp_port=18515
# exchange KIND OPTION...: one run of ibv_KIND_pingpong; what the ends print is
# in $near_out and $far_out
exchange() {
	local kind=$1 server status=0
	shift
	tcp_port=$((tcp_port + 1))
	"ibv_${kind}_pingpong" -d "$far" -i "$far_port" -p "$tcp_port" "$@" >"$tap_tmp/far" 2>&1 &
	server=$!
	wait_for 20 listens "$tcp_port"
	timeout 60 "ibv_${kind}_pingpong" -d "$near" -i "$port" -p "$tcp_port" "$@" localhost \
		>"$tap_tmp/near" 2>&1 || status=$?
	[ "$status" -eq 0 ] || kill "$server" 2>/dev/null
	wait "$server" || status=$?
	# shellcheck disable=SC2034 # read by the tests
	near_out=$(<"$tap_tmp/near") far_out=$(<"$tap_tmp/far")
	[ "$status" -eq 0 ] || diag "$near_out" "$far_out"
	return "$status"
}
