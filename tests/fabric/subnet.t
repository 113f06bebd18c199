#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#
# opensm brings up the subnet of two cabled HCAs; then what needs LIDs works:
# discovery, path records, performance counters, pings of QP1.
# needs: device, umad, two-ports, root, command:opensm, command:ibnetdiscover, command:perfquery, quick-kernel
# disruptive
# timeout: 180

. "$(dirname "$0")/../lib/tap.sh"
plan 21

shopt -s extglob
near=$SOFTHCA_TEST_DEVICE
port=${SOFTHCA_TEST_PORT:-1}
read -r far far_port < <(peer_port)
log=$tap_tmp/opensm.log

attribute() {
	cat "/sys/class/infiniband/$1/ports/$2/$3"
}
is_active() {
	[[ $(attribute "$1" "$2" state) == *ACTIVE ]]
}
port_guid() {
	# the lower half of the first GID
	attribute "$1" "$2" gids/0 | cut -d : -f 5-8 | tr -d ':\n' | sed 's/^/0x/'
}
# value FIELD: of what perfquery or smpquery printed.
value() {
	sed -n "s/^$1:\.*//p" <<<"$out"
}

# -d2 flushes the log after each line
opensm -d2 -g "$(port_guid "$near" "$port")" -f "$log" >"$tap_tmp/opensm.out" 2>&1 &
opensm=$!
trap 'kill "$opensm" 2>/dev/null; wait "$opensm" 2>/dev/null; rm -rf "$tap_tmp"' EXIT

ok "opensm reports SUBNET UP" wait_for 60 grep -q 'SUBNET UP' "$log" ||
	diag "$(tail -n 20 "$log" "$tap_tmp/opensm.out")"
ok "the port of $near becomes ACTIVE" wait_for 20 is_active "$near" "$port"
ok "the port of $far becomes ACTIVE" wait_for 20 is_active "$far" "$far_port"
# 7504, 3809: a trap from a LID of an earlier SM's, before this one gave its own.
# 5430 for a TrapRepress (method 7), then 3E03: on a busy machine a trap may come
# again before the first answer has left, and umad refuses the second one.
errors=$(sed -e '/ERR 7504:/d' -e '/ERR 3809:/d' -e '/ERR 5430: .*Method 0x7,/,/ERR 3E03:/d' "$log")
unlike "$errors" ' ERR [0-9A-F]+:' "opensm logs no error"

near_lid=$(($(attribute "$near" "$port" lid)))
far_lid=$(($(attribute "$far" "$far_port" lid)))
ok "both have LIDs" test "$near_lid" -gt 0 -a "$far_lid" -gt 0 -a "$near_lid" -ne "$far_lid"
is "$(($(attribute "$far" "$far_port" sm_lid)))" "$near_lid" "$far knows where the SM is"

ok "ibnetdiscover walks the subnet" ibnetdiscover -C "$near" -P "$port"
is "$(grep -c '^Ca' <<<"$out")" 2 "and finds two HCAs"
for device in "$near" "$far"; do
	guid=$(tr -d ':\n' <"/sys/class/infiniband/$device/node_guid")
	like "$out" "^caguid=0x0*${guid##*(0)}\$" "$device is one of them"
done

ok "sminfo asks the SM by LID from $far" sminfo -C "$far" -P "$far_port" "$near_lid"
like "$out" 'state 3 SMINFO_MASTER' "it is the master"
ok "smpquery by LID reaches $far" smpquery -C "$near" -P "$port" nodeinfo "$far_lid"
ok "saquery finds the path between them" saquery -C "$far" -P "$far_port" PR --src-to-dst "$far_lid:$near_lid"

ok "perfquery reads the counters of $far" perfquery -C "$near" -P "$port" "$far_lid" "$far_port"
packets=$(value PortRcvPkts)
smpquery -C "$near" -P "$port" nodeinfo "$far_lid" >/dev/null
ok "and again" perfquery -C "$near" -P "$port" "$far_lid" "$far_port"
ok "more packets have come in" test "$(value PortRcvPkts)" -gt "$packets"
ok "the extended counters are there" perfquery -x -C "$near" -P "$port" "$far_lid" "$far_port"
like "$out" '^PortUnicastRcvPkts:\.*[1-9]' "with unicast packets"
ok "perfquery clears them" perfquery -R -C "$near" -P "$port" "$far_lid" "$far_port"
perfquery -C "$near" -P "$port" "$far_lid" "$far_port" >"$tap_tmp/cleared"
ok "then few are left" test "$(sed -n 's/^PortRcvPkts:\.*//p' "$tap_tmp/cleared")" -lt 10
