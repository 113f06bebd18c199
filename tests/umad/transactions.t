#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#
# Requests and answers over the cable: which belongs to which, many at once,
# time-outs.
# needs: device, umad, two-ports

. "$(dirname "$0")/../lib/tap.sh"
exec "$(program umad/mad-transactions)"
