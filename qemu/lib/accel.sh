# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
# KVM or emulation; sourced by qemu/vm. Sets accel to kvm or tcg, and accel_note to why.
# shellcheck disable=SC2034,SC2154 # the parts share their variables

kvm_probe_limit=2

# On some machines /dev/kvm opens, and then a guest hangs or crawls. So run one: a boot sector that writes to the exit
# port, a tenth of a second of work for a BIOS on a sound KVM.
kvm_runs_a_guest() {
	local sector status=0

	sector=$(mktemp "${TMPDIR:-/tmp}/softhca-probe.XXXXXX") || return 1
	{
		# mov al,0x10; out 0xf4,al; hlt
		printf '\xb0\x10\xe6\xf4\xf4'
		head -c 505 /dev/zero
		printf '\x55\xaa'
	} >"$sector"
	timeout --foreground -s KILL "$kvm_probe_limit" qemu-system-x86_64 -M pc -accel kvm -m 32 -nodefaults -display none \
		-no-reboot -drive "file=$sector,format=raw,if=ide" -device isa-debug-exit,iobase=0xf4,iosize=1 \
		>/dev/null 2>&1 </dev/null || status=$?
	rm -f "$sector"
	# The device turns the written value v into the exit status 2 v + 1.
	[ "$status" -eq 33 ]
}

# What was found holds for this boot of the machine, this QEMU and this user; a bad finding for an hour only, since
# what slowed the machine down may have ended.
kvm_cached() {
	local stamp key=$1

	[ -e "$cache/kvm-probe" ] || return 1
	read -r stamp kvm_verdict <"$cache/kvm-probe" || return 1
	[ "$stamp" = "$key" ] || return 1
	[ "$kvm_verdict" = good ] || [ -n "$(find "$cache/kvm-probe" -mmin -60)" ]
}

kvm_key() {
	local boot

	read -r boot </proc/sys/kernel/random/boot_id
	printf '%s-%s-%s' "$boot" "$(id -u)" "$(stat -L -c '%s-%Y' "$(command -v qemu-system-x86_64)" /dev/kvm | tr '\n' -)"
}

kvm_works() {
	local key

	if ! [ -e /dev/kvm ]; then
		accel_note="no /dev/kvm here"
		return 1
	fi
	if ! [ -r /dev/kvm ] || ! [ -w /dev/kvm ]; then
		accel_note="/dev/kvm is not open to this user"
		return 1
	fi
	key=$(kvm_key)
	if ! kvm_cached "$key"; then
		kvm_verdict=bad
		! kvm_runs_a_guest || kvm_verdict=good
		mkdir -p "$cache"
		echo "$key $kvm_verdict" >"$cache/kvm-probe"
	fi
	if [ "$kvm_verdict" = good ]; then
		accel_note="ran a test guest"
		return 0
	fi
	accel_note="KVM did not run a test guest within $kvm_probe_limit s"
	return 1
}

choose_accel() {
	case $accel in
	kvm) accel_note="as asked" ;;
	tcg) accel_note="as asked" ;;
	auto)
		if kvm_works; then
			accel=kvm
		else
			accel=tcg
		fi
		;;
	esac
}
