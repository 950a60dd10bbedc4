#!/usr/bin/env bash
# deb.sh: builds the Debian packages of the release in build/release, into that folder: one of the extension for each PHP with
# phpize and phpquery here, and one of the command line and the pages. Needs build-essential, debhelper, dh-php and what
# debian/control.in names: exit code 77 without.
#   PHP_VERSIONS="8.2 8.4"   only for these
set -euo pipefail
. "$(dirname "$0")/env.sh"
missing() {
  echo "No Debian packages: they need $*"
  exit 77
}
for package in build-essential debhelper dh-php; do
  is_installed "$package" || missing build-essential, debhelper and dh-php
done
version=$(<"$root/extension/VERSION")
release=$root/build/release
out=$root/build/deb
versions=${PHP_VERSIONS:-$(phpquery -V)}
rm -rf "$out"
mkdir -p "$out"
cp "$release/xhprof-$version.tar.xz" "$out/xhprof_$version.orig.tar.xz"
tar -C "$out" -xf "$release/xhprof-$version.tar.xz"
source=$out/xhprof-$version
cp -R "$root/debian" "$source/"
cd "$source/debian"
depends=
for v in $versions; do
  depends+=", php$v-cli, php$v-dev"
  for file in alternatives postrm lintian-overrides; do
    sed "s/@V@/$v/g; s/@PRIORITY@/${v/./}/" "php-xhprof.$file.in" >"php$v-xhprof.$file"
  done
done
{
  sed "s/@BUILD_DEPENDS@/$depends/" control.in
  for v in $versions; do
    sed "s/@V@/$v/g" control.php.in
  done
} >control
rm ./*.in
cd ..
unmet=$(dpkg-checkbuilddeps 2>&1) || missing "${unmet##*: }"
[[ $(dpkg-parsechangelog -S Version) == "$version"-* ]] || { echo "debian/changelog is not of version $version" >&2; exit 1; }
stage deb "Building the Debian packages for PHP $(echo $versions)" dpkg-buildpackage -us -uc
mv "$out"/*.{deb,dsc,debian.tar.*,changes,buildinfo} "$out"/*.orig.tar.xz "$release/"
