#!/usr/bin/env bash
# build.sh: compiles the extension in extension/ and leaves extension/modules/xhprof.so, libxhprof_malloc.so and xhprof-inspect.
# Compiles changed files only; phpize and configure run again when config.m4, the PHP or the options have changed.
#   PHP_CONFIG, CC, CFLAGS   as usual      CONFIGURE_OPTIONS   e.g. --enable-xhprof-dev
#   XHPROF_DEV=1             for tests: they may move its clock, and a warning of the compiler ends it; WERROR=0: it does not, for
#                            compilers that others have. What is installed or released is built without.
set -euo pipefail
. "$(dirname "$0")/env.sh"
find_php
mkdir -p "$root/build"
exec 9>"$root/build/.build-lock"
flock 9
cd "$root/extension"
# The place too: in a checkout that was copied or moved the Makefile, and the dependency files, name the other one.
key=$({
  pwd
  cat VERSION config.m4 ../malloc/Makefile.frag ../inspect/Makefile.frag
  echo "$php_config ${CC:-} ${CFLAGS:-} ${CONFIGURE_OPTIONS:-}"
  "$php_config" --version --vernum --extension-dir --include-dir
  "$PHPIZE" --version
} | digest)

configure() {
  rm -f .build-key
  "$PHPIZE" --clean && "$PHPIZE"
  # In a smaller shell than bash, which is the one that configure takes by itself, it needs a fifth less.
  local shell
  shell=$(command -v dash || true)
  # shellcheck disable=SC2086 # options are words
  ${shell:+env CONFIG_SHELL="$shell" "$shell"} ./configure --with-php-config="$php_config" ${CONFIGURE_OPTIONS:-} || return
  # That shell's copy of configure.
  rm -f configure.lineno
}

if [[ ! -e Makefile || ! -e .build-key || $(<.build-key) != "$key" ]]; then
  stage configure "Configuring for PHP $("$php_config" --version) ($php_config)" configure
  echo "$key" >.build-key
fi
# A dependency file may name a header that no longer exists: make would fail on it. Or those of another place, as above.
headers=$({
  pwd
  find . -name '*.h' | sort
} | digest)
if [[ ! -e $root/build/.headers || $(<"$root/build/.headers") != "$headers" ]]; then
  find . \( -name '*.dep' -o -name '*.lo' \) -delete
  echo "$headers" >"$root/build/.headers"
fi
# A build for tests looks at each file. Another one differs in these only.
dev=${XHPROF_DEV:+\$(XHPROF_DEV_FLAGS)} # of config.m4
if [[ ! -e $root/build/.dev || $(<"$root/build/.dev") != "$dev" ]]; then
  if [[ -n $dev ]]; then
    find . -name '*.lo' -delete
  else
    grep -rlw --include='*.c' XHPROF_DEV . | sed 's/\.c$/.lo/' | xargs rm -f --
  fi
  echo "$dev" >"$root/build/.dev"
fi
[[ -z $dev || ${WERROR:-1} == 0 ]] || dev+=' -Werror'
if make --question "$PWD/modules/xhprof.la" "$PWD/modules/libxhprof_malloc.so" "$PWD/modules/xhprof-inspect" >/dev/null 2>&1; then
  echo "extension/modules/xhprof.so is up to date"
  exit 0
fi
stage make "Compiling the extension" make --silent --jobs="$(nproc)" \
  LIBTOOL="$root/tools/compile.sh \$(SHELL) \$(top_builddir)/libtool --silent" XHPROF_DEV_CFLAGS="$dev" all
echo "Built extension/modules/xhprof.so for PHP $("$php_config" --version)"
