#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#
# Each attribute of the subnet management agent, read by smpquery near and far:
# the two must not differ but in what belongs to the node.
# needs: device, umad, two-ports, command:smpquery, quick-kernel

. "$(dirname "$0")/../lib/tap.sh"
plan 17

near=$SOFTHCA_TEST_DEVICE
port=${SOFTHCA_TEST_PORT:-1}
read -r far far_port < <(peer_port)

# query OPERATION PATH [ARG...]
query() {
	smpquery -C "$near" -P "$port" -D "$1" "$2" "${@:3}"
}

for path in 0 "0,$port"; do
	ok "PortInfo by path $path" query portinfo "$path"
	like "$out" '^LinkState:\.*(Initialize|Armed|Active)' "the link is up"
	like "$out" '^PhysLinkState:\.*LinkUp' "physically, too"
	ok "NodeDescription by path $path" query nodedesc "$path"
	ok "GUIDInfo by path $path" query guidinfo "$path"
	ok "P_KeyTable by path $path" query pkeys "$path"
	ok "SLtoVLMappingTable by path $path" query sl2vl "$path"
	ok "VLArbitrationTable by path $path" query vlarb "$path"
done

# by_far: PortInfo of the far port as its own host reads it.
by_far() {
	smpquery -C "$far" -P "$far_port" -D portinfo 0 | grep -v '^#'
}
is "$(query portinfo "0,$port" | grep -v '^#')" "$(by_far)" \
	"PortInfo of $far is the same over the cable and from its own host"
