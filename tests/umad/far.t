#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#
# SMPs to the node at the end of the cable: MAD statuses.
# needs: device, umad, two-ports

. "$(dirname "$0")/../lib/tap.sh"
exec "$(program umad/mad-status)" far
