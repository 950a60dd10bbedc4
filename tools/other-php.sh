#!/usr/bin/env bash
# debian13.sh: the tests, with PHP 8.4 in a Debian 13 of its own, build/debian13, made by debootstrap (see room.sh). Needs root and
# debootstrap: exit code 77 without.
#   SUITES   of make check (default: those that need only PHP; with JIT functions are found by a walk there)
set -euo pipefail
. "$(dirname "$0")/env.sh"
. "$(dirname "$0")/room.sh"
suite=trixie
folder=$root/build/debian13
packages=(ca-certificates git gcc make pkg-config uuid-dev unzip xz-utils php8.4-cli php8.4-dev php8.4-xml php8.4-mbstring
  php8.4-curl php8.4-sqlite3 php-pear)
[[ $(id -u) -eq 0 ]] || skip "making a Debian 13 in build/debian13 needs root"
command -v debootstrap >/dev/null || skip "no debootstrap; on Debian: apt-get install debootstrap"
exec 9>"$root/build/.debian13-lock"
flock 9

bootstrap() { debootstrap --variant=minbase "$suite" "$folder.new" "$(room_mirror)"; }
key=$(echo "$suite ${packages[*]}" | digest)
if [[ ! -e $folder/.key || $(<"$folder/.key") != "$key" ]]; then
  rm -rf --one-file-system "$folder" "$folder.new"
  stage debian13 "Making a Debian 13 in build/debian13" bootstrap || skip "debootstrap does not work here: see build/log/debian13.log"
  room_devices "$folder.new" || skip "no device files can be made here"
  stage debian13-packages "Installing PHP 8.4 in it" room_packages "$folder.new" "${packages[@]}" ||
    skip "no packages: see build/log/debian13-packages.log"
  echo "$key" >"$folder.new/.key"
  mv "$folder.new" "$folder"
fi
room_copy "$folder"
export SUITES=${SUITES:-build unit preload phpt phpt-jit phpunit-lib phpunit-bin servers}
room_check "$folder" "tools/servers.sh &&"
