# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
# The virtual machine itself; sourced by qemu/vm.
# shellcheck disable=SC2034,SC2154 # the parts share their variables

kernel_words() {
	local words="console=ttyS0 loglevel=7 printk.devkmsg=on panic=-1 oops=panic unknown_nmi_panic panic_print=0x40"

	# Hundreds of probes must not push the start of a test out of the log.
	words+=" log_buf_len=16M rcupdate.rcu_cpu_stall_timeout=120 watchdog_thresh=60"
	# An emulated TSC is found unstable sooner or later; better from the start than in the middle of a measurement.
	[ "$accel" = kvm ] || words+=" tsc=unstable"
	# No cache of 6,000 memory keys for each HCA: they take seconds to make, and again to destroy.
	words+=" mlx5_core.prof_sel=0"
	[ "$kmemleak" = no ] || words+=" kmemleak=on"
	[ "$gdb" = no ] || words+=" nokaslr"
	echo "$words$append"
}

# export_dir ID TAG DIR MODE
export_dir() {
	local readonly=on

	[ "$4" = ro ] || readonly=off
	machine+=(-fsdev "local,id=$1,path=$3,security_model=none,readonly=$readonly,multidevs=remap"
		-device "virtio-9p-pci,fsdev=$1,mount_tag=$2")
}

# The descriptors are those that qemu/stdio/host.c hands down.
channels() {
	local name fd=10

	machine+=(-device "virtio-serial-pci,max_ports=8")
	for name in status stdin stdout stderr; do
		machine+=(-chardev "socket,id=$name,fd=$fd" -device "virtserialport,chardev=$name,name=$name,nr=$((fd - 9))")
		fd=$((fd + 1))
	done
	machine+=(-chardev "socket,id=monitor,fd=$fd" -mon "chardev=monitor,mode=readline")
}

# Before 8.1, QEMU may translate code on one thread while another thread's CPU is patching it, and run the old code for
# good. A kernel patches itself all the time, and dies of a stray int3 in one boot out of some ten. One thread for all
# CPUs has no such race, and costs little: a waiting CPU gives way at each PAUSE.
tcg_threads_are_safe() {
	local version

	version=$(qemu-system-x86_64 --version | sed -n '1s/.*version \([0-9]*\.[0-9]*\).*/\1/p')
	[ "$(printf '%s\n' 8.1 "$version" | sort -V | head -n 1)" = 8.1 ]
}

make_machine() {
	local i cpu=max accelerator=$accel

	if [ "$accel" = kvm ]; then
		cpu=host
	elif ! tcg_threads_are_safe; then
		accelerator=tcg,thread=single
	fi
	machine=(qemu-system-x86_64 -M q35 -nodefaults -display none -no-reboot -accel "$accelerator" -cpu "$cpu"
		-smp "$smp" -m "$mem" -kernel "$image" -initrd "$scratch/initramfs" -append "$(kernel_words)"
		-chardev "file,id=log,path=$log_dir/kernel.log" -serial chardev:log
		-object "memory-backend-ram,id=bar,size=64M,share=on" -device "ivshmem-plain,memdev=bar")
	channels
	export_dir root root / ro
	for i in "${!share_dirs[@]}"; do
		export_dir "share$i" "share$i" "${share_dirs[i]}" "${share_modes[i]}"
	done
	[ -z "$results" ] || export_dir results results "$results" rw
	[ "$gdb" = no ] || machine+=(-gdb tcp:127.0.0.1:1234 -S)
}

print_machine() {
	echo "command: ${command[*]@Q}"
	echo "machine:"
	printf '  %q' "${machine[@]}"
	echo
}

start_console() {
	console_pid=''
	[ "$console" = yes ] || return 0
	: >"$log_dir/kernel.log"
	tail -n +1 -f "$log_dir/kernel.log" </dev/null >&2 &
	console_pid=$!
}

stop_console() {
	[ -n "$console_pid" ] || return 0
	# Whatever is still in the file shall be seen.
	sleep 0.3
	kill "$console_pid" 2>/dev/null || true
	wait "$console_pid" 2>/dev/null || true
}

run_machine() {
	local tty=()

	printf '%q ' "${command[@]}" >"$log_dir/command"
	echo >>"$log_dir/command"
	[ "$shell" = no ] || tty=(--tty)
	[ "$gdb" = no ] || echo "qemu/vm: waiting for gdb: target remote localhost:1234" >&2
	start_console
	started=$EPOCHREALTIME
	# In the background, since the shell acts on a signal only when no foreground program runs; with our own stdin, since
	# a background program would get none.
	"$helpers/host" --report "$scratch/report" --timeout "$timeout" "${tty[@]}" -- "${machine[@]}" \
		3>"$log_dir/qemu.log" <&0 &
	host_pid=$!
	trap 'kill -TERM "$host_pid" 2>/dev/null || true' INT TERM HUP
	# A signal ends a wait; the helper then ends QEMU and itself.
	while kill -0 "$host_pid" 2>/dev/null; do
		wait "$host_pid" || true
	done
	trap - INT TERM HUP
	ended=$EPOCHREALTIME
	stop_console
}
