#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#
# Messages of connected queue pairs go both ways between two ports: RC and UC,
# with a receive queue of their own and with a shared one, and XRC.
# needs: device, two-ports, root, command:ibv_rc_pingpong, command:ibv_xsrq_pingpong, command:opensm, quick-kernel
# disruptive
# timeout: 240

. "$(dirname "$0")/../lib/tap.sh"
plan 15
# shellcheck source=tests/lib/verbs.sh
. "$(dirname "$0")/../lib/verbs.sh"

subnet_up

count=$(scaled 20)
# Programs that sleep leave the processor to the device; that is not what they
# do by default, so both ways are tried.
for size in 1 4096 65537 1048576; do
	ok "$count RC messages of $size bytes go each way" exchange rc -n "$count" -s "$size" -e
done
like "$near_out" "$count iters" "the near end counted them"
like "$far_out" "$count iters" "so did the far end"
ok "RC works with ends that poll" exchange rc -n "$count"
ok "RC works with a GRH" exchange rc -n "$count" -e -g 0
ok "RC works with the smallest MTU" exchange rc -n "$count" -e -m 256 -s 10000
ok "RC works with one receive posted at a time" exchange rc -n "$count" -e -r 1
ok "UC carries messages of several packets" exchange uc -n "$count" -e -s 65536
ok "16 queue pairs share a receive queue" exchange srq -n "$count" -e
ok "XRC carries messages" exchange xsrq -n "$count" -e
