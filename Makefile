# `make help` lists the targets. The work is done by the scripts in tools/, which run alone as well.
#
#   PHP_CONFIG=php-config8.3   builds for and runs with another PHP
#   PHP_SOURCE=folder          unpacked sources of a PHP, for check-engine, check-memory and check-zts, instead of the source package
#   CC, CFLAGS                 as usual; CONFIGURE_OPTIONS, e.g. --enable-xhprof-dev
#   SUITES="phpt phpcs"        only these suites of make check (an unknown name lists them)
#   WERROR=0                   make check's build goes on where the compiler warns
#   LANES=1                    make check runs one suite after the other, not as many as keep the processors busy
#   PEER_SO=name=path,...      make bench: more builds to measure; BENCH="--rounds=3 --only=fib" are options (BENCH=--help)
#   SOAK="--kills=0"           make soak: options (SOAK=--help); FIBERS="--requests=5000": of its server of fibers
#   SLOWER=10                  make check's limits of time are so many times as long; check-arm64 sets it
#   PHPT=extension/tests/span  make check, check-zts, check-memory and check-musl: only these folders or files of the .phpt files
#   PART=1/4                 make check-engine and check-engine-all: the first of four parts of the engine's tests
#   MINUTES=55               make check-all and check-turn begin no more than make check has after so many minutes, and name what they left out
#   TURN=3                   make check-turn: that turn, not the one of the commit
#   PREFIX=/usr/local        make install and uninstall; DESTDIR=folder that stands for /, of a package that is being made
#   APP=shop                   make demo profiles a web shop with planted problems and databases (demo/shop), not a command line
#   SEED=2                   make demo-fleet: another fleet
#   DEMO=0                     make site: without the live demo, which needs the extension
#   SERVE=0                    make demo and demo-fleet end instead of serving the pages; PORT=8080 serves them there

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
MAKEFLAGS += --no-print-directory

# The PHP of the tests first: what reads their reports needs its extensions.
run_check = @tools/test-php.sh && PHP_INI_SCAN_DIR=$(CURDIR)/build/php/conf.d tools/php.sh tools/check.php

.PHONY: help build install uninstall phar release demo demo-fleet check-fleet check check-all check-turn check-bare check-engine check-engine-all check-memory check-musl check-zts check-servers check-packages check-84 check-85 check-86 check-arm64 lint test fuzz bench soak frameworks turn format arginfo reference site skills names package.xml \
  assets screenshots deps clean distclean

help: ## this list
	@awk -F ':.*## ' '/^[a-z0-9.-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

build: ## build extension/modules/xhprof.so, after installing what it needs
	@tools/deps.sh build
	@tools/build.sh

install: ## install what make build has built, the command line and the pages: PREFIX, DESTDIR
	@tools/deps.sh install
	@tools/runtime.sh packages & tools/build.sh && status=0 || status=$$?; wait $$! && exit $$status
	@tools/runtime.sh share
	@tools/install.sh install

uninstall: ## remove what make install has installed
	@tools/install.sh uninstall

phar: ## make build/xhprof.phar: the command line and the pages in one file; SOURCE_DATE_EPOCH
	@tools/deps.sh install
	@tools/phar.sh

release: ## make what a release publishes, in build/release: phar, sources, PECL, PIE, Composer, Debian packages; XHPROF_SIGN_KEY
	@tools/deps.sh release
	@tools/release.sh

demo: ## profile a real program, save its profile and serve the pages; APP=shop: a web shop with planted problems
	@tools/deps.sh demo
	@tools/build.sh
	@[[ "$(APP)" != shop ]] || tools/servers.sh
	@tools/demo.sh

demo-fleet: ## simulate 50 hosts with a slower release and bad hosts, in a ClickHouse of their own (550 MB), and find them
	@tools/deps.sh fleet
	@tools/build.sh
	@tools/fleet.sh demo

check: ## install, build, read the sources, run every test once; closes with "N passed, N failed"
	@tools/prepare.sh $(SUITES)
	$(run_check) $(SUITES)

check-engine: ## the engine's own tests, profiled: none may fail that passes unprofiled
	@tools/deps.sh engine
	@tools/php-source.sh >/dev/null
	$(run_check) build engine

check-engine-all: ## all tests of the engine and its extensions in all modes; hours. MODES=exact,heap JOBS=n PART=i/n FRESH=1
	@tools/deps.sh engine
	@tools/test-php.sh
	@tools/build.sh
	@tools/engine-all.sh

check-memory: ## the .phpt files under the address and leak sanitizers, with a PHP built for that
	@tools/deps.sh engine
	@tools/php-source.sh >/dev/null
	$(run_check) build memory

check-zts: ## the .phpt files and several threads at once, with a thread-safe debug PHP
	@tools/deps.sh zts
	@tools/php-source.sh >/dev/null
	$(run_check) build zts

check-musl: ## the .phpt files, the C tests and the preloaded malloc, with a PHP built with musl
	@tools/deps.sh musl
	$(run_check) build musl

check-servers: ## only the tests with nginx, PHP-FPM, php -S, workers and databases
	@$(MAKE) check SUITES="build servers"

check-fleet: ## the store of many hosts, with the engine of ClickHouse in build/fleet (550 MB)
	@$(MAKE) check SUITES="build fleet"

check-packages: ## a release is made, installed and removed in a Debian of its own in build/ (as root)
	@$(MAKE) check SUITES="build $(or $(SUITES),packages)"

