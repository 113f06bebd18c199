#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#
# The drivers' probe of the HCAs this VM was booted with drew no error and no
# warning but those that a real card draws or that every out-of-tree module does.
# needs: vm, device

. "$(dirname "$0")/../lib/tap.sh"
plan 3

awk '/softhca-init: ready/ { exit } { print }' < <(dmesg) >"$tap_tmp/boot.log"
# Out-of-tree modules say that; so do cards whose slot has no PTM.
harmless='loading out-of-tree module taints kernel|module verification failed|PTM is not supported by PCIe'

warnings=$(dmesg -l emerg,alert,crit,err,warn | grep -F -x -f - "$tap_tmp/boot.log" |
	grep -E 'mlx5|infiniband|ib_|softhca|10000:' | grep -vE "$harmless")
is "$warnings" "" "no error and no warning"
is "$(grep -cE 'mlx5_core [0-9a-f]+:01:00\.0: firmware version: ' "$tap_tmp/boot.log")" 1 "the first HCA was probed"
unlike "$(grep -E '10000:' "$tap_tmp/boot.log")" "can't|fail|error|unable" "nothing failed on its bus"
done_testing
