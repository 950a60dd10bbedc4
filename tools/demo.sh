#!/usr/bin/env bash
# demo.sh: profiles benchmarks/demo/demo.php, keeps the run in build/demo/ and serves its pages until Ctrl-C.
#   SERVE=0     ends after the profile       PORT=8080   serves there instead of on the first free port from 8000
set -euo pipefail
. "$(dirname "$0")/env.sh"
find_php
cd "$root"
# Xdebug would be in the figures.
export XDEBUG_MODE=off
runs=build/demo
mkdir -p "$runs"

echo
echo "\$ bin/xhprof run --cpu --memory --output-dir=$runs -- benchmarks/demo/demo.php"
"$PHP" bin/xhprof run --cpu --memory --output-dir="$runs" -- benchmarks/demo/demo.php
echo
if [[ ${SERVE:-1} == 0 ]]; then
  echo "To see the run in a browser: make demo, or bin/xhprof serve --output-dir=$runs"
  exit 0
fi
exec "$PHP" bin/xhprof serve --output-dir="$runs" ${PORT:+--port="$PORT"}
