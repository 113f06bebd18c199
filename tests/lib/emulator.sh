# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
# shellcheck shell=bash
#
# For tests that need the emulator: which card is which device. Sourced after
# tap.sh, whose place for temporary files it uses; wants jq.
# shellcheck disable=SC2154

# fn_field CARD FIELD: of the card's first function: pci, driver, ibdev, state.
fn_field() {
	softhca -j dev show "$1" 2>/dev/null | jq -r ".[0].fn[0].$2 // empty"
}

# port_of IBDEV: the card's port behind the device, as "softhca link" wants it.
port_of() {
	softhca -j dev show | jq -r --arg dev "$1" \
		'.[] | .name as $card | .fn[] | select(.ibdev == $dev) | "\($card)/\(.num + 1)"'
}

has_ibdev() {
	[ -n "$(fn_field "$1" ibdev)" ]
}

# ready CARD: its driver is bound, and its RDMA device is there with its nodes.
ready() {
	local ibdev nodes
	ibdev=$(fn_field "$1" ibdev)
	[ -n "$ibdev" ] || return 1
	nodes=("/sys/class/infiniband/$ibdev/device/infiniband_mad"/umad*)
	[ -e "/dev/infiniband/${nodes[0]##*/}" ]
}

# What the kernel complained about since the mark: lines of drivers and bus.
log_mark() {
	log_from="softhca-test: mark $$ $RANDOM"
	echo "$log_from" >/dev/kmsg
}
complaints() {
	dmesg >"$tap_tmp/all.log"
	awk -v mark="$log_from" 'seen; index($0, mark) { seen = 1 } END { exit !seen }' \
		"$tap_tmp/all.log" >"$tap_tmp/since.log" || echo "softhca-test: the log no longer reaches back"
	dmesg -l emerg,alert,crit,err,warn | grep -F -x -f - "$tap_tmp/since.log" |
		grep -E 'mlx5|infiniband|ib_|softhca|pci|10000:'
}
