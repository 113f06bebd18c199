#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#
# SMPs to the HCA itself: MAD statuses.
# needs: device, umad

. "$(dirname "$0")/../lib/tap.sh"
exec "$(program umad/mad-status)" near
