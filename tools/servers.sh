#!/usr/bin/env bash
# servers.sh: the web servers that tests/server and the benchmark start: build/servers/nginx, build/servers/php-fpm and
# build/servers/apache2 with its modules in build/servers/apache2-modules.
# Uses installed servers. Missing ones are only unpacked from Debian's packages, in build/servers/packages: no service starts with
# the machine, and root is not needed. Without them the tests report it and skip.
set -euo pipefail
. "$(dirname "$0")/env.sh"
find_php
out=$root/build/servers
mkdir -p "$out"
exec 9>"$out/.lock"
flock 9

# starts PROGRAM OPTION: whether it starts, with the libraries that were unpacked beside it.
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
# PHP-FPM has to be of the PHP that the extension is built for.
fpm=php-fpm$PHP_V
provide nginx nginx -v nginx || echo "No nginx: the tests that need it skip"
# Extensions that the command line's package does not contain.
provide php-fpm "$fpm" -v "php$PHP_V-fpm" libapparmor1 || echo "No $fpm: the tests that need it skip"

# Apache with PHP as its module.
modules() {
  local folder
  rm -f "$out/apache2-modules"
  for folder in /usr/lib/apache2/modules "$out/packages/usr/lib/apache2/modules"; do
    if [[ -e $folder/libphp$PHP_V.so && -e $folder/mod_mpm_prefork.so ]]; then
      ln -sfn "$folder" "$out/apache2-modules"
      return 0
    fi
  done
  return 1
}
apache_packages=(apache2-bin "libapache2-mod-php$PHP_V" libapr1 libaprutil1)
if ! { find_server apache2 apache2 -v && modules; } && command -v apt-get >/dev/null; then
  stage servers-apache2 "Unpacking apache2 for the tests in build/servers" download "${apache_packages[@]}" || true
fi
{ find_server apache2 apache2 -v && modules; } || echo "No apache2 with libphp$PHP_V.so: the tests that need it skip"
libraries >"$out/libraries" || true
