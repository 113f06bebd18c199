#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#
# rdma-core's own tests, as Debian's python3-pyverbs brings them: so many of
# each module pass, none fails, and each that is skipped is skipped for a
# reason that Documentation/verbs-limits.rst gives. The numbers are those of
# Debian's kernel and rdma-core in a VM with one port to each HCA.
# needs: vm, kernel:6.1, device, two-ports, root, command:opensm
# disruptive
# timeout: 900

. "$(dirname "$0")/../lib/tap.sh"
source=/usr/share/doc/rdma-core/tests
[ -d "$source" ] || skip_all "needs rdma-core's tests, of the package python3-pyverbs"
# shellcheck source=tests/lib/verbs.sh
. "$(dirname "$0")/../lib/verbs.sh"

# What is not counted, as an extended regular expression over "MODULE
# CLASS.TEST": keys of many pieces and of signatures (test_mlx5_mkey) are not
# finished; and test_odp_dc_traffic asks for demand paging without asking first
# whether there is any.
pending='^test_mlx5_mkey|test_odp_dc'

# module, passed, skipped
expected() {
	cat <<'TABLE'
test_addr 2 1
test_atomic 9 0
test_cq 4 0
test_cq_events 2 0
test_cqex 5 0
test_cuda_dmabuf 0 1
test_device 12 10
test_efa_srd 0 11
test_efadv 0 5
test_flow 0 5
test_fork 1 0
test_mlx5_cq 5 4
test_mlx5_crypto 0 7
test_mlx5_cuda_umem 0 1
test_mlx5_dc 0 6
test_mlx5_devx 1 0
test_mlx5_dm_ops 0 2
test_mlx5_dma_memcpy 0 4
test_mlx5_dr 0 17
test_mlx5_flow 0 4
test_mlx5_huge_page 2 0
test_mlx5_lag_affinity 0 3
test_mlx5_pp 0 1
test_mlx5_query_port 1 0
test_mlx5_raw_wqe 1 0
test_mlx5_rdmacm 0 2
test_mlx5_sched 0 2
test_mlx5_timestamp 3 3
test_mlx5_uar 0 1
test_mlx5_udp_sport 0 1
test_mlx5_var 0 1
test_mlx5_vfio 0 2
test_mr 12 15
test_odp 0 17
test_parent_domain 5 1
test_pd 4 0
test_qp 21 5
test_qpex 19 1
test_rdmacm 0 10
test_relaxed_ordering 3 0
test_rss_traffic 0 1
test_shared_pd 1 0
test_tag_matching 0 4
TABLE
}

declare -A got want

count_results() {
	local module name result rest
	while read -r module name result rest; do
		[[ ! "$module $name" =~ $pending ]] || continue
		: "${got[$module]:=0 0}"
		read -r passed skipped <<<"${got[$module]}"
		case $result in
		pass)	passed=$((passed + 1)) ;;
		skip)	skipped=$((skipped + 1)) ;;
		esac
		got[$module]="$passed $skipped"
	done <"$tap_tmp/ran"
}

# The results of what is counted.
counted() {
	awk -v pending="$pending" '($1 " " $2) !~ pending' "$tap_tmp/ran"
}

# Skips for a reason that no line of the limits quotes.
unexplained() {
	# shellcheck disable=SC2016 # nothing is to be expanded
	grep -o '``[^`]*``' "$SOFTHCA_ROOT/Documentation/verbs-limits.rst" |
		tr -d '`' >"$tap_tmp/reasons"
	awk '$3 == "skip"' "$tap_tmp/ran" | grep -vFf "$tap_tmp/reasons"
}

subnet_up
cp -r "$source" "$tap_tmp/tests"
gunzip "$tap_tmp"/tests/*.gz
# Both ends of most tests poll, and on an emulated processor take turns.
seconds=$((60 * ${SOFTHCA_TIMEOUT_SCALE:-1}))
ok "the tests can be run" "$(dirname "$0")/run-pyverbs" \
	"$tap_tmp/tests" "$near" "$port" "$seconds" "$tap_tmp/ran"

count_results
while read -r module numbers; do
	want[$module]=$numbers
	is "${got[$module]:-absent}" "$numbers" "$module: passed and skipped"
done < <(expected)
is "$(printf '%s\n' "${!got[@]}" | sort)" "$(printf '%s\n' "${!want[@]}" | sort)" \
	"the modules are those of the table"
is "$(counted | awk '$3 == "fail" || $3 == "hang"')" "" "no test fails or hangs"
is "$(unexplained)" "" "each skip has a reason that the limits give"
diag "not counted:" "$(awk -v pending="$pending" '($1 " " $2) ~ pending' "$tap_tmp/ran")"
done_testing
