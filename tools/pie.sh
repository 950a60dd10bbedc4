#!/usr/bin/env bash
# pie.sh: makes in build/release the archive that PIE downloads for the PHP that is built for: xhprof.so, and what PIE leaves in it,
# libxhprof_malloc.so and xhprof-inspect. Its name says what it runs on; a release has one for each such PHP.
set -euo pipefail
. "$(dirname "$0")/env.sh"
. "$(dirname "$0")/archive.sh"
find_php
version=$(<"$root/extension/VERSION")
out=$root/build/release
cd "$root"
tools/build.sh
name=$(archive_name "$PHP_V" "$(uname -m | sed 's/aarch64/arm64/')" "$({ ldd --version 2>&1 || true; } | grep -qi musl && echo musl || echo glibc)" \
  "$("$PHP" -n -r 'echo PHP_ZTS ? "zts" : "nts";')" "$("$PHP" -n -r 'echo PHP_DEBUG ? "debug" : "";')")
[[ $("$PHP" -n -d extension="$root/extension/modules/xhprof.so" -r 'echo phpversion("xhprof");') == "$version" ]]
archive_pack "$out/$name" extension/modules strip
archive_check "$out/$name"
echo "Wrote build/release/$name"
