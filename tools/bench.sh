#!/usr/bin/env bash
# bench.sh [OPTION...]: what `make bench` measures, when all is built and fetched: benchmarks/run.php with these options, then
# whether corrected times are near the true ones, and what fibers cost. All run, whatever the first finds; what failed is named at the
# end.
#   PEER_SO   more builds to measure: name=path,...
set -euo pipefail
. "$(dirname "$0")/env.sh"
find_php
cd "$root"
failed=()
# measure WHAT COMMAND...
measure() {
  local what=$1 status=0
  shift
  "$@" || status=$?
  [[ $status -ne 2 ]] || exit 2 # a wrong option
  [[ $status -eq 0 ]] || failed+=("$what (exit code $status)")
}
# Its exit code 1 says that times are not as they should be.
judging_nothing() {
  local status=0
  "$@" || status=$?
  [[ $status -eq 1 ]] || return "$status"
}
mkdir -p build/bench
measure "the costs, by benchmarks/run.php" "$PHP" benchmarks/run.php --json=build/bench/results.json "$@"
[[ " $* " != *" --help "* ]] || exit 0
corrected=("$PHP" -n -d extension="$root/extension/modules/xhprof.so" -d memory_limit=512M benchmarks/corrected.php)
echo
echo "Calls and the same work inlined: as they are, as profiled, as corrected"
if [[ " $* " == *" --quick "* ]]; then
  # Whether it works; so few calls show nothing.
  measure "benchmarks/corrected.php" judging_nothing "${corrected[@]}" 500 3
else
  measure "the corrected times, by benchmarks/corrected.php" "${corrected[@]}"
fi
echo
quick=()
[[ " $* " != *" --quick "* ]] || quick=(--quick)
measure "switches of fibers, by benchmarks/fibers.php" "$PHP" benchmarks/fibers.php "${quick[@]}"
[[ ${#failed[@]} -eq 0 ]] || { printf 'make bench: failed: %s\n' "${failed[@]}" >&2; exit 1; }
