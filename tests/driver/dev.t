#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#
# softhca dev: cards come, are shown and go; what is refused is refused in
# words, and a command line that is wrong is told from a request that is.
# needs: vm, emulator, root, command:jq, quick-kernel
# timeout: 240

. "$(dirname "$0")/../lib/tap.sh"
. "$(dirname "$0")/../lib/emulator.sh"

refused() {
	local why=$1
	shift
	exits 1 "refused: $*" "$@"
	like "$err" "^softhca: .*$why" "says why: $why"
}

before=$(softhca -j dev show | jq length)

ok "a card with all options" softhca -v dev add alpha profile connectx-7 ports 2 guid 0002:c900:00ab:0000 cmd-slots 4
is "$out" "alpha added" "-v says it"
shown=$(softhca -j dev show alpha)
is "$(jq -r '.[0].profile' <<<"$shown")" connectx-7 "profile"
is "$(jq -r '.[0].guid' <<<"$shown")" 0002:c900:00ab:0000 "GUID"
is "$(jq -r '.[0].cmd_slots' <<<"$shown")" 4 "command slots"
is "$(jq -r '.[0].state' <<<"$shown")" live "it is on the bus"
is "$(jq -r '[.[0].fn[].driver] | join(" ")' <<<"$shown")" "mlx5_core mlx5_core" "two functions, both with a driver"
is "$(jq -r '[.[0].fn[].node_guid] | join(" ")' <<<"$shown")" \
	"0002:c900:00ab:0000 0002:c900:00ab:0001" "each with a GUID of its own"
is "$(jq -r '[.[0].fn[].pci[-4:]] | join(" ")' <<<"$shown")" "00.0 00.1" "functions 0 and 1 of one device"
for num in 0 1; do
	ibdev=$(jq -r ".[0].fn[$num].ibdev" <<<"$shown")
	is "$(cat "/sys/class/infiniband/$ibdev/node_guid")" "$(jq -r ".[0].fn[$num].node_guid" <<<"$shown")" \
		"the driver of function $num sees its GUID"
	is "$(cat "/sys/class/infiniband/$ibdev/sys_image_guid")" 0002:c900:00ab:0000 "and the card's"
done
is "$(cat "/sys/bus/pci/devices/$(fn_field alpha pci)/device")" 0x1021 "a ConnectX-7 by its PCI id"

refused "unknown profile 'connectx-9'; known are connectx-5, connectx-6, connectx-7" \
	softhca dev add profile connectx-9
refused "there is a device 'alpha' already" softhca dev add alpha
refused "GUID 0x0002c90000ab0000 is another device's" softhca dev add guid 0x0002c90000ab0000
refused "GUID 0x0002c90000ab0001 is another device's" softhca dev add guid 0x0002c90000ab0001
refused "GUID 0x0002c90000aaffff, or the next one, is another" softhca dev add ports 2 guid 0x0002c90000aaffff
refused "1 to 2 ports, not 3" softhca dev add ports 3
refused "a GUID is not 0" softhca dev add guid 0
refused "2, 4, 8, 16 or 32 slots, not 5" softhca dev add cmd-slots 5
refused "starts with a letter" softhca dev add 0abc
refused "made of letters" softhca dev add a/b
refused "(too long|1 to 17 characters)" softhca dev add abcdefghijklmnopqr
refused "there is no device of this name" softhca dev del nobody
refused "there is no device of this name" softhca dev show nobody

exits 2 "wrong usage: a word that is not known" softhca dev add beta colour red
exits 2 "wrong usage: a keyword without its value" softhca dev add profile
exits 2 "wrong usage: a number that is none" softhca dev add ports two
exits 2 "wrong usage: nothing to delete" softhca dev del
exits 2 "wrong usage: no such object" softhca device show
like "$err" "Usage: softhca" "the usage is printed"
ok "keywords may be shortened" softhca d s alpha
ok "help" softhca dev help
like "$out" "dev add" "tells of dev add"
is "$(softhca -j dev show | jq length)" $((before + 1)) "nothing that was refused left a card behind"

softhca -n dev del alpha
refused "(is being removed already|no device of this name)" softhca dev del alpha
ok "it is gone soon" wait_for 30 bash -c '! softhca dev show alpha'
ok "a GUID and a name may be used again" softhca dev add alpha guid 0002:c900:00ab:0000
exits 1 "a user who is not root may not add" setpriv --reuid 65534 --clear-groups softhca dev add gamma
like "$err" "needs root" "and is told so"
ok "but may look" setpriv --reuid 65534 --clear-groups softhca dev show
ok "del" softhca dev del alpha

count=$before
while [ "$count" -lt 8 ]; do
	softhca dev add "more$count" || break
	count=$((count + 1))
done
is "$count" 8 "8 cards fit"
is "$(softhca -j dev show | jq '[.[].fn[] | select(.driver == "mlx5_core")] | length')" "$count" "all have their driver"
for ((i = before; i < count; i++)); do
	softhca dev del "more$i" || fail "more$i goes again"
done
is "$(softhca -j dev show | jq length)" "$before" "all are gone again"
done_testing
