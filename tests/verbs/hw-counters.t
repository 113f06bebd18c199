#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#
# hw_counters in sysfs and rdma statistic tell what happened to queue pairs:
# those of the port's own set, and those that the kernel gives sets of their
# own.
# needs: device, two-ports, root, command:opensm, command:rdma
# disruptive
# timeout: 240

. "$(dirname "$0")/../lib/tap.sh"
plan 7
# shellcheck source=tests/lib/verbs.sh
. "$(dirname "$0")/../lib/verbs.sh"

# mode WORD...: how the kernel gives counters to the queue pairs of both ports
mode() {
	rdma statistic qp set link "$near/$port" auto "$@" &&
		rdma statistic qp set link "$far/$far_port" auto "$@"
}

# total NAME: what rdma statistic shows of a counter of the far port
total() {
	rdma statistic show link "$far/$far_port" | grep -o "$1 [0-9]*" | cut -d ' ' -f 2
}

check=$(program verbs/counter-check)
subnet_up
ok "each event counts, once" "$check" "$near" "$port" "$far" "$far_port"
before=$(total rx_write_requests)
ok "queue pairs can have counters of their own" mode type on
ok "they count as well" "$check" "$near" "$port" "$far" "$far_port"
ok "and can do without again" mode off
is "$(total rx_write_requests)" $((before + 4)) "what they counted is not lost"
