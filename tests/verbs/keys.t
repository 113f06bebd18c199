#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#
# Memory regions that are registered again, and memory windows of both types:
# what rdma-core's own suite has on them, with traffic through each key.
# needs: device, two-ports, root, command:opensm, command:python3
# disruptive
# timeout: 240

. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source=tests/lib/verbs.sh
. "$(dirname "$0")/../lib/verbs.sh"

suite=/usr/share/doc/rdma-core/tests
[ -f "$suite/test_mr.py" ] || [ -f "$suite/test_mr.py.gz" ] ||
	skip_all "needs rdma-core's suite (package python3-pyverbs)"
# Another python3 may come first in PATH; the package is for the system's.
/usr/bin/python3 -c 'import pyverbs' 2>"$tap_tmp/import" ||
	skip_all "needs pyverbs: $(tail -n 1 "$tap_tmp/import")"

subnet_up
cp -r "$suite" "$tap_tmp/tests"
find "$tap_tmp/tests" -name '*.gz' -exec gunzip {} +
cd "$tap_tmp" || bail "no $tap_tmp"
timeout 180 /usr/bin/python3 tests/run_tests.py -v --dev "$near" --port "$port" \
	-k test_mr.MRTest -k test_mr.MWTest >"$tap_tmp/out" 2>&1 || diag "$(<"$tap_tmp/out")"

# A test's result stands behind its name, or behind the words that describe it.
awk '/^test_.* \(tests\./ {
	line = $0
	if (line !~ / \.\.\. / && getline > 0)
		line = line " " $0
	print line
}' "$tap_tmp/out" >"$tap_tmp/results"

while IFS= read -r line; do
	name=${line%% *}
	case $line in
	*' ... ok')	pass "$name" ;;
	*' ... skipped'*)	skip 1 "$name: ${line##* ... skipped }" ;;
	*)	fail "$name" || true ;;
	esac
done <"$tap_tmp/results"
ok "windows of type 2 were among them" grep -q '^test_mw_type2 .*ok$' "$tap_tmp/results"
done_testing
