#!/usr/bin/env bash
# threads.sh: runs build/php-zts/threads (see threads.c) with the extension built for it: with profiles that the script starts, and
# with profiles that settings start for every request. Output is TAP. A debug build reports blocks that a request leaks; any line
# that is not TAP counts as such a report.
#   XHPROF_SO   another build of the extension
set -euo pipefail
. "$(dirname "$0")/../env.sh"
find_php
out=$root/build/php-zts
extension=${XHPROF_SO:-$out/extension/modules/xhprof.so}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
worst=0

# threads NAME SCRIPT SETTING...: the requests run the script; their runs are in $folder/NAME.
threads() {
  local name=$1 script=$2 status=0
  shift 2
  mkdir "$folder/$name"
  printf '%s\n' "extension=$extension" "xhprof.output_dir=$folder/$name" error_reporting=-1 report_memleaks=1 "$@" >"$folder/php.ini"
  PHPRC=$folder PHP_INI_SCAN_DIR="" "$out/${program:-threads}" "$root/tools/zts/$script" "$folder" >"$folder/tap" 2>&1 || status=$?
  cat "$folder/tap"
  if [[ $status -ne 0 ]]; then
    printf '1..1\nnot ok 0 - %s\n' "$name: ended with exit code $status"
    worst=$status
  elif grep -qvE '^(ok|1\.\.)' "$folder/tap"; then
    printf '1..1\nnot ok 0 - %s\n' "$name: reports of the engine"
  fi
}
# automatic NAME SETTING...: the same for profiles that settings start, with a check of their runs. A process that ends within a
# window may leave its share of it to the first request of the next one.
automatic() {
  local name=$1
  shift
  threads "$name" automatic.inc xhprof.start_with_request=yes "$@"
  if [[ $name == aggregate ]]; then
    sleep 1.1
    PHPRC=$folder PHP_INI_SCAN_DIR="" "$out/php/bin/php" -r ""
  fi
  "$PHP" -n "$root/tools/zts/automatic.php" "$folder/$name" "$name" || worst=1
}

# workers NAME all|asked|sampled|aggregate SETTING...: the threads of workers.c, with a check of the runs of their requests.
workers() { served workers "$@"; }

# runtime: the same without spans of the script's own.
runtime() { served runtime "$@"; }

served() {
  local script=$1 name=$2 which=$3
  shift 3
  rm -f "$folder"/served.*
  program=workers threads "$name" "$script.inc" "$@"
  if [[ $which == aggregate ]]; then
    sleep 1.1
    PHPRC=$folder PHP_INI_SCAN_DIR="" "$out/php/bin/php" -r ""
  fi
  "$PHP" -n "$root/tools/zts/$script.php" "$folder" "$name" "$which" || worst=1
}

threads own requests.inc
automatic exact xhprof.mode=exact xhprof.flags=cpu,memory
automatic sample xhprof.mode=sample xhprof.sampling_interval=1000
automatic cpu-sample xhprof.mode=sample xhprof.sampling_interval=1000 xhprof.sampling_clock=cpu xhprof.sampling_lines=1
automatic aggregate xhprof.mode=aggregate xhprof.sampling_interval=1000 xhprof.flush_seconds=1
workers worker-exact all xhprof.start_with_request=yes xhprof.mode=exact
workers worker-sample sampled xhprof.start_with_request=yes xhprof.mode=sample xhprof.sampling_interval=1000
workers worker-trigger asked xhprof.start_with_request=trigger xhprof.trigger_value=open-sesame
workers worker-aggregate aggregate xhprof.start_with_request=yes xhprof.mode=aggregate xhprof.flush_seconds=1 xhprof.sampling_interval=1000 \
  xhprof.trigger_value=open-sesame
runtime runtime-exact all xhprof.start_with_request=yes xhprof.mode=exact
runtime runtime-trigger asked xhprof.start_with_request=trigger xhprof.trigger_value=open-sesame
runtime runtime-aggregate aggregate xhprof.start_with_request=yes xhprof.mode=aggregate xhprof.flush_seconds=1 xhprof.sampling_interval=1000 \
  xhprof.trigger_value=open-sesame
exit "$worst"
