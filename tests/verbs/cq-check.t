#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#
# Completion queues that are resized while they work, and moderated events.
# needs: device, two-ports, root, command:opensm
# disruptive
# timeout: 240

. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source=tests/lib/verbs.sh
. "$(dirname "$0")/../lib/verbs.sh"

check=$(program verbs/cq-check)
subnet_up >"$tap_tmp/subnet"
if grep -q '^not ok' "$tap_tmp/subnet"; then
	bail "the ports do not become ACTIVE"
fi
"$check" "$near" "$port" "$far" "$far_port"
