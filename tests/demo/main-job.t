#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#
# What make run shows works, step by step.
# needs: vm, device, emulator, two-ports
# isolated
# timeout: 240

. "$(dirname "$0")/../lib/tap.sh"
plan 3

ok "the demo comes to its end" "$(dirname "$0")/main-job"
like "$out" 'SUBNET UP' "opensm reported SUBNET UP"
like "$out" '^All 6 steps worked' "all steps worked"
