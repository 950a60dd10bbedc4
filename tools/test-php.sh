#!/usr/bin/env bash
# test-php.sh: the PHP that the tests run with, whatever this machine has enabled.
#   build/php/conf.d   this PHP's conf.d without Xdebug and without an installed XHProf (use as PHP_INI_SCAN_DIR)
#   build/php/bin      `php` is this PHP (goes first in PATH)
#   build/php/ext      this PHP's shared extensions, and Xdebug for the tests which want it beside XHProf
# Xdebug is not installed for that: its package is unpacked in build/xdebug. Without it those tests skip.
set -euo pipefail
. "$(dirname "$0")/env.sh"
find_php
out=$root/build/php
rm -rf "$out"
mkdir -p "$out/bin" "$out/conf.d" "$out/ext"
ln -s "$PHP" "$out/bin/php"

scanned=$("$PHP" -r 'echo PHP_CONFIG_FILE_SCAN_DIR;')
for file in "$scanned"/*.ini; do
  case ${file##*/} in
    *xdebug* | *xhprof* | '*.ini') ;;
    *) ln -s "$file" "$out/conf.d/" ;;
  esac
done

installed=$("$php_config" --extension-dir)
for file in "$installed"/*.so; do
  case ${file##*/} in
    xhprof.so | '*.so') ;;
    *) ln -s "$file" "$out/ext/" ;;
  esac
done

download() {
  rm -rf "$root/build/xdebug"
  mkdir -p "$root/build/xdebug"
  cd "$root/build/xdebug"
  [[ $(id -u) -ne 0 ]] || set -- -o APT::Sandbox::User=root
  apt-get "$@" -q download "php$PHP_V-xdebug"
  dpkg -x ./*.deb .
}
if [[ ! -e $out/ext/xdebug.so ]]; then
  unpacked=$root/build/xdebug$installed/xdebug.so
  if [[ ! -e $unpacked ]] && command -v apt-get >/dev/null; then
    stage xdebug "Unpacking Xdebug for the tests in build/xdebug" download || true
  fi
  if [[ -e $unpacked ]]; then
    ln -s "$unpacked" "$out/ext/"
  else
    echo "No Xdebug for PHP $PHP_V: the tests that load it beside XHProf skip"
  fi
fi
