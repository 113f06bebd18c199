#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#
# NodeInfo of the HCA itself and of its neighbour, by smpquery and by a program
# of a few lines: both must say what the driver says in /sys.
# needs: device, umad, two-ports, command:smpquery

. "$(dirname "$0")/../lib/tap.sh"
plan 10

near=$SOFTHCA_TEST_DEVICE
near_port=${SOFTHCA_TEST_PORT:-1}
read -r far far_port < <(peer_port)
nodeinfo=$(program umad/umad-nodeinfo)

# node_guid DEVICE: as the diagnostics print it.
node_guid() {
	echo "0x$(tr -d ':\n' <"/sys/class/infiniband/$1/node_guid")"
}

ok "smpquery asks $near itself" smpquery -C "$near" -P "$near_port" -D nodeinfo 0
like "$out" "^Guid:\.*$(node_guid "$near")" "it has the node GUID of $near"
like "$out" '^NodeType:\.*Channel Adapter' "and is a channel adapter"

ok "smpquery asks over the cable" smpquery -C "$near" -P "$near_port" -D nodeinfo "0,$near_port"
like "$out" "^Guid:\.*$(node_guid "$far")" "the neighbour is $far"

ok "and from the other end" smpquery -C "$far" -P "$far_port" -D nodeinfo "0,$far_port"
like "$out" "^Guid:\.*$(node_guid "$near")" "the neighbour is $near"

ok "a program of its own gets the same" "$nodeinfo" --device "$near" --port "$near_port" --hops 1
like "$out" "node GUID $(node_guid "$far")," "with the GUID of $far"
fails "and says so when nobody answers" "$nodeinfo" --device "$near" --port "$near_port" --hops 2
