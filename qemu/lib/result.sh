# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
# What became of the run: one cause, one exit status; sourced by qemu/vm.
# The order of judgement: the kernel's complaints weigh more than what CMD says, and a panic explains a silence.
# shellcheck disable=SC2034,SC2154 # the parts share their variables

# note_value NAME: a number out of the guest's last line, such as taint=4096
note_value() {
	local word

	for word in $report; do
		case $word in
		"$1"=*[!0-9]* | "$1"=) ;;
		"$1"=*)
			echo "${word#*=}"
			return
			;;
		esac
	done
	echo 0
}

write_result() {
	local seconds

	seconds=$(awk -v a="$started" -v b="$ended" 'BEGIN { printf "%.1f", b - a }')
	jq -n --arg cause "$1" --argjson status "$2" --arg reason "$3" --arg kernel "$release" --arg name "$label" \
		--arg accel "$accel" --arg log "$log_dir/kernel.log" --argjson seconds "$seconds" \
		'{cause: $cause, status: $status, reason: $reason, command: $ARGS.positional, kernel: $kernel, label: $name,
		accelerator: $accel, seconds: $seconds, log: $log}' --args -- "${command[@]}" >"$log_dir/result.json"
}

# finish CAUSE STATUS REASON
finish() {
	write_result "$1" "$2" "$3"
	if [ "$1" != exit ]; then
		echo "qemu/vm: $3" >&2
		echo "qemu/vm: see $log_dir/kernel.log" >&2
	fi
	note "$1 $2 after $(jq .seconds "$log_dir/result.json") s"
	exit "$2"
}

show_tail() {
	[ -s "$log_dir/kernel.log" ] || return 0
	echo "qemu/vm: the end of the kernel log:" >&2
	tail -n 15 "$log_dir/kernel.log" | tr -d '\r' | sed 's/^/  /' >&2
}

# A guest that could not even open its channel left its reason in the log.
silent_reason() {
	local line

	line=$(grep -a 'softhca-init: ' "$log_dir/kernel.log" 2>/dev/null | tail -n 1 | tr -d '\r' | sed 's/.*softhca-init: //')
	if [ -s "$log_dir/qemu.log" ]; then
		line="QEMU says: $(grep -v 'host doesn.t support' "$log_dir/qemu.log" | head -n 1)"
	fi
	echo "the VM ended without a result (QEMU's exit status ${report#gone }${line:+; $line})"
}

conclude() {
	local findings='' first leaks

	report=$(cat "$scratch/report" 2>/dev/null) || report='gone 125'
	touch "$log_dir/kernel.log"
	findings=$("$tree/qemu/verdict" --taint "$(note_value taint)" "$log_dir/kernel.log") || true
	first=${findings%%$'\n'*}
	leaks=$(note_value leaks)
	if [ -n "$findings" ] && [ "$report" != interrupted ] && [ "$report" != timeout ]; then
		printf '%s\n' "$findings" | head -n 10 | sed 's/^/qemu\/vm: kernel /' >&2
		[ "${report#fail }" = "$report" ] || echo "qemu/vm: ${report#fail }" >&2
		case $first in
		panic:*) finish panic 99 "the guest's kernel panicked: ${first#panic: }" ;;
		*) finish report 99 "the guest's kernel reported: ${first#report: }" ;;
		esac
	fi
	case $report in
	exit\ *)
		[ "$leaks" -eq 0 ] || finish kmemleak 99 "$leaks leaked objects (lines softhca-kmemleak: in the kernel log)"
		report=${report#exit }
		finish exit "${report%% *}" "the command exited with status ${report%% *}"
		;;
	timeout)
		show_tail
		# What the kernel said before our own NMI may be why nothing went on.
		sed '/NMI received for unknown reason/,$d' "$log_dir/kernel.log" >"$scratch/before"
		"$tree/qemu/verdict" "$scratch/before" | sed 's/^/qemu\/vm: kernel /' >&2 || true
		finish timeout 124 "time-out after $timeout s"
		;;
	interrupted) finish interrupted 125 "interrupted" ;;
	fail\ *)
		show_tail
		finish runner 125 "${report#fail }"
		;;
	*)
		show_tail
		finish runner 125 "$(silent_reason)"
		;;
	esac
}
