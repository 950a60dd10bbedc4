#!/usr/bin/env bash
# arginfo.sh [--check]: makes extension/*_arginfo.h from the stubs with php-src's generator, which phpize provides.
# With --check nothing is written: every stub's checksum must be the one in its arginfo; and PHP 8.2, whose generator made the
# committed files, must generate the same text.
set -euo pipefail
. "$(dirname "$0")/env.sh"
find_php
cd "$root/extension"
reference=8.2
work=$root/build/arginfo
generator=build/gen_stub.php
[[ -e $generator ]] || "$root/tools/build.sh"

# The generator needs its parser beside it, and would download it; Debian's php-parser is that parser.
generate() {
  local version
  version=$(grep -oP '^\s*\$version = "\K[0-9.]+' "$generator" | head -n 1)
  rm -rf "$work"
  mkdir -p "$work/PHP-Parser-$version/lib"
  ln -s /usr/share/php/PhpParser "$work/PHP-Parser-$version/lib/PhpParser"
  cp "$generator" "$@" "$work/"
  "$PHP" -d error_reporting=E_ALL\&~E_DEPRECATED "$work/gen_stub.php" -f "${@/#/$work/}"
}

stubs=(*.stub.php)
if [[ ${1:-} != --check ]]; then
  generate "${stubs[@]}"
  cp "$work"/*_arginfo.h .
  exit 0
fi

status=0
for stub in "${stubs[@]}"; do
  header=${stub%.stub.php}_arginfo.h
  if ! grep -q "Stub hash: $(sha1sum "$stub" | cut -d ' ' -f 1)" "$header"; then
    echo "$header is not made from this $stub: run make arginfo"
    status=1
  fi
done
[[ $status -eq 0 && $PHP_V == "$reference" ]] || exit "$status"
generate "${stubs[@]}"
for stub in "${stubs[@]}"; do
  diff -u "${stub%.stub.php}_arginfo.h" "$work/${stub%.stub.php}_arginfo.h" || status=1
done
exit "$status"
