# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
# A developer's own kernel, by path; sourced by scripts/kernel.
# shellcheck disable=SC2034,SC2154 # the parts share their variables

# image_release FILE: the release a bzImage names in its own header; empty when it is none
image_release() {
	local magic offset

	magic=$(dd if="$1" bs=1 skip=514 count=4 2>/dev/null | tr -d '\0')
	[ "$magic" = HdrS ] || return 0
	offset=$(od -An -tu2 -j 526 -N 2 "$1" | tr -d ' ')
	dd if="$1" bs=1 skip=$((offset + 512)) count=128 2>/dev/null | tr '\0' '\n' | sed -n '1s/ .*//p'
}

# A built tree: its modules are installed into the cache again whenever its build is newer.
tree_kernel() {
	local tree=$1 release image key dir

	image=$tree/arch/x86/boot/bzImage
	[ -e "$image" ] || die "$tree: no arch/x86/boot/bzImage in it; build the kernel first"
	release=$(cat "$tree/include/config/kernel.release" 2>/dev/null) || die "$tree: no include/config/kernel.release in it"
	[ -e "$tree/modules.order" ] || die "$tree: its modules are not built"
	key=$(printf '%s' "$tree" | cksum | cut -d ' ' -f 1)
	dir=$kernels/path-$key
	if ! [ "$dir/ready" -nt "$image" ] || ! [ "$dir/ready" -nt "$tree/modules.order" ]; then
		[ "$may_fetch" = yes ] || die "the modules of $tree are not in the cache: scripts/kernel get $tree"
		lock_kernel "path-$key"
		rm -rf "$dir"
		mkdir -p "$dir"
		say "copying the modules of $tree"
		make -C "$tree" INSTALL_MOD_PATH="$dir/root" modules_install >"$dir/install.log" 2>&1 ||
			die "installing the modules of $tree into the cache failed: $(tail -n 1 "$dir/install.log")"
		rm -f "$dir/root/lib/modules/$release"/{build,source}
		touch "$dir/ready"
		unlock_kernel
	fi
	describe "$(basename "$tree")" "$release" "$image" "$dir/root/lib/modules/$release" "$tree"
}

# A bare image: its modules must lie beside it, as lib/modules/RELEASE, or where the machine has them.
image_kernel() {
	local image=$1 release dir modules build=''

	release=$(image_release "$image")
	[ -n "$release" ] || die "$image is not a bzImage"
	dir=$(dirname "$image")
	for modules in "$dir" "$dir/.." ''; do
		modules=$modules/lib/modules/$release
		if [ -e "$modules/modules.dep" ]; then
			[ ! -e "$modules/build/Makefile" ] || build=$(readlink -f "$modules/build")
			describe "$(basename "$image")" "$release" "$image" "$(readlink -f "$modules")" "$build"
			return
		fi
	done
	die "$image is Linux $release, but there are no modules for it: neither $dir/lib/modules/$release nor" \
		"/lib/modules/$release has a modules.dep"
}

path_kernel() {
	local path

	path=$(readlink -f "$1") || die "$1: no such kernel"
	if [ -d "$path" ]; then
		tree_kernel "$path"
	elif [ -f "$path" ]; then
		image_kernel "$path"
	else
		die "$1: no such kernel"
	fi
}
