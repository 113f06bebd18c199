# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
# The guest's initramfs: busybox, the kernel modules that the root file system needs, and this run's settings; sourced
# by qemu/vm. Two archives one after the other, as the kernel allows: what depends on the kernel alone is cached.
# shellcheck disable=SC2034,SC2154 # the parts share their variables

boot_modules=(virtio_pci virtio_console 9pnet_virtio 9p overlay)

# pack DIR FILE
pack() { (cd "$1" && find . | cpio --quiet -o -H newc -R 0:0) >"$2"; }

# unpack_module FILE DIR: busybox insmod takes no compressed modules
unpack_module() {
	case $1 in
	*.xz) xz -dc "$1" >"$2/$(basename "$1" .xz)" ;;
	*.zst) zstd -qdc "$1" >"$2/$(basename "$1" .zst)" ;;
	*.gz) gzip -dc "$1" >"$2/$(basename "$1" .gz)" ;;
	*) cp "$1" "$2/" ;;
	esac
}

# module_files: the files to load, in order; nothing for what is built in
module_files() {
	local root=${modules%/lib/modules/*} module

	[ "$root" != "$modules" ] || broken "modules of $label are not in a lib/modules/RELEASE: $modules"
	for module in "${boot_modules[@]}"; do
		modprobe -d "${root:-/}" -S "$release" --show-depends "$module" >"$scratch/depends" 2>"$scratch/depends.err" ||
			broken "kernel $release has no $module, which a guest's root needs: $(head -n 1 "$scratch/depends.err")"
		awk '$1 == "insmod" { print $2 }' "$scratch/depends"
	done | awk '!seen[$0]++'
}

base_initramfs() {
	local dir=$scratch/base file key

	key=$(stat -c '%n %s %Y' "$modules/modules.dep" "$(command -v busybox)" | cksum | tr -d ' \n')
	base_cpio=$cache/initramfs/$release-$key.cpio
	[ ! -e "$base_cpio" ] || return 0
	mkdir -p "$dir"/{bin,proc,sys,dev,modules} "$cache/initramfs"
	cp "$(readlink -f "$(command -v busybox)")" "$dir/bin/busybox"
	ln -s busybox "$dir/bin/sh"
	module_files >"$scratch/files"
	: >"$dir/modules/order"
	while read -r file; do
		unpack_module "$file" "$dir/modules"
		file=${file##*/}
		echo "${file%.ko*}.ko" >>"$dir/modules/order"
	done <"$scratch/files"
	pack "$dir" "$scratch/base.cpio"
	mv "$scratch/base.cpio" "$base_cpio.$$"
	mv "$base_cpio.$$" "$base_cpio"
}

# keep_dirs: directories of the host that must be seen in the guest although a tmpfs is mounted above them
keep_dirs() {
	local dir

	for dir in "$tree" "$PWD" "$modules_parent" "$modules" ${modules_dir:+"$modules_dir"} "$helpers" \
		"${share_dirs[@]}" ${results:+"$results"}; do
		case $dir/ in
		/tmp/ | /run/) broken "the guest has a $dir of its own: use another directory" ;;
		/tmp/* | /run/*) echo "$dir" ;;
		/dev/* | /proc/* | /sys/*) broken "$dir cannot be shown in the guest, which has a ${dir:0:5} of its own" ;;
		esac
	done | sort -u
}

guest_environment() {
	local name

	printf '%s\0' PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 HOME=/root USER=root LOGNAME=root \
		SHELL=/bin/bash "TERM=${TERM:-dumb}" SOFTHCA_VM=1 "SOFTHCA_KERNEL=$label" "SOFTHCA_TREE=$tree" "PWD=$PWD"
	[ -z "$results" ] || printf '%s\0' "SOFTHCA_RESULTS=$results"
	for name in "${env_names[@]}"; do
		[ -z "${!name+set}" ] || printf '%s\0' "$name=${!name}"
	done
}

settings() {
	local tty='' wait=60

	[ "$shell" = no ] || tty='tty'
	[ "$accel" = kvm ] || wait=180
	printf '%s=%q\n' hcas "$hcas" hca_wait "$wait" cwd "$PWD" tty "$tty" kmemleak "$kmemleak" \
		modules_parent "$modules_parent" softhca_ko "$softhca_ko" softhca_tool "$softhca_tool"
}

# A share's line for the guest: tag, mode, directory. Results come last, over a share of the same place.
share_lines() {
	local i

	for i in "${!share_dirs[@]}"; do
		echo "share$i ${share_modes[i]} ${share_dirs[i]}"
	done
	[ -z "$results" ] || echo "results rw $results"
}

# own_modules: a tree with the user's modules in front of the kernel's. A complete tree is taken as it is; .ko files go
# to updates/, which depmod prefers.
own_modules() {
	local root=$scratch/own entry

	if [ -e "$modules_dir/modules.dep" ] || [ -d "$modules_dir/kernel" ]; then
		[ "$(basename "$modules_dir")" = "$release" ] ||
			broken "--modules $modules_dir: a tree for $(basename "$modules_dir"), but the kernel is $release"
		[ -e "$modules_dir/modules.dep" ] || broken "--modules $modules_dir: no modules.dep in it; run depmod"
		modules_parent=$(dirname "$modules_dir")
		return
	fi
	[ -n "$(find "$modules_dir" -name '*.ko*' -print -quit)" ] || broken "--modules $modules_dir: no .ko file in it"
	mkdir -p "$root/lib/modules/$release"
	for entry in "$modules"/kernel "$modules"/modules.builtin* "$modules"/modules.order; do
		[ ! -e "$entry" ] || ln -s "$entry" "$root/lib/modules/$release/"
	done
	ln -s "$modules_dir" "$root/lib/modules/$release/updates"
	depmod -b "$root" "$release" || broken "--modules $modules_dir: depmod failed"
	modules_parent=$root/lib/modules
}

make_initramfs() {
	local dir=$scratch/run

	modules_parent=$(dirname "$modules")
	[ -z "$modules_dir" ] || own_modules
	base_initramfs
	mkdir -p "$dir"
	cp "$tree/qemu/init" "$tree/qemu/init2" "$helpers/guest" "$dir/"
	keep_dirs >"$dir/keep-dirs" || exit 125
	settings >"$dir/settings"
	share_lines >"$dir/shares"
	printf '%s\0' "${command[@]}" >"$dir/argv"
	guest_environment >"$dir/env"
	pack "$dir" "$scratch/run.cpio"
	cat "$base_cpio" "$scratch/run.cpio" >"$scratch/initramfs"
}
