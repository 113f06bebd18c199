# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
# What the user asks for; sourced by qemu/vm. The variables set here are read by the other parts.
# shellcheck disable=SC2034,SC2154 # the parts share their variables

usage() {
	cat <<'TEXT'
usage: qemu/vm [OPTION...] [--] CMD [ARG...]
       qemu/vm [OPTION...] --shell

Runs CMD as root in a virtual machine with software HCAs. The guest sees the host's file system, read-only under a
tmpfs: what is installed here can be used there, and what is written there is gone afterwards.

  --kernel K            6.1 (default), 6.12, latest, debug, or the PATH of a built kernel tree or bzImage
  --modules DIR         modules of your own that take precedence: a /lib/modules/RELEASE tree or a directory of .ko
  --accel A             auto (default: KVM if it really runs a guest), kvm, tcg
  --hcas N              how many HCAs to add (default 2)
  --no-hca              boot without softhca and without HCAs
  --topology FILE       the fabric between the HCAs
  --sm none             do not start a subnet manager (the default)
  --smp N               processors (default 2)
  --mem MB              memory (default 1024)
  --timeout S           end the VM after S seconds (default 600; with --shell or --gdb none)
  --results DIR         keep the logs in DIR and let CMD write there; CMD finds it in $SOFTHCA_RESULTS
  --share DIR[:ro|rw]   show DIR uncached at its own path; rw lets CMD write into it (default ro)
  --append ARGS         more words for the kernel's command line
  --env NAME            pass this environment variable on (repeatable)
  --shell               give CMD (default: a shell) this terminal
  --console             copy the guest's kernel log to stderr while it runs
  --gdb                 wait for gdb on localhost:1234 before the kernel starts
  --kmemleak            scan for leaked kernel memory at the end (kernels with kmemleak, such as debug)
  --dry-run             say what would be run, and stop
  -v                    say more
  --help                this text

Exit status: CMD's own; 124 time-out; 99 the guest's kernel panicked or reported a bug; 125 the VM could not be run.
The file result.json in the log folder names the cause.
TEXT
}

# The runner's own failures end here: nothing was learnt about CMD.
broken() {
	echo "qemu/vm: $*" >&2
	exit 125
}

defaults() {
	kernel=6.1 modules_dir='' accel=auto hcas=2 smp=2 mem=1024 timeout='' results='' append=''
	shell=no console=no gdb=no kmemleak=no dry_run=no verbose=no
	shares=() env_names=() command=()
}

parse_options() {
	defaults
	while [ $# -gt 0 ]; do
		case $1 in
		--kernel | --modules | --accel | --hcas | --topology | --sm | --smp | --mem | --timeout | --results | --share | --append | --env)
			[ $# -ge 2 ] || broken "$1 needs a value (see --help)"
			value_option "$1" "$2"
			shift
			;;
		--*=*) value_option "${1%%=*}" "${1#*=}" ;;
		--shell) shell=yes ;;
		--console) console=yes ;;
		--gdb) gdb=yes ;;
		--kmemleak) kmemleak=yes ;;
		--no-hca) hcas=0 ;;
		--dry-run) dry_run=yes ;;
		-v) verbose=yes ;;
		--help | -h)
			usage
			exit 0
			;;
		--)
			shift
			break
			;;
		-*) broken "unknown option $1 (see --help)" ;;
		*) break ;;
		esac
		shift
	done
	command=("$@")
}

value_option() {
	case $1 in
	--kernel) kernel=$2 ;;
	--modules) modules_dir=$2 ;;
	--accel) accel=$2 ;;
	--hcas) hcas=$2 ;;
	--topology) broken "--topology: this version has no switches yet, its HCAs are cabled to each other" ;;
	--sm) [ "$2" = none ] || broken "--sm $2: this version starts no subnet manager; run opensm in CMD" ;;
	--smp) smp=$2 ;;
	--mem) mem=$2 ;;
	--timeout) timeout=$2 ;;
	--results) results=$2 ;;
	--share) shares+=("$2") ;;
	--append) append+=" $2" ;;
	--env) env_names+=("$2") ;;
	*) broken "unknown option $1 (see --help)" ;;
	esac
}

# number OPTION VALUE LOW HIGH
number() {
	case $2 in
	'' | *[!0-9]* | ??????*) broken "$1 $2: expected a number from $3 to $4" ;;
	esac
	if [ "$2" -lt "$3" ] || [ "$2" -gt "$4" ]; then
		broken "$1 $2: expected a number from $3 to $4"
	fi
}

# Paths travel in 9p options and line-based files.
plain_path() {
	case $2 in
	*,* | *$'\n'*) broken "$1 $2: a path with a comma or a line break in it does not work here" ;;
	esac
}

check_options() {
	local name

	number --hcas "$hcas" 0 32
	number --smp "$smp" 1 64
	number --mem "$mem" 256 65536
	if [ -z "$timeout" ]; then
		timeout=600
		if [ "$shell" = yes ] || [ "$gdb" = yes ]; then
			timeout=0
		fi
	fi
	number --timeout "$timeout" 0 99999
	case $accel in
	auto | kvm | tcg) ;;
	*) broken "--accel $accel: expected auto, kvm or tcg" ;;
	esac
	if [ ${#command[@]} -eq 0 ]; then
		[ "$shell" = yes ] || broken "no command given (see --help)"
		command=(bash -i)
	fi
	if [ "$shell" = yes ] && ! [ -t 0 ]; then
		broken "--shell needs a terminal as standard input"
	fi
	for name in "${env_names[@]}"; do
		[[ $name =~ ^[A-Za-z_][A-Za-z0-9_]*$ ]] || broken "--env $name: not the name of a variable"
	done
	plain_path "current directory" "$PWD"
	plain_path "project tree" "$tree"
	if [ -n "$modules_dir" ]; then
		plain_path --modules "$modules_dir"
		[ -d "$modules_dir" ] || broken "--modules $modules_dir: not a directory"
		modules_dir=$(readlink -f "$modules_dir")
	fi
	if [ -n "$results" ]; then
		plain_path --results "$results"
		mkdir -p "$results" 2>/dev/null || broken "--results $results: cannot make this directory"
		results=$(readlink -f "$results")
		[ -w "$results" ] || broken "--results $results: not writable"
	fi
	check_shares
}

# Splits DIR[:ro|rw] into share_dirs and share_modes.
check_shares() {
	local share dir mode

	share_dirs=() share_modes=()
	for share in "${shares[@]}"; do
		case $share in
		*:ro) dir=${share%:ro} mode=ro ;;
		*:rw) dir=${share%:rw} mode=rw ;;
		*) dir=$share mode=ro ;;
		esac
		plain_path --share "$dir"
		[ -d "$dir" ] || broken "--share $dir: not a directory"
		share_dirs+=("$(readlink -f "$dir")")
		share_modes+=("$mode")
	done
}
