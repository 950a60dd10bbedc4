#!/usr/bin/env bash
# memory.sh leaks|heap: the .phpt files with the PHP of `php-built.sh asan`.
#   leaks   with PHP's heap, whose debug build tells of what a request leaves; and what the process leaves of the extension's own
#   heap    with the system's heap instead, so that every single block is watched for what is read or written outside of it, or
#           after its end. Only that counts there: figures of PHP's heap, which some tests look at, are 0, and a request that
#           ended in a fatal error leaves blocks of the engine.
set -euo pipefail
. "$(dirname "$0")/env.sh"
find_php
mode=$1
out=$root/build/php-asan
reports=$root/build/log/memory-$mode
rm -rf "$reports" "$reports.results"
mkdir -p "$reports"
# Some tests give root away, and the way to the project may be root's alone.
written=$(mktemp -d "${TMPDIR:-/tmp}/xhprof-memory.XXXXXX")
chmod 1777 "$written"
again=$(mktemp "${TMPDIR:-/tmp}/xhprof-memory.XXXXXX")
differences=$(mktemp "${TMPDIR:-/tmp}/xhprof-memory.XXXXXX")
trap 'rm -rf "$written" "$again" "$differences"' EXIT
cd "$root"
# exitcode=0: leaks of the engine, whose fatal errors and forks leave some, do not change how a process ends.
if [[ $mode == leaks ]]; then
  export ASAN_OPTIONS="detect_leaks=1:exitcode=0:log_path=$written/report"
else
  # Without PHP's heap there is no memory_limit: the tests that run into theirs end here, which is not counted. The others need less.
  export ASAN_OPTIONS="detect_leaks=0:hard_rss_limit_mb=1200:log_path=$written/report" USE_ZEND_ALLOC=0
fi
# A dl()'ed library that is gone when the leaks are told would leave them without names.
export ZEND_DONT_UNLOAD_MODULES=1
run_tests=(env TEST_PHP_EXECUTABLE="$out/php/bin/php" NO_INTERACTION=1 "$PHP" -n extension/run-tests.php -n -q "-j$(nproc)"
  --no-progress --no-color --show-diff --set-timeout 300 -W "$reports.results" -d "extension=$out/extension/modules/xhprof.so" extension/tests)
# A failed test changes its exit code; what counts is in the results.
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

# The blocks of a report that the extension asked for: not those which the engine does below a hook that only passes on, nor
# the names of functions, which the engine leaves of every extension where a process ends at once.
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
# Last, where they are read: a failed suite prints the end of its output.
[[ $mode == heap ]] || tail -n 60 "$differences"
run=$(grep -c . "$reports.results" || true)
files=$(find extension/tests -name '*.phpt' | wc -l)
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
