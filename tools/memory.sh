#!/usr/bin/env bash
# memory.sh leaks|heap: the .phpt files with the PHP of `php-built.sh asan`.
#   leaks   with PHP's heap, whose debug build reports a request's leaks; also reports the extension's leaks of the process
#   heap    with the system's heap instead, so that every read or write outside of a block or after its end is found. Only that
#           counts there: figures of PHP's heap, which some tests look at, are 0, and a request that ended in a fatal error
#           leaves blocks of the engine.
#   PHPT    only the tests of these folders or files
set -euo pipefail
. "$(dirname "$0")/env.sh"
find_php
mode=$1
out=$root/build/php-asan
read -ra tests <<<"${PHPT:-extension/tests}"
reports=$root/build/log/memory-$mode
rm -rf "$reports" "$reports.results"
mkdir -p "$reports"
# Some tests drop root's rights, and only root may be able to enter the project's folder.
written=$(mktemp -d "${TMPDIR:-/tmp}/xhprof-memory.XXXXXX")
chmod 1777 "$written"
again=$(mktemp "${TMPDIR:-/tmp}/xhprof-memory.XXXXXX")
differences=$(mktemp "${TMPDIR:-/tmp}/xhprof-memory.XXXXXX")
trap 'rm -rf "$written" "$again" "$differences"' EXIT
cd "$root"
# exitcode=0: the engine's own leaks, after fatal errors and forks, do not change a process's exit code.
if [[ $mode == leaks ]]; then
  export ASAN_OPTIONS="detect_leaks=1:exitcode=0:log_path=$written/report"
else
  # Without PHP's heap there is no memory_limit: tests that exceed theirs end at this limit, which is not counted. Others need less.
  export ASAN_OPTIONS="detect_leaks=0:hard_rss_limit_mb=1200:log_path=$written/report" USE_ZEND_ALLOC=0
fi
# A dl()'ed library that is unloaded before the leak report would leave it without names.
export ZEND_DONT_UNLOAD_MODULES=1
run_tests=(env TEST_PHP_EXECUTABLE="$out/php/bin/php" NO_INTERACTION=1 "$PHP" -n extension/run-tests.php -n -q "-j$(nproc)"
  --no-progress --no-color --show-diff --set-timeout 300 -W "$reports.results" -d "extension=$out/extension/modules/xhprof.so" "${tests[@]}")
# A failed test changes the exit code; only the results count.
{ "${run_tests[@]}" 2>&1 || true; } | while IFS= read -r line; do
  case $line in
    PASS*) echo . ;;
    SKIP*) echo S ;;
    'WARN '*'Test passed on retry attempt)') echo "again: ${line#* }" | tee -a "$again" ;;
    [0-9][0-9][0-9][+-]\ *) echo "$line" >>"$differences" ;;
    'FAIL '* | 'LEAK'* | 'WARN '* | 'BORK'*) [[ $mode == heap ]] && echo . || echo "FAIL ${line#* }" ;;
  esac
done

find "$written" -type f -exec cp {} "$reports" \;

# Reported blocks that the extension allocated: not the engine's below a hook that only passes a call on, nor the names of
# functions, which the engine leaks for every extension where a process ends at once.
ours() {
  awk -v RS= '/ in zend_register_functions / { next } /^(Direct|Indirect) leak/ { n = split($0, lines, "\n"); for (i = 1; i <= n; i++)
    if (lines[i] ~ /php-asan\/extension\// && lines[i] !~ / wrapped_compile_/) { print $0 "\n"; break } }' "$1"
}
failed=0
shopt -s nullglob
for report in "$reports"/report*; do
  if grep -q 'ERROR: AddressSanitizer' "$report"; then
    what=$(grep -m 1 'ERROR: AddressSanitizer' "$report")
  else
    what=$(ours "$report" | grep -m 1 'leak of' || true)
  fi
  [[ -n $what ]] || continue
  what=${what%:}
  failed=$((failed + 1))
  echo "FAIL $what: ${report#"$root/"}"
done
# Printed last: a failed suite shows the end of its output.
[[ $mode == heap ]] || tail -n 60 "$differences"
run=$(grep -c . "$reports.results" || true)
files=$(find "${tests[@]}" -name '*.phpt' | wc -l)
if [[ $run -ne $files ]]; then
  failed=$((failed + 1))
  echo "FAIL $run of $files tests have a result: run-tests.php has ended before"
fi
skipped=$(grep -c '^SKIPPED' "$reports.results" || true)
passed=$((run - skipped))
if [[ $mode == leaks ]]; then
  bad=$(grep -cvE '^(PASSED|SKIPPED|XFAILED)' "$reports.results" || true)
  bad=$((bad - $(grep -c . "$again" || true)))
  passed=$((passed - bad))
  failed=$((failed + bad))
fi
echo "$passed passed, $failed failed, $skipped skipped"
[[ $failed -eq 0 ]]
