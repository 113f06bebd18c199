#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#
# A link that loses packets, repeats them, delays them and lets them overtake
# each other: reliable queue pairs move every byte all the same.
# needs: vm, emulator, device, two-ports, root, command:opensm, command:jq
# timeout: 240

. "$(dirname "$0")/../lib/tap.sh"
. "$(dirname "$0")/../lib/emulator.sh"
# shellcheck source=tests/lib/verbs.sh
. "$(dirname "$0")/../lib/verbs.sh"

link=$(port_of "$near")
# What the link does to packets, as the tool shows it.
impairment() {
	softhca -j link show "$link" |
		jq -r '.[0] | [.delay_us, .loss_ppm, .duplicate_ppm, .reorder_ppm] | map(. // 0) | join(" ")'
}
# Packets that a port missed.
missed() {
	cat "/sys/class/infiniband/$1/ports/$2/counters/port_rcv_errors"
}
wrong() {
	exits 2 "wrong usage: $*" softhca link set "$link" "$@"
}

subnet_up >"$tap_tmp/subnet"
if grep -q '^not ok' "$tap_tmp/subnet"; then
	bail "the ports do not become ACTIVE"
fi

# Its results are the first of this test's own.
softhca link set "$link" loss 2% duplicate 3% reorder 5%
"$(program verbs/rc-check)" "$near" "$port" "$far" "$far_port" data >"$tap_tmp/data.tap"
status=$?
grep -v '^1\.\.' "$tap_tmp/data.tap"
tap_ran=$(sed -n 's/^1\.\.//p' "$tap_tmp/data.tap")
is "$status" 0 "every byte arrived, once"
is "$(impairment)" "0 20000 30000 50000" "the link still does what it was told"
lost=$(($(missed "$near" "$port") + $(missed "$far" "$far_port")))
ok "packets were lost: $lost" [ "$lost" -gt 0 ]

ok "what is not named stays as it is" softhca link set "$link" loss 0 delay 2.5ms
is "$(impairment)" "2500 0 30000 50000" "delay is new, loss is over"
ok "a link without faults but with a delay" softhca link set "$link" duplicate 0 reorder 0
ok "carries traffic" exchange rc -e -n 20 -s 10000
ok "it is good again" softhca link set "$link" delay 0
is "$(impairment)" "0 0 0 0" "and shows nothing"

wrong loss
wrong loss 101%
wrong loss 5
wrong delay 5
wrong delay 5min
wrong sideways
exits 1 "a delay of 11 s is refused" softhca link set "$link" delay 11s
like "$err" 'at most 10 s' "with the reason"
is "$(impairment)" "0 0 0 0" "and nothing has changed"
done_testing
