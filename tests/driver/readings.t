#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#
# What the administrator's tools read from the HCA: it reads like a ConnectX.
# needs: device, umad, uverbs, root, command:lspci, command:devlink, command:rdma, command:ibstat, command:ibv_devinfo, quick-kernel

. "$(dirname "$0")/../lib/tap.sh"
device=$SOFTHCA_TEST_DEVICE
port=${SOFTHCA_TEST_PORT:-1}
pci=$(basename "$(realpath "/sys/class/infiniband/$device/device")")
guid=$(cat "/sys/class/infiniband/$device/node_guid")

ok "lspci" lspci -vv -s "$pci"
like "$out" 'Infiniband controller: Mellanox Technologies .*\[ConnectX-[5-9]' "names a ConnectX"
like "$out" 'Capabilities: \[[0-9a-f]+\] Express .*Endpoint' "PCI Express endpoint"
like "$out" 'LnkSta:.*Speed [0-9.]+GT/s.* Width x(4|8|16)' "link speed and width"
like "$out" 'MSI-X: Enable\+ Count=[0-9]+ Masked-' "MSI-X is in use"
like "$out" 'Capabilities: \[[0-9a-f]+\] Power Management' "power management"
like "$out" 'Product Name: ' "vital product data names the product"
like "$out" 'Part number: ' "and its part number"
like "$out" 'Kernel driver in use: mlx5_core' "driver"
unlike "$out" '<access denied>|Unknown header|!!!' "nothing that lspci cannot read"

ok "devlink dev info" devlink dev info "pci/$pci"
like "$out" 'driver mlx5_core' "driver"
like "$out" 'fw.psid [A-Z]{2,3}_?[0-9A-Z]+' "PSID"
like "$out" 'fw.version [0-9]+\.[0-9]+\.[0-9]+' "firmware version"

ok "ibstat" ibstat "$device"
like "$out" 'CA type: MT4[0-9]+' "CA type"
like "$out" "Node GUID: 0x$(tr -d : <<<"$guid")" "node GUID"
like "$out" 'Firmware version: [0-9]+\.[0-9]+\.[0-9]+' "firmware version"
like "$out" 'Link layer: InfiniBand' "link layer"

ok "rdma link" rdma link show "$device/$port"
like "$out" 'state (ACTIVE|INIT|ARMED|DOWN) physical_state [A-Z_]+' "state"

ok "ibv_devinfo -v" ibv_devinfo -v -d "$device"
like "$out" 'vendor_id:[[:space:]]*0x02c9' "vendor"
like "$out" "node_guid:[[:space:]]*$guid" "node GUID"
like "$out" 'board_id:[[:space:]]*[A-Z]{2,3}_?[0-9A-Z]+' "board id"
like "$out" 'max_qp:[[:space:]]*[1-9]' "QPs"
like "$out" 'link_layer:[[:space:]]*InfiniBand' "link layer"

for class in umad issm uverbs; do
	ok "/dev/infiniband/${class}N" compgen -G "/dev/infiniband/$class*"
done
done_testing
