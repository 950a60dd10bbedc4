# `make help` lists the targets. The work is done by the scripts in tools/, which run alone as well.
#
#   PHP_CONFIG=php-config8.3   builds for and runs with another PHP
#   CC, CFLAGS                 as usual; CONFIGURE_OPTIONS, e.g. --enable-xhprof-dev
#   SUITES="phpt phpcs"        only these suites of make check (an unknown name lists them)
#   PEER_SO=name=path,...      make bench: more builds to measure; BENCH="--rounds=3 --only=fib" are options (BENCH=--help)
#   SERVE=0                    make demo ends instead of serving the pages; PORT=8080 serves them there

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
MAKEFLAGS += --no-print-directory

.PHONY: help build demo check lint test bench format arginfo package.xml deps clean distclean

help: ## this list
	@awk -F ':.*## ' '/^[a-z.]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

build: ## extension/modules/xhprof.so, after installing what it needs
	@tools/deps.sh build
	@tools/build.sh

demo: ## profile a real program, print its profile, save it and serve the pages
	@tools/deps.sh demo
	@tools/build.sh
	@tools/demo.sh

check: ## install, build, run every check and test; closes with "N passed, N failed"
	@tools/deps.sh check
	@tools/test-php.sh
	@PHP_INI_SCAN_DIR=$(CURDIR)/build/php/conf.d tools/php.sh tools/check.php $(SUITES)

lint: ## only what reads the sources: formatting, warnings, types, layers
	@$(MAKE) check SUITES="build lint"

test: ## only what runs the program: .phpt, PHPUnit, browser
	@$(MAKE) check SUITES="build test"

bench: ## measure what profiling costs, beside other profilers (about 15 minutes)
	@tools/deps.sh demo
	@tools/bench-deps.sh
	@tools/build.sh
	@tools/bench-reference.sh
	@PEER_SO="$(PEER_SO)" tools/php.sh benchmarks/run.php --json=build/bench/results.json $(BENCH)

format: ## lay out the C and PHP sources
	@tools/lint/format.sh
	@tools/php.sh vendor/bin/phpcbf -q || test $$? -eq 1

arginfo: ## extension/*_arginfo.h from the stubs
	@tools/arginfo.sh

package.xml: ## the list of files in extension/package.xml
	@tools/php.sh tools/lint/package.php --update

deps: ## Debian, Composer and npm packages for all of the above
	@tools/deps.sh check

clean: ## remove what the compiler made
	@test ! -e extension/Makefile || $(MAKE) -C extension clean >/dev/null
	@rm -rf build/demo build/log build/warnings

distclean: ## remove all that is not source, installed packages too
	@test ! -e extension/Makefile || $(MAKE) -C extension distclean >/dev/null
	@rm -rf build vendor node_modules composer.lock extension/{.build-key,autom4te.cache,build,include,modules,.libs}
	@rm -f extension/{Makefile*,aclocal.m4,config.{guess,h,h.in,h.in~,log,nice,status,sub},configure,configure.{ac,in},configure~}
	@rm -f extension/{confdefs.h,install-sh,libtool,ltmain.sh,missing,mkinstalldirs,run-tests.php,tmp-php.ini,.deps} extension/*.{dep,la,lo,o}
