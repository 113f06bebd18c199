#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#
# Runs every KUnit suite of softhca_kunit.ko in a VM. Each case is a result of
# its own; kunit.py has the last word on each suite, and the list of suites in
# tests/kunit/suites is exactly what must have run.
# needs: runner, command:python3
# timeout: 240

. "$(dirname "$0")/../lib/tap.sh"

kernel=${SOFTHCA_KERNEL:-debug}
cd "$SOFTHCA_ROOT" || bail "no $SOFTHCA_ROOT"

# fact NAME: one line of what scripts/kernel says about the lane's kernel.
fact() {
	local value
	value=$(scripts/kernel path "$kernel" | sed -n "s/^$1=//p") || return 1
	eval "echo $value"
}

if ! find "$(fact modules)/" -name 'kunit.ko*' | grep -q .; then
	skip_all "kernel $kernel has no KUnit; make check-debug runs the suites"
fi
kunit_py=$(fact source)/tools/testing/kunit/kunit.py
[ -f "$kunit_py" ] || bail "$kunit_py is missing from the kernel source"
mapfile -t suites < <(sed '/^#/d; /^$/d' tests/kunit/suites | sort)
[ ${#suites[@]} -gt 0 ] || bail "tests/kunit/suites names no suite"

module_dir=$(scripts/build-modules "$kernel" 2>"$tap_tmp/build") || {
	tail -n 20 "$tap_tmp/build" >&2
	bail "the modules do not build for $kernel"
}
results=${SOFTHCA_RESULTS:-$tap_tmp}/kunit
rm -rf "$results"
mkdir -p "$results"

ok "the VM loads the suites and its kernel log stays clean" \
	qemu/vm --kernel "$kernel" --no-hca --timeout "$((200 * ${SOFTHCA_TIMEOUT_SCALE:-1}))" --results "$results" -- \
	tests/kunit/load-suites "$module_dir/softhca_kunit.ko" "$results"

mapfile -t ran < <(find "$results" -name '*.ktap' -exec basename {} .ktap \; | sort)
is "${ran[*]}" "${suites[*]}" "the suites that ran are those of tests/kunit/suites"

# give_cases SUITE: each case, one level in from the suite, as a result.
give_cases() {
	local line
	while IFS= read -r line; do
		case $line in
		'not ok '*)	fail "$1: ${line#not ok * }" || true ;;
		*'# SKIP'*)	skip 1 "$1: ${line#ok * }" ;;
		'ok '*)		pass "$1: ${line#ok * }" ;;
		esac
	done < <(sed -n 's/^    \(\(not \)\?ok [0-9]\)/\1/p' "$results/$1.ktap")
}

for suite in "${ran[@]}"; do
	give_cases "$suite"
	# kunit.py prints its summary and exits with 1 when a case failed.
	ok "kunit.py agrees with $suite" python3 "$kunit_py" parse "$results/$suite.ktap" ||
		diag "$(cat "$results/$suite.ktap")"
done
done_testing
