#!/usr/bin/env bash
# other-php.sh 8.4|8.5|8.6: the tests, with that PHP in a Debian of its own, build/php-8.X, made by debootstrap (see room.sh).
# 8.4 is that of Debian 13. The others are in Debian's experimental, which goes on to newer versions: those below are tested, in
# a Debian unstable, and when they are gone there nothing is tested. Needs root and debootstrap. Exit code 77 where it cannot run.
#   SUITES       of make check; the engine's own tests are those of this PHP's source package
#   PHP_SOURCE   a folder with unpacked sources of a PHP, of another version too: its tests instead
#   MODES, PART, TESTS, JOBS, FRESH   as for tools/engine-all.php, of the suite engine-modes
set -euo pipefail
. "$(dirname "$0")/env.sh"
. "$(dirname "$0")/room.sh"
php=${1:-}
packages=(ca-certificates git gcc libc6-dev make unzip xz-utils)
extensions=(cli dev xml mbstring curl sqlite3)
# The library and the command line are PHP: make check tests them with the oldest one, and these with the newest; so it is with
# the C tests and the compiler. Where Debian has Xdebug and web servers for this PHP, the tests use them.
suites="build unit preload phpt phpt-jit phpunit-inspector phpunit-lib phpunit-bin"
case $php in
  8.4) release=trixie version='' suites="build preload phpt phpt-jit phpunit-inspector servers" ;;
  8.5) release=sid version=8.5.7-1 common=2:101 ;;
  8.6) release=sid version=8.6.0~rc3-1 common=2:102~ ;;
  *) sed -n 2,7p "$0" >&2; exit 2 ;;
esac
for extension in "${extensions[@]}"; do
  packages+=("php$php-$extension${version:+=$version}")
done
[[ -z $version ]] || packages+=("php-common=$common" "php$php-common=$version" "php$php-readline=$version")
folder=$root/build/php-$php
room_lock "php-$php"

bootstrap() { debootstrap --variant=minbase "$release" "$folder.new" "$(room_mirror)"; }

# Experimental as well. A mirror that is a copy may be older than its lists allow.
add_experimental() {
  echo "deb $(room_mirror) experimental main" >"$folder.new/etc/apt/sources.list.d/experimental.list"
  echo 'Acquire::Check-Valid-Until "false";' >"$folder.new/etc/apt/apt.conf.d/90-old-lists"
}

# The versions of this PHP that are on offer there now.
offered() { inside "$folder.new" apt-cache madison "php$php-cli" | awk '{ print $3 }' | sort -uV | paste -s -d ' '; }

key=$(echo "$release ${packages[*]}" | digest)
if [[ ! -e $folder/.key || $(<"$folder/.key") != "$key" ]]; then
  rm -rf --one-file-system "$folder" "$folder.new"
  stage "php-$php" "Making a Debian ($release) in build/php-$php" bootstrap ||
    skip "debootstrap does not work here: see build/log/php-$php.log"
  room_devices "$folder.new" || skip "no device files can be made here"
  [[ -z $version ]] || add_experimental
  if ! stage "php-$php-packages" "Installing PHP $php in it" room_packages "$folder.new" "${packages[@]}"; then
    offered=$(offered)
    if [[ -n $version && " $offered " != *" $version "* ]]; then
      skip "Debian's experimental does not have PHP $version any more (now: ${offered:-none}); set another version in tools/other-php.sh"
    fi
    skip "no packages: see build/log/php-$php-packages.log"
  fi
  echo "$key" >"$folder.new/.key"
  mv "$folder.new" "$folder"
fi
room_copy "$folder"
export SUITES=${SUITES:-$suites}
servers=
[[ " $SUITES " != *" servers "* ]] || servers="tools/servers.sh &&"
room_check "$folder" "$servers"
