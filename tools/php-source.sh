#!/usr/bin/env bash
# php-source.sh [PACKAGE]: fetches a source package, by default that of the PHP under test, for its tests and for builds of it.
# Prints the folder it is unpacked in, build/php-source/VERSION, and its progress on stderr. Fetched once, from the Debian sources of
# this machine with "deb" read as "deb-src", in a private set of apt's folders: the machine is not changed, and root is not needed.
#   PHP_SOURCE           a folder with unpacked sources of a PHP, whose version may be another: prints it, and fetches nothing
#   PHP_SOURCE_VERSION   of PHP's package; default: the one that PHP was built from. Else it is the newest on offer
# Exit code 77 when it is unavailable here: no apt, no network, or no mirror offers it.
set -euo pipefail
. "$(dirname "$0")/env.sh"
if [[ $# -eq 0 && -n ${PHP_SOURCE:-} ]]; then
  [[ -e $PHP_SOURCE/run-tests.php ]] || { echo "PHP_SOURCE=$PHP_SOURCE: no run-tests.php is there" >&2; exit 1; }
  cd "$PHP_SOURCE" && pwd
  exit 0
fi
find_php
package=${1:-php$PHP_V}
if [[ $# -eq 0 ]]; then
  # Debian writes 8.6.0RC3 as 8.6.0~rc3, so that it is below 8.6.0.
  wanted=${PHP_SOURCE_VERSION:-} version=$("$PHP" -n -r 'echo PHP_VERSION;' | sed -E 's/(alpha|beta|RC)/~\L\1/')
else
  wanted='' version=$package
fi
apt=$root/build/apt
sources=$root/build/php-source
mkdir -p "$sources"
exec 9>"$sources/.lock"
flock 9

# The last one unpacked for it.
stamp=$sources/for-${wanted:-$version}
if [[ -e $stamp && -e $sources/$(<"$stamp")/configure ]]; then
  echo "$sources/$(<"$stamp")"
  exit 0
fi

unavailable() {
  echo "skipped: the source package $package is not available: $1" >&2
  exit 77
}
command -v apt-get >/dev/null || unavailable "no apt-get"

# The types of the sources differ from the machine's configuration; keys and mirrors are the same.
prepare_apt() {
  local file
  rm -rf "$apt/sources.list.d"
  mkdir -p "$apt/sources.list.d" "$apt/lists/partial" "$apt/cache/archives/partial"
  for file in /etc/apt/sources.list /etc/apt/sources.list.d/*; do
    case $file in
      *.sources) sed -E 's/^Types:.*/Types: deb-src/' "$file" ;;
      *.list) sed -nE 's/^[[:space:]]*deb[[:space:]]+/deb-src /p' "$file" ;;
      *) continue ;;
    esac >"$apt/sources.list.d/${file##*/}" 2>/dev/null || true
  done
}
options=(-q -o Dir::Etc::SourceList=/dev/null -o "Dir::Etc::SourceParts=$apt/sources.list.d" -o "Dir::State::Lists=$apt/lists"
  -o "Dir::Cache=$apt/cache" -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= -o Acquire::Retries=3 -o Acquire::http::Timeout=30
  -o Acquire::Languages=none -o APT::Update::Post-Invoke::= -o APT::Get::List-Cleanup=false)
[[ $(id -u) -ne 0 ]] || options+=(-o APT::Sandbox::User=root)
offered() { apt-cache "${options[@]}" showsrc --only-source "$package" 2>/dev/null | sed -n 's/^Version: //p' | sort -V; }

# A mirror that does not answer fails the update, and another may still offer the package.
echo "Reading the lists of source packages ..." >&2
prepare_apt
mkdir -p "$logs"
apt-get "${options[@]}" update >"$logs/php-source.log" 2>&1 </dev/null || true
all=$(offered)
if [[ -z $all ]]; then
  tail -n 5 "$logs/php-source.log" >&2
  unavailable "no network, or no mirror offers it"
fi
# The exact version first, then from the newest down: a list may still name a version that the mirror has dropped.
if [[ -n $wanted ]]; then
  candidates=$wanted
else
  candidates=$({ grep -E "^([0-9]+:)?${version//./\\.}([-+~]|\$)" <<<"$all" || true; sort -rV <<<"$all"; } | awk '!seen[$0]++')
fi

# fetch VERSION: its files in $new/package
fetch() {
  rm -rf "$new"
  mkdir -p "$new/package"
  cd "$new/package"
  apt-get "${options[@]}" source --download-only --only-source "$package=$1" >>"$logs/php-source.log" 2>&1 </dev/null
}
new=$sources/new
fetched=
for candidate in $candidates; do
  echo "Fetching the source package $package $candidate ..." >&2
  if fetch "$candidate"; then
    fetched=$candidate
    break
  fi
done
if [[ -z $fetched ]]; then
  tail -n 5 "$logs/php-source.log" >&2
  unavailable "it could not be fetched"
fi
cd "$new/package"
sed -n '/^Checksums-Sha256:/,/^[^ ]/s/^ \([0-9a-f]\{64\}\) [0-9]* \(.*\)$/\1  \2/p' ./*.dsc >SHA256SUMS
if ! grep -q '\.orig\.tar\.' SHA256SUMS || ! sha256sum --check --strict SHA256SUMS >>"$logs/php-source.log" 2>&1; then
  echo "The files of $package $fetched do not have the checksums of its .dsc; see build/log/php-source.log" >&2
  exit 1
fi
tarballs=(./*.orig.tar.?z*)
tar --extract --file "${tarballs[0]}" --directory "$new" --strip-components=1
cd "$sources"
rm -rf "$new/package" "${sources:?}/$fetched"
mv "$new" "$fetched"
echo "$fetched" >"$stamp"
echo "$sources/$fetched"
