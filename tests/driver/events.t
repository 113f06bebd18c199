#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#
# softhca event, link and monitor: what is raised reaches the driver before the
# command returns, and who listens hears of cards and links.
# needs: vm, device, emulator, root, uverbs, command:jq, quick-kernel
# disruptive

. "$(dirname "$0")/../lib/tap.sh"
. "$(dirname "$0")/../lib/emulator.sh"
port=$(port_of "$SOFTHCA_TEST_DEVICE")
card=${port%/*}

refused() {
	local why=$1
	shift
	exits 1 "refused: $*" "$@"
	like "$err" "$why" "says why: $why"
}

softhca -v -j -t 60 monitor >"$tap_tmp/heard" 2>"$tap_tmp/listening" &
monitor=$!
ok "the monitor listens" wait_for 10 grep -q listening "$tap_tmp/listening"
# heard FILTER: a notification for which the filter is true
heard() {
	jq -e -s "any(.[]; $1)" "$tap_tmp/heard"
}

flap="softhca event raise $port type port-change sub-type down && softhca event raise $port type 9 sub-type 5"
ok "DEVX reads events raised by hand" "$(program devx/devx-port-event)" --trigger "$flap"
ok "raise" softhca -j event raise "$port" type port-change sub-type lid
ok "it says how many event queues got it" [ "$(jq .delivered <<<"$out")" -ge 1 ]

refused "no event queue of $card takes type 0x25" softhca event raise "$port" type 0x25
refused "not raised by hand" softhca event raise "$port" type 0x0a
refused "reports on an object" softhca event raise "$port" type 4
refused "no port of this number" softhca event raise "$card/2" type 9
exits 2 "wrong usage: no type" softhca event raise "$port"
exits 2 "wrong usage: a type that is none" softhca event raise "$port" type 256

ok "the cable is pulled" softhca link set "$port" down
ok "the monitor hears of it" wait_for 10 heard ".link == \"$port\" and .event == \"down\" and .cable == \"down\""
is "$(softhca -j link show "$port" | jq -r '.[0].state')" DOWN "the link is down"
peer=$(softhca -j link show "$port" | jq -r '.[0] | "\(.peer_dev)/\(.peer_port)"')
is "$(softhca -j link show "$peer" | jq -r '.[0].state')" DOWN "at the far end, too"
ok "the cable is plugged" softhca link set "$port" up
ok "the monitor hears of it" wait_for 10 heard ".link == \"$port\" and .event == \"init\""
refused "no port of this number" softhca link set "$card/3" up
exits 2 "wrong usage: neither up nor down" softhca link set "$port" sideways

ok "a card comes" softhca dev add heard
ok "and goes" softhca dev del heard
ok "the monitor hears that it came" wait_for 10 heard '.notification == "added" and .name == "heard" and .state == "live"'
ok "and that it went" wait_for 10 heard '.notification == "deleted" and .name == "heard"'
kill "$monitor"
wait "$monitor" 2>/dev/null
done_testing
