# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
# Everything that must be there before a VM can start; sourced by qemu/vm.
# shellcheck disable=SC2034,SC2154 # the parts share their variables

check_tools() {
	local tool missing=()

	for tool in qemu-system-x86_64 busybox cpio modprobe depmod gcc jq; do
		command -v "$tool" >/dev/null || PATH=$PATH:/usr/sbin:/sbin command -v "$tool" >/dev/null || missing+=("$tool")
	done
	[ ${#missing[@]} -eq 0 ] || broken "missing program(s): ${missing[*]} (scripts/setup installs them)"
	# An ordinary user's PATH may lack modprobe and depmod.
	PATH=$PATH:/usr/sbin:/sbin
}

# Sets release, image, modules, build, label.
find_kernel() {
	local description

	release='' image='' modules='' build='' label='' source=''
	description=$("$tree/scripts/kernel" path "$kernel" 2>/dev/null) ||
		description=$("$tree/scripts/kernel" get "$kernel") ||
		broken "kernel $kernel is not to be had (see above)"
	eval "$description"
	[ -r "$image" ] || broken "kernel $kernel: no image at ${image:-nowhere}"
	[ -d "$modules" ] || broken "kernel $kernel: no modules at ${modules:-nowhere}"
}

# With --results the logs are where the user wants them, else in the tree, or in the cache when the tree is not ours;
# the last ones are kept.
make_log_dir() {
	local base=$tree/build/vm

	if [ -n "$results" ]; then
		log_dir=$results
		rm -f "$log_dir"/{kernel.log,qemu.log,result.json,command}
		return
	fi
	mkdir -p "$base" 2>/dev/null && [ -w "$base" ] || base=$cache/vm
	mkdir -p "$base"
	log_dir=$(mktemp -d "$base/$(date +%Y%m%d-%H%M%S)-XXXXXX") || broken "cannot make a log folder in $base"
	chmod 755 "$log_dir"
	find "$base" -mindepth 1 -maxdepth 1 -type d -mmin +60 | sort | head -n -20 | xargs -r rm -rf
}

announce() {
	{
		echo "qemu/vm: accelerator $accel ($accel_note)"
		echo "qemu/vm: kernel $release ($label, $image)"
		echo "qemu/vm: logs in $log_dir"
	} >&2
}

note() { [ "$verbose" = no ] || echo "qemu/vm: $*" >&2; }

# newer_than STAMP PATH...: something under PATH changed after STAMP was made, or STAMP is not there
newer_than() {
	local stamp=$1 path paths=()

	shift
	[ -e "$stamp" ] || return 0
	for path; do
		[ ! -e "$path" ] || paths+=("$path")
	done
	[ -n "$(find "${paths[@]}" -newer "$stamp" \( -type f -o -type d \) -print -quit)" ]
}

# run_build WHAT SCRIPT ARG...: quiet unless it fails or the user wants to see it
run_build() {
	local what=$1 log

	shift
	note "building $what"
	log=$(mktemp "${TMPDIR:-/tmp}/softhca-build.XXXXXX")
	if ! "$@" >"$log" 2>&1 </dev/null; then
		cat "$log" >&2
		rm -f "$log"
		broken "building $what failed"
	fi
	[ "$verbose" = no ] || cat "$log" >&2
	rm -f "$log"
}

build_helpers() {
	helpers=$tree/build/qemu
	mkdir -p "$helpers" 2>/dev/null && [ -w "$helpers" ] || helpers=$cache/qemu
	newer_than "$helpers/guest" "$tree/qemu/stdio" || return 0
	mkdir -p "$helpers"
	local flags=(-std=gnu11 -O2 -Wall -Wextra -Wshadow -D_GNU_SOURCE) dir=$tree/qemu/stdio
	run_build "qemu/vm's own helpers" gcc "${flags[@]}" -o "$helpers/host.$$" "$dir/host.c" "$dir/pump.c"
	run_build "qemu/vm's own helpers" gcc "${flags[@]}" -static -o "$helpers/guest.$$" "$dir/guest.c" "$dir/pump.c"
	mv "$helpers/host.$$" "$helpers/host"
	mv "$helpers/guest.$$" "$helpers/guest"
}

build_what_is_stale() {
	build_helpers
	softhca_ko=$tree/build/kmod/$release/softhca.ko
	softhca_tool=$tree/build/user/userspace/softhca/softhca
	[ "$hcas" -gt 0 ] || return 0
	if newer_than "$softhca_ko" "$tree/kmod" "$tree/Kbuild"; then
		run_build "softhca.ko for $release" "$tree/scripts/build-modules" "$kernel"
	fi
	if ! [ -x "$softhca_tool" ] || newer_than "$tree/build/user/.built" "$tree/userspace" "$tree/meson.build"; then
		run_build "the user part" "$tree/scripts/build-user"
	fi
	[ -e "$softhca_ko" ] || broken "scripts/build-modules left no $softhca_ko"
	[ -x "$softhca_tool" ] || broken "scripts/build-user left no $softhca_tool"
}

make_scratch() {
	scratch=$(mktemp -d "${TMPDIR:-/tmp}/softhca-vm.XXXXXX") || broken "cannot make a scratch directory"
	trap 'rm -rf "$scratch"' EXIT
}
