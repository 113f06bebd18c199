# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#
# The front door: each target calls one script that can also be called by hand.

# The kernel that modules are built for and VMs boot: 6.1, 6.12, latest, debug
# or the path of a built tree.
KERNEL ?= 6.1
PREFIX ?= /usr/local
DESTDIR ?=

.PHONY: help run check check-debug bench soak lint setup modules user install clean

help:
	@echo 'softhca: a software ConnectX HCA for Linux'
	@echo
	@echo '  make run          install what is missing, build, boot a VM with two HCAs and show them at work'
	@echo '  make check        run the tests on the kernel KERNEL (default 6.1)'
	@echo '  make check-debug  run the tests and KUnit on our KASAN/lockdep/kmemleak kernel (builds it once)'
	@echo '  make bench        measure, and print figures with what they are compared to'
	@echo '  make soak         run the tests with up to 20 times the counts, also on 6.12 and the newest kernel'
	@echo '  make lint         check the sources: style, byte order, shell, spelling, licence lines'
	@echo '  make modules      build build/kmod/RELEASE/softhca.ko for KERNEL'
	@echo '  make user         build the programs and libraries in build/user'
	@echo '  make install      install modules (for KERNEL) and programs under DESTDIR and PREFIX'
	@echo '  make clean        remove build/ (the cache of kernels outside the tree stays)'
	@echo
	@echo 'One command in a VM: qemu/vm -- COMMAND (qemu/vm --help). Some tests: scripts/check --help.'

run:
	@scripts/setup --for run
	@scripts/demo --kernel '$(KERNEL)'

check:
	@scripts/setup --for check
	@scripts/check --kernel '$(KERNEL)'

check-debug:
	@scripts/setup --for debug
	@scripts/check --kernel debug

bench:
	@scripts/setup --for bench
	@scripts/bench --kernel '$(KERNEL)'

soak:
	@scripts/setup --for latest
	@scripts/soak

lint:
	@scripts/setup --for lint
	@scripts/lint

setup:
	@scripts/setup --for all

modules:
	@scripts/build-modules '$(KERNEL)'

user:
	@scripts/build-user

install:
	@scripts/install --kernel '$(KERNEL)' --prefix '$(PREFIX)' --destdir '$(DESTDIR)'

clean:
	rm -rf build
