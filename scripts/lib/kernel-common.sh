# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
# What all kinds of kernels share; sourced by scripts/kernel, which sets top, cache, kernels and may_fetch.
# shellcheck disable=SC2034,SC2154 # the parts share their variables

# Where apt looks; empty for the machine's own lists.
apt_options=()

say() { echo "kernel: $*" >&2; }

die() {
	say "$*"
	exit 1
}

# This machine cannot have the kernel, through no fault of the project: callers turn 77 into a skip.
cannot() {
	say "$*"
	exit 77
}

need_tools() {
	local tool missing=()

	for tool; do
		command -v "$tool" >/dev/null || missing+=("$tool")
	done
	[ ${#missing[@]} -eq 0 ] || die "missing program(s): ${missing[*]} (scripts/setup installs them)"
}

# The cache is shared by everything that runs on this machine; two runs must not unpack or build the same kernel.
lock_kernel() {
	mkdir -p "$kernels"
	exec 9>"$kernels/.lock-$1"
	if ! flock -n 9; then
		say "waiting for another run that prepares kernel $1"
		flock 9
	fi
}

unlock_kernel() { exec 9>&-; }

# describe LABEL RELEASE IMAGE MODULES BUILD [SOURCE]
describe() {
	printf 'release=%q\nimage=%q\nmodules=%q\nbuild=%q\nlabel=%q\n' "$2" "$3" "$4" "$5" "$1"
	[ -z "${6:-}" ] || printf 'source=%q\n' "$6"
}
