#!/usr/bin/env bash
# warnings.sh: compiles the files of package.xml, in build/warnings, with -Wall -Wextra -Werror and the internal assertions.
# A fresh copy each time: so it also checks that the package builds like any extension, with phpize, configure and make.
set -euo pipefail
. "$(dirname "$0")/../env.sh"
find_php
out=$root/build/warnings
rm -rf "$out"
mkdir -p "$out"
cd "$root"
"$PHP" tools/lint/package.php --list | xargs cp --parents -t "$out"
cd "$out/extension"
"$PHPIZE"
# As in build.sh: the shell scripts around the compiler take as long as the compiler does.
shell=$(command -v dash || command -v bash)
CFLAGS=-O2 CONFIG_SHELL=$shell "$shell" ./configure --with-php-config="$php_config" --enable-xhprof-dev
make --jobs="$(nproc)" LIBTOOL="$root/tools/compile.sh \$(SHELL) \$(top_builddir)/libtool --silent"
test -s modules/xhprof.so -a -s modules/libxhprof_malloc.so -a -x modules/xhprof-inspect
