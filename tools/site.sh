#!/usr/bin/env bash
# site.sh: makes the site of the documentation in build/site. Its live demo is of the shop of demo/shop, which is built, visited and
# exported here.
#   DEMO=0   without the live demo: needs no compiler and no extension
set -euo pipefail
. "$(dirname "$0")/env.sh"
find_php
cd "$root"
export XDEBUG_MODE=off
options=()
if [[ ${DEMO:-1} == 0 ]]; then
  echo "DEMO=0: the site is made without the live demo"
else
  tools/build.sh || {
    echo "The live demo needs the extension. Without it: make site DEMO=0" >&2
    exit 1
  }
  runs=$(mktemp -d)
  trap 'rm -rf "$runs"' EXIT
  "$PHP" demo/shop/visit.php --no-databases "$runs"
  options+=("--runs=$runs")
fi
"$PHP" tools/site/site.php "${options[@]}" build/site
