#!/usr/bin/env bash
# pie.sh: makes in build/release the archive that PIE downloads for the PHP that is built for: xhprof.so, and what PIE leaves in it,
# libxhprof_malloc.so and xhprof-inspect. Its name says what it runs on; a release has one for each such PHP.
set -euo pipefail
. "$(dirname "$0")/env.sh"
find_php
version=$(<"$root/extension/VERSION")
out=$root/build/release
cd "$root"
tools/build.sh
# php/pie, src/Platform/PrePackagedBinaryAssetName.php
name=$("$PHP" -n -r 'echo strtolower(sprintf("php_xhprof-%s_php%d.%d-%s-%s-%s%s%s.zip", $argv[1], PHP_MAJOR_VERSION, PHP_MINOR_VERSION,
  php_uname("m"), PHP_OS_FAMILY, $argv[2], PHP_DEBUG ? "-debug" : "", PHP_ZTS ? "-zts" : ""));' "$version" \
  "$({ ldd --version 2>&1 || true; } | grep -qi musl && echo musl || echo glibc)")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp extension/modules/{xhprof.so,libxhprof_malloc.so,xhprof-inspect} LICENSE "$scratch/"
strip --strip-unneeded "$scratch"/*.so "$scratch/xhprof-inspect"
[[ $("$PHP" -n -d "extension=$scratch/xhprof.so" -r 'echo phpversion("xhprof");') == "$version" ]]
mkdir -p "$out"
rm -f "$out/$name"
(cd "$scratch" && zip -q -X "$out/$name" ./*)
echo "Wrote build/release/$name"
