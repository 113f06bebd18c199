# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
# shellcheck shell=bash
#
# TAP for tests written in bash. A test sources this file, says plan N (or
# done_testing at its end) and then gives results:
#
#   . "$(dirname "$0")/../lib/tap.sh"
#   plan 2
#   ok "the HCA is listed" ibstat -l
#   is "$(cat /sys/class/infiniband/mlx5_0/node_type)" "1: CA" "it is a CA"

tap_lib=$(dirname "$(realpath "${BASH_SOURCE[0]}")")
: "${SOFTHCA_ROOT:=$(dirname "$(dirname "$tap_lib")")}"
: "${SOFTHCA_BUILD:=$SOFTHCA_ROOT/build/user}"
# shellcheck source=tests/lib/needs.sh
. "$tap_lib/needs.sh"

tap_planned=
tap_ran=0
tap_failed=0
tap_tmp=$(mktemp -d)
trap 'rm -rf "$tap_tmp"' EXIT

plan() {
	tap_planned=$1
	echo "1..$1"
}

# For a test that learns at run time what it has to do.
done_testing() {
	[ -n "$tap_planned" ] || echo "1..$tap_ran"
	[ "$tap_failed" -eq 0 ]
	exit
}

skip_all() {
	echo "1..0 # SKIP $*"
	exit 0
}

bail() {
	echo "Bail out! $*"
	exit 1
}

diag() {
	local line
	while IFS= read -r line; do
		echo "# $line"
	done <<<"$*"
}

pass() {
	echo "ok $((++tap_ran)) - $*"
}

fail() {
	echo "not ok $((++tap_ran)) - $*"
	tap_failed=$((tap_failed + 1))
	return 1
}

# skip COUNT REASON: stands for COUNT results that are not given here.
skip() {
	local i
	for ((i = 0; i < $1; i++)); do
		echo "ok $((++tap_ran)) # SKIP $2"
	done
}

# Runs a command and keeps its exit status in $status, what it printed in $out
# (standard output) and $err, for the test that calls.
run() {
	"$@" >"$tap_tmp/out" 2>"$tap_tmp/err" && status=0 || status=$?
	# shellcheck disable=SC2034 # read by the tests
	out=$(tr -d '\0' <"$tap_tmp/out") err=$(tr -d '\0' <"$tap_tmp/err")
}

# ok DESCRIPTION COMMAND...: passes when the command succeeds.
ok() {
	exits 0 "$@"
}

# exits STATUS DESCRIPTION COMMAND...
exits() {
	local want=$1 description=$2
	shift 2
	run "$@"
	if [ "$status" -eq "$want" ]; then
		pass "$description"
		return
	fi
	fail "$description" || true
	diag "command: $*"
	diag "exit status $status, expected $want"
	diag "$(tail -n 20 "$tap_tmp/out")"
	diag "$(tail -n 20 "$tap_tmp/err")"
	return 1
}

# fails DESCRIPTION COMMAND...: passes when the command fails by itself (a
# signal, or a command that does not exist, is not what was meant).
fails() {
	local description=$1
	shift
	run "$@"
	if [ "$status" -gt 0 ] && [ "$status" -lt 126 ]; then
		pass "$description"
		return
	fi
	fail "$description" || true
	diag "command: $*"
	diag "exit status $status, expected one from 1 to 125"
	return 1
}

is() {
	if [ "$1" = "$2" ]; then
		pass "$3"
		return
	fi
	fail "$3" || true
	diag "     got: $1"
	diag "expected: $2"
	return 1
}

# like TEXT REGEX DESCRIPTION (an extended regular expression)
like() {
	if grep -Eq -- "$2" <<<"$1"; then
		pass "$3"
		return
	fi
	fail "$3" || true
	diag "nothing matches: $2"
	diag "in: $(tail -n 30 <<<"$1")"
	return 1
}

unlike() {
	if ! grep -Eq -- "$2" <<<"$1"; then
		pass "$3"
		return
	fi
	fail "$3" || true
	diag "should not be there: $(grep -E -m 5 -- "$2" <<<"$1")"
	return 1
}

# require NEED...: skips the rest of the test when a need is not met, for what
# cannot stand in the header because it depends on what came before.
require() {
	local need reason
	for need in "$@"; do
		reason=$(unmet_need "$need") || bail "unknown need '$need'"
		[ -z "$reason" ] || skip_all "$reason"
	done
}

# scaled COUNT: the count, multiplied by what make soak asks for.
scaled() {
	echo $(($1 * ${SOFTHCA_SCALE:-1}))
}

# wait_for SECONDS COMMAND...: tries until the command succeeds.
wait_for() {
	local until=$((SECONDS + $1))
	shift
	until "$@" >/dev/null 2>&1; do
		[ "$SECONDS" -lt "$until" ] || return 1
		sleep 0.1
	done
}

# program ROOM/NAME: the path of a test program that meson built.
program() {
	echo "$SOFTHCA_BUILD/tests/$1"
}
