#!/usr/bin/env bash
# bench-reference.sh: compiles benchmarks/reference/ and leaves build/bench/reference/modules/bench_reference.so.
#   PHP_CONFIG, CC, CFLAGS   as for tools/build.sh
set -euo pipefail
. "$(dirname "$0")/env.sh"
find_php
out=$root/build/bench/reference
mkdir -p "$root/build/bench"
exec 9>"$root/build/bench/.reference-lock"
flock 9
key=$({
  cat "$root"/benchmarks/reference/*
  echo "$php_config ${CC:-} ${CFLAGS:-}"
  "$php_config" --version --vernum --extension-dir --include-dir
} | digest)

compile() {
  rm -rf "$out"
  mkdir -p "$out"
  cp "$root"/benchmarks/reference/* "$out/"
  cd "$out"
  "$PHPIZE"
  ./configure --with-php-config="$php_config"
  make --silent LIBTOOL="\$(SHELL) \$(top_builddir)/libtool --silent"
}

if [[ -e $out/.key && $(<"$out/.key") == "$key" ]]; then
  exit 0
fi
stage bench-reference "Compiling the benchmark's reference extension" compile
echo "$key" >"$out/.key"
