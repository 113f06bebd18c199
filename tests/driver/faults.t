#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#
# softhca fault: a command is answered with a status, late, or never, and the
# driver notices.
# needs: vm, emulator, root, command:jq, quick-kernel
# timeout: 300

. "$(dirname "$0")/../lib/tap.sh"
. "$(dirname "$0")/../lib/emulator.sh"
alloc_pd=$(program devx/devx-port-event)

rule() {
	softhca -j fault show faulty | jq -r ".[$1].$2"
}
refused() {
	local why=$1
	shift
	exits 1 "refused: $*" "$@"
	like "$err" "$why" "says why: $why"
}
# Makes one ALLOC_PD; nothing happens to the port, so that it fails after that.
one_pd() {
	"$alloc_pd" --device "$ibdev" --trigger true --timeout 1
}

ok "a card to break" softhca dev add faulty
ok "is there" wait_for 20 ready faulty
ibdev=$(fn_field faulty ibdev)
pci=$(fn_field faulty pci)

ok "status" softhca fault add faulty command opcode ALLOC_PD status NO_RESOURCES syndrome 0x12345 after 1 count 1
exits 1 "the first command is let through" one_pd
like "$out" '^object:' "and its object made"
exits 1 "the second is hit" one_pd
like "$err" 'status 0xf syndrome 0x12345' "with the status and syndrome of the rule"
run one_pd
like "$out" '^object:' "the third is served again"
is "$(rule 0 seen) $(rule 0 hits)" "3 1" "the rule has counted them"
is "$(rule 0 opcode_name) $(rule 0 status_name)" "ALLOC_PD NO_RESOURCES" "names are shown"
ok "flush" softhca -v fault flush faulty
is "$out" "1 rules flushed" "tells how many"

ok "delay" softhca fault add faulty command opcode 0x800 delay 1500 count 1
began=$(date +%s%N)
run one_pd
took=$((($(date +%s%N) - began) / 1000000))
like "$out" '^object:' "the command is served"
ok "and late" [ "$took" -ge 1500 ]
ok "one rule goes by its number" softhca fault del "$(rule 0 id)"
is "$(softhca -j fault show)" "[]" "and is gone"

echo "$pci" >/sys/bus/pci/drivers/mlx5_core/unbind
ok "INIT_HCA fails" softhca fault add faulty command opcode INIT_HCA status INTERNAL_ERR
exits 1 "the driver's probe fails" bash -c "echo $pci >/sys/bus/pci/drivers/mlx5_core/bind"
ok "flush" softhca fault flush
ok "and succeeds afterwards" bash -c "echo $pci >/sys/bus/pci/drivers/mlx5_core/bind"
ok "the device is back" wait_for 20 ready faulty

refused "no command 'MAKE_TEA'" softhca fault add faulty command opcode MAKE_TEA never
refused "unknown status 'TIRED'" softhca fault add faulty command status TIRED
refused "no device of this name" softhca fault add nobody command never
refused "1 to 600000 ms" softhca fault add faulty command delay 600001
refused "0x10000 is no opcode" softhca fault add faulty command opcode 0x10000 never
refused "no rule 77" softhca fault del 77
exits 2 "wrong usage: two actions" softhca fault add faulty command never delay 5
exits 2 "wrong usage: no action" softhca fault add faulty command opcode ALLOC_PD

# Longer than the driver waits. (An entry that is never answered would keep the
# driver from letting go of the card, for ever.)
if [ "${SOFTHCA_SCALE:-1}" -gt 1 ]; then
	ibdev=$(fn_field faulty ibdev)
	ok "an answer that comes too late" softhca fault add faulty command opcode ALLOC_PD delay 75000 count 1
	exits 1 "the driver gives up" timeout 240 "$alloc_pd" --device "$ibdev" --trigger true --timeout 1
else
	skip 2 "the driver waits a minute for an answer that comes too late: with SOFTHCA_SCALE over 1"
fi
ok "a rule with the card" softhca fault add faulty command opcode ALLOC_PD status 3
ok "goes with it" softhca dev del faulty
is "$(softhca -j fault show)" "[]" "no rule is left"
done_testing
