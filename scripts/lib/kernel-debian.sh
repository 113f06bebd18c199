# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
# Debian's binary kernels, unpacked into the cache; sourced by scripts/kernel.
# shellcheck disable=SC2034,SC2154 # the parts share their variables

# candidate PACKAGE: the version apt would install, empty when it knows none
candidate() {
	LC_ALL=C apt-cache policy "$1" 2>/dev/null |
		awk '$1 == "Candidate:" && $2 != "(none)" && !seen++ { print $2 }'
}

# image_of METAPACKAGE SERIES: the image package a metapackage depends on, when it is of that series
image_of() {
	local image

	# A name that apt does not know is no error: the caller has another one to try.
	image=$(LC_ALL=C apt-cache depends "$1" 2>/dev/null |
		sed -n 's/^ *Depends: \(linux-image-[0-9].*\)$/\1/p') || return 0
	image=${image%%$'\n'*}
	case $image in
	"linux-image-$2".* | "linux-image-$2"-*) echo "$image" ;;
	esac
}

# fetch_deb PACKAGE VERSION ROOT: download into a scratch directory and unpack under ROOT
fetch_deb() {
	local scratch=$3.debs

	mkdir -p "$scratch" "$3"
	say "downloading $1 $2"
	(cd "$scratch" && apt-get "${apt_options[@]}" -qq download "$1=$2" 2>download.log) ||
		die "cannot download $1 $2: $(tail -n 1 "$scratch/download.log" 2>/dev/null)"
	dpkg-deb -x "$scratch"/"$1"_*.deb "$3" || die "cannot unpack $1 $2"
	rm -rf "$scratch"
}

# headers_packages RELEASE: the headers package of an image and what its Makefile reaches for
headers_packages() {
	echo "linux-headers-$1"
	LC_ALL=C apt-cache depends "linux-headers-$1" 2>/dev/null |
		sed -n 's/^ *Depends: \(linux-headers-.*\|linux-kbuild-.*\)$/\1/p'
}

# The headers name their common part by an absolute path under /usr/src, which is not where the cache has it.
relocate_headers() {
	local root=$1 release=$2 dir=$1/usr/src/linux-headers-$2 link target

	sed -i "s|/usr/src/|$root/usr/src/|g" "$dir/Makefile"
	for link in scripts tools; do
		target=$(readlink "$dir/$link" 2>/dev/null) || continue
		case $target in
		/*) ln -sfn "$root$target" "$dir/$link" ;;
		esac
	done
	[ -e "$dir/scripts/" ] || die "headers of $release: scripts/ leads nowhere"
}

installed_headers() {
	[ "$(dpkg-query -W -f '${Version} ${db:Status-Status}' "linux-headers-$1" 2>/dev/null)" = "$2 installed" ] &&
		[ -e "/usr/src/linux-headers-$1/Module.symvers" ]
}

# debian_fetch LABEL RELEASE VERSION DIR
debian_fetch() {
	local package root=$4.new/root modules

	rm -rf "$4.new"
	mkdir -p "$root"
	fetch_deb "linux-image-$2" "$3" "$root"
	if ! installed_headers "$2" "$3"; then
		for package in $(headers_packages "$2"); do
			fetch_deb "$package" "$(candidate "$package")" "$root"
		done
		relocate_headers "$root" "$2"
		# The paths written above must hold after the directory gets its final name.
		sed -i "s|$4.new/|$4/|g" "$root/usr/src/linux-headers-$2/Makefile"
	fi
	# Packages of releases with a merged /usr carry usr/lib/modules.
	modules=$root/lib/modules/$2
	if [ ! -d "$modules" ]; then
		mkdir -p "$root/lib"
		ln -s ../usr/lib/modules "$root/lib/modules"
	fi
	[ -d "$modules/kernel" ] || die "linux-image-$2 has no modules in it"
	rm -f "$modules/build" "$modules/source"
	depmod -b "$root" "$2"
	[ -s "$root/boot/vmlinuz-$2" ] || die "linux-image-$2 has no boot/vmlinuz-$2 in it"
	rm -rf "$4"
	mv "$4.new" "$4"
}

# newest_cached LABEL SERIES: for a machine that is off the network, or whose package lists have moved on
newest_cached() {
	[ -d "$kernels" ] || return 0
	find "$kernels" -mindepth 1 -maxdepth 1 -type d -name "$1-*" ! -name '*.new' 2>/dev/null | sort -V | tail -n 1
}

# Asking apt takes seconds: what was looked up within a day is taken as it is.
recently_asked() { [ -n "$(find "$1" -maxdepth 1 -name .asked -mmin -1440 2>/dev/null)" ]; }

# debian_update SERIES METAPACKAGE...: have the newest kernel of the series in the cache, as far as apt knows one
debian_update() {
	local label=$1 meta image='' version='' dir

	shift
	need_tools apt-cache apt-get dpkg-deb depmod flock
	for meta; do
		image=$(image_of "$meta" "$label")
		[ -z "$image" ] || break
	done
	[ -z "$image" ] || version=$(candidate "$image")
	if [ -z "$version" ]; then
		[ -n "$(newest_cached "$label")" ] ||
			cannot "apt knows no Debian kernel $label here (package $*); 'apt-get update' or other sources may help"
		return 0
	fi
	dir=$kernels/$label-${image#linux-image-}_$version
	if [ ! -d "$dir" ]; then
		lock_kernel "$label"
		[ -d "$dir" ] || debian_fetch "$label" "${image#linux-image-}" "$version" "$dir"
		unlock_kernel
	fi
	touch "$dir/.asked"
}

# debian_kernel SERIES METAPACKAGE...
debian_kernel() {
	local label=$1 dir release build

	dir=$(newest_cached "$label")
	if [ "$may_fetch" = yes ] && ! recently_asked "$dir"; then
		debian_update "$@"
		dir=$(newest_cached "$label")
	fi
	[ -n "$dir" ] || die "kernel $label is not in the cache: scripts/kernel get $label"
	release=${dir##*/"$label"-}
	release=${release%%_*}
	build=$dir/root/usr/src/linux-headers-$release
	[ -d "$build" ] || build=/usr/src/linux-headers-$release
	[ -d "$build" ] || die "the headers of $release are gone; remove $dir and run scripts/kernel get $label again"
	describe "$label" "$release" "$dir/root/boot/vmlinuz-$release" "$dir/root/lib/modules/$release" "$build"
}
