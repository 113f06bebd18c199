#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#
# After cards, drivers and modules have come and gone, kmemleak finds no memory
# that was left behind.
# needs: runner, kernel:debug
# timeout: 300

. "$(dirname "$0")/../lib/tap.sh"
plan 1

results=$tap_tmp/results
mkdir "$results"
exits 0 "nothing is left behind" "$SOFTHCA_ROOT/qemu/vm" --kernel debug --kmemleak --results "$results" \
	--timeout $((840 * ${SOFTHCA_SCALE:-1})) --env SOFTHCA_SCALE -- "$SOFTHCA_ROOT/tests/driver/churn" ||
	diag "$(grep -h -A 20 'unreferenced object' "$results/kernel.log" | head -n 100)"
done_testing
