# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
# Kernels built from Debian's source packages with the fragments of qemu/config; sourced by scripts/kernel.
# shellcheck disable=SC2034,SC2154 # the parts share their variables

fragments=("$top/qemu/config/base.config" "$top/qemu/config/debug.config")

# fragment_symbols: one "NAME=VALUE" a line, n for a symbol to be off
fragment_symbols() {
	cat "$@" | sed -n -e 's/^\(CONFIG_[A-Za-z0-9_]*=.*\)$/\1/p' \
		-e 's/^# \(CONFIG_[A-Za-z0-9_]*\) is not set$/\1=n/p'
}

# check_config FILE FRAGMENT...: Kconfig drops in silence what it cannot grant. A fragment NAME.without lists symbols
# that a kernel is known not to have.
check_config() {
	local config=$1 symbol missing=()

	shift
	while read -r symbol; do
		case $symbol in
		*=n) ! grep -q "^${symbol%=n}=" "$config" || missing+=("$symbol") ;;
		*) grep -qxF "$symbol" "$config" || missing+=("$symbol") ;;
		esac
	done < <(fragment_symbols "$@" | grep -vxFf <(exempt_symbols))
	[ ${#missing[@]} -eq 0 ] || die "the configuration of $source_label lacks: ${missing[*]}"
}

# exempt_symbols: lines of qemu/config/LABEL.without, never empty so that grep -f takes it
exempt_symbols() {
	echo '#'
	[ ! -e "$top/qemu/config/$source_label.without" ] || grep '^CONFIG_' "$top/qemu/config/$source_label.without" || true
}

# The key of a build: the source's version and everything that goes into the configuration.
source_key() {
	{
		echo "$1"
		fragment_symbols "${fragments[@]}" | grep -vxFf <(exempt_symbols)
		echo "${unsanitized[@]}"
		gcc -dumpfullversion
	} | sha256sum | cut -c 1-12
}

# unpack_source PACKAGE VERSION: sets source_dir. An installed package is used; else it is downloaded and not installed.
unpack_source() {
	local package=$1 version=$2 new tarball

	source_dir=$cache/src/${package}_$version
	[ ! -d "$source_dir" ] || return 0
	new=$source_dir.new
	rm -rf "$new"
	mkdir -p "$new"
	tarball=/usr/src/$package.tar.xz
	if [ "$(dpkg-query -W -f '${Version} ${db:Status-Status}' "$package" 2>/dev/null)" != "$version installed" ] ||
		[ ! -e "$tarball" ]; then
		fetch_deb "$package" "$version" "$new.deb"
		tarball=$new.deb/usr/src/$package.tar.xz
	fi
	say "unpacking $package $version"
	tar -C "$new" --strip-components=1 -xJf "$tarball" || die "cannot unpack $tarball"
	rm -rf "$new.deb"
	mv "$new" "$source_dir"
}

# The checkers themselves are not checked: lockdep runs at every lock, and with KASAN and UBSAN inside it takes most of
# the debug kernel's time. Locks in freed memory are still found, by the spinlock checks.
unsanitized=()
for object in lockdep debugobjects; do
	unsanitized+=("KASAN_SANITIZE_$object.o=n" "UBSAN_SANITIZE_$object.o=n")
done

kernel_make() {
	local compiler=gcc

	if command -v ccache >/dev/null; then
		compiler='ccache gcc'
	fi
	# A fixed name, user and time: what they put into the objects would make ccache miss. Depend mode, or each miss
	# would cost one more run of the preprocessor.
	CCACHE_DIR=$cache/ccache CCACHE_MAXSIZE=3G CCACHE_DEPEND=1 \
		KBUILD_BUILD_USER=softhca KBUILD_BUILD_HOST=softhca KBUILD_BUILD_TIMESTAMP='2024-01-01' \
		make -C "$source_dir" O="$build_dir" CC="$compiler" HOSTCC="$compiler" "$@"
}

configure() {
	mkdir -p "$build_dir"
	fragment_symbols "${fragments[@]}" | grep -vxFf <(exempt_symbols) >"$build_dir/fragment"
	printf 'CONFIG_LOCALVERSION="-softhca-%s"\n' "$source_label" >>"$build_dir/fragment"
	kernel_make KCONFIG_ALLCONFIG="$build_dir/fragment" allnoconfig >"$build_dir/configure.log" 2>&1 ||
		die "configuring $source_label failed: $(tail -n 3 "$build_dir/configure.log")"
	kernel_make olddefconfig >>"$build_dir/configure.log" 2>&1 || die "olddefconfig of $source_label failed"
	check_config "$build_dir/.config" "${fragments[@]}"
}

# compile DIR: image, modules and what builds of modules need
compile() {
	local jobs log=$1/build.log

	jobs=$(nproc)
	say "building $source_label (once; about 8 minutes on two idle cores), log in $log"
	kernel_make -j"$jobs" "${unsanitized[@]}" bzImage modules >"$log" 2>&1 || die "building $source_label failed:
$(grep -E 'error|Error' "$log" | head -n 5)"
	kernel_make INSTALL_MOD_PATH="$1/root" modules_install >>"$log" 2>&1 || die "installing the modules of $source_label failed"
}

# prune: building modules needs headers, scripts and symbols, not the kernel's own objects
prune() {
	find "$build_dir" -name '*.o' -o -name '*.a' -o -name '.*.cmd' -o -name 'vmlinux.unstripped' -o -name '.tmp_vmlinux*' |
		grep -v -e "^$build_dir/scripts/" -e "^$build_dir/tools/" | tr '\n' '\0' | xargs -0 rm -f
}

# source_kernel PACKAGE VERSION: describe the kernel built from it, building it first where that is allowed
source_kernel() {
	local dir release began

	dir=$kernels/$source_label-$(source_key "$1 $2")
	build_dir=$dir/build
	source_dir=$cache/src/${1}_$2
	if [ ! -e "$dir/ready" ]; then
		[ "$may_fetch" = yes ] || die "kernel $source_label is not built: scripts/kernel get $source_label"
		lock_kernel "$source_label"
		if [ ! -e "$dir/ready" ]; then
			need_tools make gcc flex bison bc xz depmod flock
			began=$SECONDS
			unpack_source "$1" "$2"
			configure
			compile "$dir"
			make_ready "$dir"
			say "built $source_label in $((SECONDS - began)) s"
		fi
		unlock_kernel
	fi
	release=$(cat "$dir/ready")
	describe "$source_label" "$release" "$dir/vmlinuz-$release" "$dir/root/lib/modules/$release" "$build_dir" "$source_dir"
}

make_ready() {
	local release

	release=$(cat "$build_dir/include/config/kernel.release")
	cp "$build_dir/arch/x86/boot/bzImage" "$1/vmlinuz-$release"
	rm -f "$1/root/lib/modules/$release"/{build,source}
	depmod -b "$1/root" "$release"
	prune
	echo "$release" >"$1/ready"
}

# cached_version PACKAGE: the version in the cache, for a machine whose apt knows none
cached_version() {
	[ -d "$cache/src" ] || return 0
	find "$cache/src" -mindepth 1 -maxdepth 1 -name "$1_*" ! -name '*.new' | sort -V | tail -n 1 | sed "s|.*/$1_||"
}

source_kernel_debug() {
	local version

	source_label=debug
	version=$(candidate linux-source-6.12)
	[ -n "$version" ] || version=$(cached_version linux-source-6.12)
	[ -n "$version" ] || cannot "apt knows no package linux-source-6.12 here; 'apt-get update' or other sources may help"
	source_kernel linux-source-6.12 "$version"
}

# The newest kernel source of Debian's backports, asked for with lists of our own: /etc/apt stays as it is.
private_apt() {
	local dir=$cache/apt mirror=${SOFTHCA_DEBIAN_MIRROR:-$(machine_mirror)}

	[ -n "$mirror" ] || cannot "apt has no source of Debian itself here; SOFTHCA_DEBIAN_MIRROR names one"
	mkdir -p "$dir"/{lists/partial,archives/partial}
	cat >"$dir/latest.sources" <<-SOURCES
		Types: deb
		URIs: $mirror
		Suites: trixie-backports
		Components: main
		Architectures: amd64
		Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
	SOURCES
	apt_options=(-o Dir::Etc::SourceList=/dev/null -o "Dir::Etc::SourceParts=$dir/parts"
		-o "Dir::State::Lists=$dir/lists" -o "Dir::Cache=$dir" -o "Dir::Cache::Archives=$dir/archives"
		-o Dir::Etc::Preferences=/dev/null -o Dir::Etc::PreferencesParts=/dev/null -o APT::Default-Release=
		-o Debug::NoLocking=1)
	mkdir -p "$dir/parts"
	mv "$dir/latest.sources" "$dir/parts/"
}

# machine_mirror: where this machine gets Debian itself from; nothing when its sources do not say
machine_mirror() {
	# shellcheck disable=SC2016 # apt-get fills these in
	apt-get indextargets --format '$(SITE) $(ORIGIN) $(SUITE)' 2>/dev/null |
		awk '$2 == "Debian" && $3 !~ /security/ && !seen++ { print $1 }' || true
}

# newest_source: "PACKAGE VERSION" of the highest linux-source-X.Y in the private lists
newest_source() {
	local package version

	package=$(apt-cache "${apt_options[@]}" -n search '^linux-source-[0-9]' 2>/dev/null |
		awk '{ print $1 }' | grep -E '^linux-source-[0-9]+\.[0-9]+$' | sort -V | tail -n 1) || true
	[ -n "$package" ] || return 0
	version=$(LC_ALL=C apt-cache "${apt_options[@]}" show "$package" 2>/dev/null |
		awk '$1 == "Version:" { print $2 }' | sort -V | tail -n 1)
	echo "$package $version"
}

# The last answer is kept, so that the lane works without the network once it has been built.
source_kernel_latest() {
	local answer=$cache/latest-source package version

	source_label=latest
	if [ "$may_fetch" = yes ] && [ -z "$(find "$answer" -mmin -1440 2>/dev/null)" ]; then
		need_tools apt-get apt-cache
		[ -e /usr/share/keyrings/debian-archive-keyring.gpg ] ||
			cannot "latest needs Debian's archive keys (package debian-archive-keyring)"
		private_apt
		say "asking trixie-backports for its newest kernel source"
		if apt-get "${apt_options[@]}" -qq update >"$cache/apt/update.log" 2>&1; then
			newest_source >"$answer.new"
			[ ! -s "$answer.new" ] || mv "$answer.new" "$answer"
		else
			say "trixie-backports cannot be reached: $(tail -n 1 "$cache/apt/update.log")"
		fi
	fi
	[ -s "$answer" ] || cannot "no kernel source of trixie-backports is known here"
	read -r package version <"$answer"
	source_kernel "$package" "$version"
}
