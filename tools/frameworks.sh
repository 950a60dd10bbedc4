#!/usr/bin/env bash
# frameworks.sh: what tests/server/FrameworkRoutesTest.php and tests/bridge run beside the Composer packages of the project, in
# build/frameworks: vendor has those of tests/server/frameworks/composer.json, debugbar/vendor the PHP Debug Bar, debian WordPress and
# MediaWiki of Debian's packages, which are only unpacked. What cannot be had is named; its tests skip. `frameworks.sh debian` unpacks
# only these two, which the benchmark serves too, and `frameworks.sh composer` installs only the former, of which make soak has its
# server of fibers.
set -euo pipefail
. "$(dirname "$0")/env.sh"
find_php
out=$root/build/frameworks
source=$root/tests/server/frameworks
mkdir -p "$out/debian"
exec 9>"$out/.lock"
flock 9

# composer_packages FOLDER: those of its composer.json, in the same folder of build/frameworks.
composer_packages() {
  mkdir -p "$out/$1"
  rm -rf "$out/$1/vendor" "$out/$1/composer.lock"
  cp "$source/$1/composer.json" "$out/$1"
  (cd "$out/$1" && composer_command update --no-progress)
}
if [[ ${1-} != debian ]]; then
  once frameworks-composer "$({ cat "$source/composer.json"; echo "$PHP_V"; } | digest)" "$out/vendor/autoload.php" \
    "Installing the Composer packages of tests/server/frameworks in build/frameworks" composer_packages . ||
    echo "No Laravel by Composer: the test that needs it skips"
  once frameworks-debugbar "$({ cat "$source/debugbar/composer.json"; echo "$PHP_V"; } | digest)" "$out/debugbar/vendor/autoload.php" \
    "Installing the PHP Debug Bar in build/frameworks/debugbar" composer_packages debugbar ||
    echo "No PHP Debug Bar by Composer: the test that needs it skips"
fi

[[ ${1-} != composer ]] || exit 0

# Without translations, which are a third of it, and documentation. Of MediaWiki's extensions the benchmark needs two.
unpack() {
  dpkg-deb --fsys-tarfile "$1" | tar -x -C "$out/debian" --wildcards --exclude './usr/share/doc' --exclude './etc' --exclude './var' \
    --exclude './usr/share/mediawiki/LocalSettings.php' --exclude './usr/share/mediawiki/extensions' \
    --exclude './usr/share/mediawiki/extensions-core/[ABD-OQ-Z]*' --exclude '*/i18n/[a-df-z]*.json'
}
download() {
  local package
  rm -rf "$out/download"
  mkdir "$out/download"
  (cd "$out/download" && with_new_lists apt_download "$@") || return
  for package in "$out"/download/*.deb; do
    unpack "$package" && note_version "$out/versions" "$package" || return
  done
  rm -rf "$out/download"
}
# application NAME FILE PACKAGE...: its packages, of which one has the file in the application's folder.
application() {
  local name=$1 file=$out/debian/usr/share/$1/$2
  shift 2
  { have apt-get dpkg-deb || [[ -e $file ]]; } &&
    once "frameworks-$name" "$*" "$file" "Unpacking $* in build/frameworks" download "$@" ||
    echo "No $name of Debian: the test that needs it skips"
}
application wordpress wp-settings.php wordpress wordpress-theme-twentytwentythree
application mediawiki extensions-core/Cite/extension.json mediawiki mediawiki-classes
