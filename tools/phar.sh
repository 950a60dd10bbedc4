#!/usr/bin/env bash
# phar.sh [check]: makes build/xhprof.phar, the command line and the pages with all that they need in one file that PHP runs.
#   check [FILE...]     and runs the tests of the command line and some of the pages with it (or these)
#   SOURCE_DATE_EPOCH   seconds since 1970, the time of its files (default: of the last commit; of extension/VERSION where there is
#                       no git). The same sources and time make the same bytes.
set -euo pipefail
. "$(dirname "$0")/env.sh"
find_php
phar=$root/build/xhprof.phar
time=${SOURCE_DATE_EPOCH:-$(git -c safe.directory="$root" -C "$root" log -1 --format=%ct 2>/dev/null ||
  stat -c %Y "$root/extension/VERSION")}
"$root/tools/runtime.sh" packages
# Also where php.ini forbids to write one, which a machine's administrator does by default.
"$PHP" -d phar.readonly=0 "$root/tools/phar/pack.php" "$root/build/runtime" "$phar" "$time"
[[ ${1:-} == check ]] || exit 0
shift
tests=("$@")
[[ ${#tests[@]} -gt 0 ]] || tests=(tests/bin tests/html/FormsTest.php tests/html/ExportPagesTest.php)

# As its user has it: with the extension beside it, and none in php.ini.
beside=$root/build/phar
rm -rf "$beside"
mkdir -p "$beside" "$logs"
cp "$phar" "$beside/"
ln -s "$root"/extension/modules/{xhprof.so,libxhprof_malloc.so} "$beside/"
cd "$root"
XHPROF_BIN=$beside/xhprof.phar "$PHP" vendor/bin/phpunit -c tests --colors=never --log-junit "$logs/phpunit-phar.xml" "${tests[@]}"
