#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#
# What the guest tests is the kernel's own driver stack, unmodified.
# needs: vm

. "$(dirname "$0")/../lib/tap.sh"
modules=(mlx5_core mlx5_ib ib_core ib_umad ib_uverbs)
plan $((3 + 2 * ${#modules[@]}))

ok "the driver stack loads" modprobe -a "${modules[@]}"
for module in "${modules[@]}"; do
	is "$(modinfo -F intree "$module")" Y "$module is part of the kernel's tree"
	is "$(cat "/sys/module/$module/taint")" "" "$module as loaded taints nothing"
done
is "$(modinfo -F vermagic mlx5_core | cut -d ' ' -f 1)" "$(uname -r)" "mlx5_core was built with this kernel"
ok "all loaded modules but ours are the kernel's own" \
	bash -c '! grep -l O /sys/module/*/taint | grep -v softhca'
