#!/usr/bin/env bash
# memory.sh: the .phpt files with the PHP of `php-built.sh asan` and with the system's heap instead of PHP's, so that every block
# is watched: what was read or written outside of it or after its end, and what nobody freed. Only the reports count: figures of
# PHP's heap, which some tests look at, are all 0 here.
set -euo pipefail
. "$(dirname "$0")/env.sh"
find_php
out=$root/build/php-asan
reports=$root/build/log/memory
rm -rf "$reports" "$reports.results"
mkdir -p "$reports"
cd "$root"
# A dl()'ed library that is gone when the leaks are told would leave them without names.
env USE_ZEND_ALLOC=0 ZEND_DONT_UNLOAD_MODULES=1 ASAN_OPTIONS="detect_leaks=1:log_path=$reports/report" \
  TEST_PHP_EXECUTABLE="$out/php/bin/php" NO_INTERACTION=1 \
  "$PHP" -n extension/run-tests.php -n -q --no-progress --no-color -j"$(nproc)" --set-timeout 300 -W "$reports.results" \
  -d "extension_dir=$("$out/php/bin/php-config" --extension-dir)" -d "extension=$out/extension/modules/xhprof.so" \
  extension/tests 2>&1 | grep --line-buffered -oE '^(PASS|FAIL|SKIP)' | sed -u 's/SKIP/S/; s/PASS\|FAIL/./' || true
failed=0
shopt -s nullglob
for report in "$reports"/report*; do
  failed=$((failed + 1))
  echo "FAIL ${report#"$root/"}: $(grep -m 1 -E 'ERROR|SUMMARY' "$report" || head -n 1 "$report")"
done
run=$(grep -c . "$reports.results" || true)
skipped=$(grep -c '^SKIPPED' "$reports.results" || true)
echo "$((run - skipped)) passed, $failed failed, $skipped skipped"
[[ $failed -eq 0 ]]
