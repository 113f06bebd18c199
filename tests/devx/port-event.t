#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#
# A program with Debian's libmlx5 makes a DEVX object, subscribes to port
# changes and reads both events, with their cookie, of a cable that is pulled
# and plugged.
# needs: device, uverbs, emulator, root, command:jq
# disruptive

. "$(dirname "$0")/../lib/tap.sh"
. "$(dirname "$0")/../lib/emulator.sh"

device=$SOFTHCA_TEST_DEVICE
port=$(port_of "$device")
[ -n "$port" ] || skip_all "needs a software HCA; $device is none"
program=$(program devx/devx-port-event)
flap="softhca link set $port down && softhca link set $port up"

run "$program" --device "$device" --trigger "$flap"
[ "$status" -ne 77 ] || skip_all "$err"
plan 8
is "$status" 0 "the program comes to its end" || diag "$err"
like "$out" '^object: protection domain 0x' "a protection domain was made by DEVX"
like "$out" '^event: cookie 0x50f7c0de0badcafe type 0x9 sub-type 0x1 ' "the port went down"
like "$out" '^event: cookie 0x50f7c0de0badcafe type 0x9 sub-type 0x5 ' "and came up"
is "$(grep -c '^event:' <<<"$out")" 2 "one event for each"

exits 1 "an event that does not come is a failure" \
	"$program" --device "$device" --trigger true --timeout 1
like "$err" 'no event within 1 s' "that says so"
exits 1 "so is a trigger that fails" "$program" --device "$device" --timeout 1 --trigger false
done_testing
