#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#
# A cable that is pulled and put back: both ends see it, the drivers hear of
# it, and the SM may disable a port and enable it again.
# needs: device, umad, two-ports, emulator, root, command:ibportstate
# disruptive

. "$(dirname "$0")/../lib/tap.sh"
plan 13

near=$SOFTHCA_TEST_DEVICE
port=${SOFTHCA_TEST_PORT:-1}
read -r far far_port < <(peer_port)

state_is() {
	[[ $(cat "/sys/class/infiniband/$1/ports/$2/state") == *"$3" ]]
}
phys_is() {
	[[ $(cat "/sys/class/infiniband/$1/ports/$2/phys_state") == *"$3" ]]
}

# The first HCA added is hca0, whatever the RDMA layer calls it.
ok "the cable is pulled" softhca link set hca0 down
ok "$near sees its port go down" wait_for 5 state_is "$near" "$port" DOWN
ok "$far sees its port go down" wait_for 5 state_is "$far" "$far_port" DOWN
ok "the port polls" phys_is "$near" "$port" Polling
# (the tools exit with -1)
exits 255 "nothing comes back over the cable" timeout 30 \
	smpquery -C "$near" -P "$port" -t 200 -D nodeinfo "0,$port"
ok "but the HCA itself answers" smpquery -C "$near" -P "$port" -D nodeinfo 0

ok "the cable is put back" softhca link set hca0 up
ok "$near is in Init" wait_for 5 state_is "$near" "$port" INIT
ok "$far is in Init" wait_for 5 state_is "$far" "$far_port" INIT
ok "the neighbour answers again" smpquery -C "$near" -P "$port" -D nodeinfo "0,$port"

ok "the neighbour's port is disabled by an SMP" \
	ibportstate -C "$near" -P "$port" -D 0 "$port" disable
ok "$near shows it" wait_for 5 phys_is "$near" "$port" Disabled
ibportstate -C "$near" -P "$port" -D 0 "$port" enable >/dev/null 2>&1
ok "and it comes back" wait_for 5 state_is "$near" "$port" INIT
