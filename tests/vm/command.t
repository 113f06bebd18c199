#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#
# A command in a VM behaves as if it ran here: its status, its standard files
# (any bytes, in both directions), its directory, environment and tools.
# needs: runner, quick-kernel
# timeout: 240

. "$(dirname "$0")/../lib/tap.sh"
plan 16

vm() {
	"$SOFTHCA_ROOT/qemu/vm" --kernel "${SOFTHCA_KERNEL:-6.1}" --no-hca "$@"
}

# All byte values, more of them than any buffer on the way holds, and a child
# that stays behind with the standard files open.
head -c 3000000 /dev/urandom >"$tap_tmp/in"
vm --timeout 110 -- sh -c 'sleep 1000 & cat; echo to-stderr >&2; exit 7' \
	<"$tap_tmp/in" >"$tap_tmp/copy" 2>"$tap_tmp/stderr"
is $? 7 "the command's exit status is qemu/vm's, though a child stays behind"
ok "three megabytes of any bytes come back unchanged" cmp "$tap_tmp/in" "$tap_tmp/copy"
like "$(cat "$tap_tmp/stderr")" '^to-stderr$' "standard error arrives on standard error"
like "$(head -n 3 "$tap_tmp/stderr")" '(kvm|tcg|KVM|TCG)' "the accelerator is said first"

mark=$SOFTHCA_ROOT/tests/vm/.written-in-a-guest
mkdir -p "$tap_tmp/results" "$tap_tmp/dir"
cd "$tap_tmp/dir" || bail "cannot enter $tap_tmp/dir"
cat >look <<'LOOK'
echo "cwd=$(pwd)"
echo "env=$GREETING hidden=$HIDDEN"
echo "lang=$LANG"
echo "arg=$1"
touch "$2" && echo "tree=writable"
ip -br link show lo
echo "pty=$(script -qec 'tty' /dev/null | tr -d '\r')"
echo "fd=$(cat <(echo process-substitution))"
stat -f -c 'tmp=%T' /tmp /run /dev/shm | sort -u
ls -d /sys/kernel/debug/tracing /sys/kernel/tracing/events
id -u
echo "hcas=$(ls /sys/class/infiniband 2>/dev/null | wc -l)"
echo kept >"$3/file"
kill -TERM $$
LOOK
export GREETING='two words' HIDDEN=secret
vm --timeout 110 --env GREETING --results "$tap_tmp/results" -- \
	bash look $'a "quoted"\targument' "$mark" "$tap_tmp/results" </dev/null >"$tap_tmp/out2" 2>"$tap_tmp/err2"
is $? 143 "a command that a signal ended gives 128 and the signal's number"
seen=$(cat "$tap_tmp/out2")
like "$seen" "^cwd=$tap_tmp/dir\$" "the command runs in the caller's directory, even below /tmp"
like "$seen" '^env=two words hidden=$' "--env takes one variable along, and no other"
like "$seen" $'^arg=a "quoted"\targument$' "arguments arrive as they are"
like "$seen" '^tree=writable$' "the tree can be written to in the guest"
ok "and nothing of that is left here" test ! -e "$mark"
like "$seen" '^lo +UNKNOWN' "the loopback interface is up"
like "$seen" '^pty=/dev/pts/' "there are terminals"
like "$seen" '^fd=process-substitution$' "process substitution works"
is "$(grep -c '^tmp=tmpfs' <<<"$seen")" 1 "/tmp, /run and /dev/shm are in memory"
like "$seen" '^hcas=0$' "--no-hca means none"
is "$(cat "$tap_tmp/results/file")" kept "a file written to --results is here afterwards"
