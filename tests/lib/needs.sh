# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
# shellcheck shell=bash
#
# What a test file says about itself in its first lines, and whether this
# place can give it what it needs. CONTRIBUTING.md lists the words.

# Reads the head of a test file into head_lines. Without other programs: on an
# emulated processor each one costs a tenth of a second, and this runs often.
read_head() {
	[ "${head_file:-}" != "$1" ] || return 0
	head_file=$1
	mapfile -t -n 40 head_lines <"$1"
}

# The words after "# KEY:" in the head of a test file, one a line.
header_words() {
	local line words=()
	read_head "$1"
	for line in "${head_lines[@]}"; do
		[[ $line == "# $2:"* ]] || continue
		line=${line#"# $2:"}
		read -ra words <<<"${line//,/ }"
		[ ${#words[@]} -eq 0 ] || printf '%s\n' "${words[@]}"
	done
}

# True if the head of the test file holds the line "# MARK".
header_mark() {
	local line
	read_head "$1"
	for line in "${head_lines[@]}"; do
		[ "$line" != "# $2" ] || return 0
	done
	return 1
}

test_needs() {
	local word
	while read -r word; do
		[ "$word" != "$2" ] || return 0
	done < <(header_words "$1" needs)
	return 1
}

in_vm() {
	[ "${SOFTHCA_LANE:-}" = vm ]
}

device_dir() {
	echo "/sys/class/infiniband/$SOFTHCA_TEST_DEVICE"
}

# Prints "DEVICE PORT" of a second port: one the user named, else the test
# device's own second port, else (in a VM, where all is ours) another HCA.
peer_port() {
	local other
	if [ -n "${SOFTHCA_TEST_PEER:-}" ]; then
		case $SOFTHCA_TEST_PEER in
		*:*)	echo "${SOFTHCA_TEST_PEER%:*} ${SOFTHCA_TEST_PEER##*:}" ;;
		*)	echo "$SOFTHCA_TEST_PEER 1" ;;
		esac
		return 0
	fi
	if [ -d "$(device_dir)/ports/2" ]; then
		echo "$SOFTHCA_TEST_DEVICE 2"
		return 0
	fi
	in_vm || return 1
	for other in /sys/class/infiniband/*; do
		other=${other##*/}
		if [ "$other" != "$SOFTHCA_TEST_DEVICE" ] && [ "$other" != '*' ]; then
			echo "$other 1"
			return 0
		fi
	done
	return 1
}

# The character device CLASS (umad, uverbs) of the test device.
device_node() {
	local entry
	for entry in /sys/class/infiniband_*/"$1"[0-9]*; do
		if [ "$(cat "$entry/ibdev" 2>/dev/null)" = "$SOFTHCA_TEST_DEVICE" ]; then
			echo "/dev/infiniband/${entry##*/}"
			return 0
		fi
	done
	return 1
}

unmet_device() {
	if [ -z "${SOFTHCA_TEST_DEVICE:-}" ]; then
		echo "needs an HCA; name one with --device"
	elif [ ! -d "$(device_dir)" ]; then
		echo "needs the HCA $SOFTHCA_TEST_DEVICE, which is not in /sys/class/infiniband"
	fi
}

unmet_node() {
	local node
	[ -n "${SOFTHCA_TEST_DEVICE:-}" ] || { unmet_device; return; }
	node=$(device_node "$1") || {
		echo "needs a $1 device of $SOFTHCA_TEST_DEVICE; is ib_$1 loaded?"
		return
	}
	if [ ! -r "$node" ] || [ ! -w "$node" ]; then
		echo "needs read and write access to $node"
	fi
}

unmet_active() {
	local port=${SOFTHCA_TEST_PORT:-1} state
	[ -n "${SOFTHCA_TEST_DEVICE:-}" ] || { unmet_device; return; }
	state=$(cat "$(device_dir)/ports/$port/state" 2>/dev/null)
	case $state in
	*ACTIVE*)	;;
	*)	echo "needs port $port of $SOFTHCA_TEST_DEVICE to be ACTIVE, it is ${state:-absent}" ;;
	esac
}

# In a VM these are what it was booted for: without one, something is broken,
# and a skip would hide it.
vm_must_have() {
	case $1 in
	device|umad|uverbs|two-ports|emulator)	in_vm ;;
	*)	return 1 ;;
	esac
}

# Prints why NEED is not met here, or nothing when it is. Returns 1 for a word
# that is not known: a typing error must not become a skip.
unmet_need() {
	case $1 in
	vm)
		in_vm || echo "needs a virtual machine of its own" ;;
	device)
		unmet_device ;;
	emulator)
		if [ ! -d /sys/module/softhca ]; then
			echo "needs control of the emulator, and softhca.ko is not loaded"
		elif ! command -v softhca >/dev/null; then
			echo "needs the softhca tool"
		fi ;;
	two-ports)
		if [ -n "$(unmet_device)" ]; then
			unmet_device
		elif ! peer_port >/dev/null; then
			echo "needs a second port; name one with --peer DEVICE[:PORT]"
		fi ;;
	active)
		unmet_active ;;
	umad|uverbs)
		unmet_node "$1" ;;
	root)
		[ "$(id -u)" -eq 0 ] || echo "needs root" ;;
	kmemleak)
		[ -e /sys/kernel/debug/kmemleak ] || echo "needs a kernel with kmemleak" ;;
	runner)
		[ "${SOFTHCA_LANE:-}" = host ] || echo "boots virtual machines, which only the host does" ;;
	kernel:?*)
		[ "${SOFTHCA_KERNEL:-}" = "${1#kernel:}" ] ||
			echo "runs in the lane of kernel ${1#kernel:} only" ;;
	# What takes minutes on a kernel that checks itself, and is a matter of
	# function rather than of memory and locks, runs there in the soak.
	quick-kernel)
		case ${SOFTHCA_KERNEL:-} in
		debug|latest)
			[ "${SOFTHCA_SCALE:-1}" -gt 1 ] ||
				echo "too slow for every day on kernel $SOFTHCA_KERNEL: make soak runs it" ;;
		esac ;;
	command:?*)
		command -v "${1#command:}" >/dev/null || echo "needs the command ${1#command:}" ;;
	*)
		return 1 ;;
	esac
	return 0
}
