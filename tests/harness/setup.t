#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#
# scripts/setup installs only what is missing, says what and why before it does,
# and asks apt for nothing when nothing is missing. apt and dpkg are stand-ins.
# needs: root

. "$(dirname "$0")/../lib/tap.sh"
plan 15

setup=$SOFTHCA_ROOT/scripts/setup
bin=$tap_tmp/bin
export CALLS=$tap_tmp/calls INSTALLED=$tap_tmp/installed APT_FAILS=$tap_tmp/apt-fails
mkdir "$bin"
cat >"$bin/dpkg-query" <<'STANDIN'
#!/bin/sh
sed 's/^/installed /' "$INSTALLED"
STANDIN
cat >"$bin/apt-get" <<'STANDIN'
#!/bin/sh
echo "$*" >>"$CALLS"
case $* in
*install*) [ ! -e "$APT_FAILS" ] || { rm "$APT_FAILS"; exit 100; } ;;
esac
STANDIN
chmod +x "$bin"/*

with_stand_ins() {
	: >"$CALLS"
	PATH=$bin:$PATH run "$@" </dev/null
}

: >"$INSTALLED"
with_stand_ins "$setup" --for all --list
is "$(wc -l <"$CALLS")" 0 "--list installs nothing"
printf '%s\n' "$out" >"$INSTALLED"
like "$out" '^qemu-system-x86$' "and names what is missing"

with_stand_ins "$setup" --for all
is "$status" 0 "with all there it succeeds"
is "$out$err" "" "and prints nothing"
is "$(wc -l <"$CALLS")" 0 "and does not call apt"

sed -i '/^opensm$/d; /^sparse$/d' "$INSTALLED"
with_stand_ins "$setup" --for run
is "$status" 0 "with one missing it succeeds"
like "$err" '^  opensm +the subnet manager$' "it says what it installs and why"
like "$(cat "$CALLS")" 'install opensm$' "it installs that one"
unlike "$(cat "$CALLS")" 'sparse|update' "and no more, from the lists that are here"

with_stand_ins "$setup" --for run,lint
like "$(cat "$CALLS")" 'install opensm sparse$' "groups add up"

touch "$APT_FAILS"
with_stand_ins "$setup" --for run
is "$status" 0 "when apt fails once"
is "$(sed 's/.* install/install/; s/.* update/update/' "$CALLS" | paste -sd ' ')" \
	"install opensm update install opensm" "the lists are fetched anew and it tries again"

with_stand_ins "$setup" --for everything
is "$status" 2 "an unknown group is a usage error"

rm "$bin"/*
for tool in bash sed tr awk sort comm cat; do
	ln -s "$(command -v "$tool")" "$bin/$tool"
done
PATH=$bin run "$bin/bash" "$setup"
is "$status" 1 "on another distribution it fails"
like "$err" '^  qemu-system-x86$' "and says what to install"
