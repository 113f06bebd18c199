# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
# shellcheck shell=bash
#
# What scripts/check makes of the TAP files that the runs left: the failures of
# the runs themselves, JUnit, counts and the verdict. Sourced, not called.

tap_file_of() {
	local name=${2#tests/}
	echo "$1/tap/${name%.t}.tap"
}

# add_failure TAPFILE TEXT: adds a failed result. The file may be missing, or
# torn off in the middle of a line by the end of its VM.
add_failure() {
	local text=$2
	mkdir -p "$(dirname "$1")"
	{
		[ ! -f "$1" ] || sed '/^1\.\./d' "$1"
		echo
	} | awk -v text="$text" '
		/^(not )?ok/ { ran++ }
		/./ { print }
		END { printf "not ok %d - %s\n1..%d\n", ran + 1, text, ran + 1 }' >"$1.new"
	mv "$1.new" "$1"
	echo "check: FAILED: $text" >&2
}

meaning_of() {
	case $1 in
	99)	echo "the guest's kernel panicked or reported a bug" ;;
	124)	echo "the VM ran into its time limit" ;;
	*)	echo "the runner qemu/vm failed" ;;
	esac
}

# fail_group RESULTS STATUS TEST...: the VM ended badly. The test that was
# running, or else the boot as a whole, is the failed one.
fail_group() {
	local results=$1 status=$2 running=
	shift 2
	# The test that left a report on the kernel log has failed for it already.
	if [ "$status" -eq 99 ] && [ ! -f "$results/running" ] &&
	   grep -rqs '^not ok .* leaves the kernel log clean' "$results/tap"; then
		return
	fi
	[ ! -f "$results/running" ] || running=$(cat "$results/running")
	if [ -n "$running" ]; then
		add_failure "$results/tap/$running.tap" \
			"the VM survives $running: $(meaning_of "$status") (qemu/vm exited with $status; see $results)"
	else
		add_failure "$results/tap/vm-boot.tap" \
			"the VM runs its tests: $(meaning_of "$status") (qemu/vm exited with $status; see $results)"
	fi
}

# fail_missing RESULTS TEST...: a test that left no result did not run, and
# must not be forgotten.
fail_missing() {
	local results=$1 test_file tap
	shift
	for test_file in "$@"; do
		tap=$(tap_file_of "$results" "$test_file")
		if ! grep -q '^1\.\.' "$tap" 2>/dev/null; then
			add_failure "$tap" "${test_file#tests/} runs to its end; it left no verdict"
		fi
	done
}

fail_lane() {
	add_failure "$1/tap/lane.tap" "the lane can start: $2"
}

tap_files() {
	find "$1" -name '*.tap' -path '*/tap/*' | sort
}

# The formatter reads TAP from prove, and prove takes it from files by "cat".
write_junit() {
	local files
	mapfile -t files < <(tap_files "$1")
	[ ${#files[@]} -gt 0 ] || return 0
	if ! perl -MTAP::Formatter::JUnit -e 1 2>/dev/null; then
		echo "check: no JUnit file, TAP::Formatter::JUnit is not installed (scripts/setup --for check)" >&2
		return
	fi
	prove --norc --exec cat --formatter TAP::Formatter::JUnit "${files[@]}" \
		>"$1/junit.xml" 2>"$1/log/junit.stderr" || true
}

# Prints "FILES PASSED FAILED SKIPPED" of TAP files.
count_results() {
	[ $# -gt 0 ] || { echo 0 0 0 0; return; }
	awk '
		FNR == 1 { files++ }
		/^1\.\.0/ { skipped++ }
		/^ok.*# *SKIP/ { skipped++; next }
		/^ok/ { passed++ }
		/^not ok.*# *TODO/ { skipped++; next }
		/^not ok/ { failed++ }
		END { print files + 0, passed + 0, failed + 0, skipped + 0 }' "$@"
}

# judge_lane RESULTS: sets lane_verdict and adds to the totals.
judge_lane() {
	local files counted passed failed skipped
	mapfile -t files < <(tap_files "$1")
	read -r counted passed failed skipped < <(count_results "${files[@]}")
	if [ $((passed + failed)) -eq 0 ]; then
		fail_lane "$1" "nothing was executed, every test was skipped (prove calls that NOTESTS)"
		failed=1
	fi
	total_files=$((total_files + counted))
	total_passed=$((total_passed + passed))
	total_failed=$((total_failed + failed))
	total_skipped=$((total_skipped + skipped))
	if [ "$failed" -gt 0 ]; then
		lane_verdict=FAIL
	else
		lane_verdict=PASS
	fi
	lane_verdict+=" ($passed passed, $failed failed, $skipped skipped)"
	list_skips "$(basename "$1")" "${files[@]}"
}

list_skips() {
	local lane=$1 reasons
	shift
	reasons=$(awk '/# *SKIP/ { sub(/.*# *SKIP */, ""); n[$0]++ }
		END { for (r in n) printf "  %4d  %s\n", n[r], r }' "$@" | sort -k 2)
	[ -z "$reasons" ] || printf '\nskipped in lane %s:\n%s\n' "$lane" "$reasons"
}

# Prints the closing lines; the exit status is the verdict on the whole run.
close_run() {
	local result=PASS
	if [ "$total_failed" -gt 0 ]; then
		result=FAIL
	elif [ "$total_passed" -eq 0 ]; then
		result=NOTESTS
	fi
	echo "Files=$total_files, Tests=$((total_passed + total_failed + total_skipped)), ${SECONDS} wallclock secs"
	echo "$total_passed passed, $total_failed failed, $total_skipped skipped"
	echo "Result: $result"
	[ "$result" = PASS ]
}
