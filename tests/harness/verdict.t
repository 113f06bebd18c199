#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#
# The test runner tells failure, skip and success apart whatever a test does.
# timeout: 60

. "$(dirname "$0")/../lib/tap.sh"
plan 24

tree=$tap_tmp/tree

# judge HEADER BODY: makes a test file, runs it as scripts/check would, and
# keeps the TAP in $out.
judge() {
	mkdir -p "$tree/tests/room"
	printf '#!/bin/bash\n%s\n%s\n' "$1" "$2" >"$tree/tests/room/sample.t"
	chmod +x "$tree/tests/room/sample.t"
	out=$(SOFTHCA_RESULTS="$tap_tmp/results" SOFTHCA_LANE="${lane:-host}" \
		"$tap_lib/run-one" "$tree/tests/room/sample.t" 2>/dev/null)
}

judge '' 'echo 1..2; echo ok 1 - a; echo ok 2 - b'
is "$out" $'ok 1 - a\nok 2 - b\n1..2' "a test that passes, passes"

judge '' 'echo 1..1; echo not ok 1 - a; exit 1'
is "$out" $'not ok 1 - a\n1..1' "a failed result is reported once, whatever the exit status"

judge '' 'echo 1..3; echo ok 1 - a'
like "$out" '^not ok 2 - runs the 3 tests of its plan; it ran 1' "too few results fail"

judge '' 'echo ok 1 - a'
like "$out" '^not ok 2 - reaches its end' "a missing plan fails"

judge '' 'true'
like "$out" '^not ok 1 - gives a test result' "a test that prints nothing fails"

judge '' 'echo 1..0'
like "$out" '^not ok 1 - runs a test or gives a reason' "1..0 without a reason fails"

judge '' 'echo "1..0 # SKIP no card"'
is "$out" '1..0 # SKIP no card' "1..0 with a reason is a skip"

judge '' 'echo "1..0 # SKIP no card"; exit 3'
like "$out" '^not ok 1' "a skip with a bad exit status fails"

judge '' 'exit 77'
like "$out" '^1\.\.0 # SKIP' "exit status 77 is a skip"

judge '' 'echo 1..1; echo ok 1 - a; exit 3'
like "$out" '^not ok 2 - exits with 0 .* exited with 3' "a bad exit status after success fails"

judge '' 'echo 1..1; echo ok 1 - a; kill -SEGV $$'
like "$out" '^not ok 2 - does not die of signal 11' "a crash after success fails"

judge '' 'echo 1..2; echo -n ok 1; kill -9 $$'
like "$out" '^not ok 2 -' "a last line without its end is not lost"

judge '# timeout: 1' 'echo 1..1; sleep 30; echo ok 1 - a'
like "$out" "^not ok 1 - ends within $((1 * ${SOFTHCA_TIMEOUT_SCALE:-1})) s" "a test over its time limit fails"

judge '' 'echo 1..2; echo ok 1; echo "Bail out! no luck"; exit 1'
like "$out" '^not ok 2 - the test gave up: no luck' "giving up fails this test"
unlike "$out" '^Bail out' "giving up does not end the whole run"

judge '# needs: vm' 'echo 1..1; echo ok 1'
is "$out" '1..0 # SKIP needs a virtual machine of its own' "a need that is not met is a skip"

judge '# needs: device' 'echo 1..1; echo ok 1'
like "$out" '^1\.\.0 # SKIP needs an HCA' "no device is a skip that says so"

lane=vm judge '# needs: device' 'echo 1..1; echo ok 1'
like "$out" '^not ok 1 - this VM has what it was booted for' "but in a VM it is a failure"

judge '# needs: command:sh, command:no-such-thing' 'echo 1..1; echo ok 1'
like "$out" '^1\.\.0 # SKIP needs the command no-such-thing' "a list of needs is read to its end"

judge '# needs: devcie' 'echo 1..1; echo ok 1'
like "$out" '^not ok 1 - .*devcie' "a misspelt need fails"

judge '# disruptive' 'echo 1..1; echo ok 1'
like "$out" '^1\.\.0 # SKIP disturbs' "a test that disturbs does not run outside a VM unasked"

SOFTHCA_ALLOW_DISRUPTIVE=1 judge '# disruptive' 'echo 1..1; echo ok 1'
is "$out" $'ok 1\n1..1' "a test that disturbs runs when allowed"

judge '' 'cat; echo 1..1; echo ok 1'
is "$out" $'ok 1\n1..1' "a test that reads its standard input gets an end of file"

judge '' 'echo TAP version 14; echo 1..1; echo; echo ok 1 - a'
is "$out" $'ok 1 - a\n1..1' "a version line and empty lines do no harm"
