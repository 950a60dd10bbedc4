#!/usr/bin/env bash
# musl.sh: the .phpt files, the C tests and those of the preloaded malloc, with a PHP that is built with the C library musl (see
# php-built.sh). Needs Debian's musl-tools: exit code 77 without.
set -euo pipefail
. "$(dirname "$0")/env.sh"
find_php
any_php=$PHP
cd "$root"
tools/php-built.sh musl
out=$root/build/php-musl
export CC=$out/cc PHP_CONFIG=$out/php/bin/php-config
failed=()
echo "# .phpt files"
TEST_PHP_EXECUTABLE=$out/php/bin/php NO_INTERACTION=1 REPORT_EXIT_STATUS=1 "$any_php" -n "$out/extension/run-tests.php" -n -q "-j$(nproc)" \
  --no-progress --no-color --show-diff --set-timeout 300 -d "extension=$out/extension/modules/xhprof.so" extension/tests || failed+=(phpt)
tools/unit.sh "$out/extension" || failed+=(unit)
tools/preload.sh "$out/extension/modules/libxhprof_malloc.so" || failed+=(preload)
[[ ${#failed[@]} -eq 0 ]] || { echo "Failed with musl: ${failed[*]}"; exit 1; }
