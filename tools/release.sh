#!/usr/bin/env bash
# release.sh: makes in build/release what a release of extension/VERSION publishes, and checks each:
#   xhprof.phar                   the command line and the pages in one file
#   xhprof-VERSION.tar.xz         the sources, with what the command line and the pages need: nothing is fetched to install it
#   xhprof-VERSION.tgz            for PECL
#   php_xhprof-VERSION-src.tgz    the same for install-php-extensions of Docker's images
#   php_xhprof-VERSION_php….zip   for PIE, of the PHP that is built for
#   composer.json                 of the tag, from which PIE learns that there are such archives
#   xhprof-tools-VERSION.zip      the Composer package of the library, the command line and the pages; the folder
#                                 xhprof-tools-VERSION is what its own repository gets
#   xhprof-bridge-VERSION.zip     the Composer package for frameworks, and its folder
#   *.deb, *.dsc, …               Debian packages, where all is installed that builds them (see deb.sh)
#   ARCHIVES=folder               PIE's archives of other PHPs, made elsewhere, are taken from there
#   SHA256SUMS, SHA256SUMS.asc    the sums of all of these; signed where XHPROF_SIGN_KEY names a key (see sign.sh)
set -euo pipefail
. "$(dirname "$0")/env.sh"
find_php
version=$(<"$root/extension/VERSION")
out=$root/build/release
cd "$root"
[[ -d xhprof_html/assets/vendor ]] || { echo "a release has the assets of the pages: run make assets first" >&2; exit 1; }
tools/build.sh
tools/phar.sh
tools/runtime.sh share
rm -rf "$out"
mkdir -p "$out"
cp build/xhprof.phar "$out/"
[[ -z ${ARCHIVES:-} ]] || cp "$ARCHIVES"/php_xhprof-"$version"_*.zip "$out/"

# The library, the command line and the pages. Without a repository Composer takes the version from composer.json.
tools=xhprof-tools-$version
tools/composer-package.sh "$out/$tools"
sed -i "s|^    \"type\": \"library\",|    \"version\": \"$version\",\n&|" "$out/$tools/composer.json"
(cd "$out/$tools" && zip -q -X -r "../$tools.zip" .)

# The package for frameworks, likewise. In a folder with that of the tools, Composer finds both.
bridge=xhprof-bridge-$version
mkdir "$out/$bridge"
tracked bridge | tar --null --files-from=- -c | tar -C "$out/$bridge" --strip-components=1 --no-same-owner -x
cp LICENSE "$out/$bridge/"
sed -i "s|^    \"type\": \"library\",|    \"version\": \"$version\",\n&|" "$out/$bridge/composer.json"
(cd "$out/$bridge" && zip -q -X -r "../$bridge.zip" .)

# The sources. Debian adds its own debian/.
sources=$out/xhprof-$version
mkdir "$sources"
tracked . | grep -zvE '^(debian/|\.ci/|\.github/|xhprof_html/screenshots/)' | xargs -0 cp --parents -t "$sources"
cp -R --parents xhprof_html/assets/vendor "$sources"
cp -R build/runtime/vendor "$sources/vendor"
tools/package-xml.sh "$sources"
tar -C "$out" --sort=name --owner=0 --group=0 --numeric-owner -cJf "$sources.tar.xz" "xhprof-$version"

# PECL: package.xml names what is in it. The exit code of pecl is 0 whatever it finds.
if (cd "$sources" && pecl package) | grep -i error >&2; then
  exit 1
fi
mv "$sources/xhprof-$version.tgz" "$out/"
# The same for install-php-extensions and PIE, which want one folder with package.xml in it.
tar -C "$sources" -xzf "$out/xhprof-$version.tgz"
mv "$sources/package.xml" "$sources/xhprof-$version/"
tar -C "$sources" --sort=name --owner=0 --group=0 --numeric-owner -czf "$out/php_xhprof-$version-src.tgz" "xhprof-$version"
rm -rf "$sources"

tools/pie.sh
# PIE takes the first of these that there is. Composer before 2.9.5 (composer/composer#12727; Debian 13 has 2.8.8) refuses to
# work in a checkout whose composer.json has such a list.
sed 's|^\( *\)"build-path": .*|&\n\1"download-url-method": ["pre-packaged-binary", "composer-default"],|' composer.json >"$out/composer.json"
tools/deb.sh || [[ $? -eq 77 ]]
(cd "$out" && find . -maxdepth 1 -type f ! -name 'SHA256SUMS*' -printf '%P\n' | LC_ALL=C sort | xargs sha256sum >SHA256SUMS)
tools/sign.sh "$out/SHA256SUMS"
ls "$out"
