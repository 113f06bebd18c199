#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#
# scripts/check says FAIL whenever something did not run or did not pass. It is
# run on a small tree with a stand-in for qemu/vm, which ends as it is told to.
# timeout: 120

. "$(dirname "$0")/../lib/tap.sh"
plan 32

tree=$tap_tmp/tree
mkdir -p "$tree/scripts" "$tree/qemu" "$tree/tests/room"
cp -r "$SOFTHCA_ROOT/tests/lib" "$tree/tests/lib"
cp "$SOFTHCA_ROOT/scripts/check" "$tree/scripts/check"

cat >"$tree/qemu/vm" <<'VM'
#!/bin/bash
echo "$*" >>"$VM_CALLS"
while [ "$1" != -- ]; do shift; done
shift
"$@"
status=$?
exit "${VM_STATUS:-$status}"
VM
printf '#!/bin/sh\nexit 0\n' >"$tree/scripts/build-user"
# shellcheck disable=SC2016 # for the stand-in to expand
printf '#!/bin/sh\nexit ${KERNEL_STATUS:-0}\n' >"$tree/scripts/kernel"
printf '#!/bin/sh\nexit 0\n' >"$tree/qemu/verdict"
chmod +x "$tree/qemu/vm" "$tree/qemu/verdict" "$tree/scripts/build-user" "$tree/scripts/kernel"
export VM_CALLS=$tap_tmp/calls

# a_test NAME HEADER BODY
a_test() {
	printf '#!/bin/bash\n%s\n%s\n' "$2" "$3" >"$tree/tests/room/$1.t"
	chmod +x "$tree/tests/room/$1.t"
}

# check ARGS...: runs scripts/check; this test's own surroundings stay outside.
check() {
	: >"$VM_CALLS"
	run env -u SOFTHCA_LANE -u SOFTHCA_RESULTS -u SOFTHCA_ROOT -u SOFTHCA_BUILD \
		-u SOFTHCA_TEST_DEVICE -u SOFTHCA_SCALE -u SOFTHCA_ALLOW_DISRUPTIVE \
		"$tree/scripts/check" "$@"
}

a_test good '' 'echo 1..2; echo ok 1; echo "ok 2 # SKIP not today"'
a_test inside '# needs: vm' 'echo 1..1; echo ok 1 - inside'
a_test lonely $'# needs: vm\n# isolated\n# vm: --hcas 4' 'echo 1..1; echo ok 1 - lonely'
check
is "$status" 0 "a run in which all pass, passes"
like "$out" '^3 passed, 0 failed, 1 skipped$' "its closing line counts"
like "$out" '^Result: PASS$' "and names the result"
like "$out" '^lane 6.1: PASS .* in [0-9]+ s' "the lane says how long it took"
like "$out" '1 +not today' "the reasons of skips are listed"
is "$(wc -l <"$VM_CALLS")" 2 "tests share one boot, an isolated one has its own"
like "$(cat "$VM_CALLS")" '--hcas 4 .*lonely' "an isolated test's own options reach qemu/vm"
like "$out" '^vm      \| [^|]*tests/room/inside.t .* ok' "each line says which group it comes from"
results=$tree/build/results/6.1
ok "JUnit is well formed" python3 -c 'import sys, xml.dom.minidom as m; m.parse(sys.argv[1])' "$results/junit.xml"
like "$(cat "$results/junit.xml")" 'inside' "and has the tests from the VMs"

# Two that wait for each other pass side by side only.
meet() {
	# shellcheck disable=SC2016 # for the test to expand
	a_test "$1" $'# needs: vm\n# isolated\n# timeout: 20' \
		"echo 1..1; touch $tap_tmp/$1; until [ -e $tap_tmp/$2 ]; do sleep 0.1; done; echo ok 1"
}
meet left right
meet right left
check --jobs 2 room/left room/right
is "$status" 0 "groups run side by side"
rm "$tree/tests/room/left.t" "$tree/tests/room/right.t"
check --jobs none
is "$status" 2 "a number of jobs that is none is a usage error"

VM_STATUS=99 check room/inside
is "$status" 1 "a VM that ends with 99 fails"
like "$out" '^1 passed, 1 failed' "beside the results that its tests gave"
VM_STATUS=124 check room/inside
is "$status" 1 "a VM that ends with 124 fails"
VM_STATUS=125 check room/inside
is "$status" 1 "a VM that ends with 125 fails"
like "$err" 'qemu/vm exited with 125; see /' "and says where the logs are"

# As a panic does, this takes the surroundings of the test along: no verdict is
# written any more.
# shellcheck disable=SC2016 # for the test to expand
a_test fatal '# needs: vm' 'echo 1..2; echo ok 1; kill -9 $(ps -o ppid= -p $PPID) $PPID; sleep 5'
a_test later '# needs: vm' 'echo 1..1; echo ok 1'
sed -i 's/^"\$@"$/timeout -s KILL 3 "$@"/' "$tree/qemu/vm"
VM_STATUS=99 check room/fatal room/later
is "$status" 1 "a VM that dies in the middle of a test fails"
like "$err" 'the VM survives room/fatal' "the test that was running is named"
like "$err" 'room/later.t runs to its end' "a test that was never reached is not forgotten"
rm "$tree/tests/room/fatal.t" "$tree/tests/room/later.t"

a_test bad '' 'echo 1..1; echo "not ok 1 - it is so"'
check
is "$status" 1 "one failed test fails the run"
like "$err" 'not ok 1 - it is so' "the failed result is shown"
like "$out" '^3 passed, 1 failed, 1 skipped$' "and counted once"
rm "$tree/tests/room/bad.t"

a_test none '' 'echo "1..0 # SKIP no card"'
check room/none
is "$status" 1 "a run that executed nothing fails"
like "$err" 'nothing was executed' "and says so"
check room/none room/good
is "$status" 0 "a skip beside something that ran does not"

KERNEL_STATUS=77 check --kernel latest
is "$status" 1 "a kernel that cannot be had, and no other, executes nothing"
like "$out" 'lane latest: skipped' "the lane is skipped"
KERNEL_STATUS=1 check
is "$status" 1 "a kernel that does not build fails"

check --device no-such-hca
is "$status" 2 "a device that is not there is a usage error"
like "$err" "no HCA 'no-such-hca'" "that names it"
check room/misspelt
is "$status" 2 "so is a test that does not exist"
