#!/usr/bin/env bash
# frameworks.sh: what tests/server/FrameworkRoutesTest.php runs beside the Composer packages of the project, in build/frameworks: vendor
# has those of tests/server/frameworks/composer.json, debian WordPress and MediaWiki of Debian's packages, which are only unpacked.
# What cannot be had is named; its tests skip. `frameworks.sh debian` unpacks only these two, which the benchmark serves too.
set -euo pipefail
. "$(dirname "$0")/env.sh"
find_php
out=$root/build/frameworks
source=$root/tests/server/frameworks
mkdir -p "$out/debian"
exec 9>"$out/.lock"
flock 9

key=$({ cat "$source/composer.json"; echo "$PHP_V"; } | digest)
composer_packages() {
  rm -rf "$out/vendor" "$out/.packages" "$out/composer.lock"
  cp "$source/composer.json" "$out"
  (cd "$out" && composer_command update --no-progress) && echo "$key" >"$out/.packages"
}
if [[ ${1-} != debian ]] && [[ ! -e $out/.packages || $(<"$out/.packages") != "$key" ]]; then
  stage frameworks-composer "Installing the Composer packages of tests/server/frameworks in build/frameworks" composer_packages || true
fi
[[ -e $out/.packages || ${1-} == debian ]] || echo "No Laravel by Composer: the test that needs it skips"

# Without translations, which are a third of it, and documentation. Of MediaWiki's extensions the benchmark needs two.
unpack() {
  dpkg-deb --fsys-tarfile "$1" | tar -x -C "$out/debian" --wildcards --exclude './usr/share/doc' --exclude './etc' --exclude './var' \
    --exclude './usr/share/mediawiki/LocalSettings.php' --exclude './usr/share/mediawiki/extensions' \
    --exclude './usr/share/mediawiki/extensions-core/[ABD-OQ-Z]*' --exclude '*/i18n/[a-df-z]*.json'
}
download() {
  local apt=(apt-get -q) package
  [[ $(id -u) -ne 0 ]] || apt+=(-o APT::Sandbox::User=root)
  rm -rf "$out/download"
  mkdir "$out/download"
  cd "$out/download"
  "${apt[@]}" download "$@" || { [[ $(id -u) -eq 0 ]] && "${apt[@]}" update && "${apt[@]}" download "$@"; } || return
  for package in ./*.deb; do
    unpack "$package" || return
    dpkg-deb --show --showformat '${Package}=${Version}\n' "$package"
  done >"$out/versions" || return
  rm -rf "$out/download"
}
# wants FILE PACKAGE...: what is unpacked has the file, and was unpacked as a whole.
wanted=()
wants() { [[ -e $out/debian/$1 && -e $out/.unpacked ]] || wanted+=("${@:2}"); }
wants usr/share/wordpress/wp-settings.php wordpress wordpress-theme-twentytwentythree
wants usr/share/mediawiki/extensions-core/Cite/extension.json mediawiki mediawiki-classes
if ((${#wanted[@]})) && command -v apt-get dpkg-deb >/dev/null; then
  rm -f "$out/.unpacked"
  if stage frameworks-debian "Unpacking ${wanted[*]} in build/frameworks" download "${wanted[@]}"; then
    touch "$out/.unpacked"
  fi
fi
for name in wordpress mediawiki; do
  [[ -e $out/.unpacked && -e $out/debian/usr/share/$name/index.php ]] || echo "No $name of Debian: the test that needs it skips"
done
