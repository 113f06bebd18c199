#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#
# A card whose command queue has 32 entries: the driver has many commands under
# way at once, whose doorbells overwrite each other. None is answered before its
# time, none is lost.
# needs: vm, emulator, root, command:jq
# timeout: 180

. "$(dirname "$0")/../lib/tap.sh"
. "$(dirname "$0")/../lib/emulator.sh"
plan 6

rounds=$(scaled 20)
log_mark
softhca dev add wide cmd-slots 32
ok "the driver takes a card with 32 entries" wait_for 60 ready wide
exits 0 "32 threads send commands" "$(program driver/command-storm)" "$(fn_field wide ibdev)" 32 "$rounds"
is "$out" "$((32 * rounds * 8)) commands, 0 wrong" "each got its own answer"
# The driver says so when an answer comes for an entry that waits for none, and
# when it finds one by itself that no event announced.
is "$(complaints)" "" "the driver missed no answer and got none too many"
is "$(softhca -j stat show wide | jq '.[0].dma_faults')" 0 "no access went to memory that was not mapped"
ok "the card goes" softhca dev del wide
done_testing
