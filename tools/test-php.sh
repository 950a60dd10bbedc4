#!/usr/bin/env bash
# test-php.sh: sets up the PHP of the tests, independent of the extensions that this machine has enabled.
#   build/php/bin      `php` is this PHP (goes first in PATH)
#   build/php/conf.d   this PHP's conf.d without Xdebug and without an installed XHProf (use as PHP_INI_SCAN_DIR)
#   build/php/ext      this PHP's shared extensions, and Xdebug for the tests that need it beside XHProf
# Xdebug is not installed for that: its package is unpacked in build/xdebug. Without it those tests skip.
set -euo pipefail
. "$(dirname "$0")/env.sh"
find_php
mkdir -p "$root/build"
exec 9>"$root/build/.test-php-lock"
flock 9
out=$root/build/php
installed=$("$php_config" --extension-dir)
scanned=$("$PHP" -n -r 'echo PHP_CONFIG_FILE_SCAN_DIR;')

download() {
  rm -rf "$root/build/xdebug"
  mkdir -p "$root/build/xdebug"
  cd "$root/build/xdebug"
  apt_download "php$PHP_V-xdebug"
  dpkg -x ./*.deb .
}
xdebug=$installed/xdebug.so
if [[ ! -e $xdebug ]]; then
  xdebug=$root/build/xdebug$installed/xdebug.so
  if [[ ! -e $xdebug ]] && apt-cache show "php$PHP_V-xdebug" >/dev/null 2>&1; then
    stage xdebug "Unpacking Xdebug for the tests in build/xdebug" download || true
  fi
  if [[ ! -e $xdebug ]]; then
    echo "No Xdebug for PHP $PHP_V: the tests that load it beside XHProf skip"
    xdebug=
  fi
fi

shopt -s nullglob extglob
settings=("$scanned"/!(*xdebug*|*xhprof*).ini)
extensions=("$installed"/!(xdebug|xhprof).so $xdebug)
key=$(printf '%s\n' "$PHP" "${settings[@]}" "${extensions[@]}")
if [[ -e $out/key && $(<"$out/key") == "$key" ]]; then
  exit 0
fi
rm -rf "$out"
mkdir -p "$out/bin" "$out/conf.d" "$out/ext"
ln -s "$PHP" "$out/bin/php"
[[ ${#settings[@]} -eq 0 ]] || ln -s "${settings[@]}" "$out/conf.d/"
[[ ${#extensions[@]} -eq 0 ]] || ln -s "${extensions[@]}" "$out/ext/"
echo "$key" >"$out/key"