check-84: ## build and tests with PHP 8.4, in a Debian 13 in build/ (as root)
	@tools/deps.sh room
	@tools/other-php.sh 8.4 || test $$? -eq 77

check-85: ## the same with PHP 8.5, in a Debian unstable
	@tools/deps.sh room
	@tools/other-php.sh 8.5 || test $$? -eq 77

check-86: ## the same with PHP 8.6's release candidate
	@tools/deps.sh room
	@tools/other-php.sh 8.6 || test $$? -eq 77

check-arm64: ## build and .phpt files on an emulated aarch64, with Debian 12 and 13 in build/ (as root); an hour
	@tools/deps.sh room
	@for release in bookworm trixie; do tools/arm64.sh $$release || test $$? -eq 77 || exit 1; done

check-bare: ## the other targets, each alone in a Debian that has git and make only (as root); two hours
	@$(MAKE) check SUITES=bare

check-all: ## make check, and all of the above but engine-all, 8.6, aarch64 and bare; with a walk and with JIT; two hours
	@$(MAKE) check SUITES=all

check-turn: ## make check, and what has its turn at this commit; as .ci/run does: 35 minutes, and five turns have all of check-all
	@$(MAKE) check SUITES=turn

turn: ## make the last commit of a landing, which has the number of the next turn
	@tools/turn.sh

lint: ## only checks of the sources: formatting, warnings, types, layers
	@$(MAKE) check SUITES="build lint"

test: ## only tests that run the program: .phpt, PHPUnit, browser
	@$(MAKE) check SUITES="build test"

fuzz: ## feed slightly damaged files to all readers, for long: SEED=n ROUNDS=n
	@tools/deps.sh check
	@tools/test-php.sh
	@tools/build.sh
	@SEED=$${SEED:-$$(date +%s)} ROUNDS=$${ROUNDS:-20} tests/fuzz/fuzz.sh

bench: ## measure what profiling costs, beside other profilers (about 20 minutes)
	@tools/deps.sh bench
	@tools/bench-deps.sh
	@tools/servers.sh
	@tools/build.sh
	@tools/bench-reference.sh
	@PEER_SO="$(PEER_SO)" tools/bench.sh $(BENCH)

soak: ## nginx and PHP-FPM with windows of all requests under load, reloads, kill -9, a full disk: all is counted. Then amphp with a span for each fiber's request. SOAK="--requests=5000" FIBERS="--requests=5000" (=--help)
	@tools/deps.sh check
	@tools/test-php.sh
	@tools/servers.sh
	@tools/build.sh
	@tools/frameworks.sh composer
	@tools/php.sh tests/soak/soak.php --full $(SOAK)
	@tools/php.sh tests/soak/fibers.php $(FIBERS)

format: ## format the C and PHP sources
	@tools/deps.sh format
	@tools/lint/format.sh
	@tools/php.sh vendor/bin/phpcbf --standard=tools/lint/phpcs.xml -q

arginfo: ## make extension/*_arginfo.h from the stubs
	@tools/deps.sh arginfo
	@tools/arginfo.sh

frameworks: ## install the frameworks whose routes tests/server reads, in build/frameworks: by Composer and of Debian's packages
	@tools/deps.sh frameworks
	@tools/frameworks.sh

reference: ## make docs/reference.md from the settings and stubs of the extension
	@tools/deps.sh build
	@tools/php.sh tools/docs/reference.php --update

names: ## write what tools/project.json says - repository, site, maintainers - into the files that contain it
	@tools/deps.sh build
	@tools/php.sh tools/names.php

skills: ## make the folder skills/ from the guide for assistants
	@tools/deps.sh build
	@tools/php.sh tools/docs/skills.php --update

site: ## make the site of the documentation in build/site: search, and the demo's runs; opens from a disk. DEMO=0: without them
	@DEMO="$${DEMO:-1}" tools/deps.sh site
	@tools/site.sh

package.xml: ## write package.xml, for `pecl install package.xml` in a checkout; a release has its own
	@tools/deps.sh build
	@tools/package-xml.sh

screenshots: ## make the pictures of the README and of docs/tour.md, of programs profiled now
	@tools/deps.sh screenshots
	@tools/build.sh
	@PHP_BINARY="$${PHP_BINARY:-php}" node tools/screenshots.mjs

assets: ## copy what the pages need from npm packages to xhprof_html/assets/vendor/
	@tools/deps.sh assets

deps: ## install Debian, Composer and npm packages for all of the above
	@tools/deps.sh check

clean: ## remove what the compiler made
	@test ! -e extension/Makefile || $(MAKE) -C extension clean >/dev/null
	@rm -rf build/demo build/log

distclean: ## remove everything except the sources, installed packages too
	@test ! -e extension/Makefile || $(MAKE) -C extension distclean >/dev/null
	@rm -rf build vendor node_modules composer.lock xhprof_html/assets/vendor package.xml extension/{.build-key,autom4te.cache,build,include,modules,.libs}
	@rm -f extension/{Makefile*,aclocal.m4,config.{guess,h,h.in,h.in~,log,nice,status,sub},configure,configure.{ac,in,lineno},configure~}
	@rm -f extension/{confdefs.h,install-sh,libtool,ltmain.sh,missing,mkinstalldirs,run-tests.php,tmp-php.ini,.deps} extension/*.{dep,la,lo,o}
