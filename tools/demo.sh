#!/usr/bin/env bash
# demo.sh: profiles a program, keeps its runs in build/demo/ and serves their pages until Ctrl-C.
#   APP=shop    the small shop of demo/shop, with planted problems and the databases that can be had; without APP
#               benchmarks/demo/reformat.php
#   SERVE=0     ends after the profile       PORT=8080   serves there instead of on the first free port from 8000
set -euo pipefail
. "$(dirname "$0")/env.sh"
find_php
cd "$root"
# Xdebug would distort the figures.
export XDEBUG_MODE=off
runs=build/demo

reformat() {
  mkdir -p "$runs"
  echo
  echo "\$ bin/xhprof run --output-dir=$runs -- benchmarks/demo/reformat.php"
  "$PHP" bin/xhprof run --output-dir="$runs" -- benchmarks/demo/reformat.php
}

# ids OPTION...: the runs that `xhprof list` finds, the oldest first.
ids() {
  "$PHP" bin/xhprof list --output-dir="$runs" --reverse --json "$@" | "$PHP" -r '
    foreach (json_decode(stream_get_contents(STDIN), true)["runs"] as $run) { echo $run["id"], "\n"; }'
}

# Visits the shop, and prints what there is to find in each run.
shop() {
  local id
  runs=build/demo/shop
  rm -rf "$runs"
  mkdir -p "$runs"
  "$PHP" demo/shop/visit.php "$runs"
  echo
  echo "\$ for id in RUNS; do bin/xhprof report \$id --findings --output-dir=$runs; done"
  for id in $(ids); do
    "$PHP" bin/xhprof report "$id" --findings --output-dir="$runs"
    echo
  done
  id=$(ids --search=/checkout)
  echo "\$ bin/xhprof operations $id --output-dir=$runs"
  "$PHP" bin/xhprof operations "$id" --output-dir="$runs"
}

case ${APP:-} in
  '') reformat ;;
  shop) shop ;;
  *)
    echo "APP=$APP: there is only APP=shop; without APP a program of the command line is profiled." >&2
    exit 2
    ;;
esac
echo
if [[ ${SERVE:-1} == 0 ]]; then
  echo "Without SERVE=0, make demo also serves the pages."
  exit 0
fi
exec "$PHP" bin/xhprof serve --output-dir="$runs" ${PORT:+--port="$PORT"}
