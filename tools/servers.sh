#!/usr/bin/env bash
# servers.sh: the web servers that tests/server and the benchmark start: build/servers/nginx and build/servers/php-fpm.
# What is installed is used. What is not is no reason to have a service start with the machine: Debian's packages are only
# unpacked, in build/servers/packages, which needs no root either. Without them the tests say so and skip.
set -euo pipefail
. "$(dirname "$0")/env.sh"
find_php
out=$root/build/servers
mkdir -p "$out"
exec 9>"$out/.lock"
flock 9

# starts PROGRAM OPTION: with the libraries that were unpacked beside it.
starts() { [[ -x $1 ]] && LD_LIBRARY_PATH=$(libraries) "$1" "$2" >/dev/null 2>&1; }
libraries() { find "$out/packages" -name '*.so.*' -printf '%h\n' 2>/dev/null | sort -u | paste -s -d : -; }
download() {
  mkdir -p "$out/packages"
  cd "$out/packages"
  rm -f ./*.deb
  local apt=(apt-get -q)
  [[ $(id -u) -ne 0 ]] || apt+=(-o APT::Sandbox::User=root)
  "${apt[@]}" download "$@" || { [[ $(id -u) -eq 0 ]] && "${apt[@]}" update && "${apt[@]}" download "$@"; }
  local package
  for package in ./*.deb; do
    dpkg -x "$package" .
  done
  rm -f ./*.deb
}
# find NAME PROGRAM OPTION PACKAGE...
find_server() {
  local name=$1 program=$2 option=$3 candidate
  shift 3
  for candidate in "$(command -v "$program" || true)" "/usr/sbin/$program" "$out/packages/usr/sbin/$program"; do
    if [[ -n $candidate ]] && starts "$candidate" "$option"; then
      ln -sfn "$candidate" "$out/$name"
      return 0
    fi
  done
  rm -f "$out/$name"
  return 1
}
provide() {
  find_server "$@" && return
  command -v apt-get >/dev/null || return
  stage "servers-$1" "Unpacking $1 for the tests in build/servers" download "${@:4}" || return
  find_server "$@"
}
# PHP has to be the one that the extension is built for.
fpm=php-fpm$PHP_V
provide nginx nginx -v nginx || echo "No nginx: the tests that need it skip"
# What the command line's package does not bring along.
provide php-fpm "$fpm" -v "php$PHP_V-fpm" libapparmor1 || echo "No $fpm: the tests that need it skip"
libraries >"$out/libraries" || true
