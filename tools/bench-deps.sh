#!/usr/bin/env bash
# bench-deps.sh: unpacks the other profilers and the programs that the benchmark needs from Debian in build/bench/debian, without
# installing them; WordPress and MediaWiki are those of tools/frameworks.sh. Reports those that are not available; the benchmark skips them.
set -euo pipefail
. "$(dirname "$0")/env.sh"
find_php
out=$root/build/bench/debian
mkdir -p "$out"
exec 9>"$root/build/bench/.deps-lock"
flock 9
extensions=$("$php_config" --extension-dir)
"$root/tools/frameworks.sh" debian

# missing FILE NAME...: marks one of the packages NAME to be unpacked when FILE does not exist.
packages=()
missing() {
  local file=$1
  shift
  [[ -e $out/$file ]] || packages+=("$*:$file")
}
[[ -e $extensions/tideways_xhprof.so ]] || missing "$extensions/tideways_xhprof.so" "php$PHP_V-tideways"
[[ -e $extensions/xdebug.so ]] || missing "$extensions/xdebug.so" "php$PHP_V-xdebug"
[[ -e $extensions/excimer.so ]] || missing "$extensions/excimer.so" "php$PHP_V-excimer" php-excimer
[[ -e /usr/bin/php-cgi$PHP_V ]] || missing "usr/bin/php-cgi$PHP_V" "php$PHP_V-cgi"
missing usr/share/php/League/CommonMark/autoload.php php-league-commonmark
missing usr/share/php/League/Config/autoload.php php-league-config
missing usr/share/php/Dflydev/DotAccessData/autoload.php php-dflydev-dot-access-data
missing usr/share/php/Nette/Schema/autoload.php php-nette-schema
missing usr/share/php/Nette/Utils/autoload.php php-nette-utils
missing usr/share/php/Psr/EventDispatcher/autoload.php php-psr-event-dispatcher
missing usr/share/php/Symfony/Contracts/Deprecation/autoload.php php-symfony-deprecation-contracts
[[ ${#packages[@]} -gt 0 ]] || exit 0
if ! have apt-get dpkg-deb; then
  echo "apt-get is not available; the benchmark runs without ${packages[*]%%:*}"
  exit 0
fi

# download NAME...: unpacks the first that is available.
download() {
  local package
  rm -rf "$out/download"
  mkdir "$out/download"
  cd "$out/download"
  for package in "$@"; do
    apt_download "$package" || continue
    dpkg-deb -x ./*.deb "$out" || return 1
    # Debian 13 has absolute paths, which are wrong for an unpacked package; the benchmark sets the include path.
    find "$out/usr/share/php" -name autoload.php -exec sed -i "s#'/usr/share/php/#'#" {} +
    note_version "$out/versions" ./*.deb
    return 0
  done
  return 1
}

# download_all: leaves the packages still missing in "packages", and fails when there are any.
download_all() {
  local entry failed=()
  for entry in "${packages[@]}"; do
    # shellcheck disable=SC2086 # names are words
    if ! (download ${entry%%:*}) || [[ ! -e $out/${entry#*:} ]]; then
      failed+=("$entry")
    fi
  done
  rm -rf "$out/download"
  packages=("${failed[@]}")
  [[ ${#packages[@]} -eq 0 ]]
}

# What is missing is named below, so that is no failure.
fetch() { with_new_lists download_all || true; }

mkdir -p "$out/usr/share/php"
stage bench-deps "Unpacking other profilers and a library in build/bench/debian" fetch
if [[ ${#packages[@]} -gt 0 ]]; then
  echo "Not available, the benchmark runs without: ${packages[*]%%:*} (build/log/bench-deps.log)"
fi
