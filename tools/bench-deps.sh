#!/usr/bin/env bash
# bench-deps.sh: the other profilers and the program that the benchmark wants from Debian, unpacked in build/bench/debian,
# not installed. What cannot be had is named, and the benchmark skips it.
set -euo pipefail
. "$(dirname "$0")/env.sh"
find_php
out=$root/build/bench/debian
mkdir -p "$out"
exec 9>"$root/build/bench/.deps-lock"
flock 9
extensions=$("$php_config" --extension-dir)

# package NAME FILE: NAME is unpacked when FILE is not there.
packages=()
missing() {
  [[ -e $out/$2 ]] || packages+=("$1")
}
[[ -e $extensions/tideways_xhprof.so ]] || missing "php$PHP_V-tideways" "$extensions/tideways_xhprof.so"
[[ -e $extensions/xdebug.so ]] || missing "php$PHP_V-xdebug" "$extensions/xdebug.so"
[[ -e $extensions/excimer.so ]] || missing php-excimer "$extensions/excimer.so"
missing php-league-commonmark usr/share/php/League/CommonMark/autoload.php
missing php-league-config usr/share/php/League/Config/autoload.php
missing php-dflydev-dot-access-data usr/share/php/Dflydev/DotAccessData/autoload.php
missing php-nette-schema usr/share/php/Nette/Schema/autoload.php
missing php-nette-utils usr/share/php/Nette/Utils/autoload.php
missing php-psr-event-dispatcher usr/share/php/Psr/EventDispatcher/autoload.php
missing php-symfony-deprecation-contracts usr/share/php/Symfony/Contracts/Deprecation/autoload.php
[[ ${#packages[@]} -gt 0 ]] || exit 0
if ! command -v apt-get >/dev/null || ! command -v dpkg-deb >/dev/null; then
  echo "No apt-get here: the benchmark goes without ${packages[*]}"
  exit 0
fi

options=(-q)
[[ $(id -u) -ne 0 ]] || options+=(-o APT::Sandbox::User=root)
download() {
  local package=$1
  rm -rf "$out/download"
  mkdir "$out/download"
  cd "$out/download"
  apt-get "${options[@]}" download "$package"
  dpkg-deb -x ./*.deb "$out"
  sed -i "/^$package=/d" "$out/versions"
  echo "$package=$(dpkg-deb -f ./*.deb Version)" >>"$out/versions"
}
download_all() {
  local package
  failed=()
  for package in "${packages[@]}"; do
    # In a shell of its own: errexit is off inside a condition.
    if ! bash -euo pipefail -c "$(declare -f download); $(declare -p options out); download \"\$1\"" download "$package"; then
      failed+=("$package")
    fi
  done
  rm -rf "$out/download"
}
fetch() {
  download_all
  if [[ ${#failed[@]} -gt 0 && $(id -u) -eq 0 ]]; then
    # The lists of packages may be old, or not be there.
    apt-get -q -o DPkg::Lock::Timeout=300 update || return 0
    packages=("${failed[@]}")
    download_all
  fi
}

touch "$out/versions"
failed=()
stage bench-deps "Unpacking ${packages[*]} in build/bench/debian" fetch
[[ ${#failed[@]} -eq 0 ]] || echo "Not to be had here, the benchmark goes without: ${failed[*]} (build/log/bench-deps.log)"
