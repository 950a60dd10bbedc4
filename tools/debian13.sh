#!/usr/bin/env bash
# debian13.sh: the tests, with PHP 8.4 in a Debian 13 of its own, build/debian13, made by debootstrap. The working copies of the
# tracked files and the Composer packages are copied into it; no package list, mount or user of the machine changes.
# Needs root and debootstrap: exit code 77 without.
#   SUITES   of make check (default: those that need only PHP; with JIT functions are found by a walk there)
set -euo pipefail
. "$(dirname "$0")/env.sh"
suite=trixie
folder=$root/build/debian13
packages=ca-certificates,git,gcc,make,pkg-config,uuid-dev,unzip,xz-utils,php8.4-cli,php8.4-dev,php8.4-xml,php8.4-mbstring
packages+=,php8.4-curl,php8.4-sqlite3,php-pear
skip() {
  echo "skipped: $1"
  exit 77
}
[[ $(id -u) -eq 0 ]] || skip "making a Debian 13 in build/debian13 needs root"
command -v debootstrap >/dev/null || skip "no debootstrap; on Debian: apt-get install debootstrap"
exec 9>"$root/build/.debian13-lock"
flock 9

mirror=$({
  sed -n 's/^URIs:[[:space:]]*//p' /etc/apt/sources.list.d/*.sources
  sed -nE 's/^deb[[:space:]]+(\[[^]]*\][[:space:]]+)?([^[:space:]]+).*/\2/p' /etc/apt/sources.list /etc/apt/sources.list.d/*.list
} 2>/dev/null | tr ' ' '\n' | grep -E '/debian/?$' | head -n 1 || true)
mirror=${mirror:-http://deb.debian.org/debian}

bootstrap() { debootstrap --variant=minbase "$suite" "$folder.new" "$mirror"; }
# Uses the machine's network settings.
settings() {
  local file
  cp -L /etc/resolv.conf /etc/hosts "$1/etc/" 2>/dev/null || true
  for file in /etc/apt/apt.conf.d/*; do
    ! grep -qiE 'proxy|https::CA' "$file" || cp "$file" "$1/etc/apt/apt.conf.d/"
  done
}
inside() {
  env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 TERM="${TERM:-dumb}" \
    DEBIAN_FRONTEND=noninteractive chroot "$@"
}
install_packages() {
  settings "$folder.new"
  inside "$folder.new" apt-get -q -o Acquire::Retries=3 update
  # shellcheck disable=SC2086 # words
  inside "$folder.new" apt-get -y -q -o Acquire::Retries=3 install --no-install-recommends ${packages//,/ }
}
# Device files that the scripts of packages and the tests use, without a mount.
devices() {
  local device
  for device in null zero full random urandom tty; do
    [[ -c $1/dev/$device ]] || cp -a "/dev/$device" "$1/dev/" || return 1
  done
  ln -sfn /proc/self/fd "$1/dev/fd"
}
key=$(echo "$suite $packages" | digest)
if [[ ! -e $folder/.key || $(<"$folder/.key") != "$key" ]]; then
  rm -rf --one-file-system "$folder" "$folder.new"
  stage debian13 "Making a Debian 13 in build/debian13" bootstrap || skip "debootstrap does not work here: see build/log/debian13.log"
  devices "$folder.new" || skip "no device files can be made here"
  stage debian13-packages "Installing PHP 8.4 in it" install_packages || skip "no packages: see build/log/debian13-packages.log"
  echo "$key" >"$folder.new/.key"
  mv "$folder.new" "$folder"
fi

# Unchanged files keep their times, so that only changed ones are compiled again.
find_php
copy=$folder/src
mkdir -p "$copy"
if [[ -e $copy/.files ]]; then
  (cd "$copy" && xargs -0 rm -f <.files)
fi
(cd "$root" && git ls-files -z | while IFS= read -r -d '' file; do [[ ! -e $file ]] || printf '%s\0' "$file"; done) >"$copy/.files.new"
mv "$copy/.files.new" "$copy/.files"
tar -C "$root" --null --files-from="$copy/.files" -c | tar -C "$copy" --no-same-owner -x
if [[ -d $root/vendor ]]; then
  rm -rf "$copy/vendor"
  cp -r "$root/vendor" "$copy/vendor"
fi
rm -rf "$copy/.git"
inside "$folder" git init -q /src
inside "$folder" git -C /src add -A
inside "$folder" git -C /src -c user.name=check -c user.email=check@localhost commit -q -m copy

# Tests look at processes and open terminals. A private mount ends with the processes that see it. Where it is not allowed, the
# tests that need it fail or skip.
suites=${SUITES:-build unit preload phpt phpt-jit phpunit-lib phpunit-bin servers}
namespace=(unshare --mount --fork --)
export PRIVATE=yes
"${namespace[@]}" true 2>/dev/null || namespace=() PRIVATE=no
# shellcheck disable=SC2016,SC2086 # for the inner shell; words
exec "${namespace[@]}" bash -c '
  if [[ $PRIVATE == yes ]]; then
    mount -t proc proc "$0/proc" && mount -t devpts -o newinstance,ptmxmode=0666 devpts "$0/dev/pts" \
      && ln -sf pts/ptmx "$0/dev/ptmx" || echo "# /proc and /dev/pts cannot be mounted in the folder"
  fi
  exec env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 \
    chroot "$0" bash -c "cd /src && tools/build.sh && tools/test-php.sh && tools/servers.sh && \
      LANES=1 PHP_INI_SCAN_DIR=/src/build/php/conf.d exec tools/php.sh tools/check.php $*"' "$folder" $suites
