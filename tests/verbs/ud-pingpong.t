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
# shellcheck source=tests/lib/verbs.sh
. "$(dirname "$0")/../lib/verbs.sh"

subnet_up

count=$(scaled 20)
mtu=$(ibv_devinfo -d "$near" -i "$port" | sed -n 's/^[[:space:]]*active_mtu:[[:space:]]*\([0-9]*\).*/\1/p')
for size in 1 2048 4096; do
	if [ "$size" -gt "${mtu:-0}" ]; then
		skip 1 "the link's MTU is ${mtu:-unknown}"
		continue
	fi
	ok "$count datagrams of $size bytes go each way" exchange ud -n "$count" -s "$size"
done
ok "so they do when the ends sleep until a completion comes" exchange ud -n "$count" -e
ok "so they do with one receive posted at a time" exchange ud -n "$count" -r 1
ok "so they do with a GRH" exchange ud -n "$count" -g 0
like "$near_out" 'remote address: .* GID fe80:' "the other end was addressed by GID"
like "$near_out" "$count iters" "the near end counted them"
like "$far_out" "$count iters" "so did the far end"
