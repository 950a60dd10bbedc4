#!/usr/bin/env bash
# package-xml.sh [FOLDER]: writes FOLDER/package.xml (default: the checkout's), from which `pecl package` makes PECL's archive and `pecl
# install package.xml` installs. It lists what is compiled, what documents its use, the library and the pages. A release has it; git
# does not.
set -euo pipefail
. "$(dirname "$0")/env.sh"
find_php
folder=$(realpath "${1:-$root}")
out=$folder/package.xml
cd "$root"
# The assets of others are not in git: make assets has put them there.
assets() (cd "$folder" && if [[ -d xhprof_html/assets/vendor ]]; then find xhprof_html/assets/vendor -type f -print0 | sort -z; fi)
{ tracked LICENSE extension inspect malloc xhprof_html xhprof_lib | grep -zv '^xhprof_html/screenshots/'; assets; } |
  "$PHP" tools/pecl/contents.php |
  sed -e "s/@VERSION@/$(<extension/VERSION)/; s/@DATE@/$(date -u +%F)/" \
    -e '/@CONTENTS@/{' -e 'r /dev/stdin' -e 'd' -e '}' tools/pecl/package.xml.in >"$out"
