#!/usr/bin/env bash
# demo.sh: profiles benchmarks/demo/reformat.php, keeps the run in build/demo/ and serves its pages until Ctrl-C.
#   SERVE=0     ends after the profile       PORT=8080   serves there instead of on the first free port from 8000
set -euo pipefail
. "$(dirname "$0")/env.sh"
find_php
cd "$root"
# Xdebug would distort the figures.
export XDEBUG_MODE=off
runs=build/demo
mkdir -p "$runs"

echo
echo "\$ bin/xhprof run --output-dir=$runs -- benchmarks/demo/reformat.php"
"$PHP" bin/xhprof run --output-dir="$runs" -- benchmarks/demo/reformat.php
echo
if [[ ${SERVE:-1} == 0 ]]; then
  echo "Without SERVE=0, make demo also serves the pages."
  exit 0
fi
exec "$PHP" bin/xhprof serve --output-dir="$runs" ${PORT:+--port="$PORT"}
