#!/usr/bin/env bash
# threads.sh: runs build/php-zts/threads (see threads.c) with the extension built for it. Output is TAP. A debug build tells of
# blocks that a request leaks; any line that is not TAP is taken for such a report.
set -euo pipefail
. "$(dirname "$0")/../env.sh"
out=$root/build/php-zts
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
printf '%s\n' "extension=$out/extension/modules/xhprof.so" "xhprof.output_dir=$folder" error_reporting=-1 report_memleaks=1 \
  >"$folder/php.ini"
PHPRC=$folder PHP_INI_SCAN_DIR="" "$out/threads" "$root/tools/zts/requests.inc" "$folder" >"$folder/tap" 2>&1 || status=$?
cat "$folder/tap"
if [[ -n ${status:-} ]]; then
  printf '1..1\nnot ok 0 - %s\n' "ended with exit code $status"
elif grep -qvE '^(ok|1\.\.)' "$folder/tap"; then
  printf '1..1\nnot ok 0 - %s\n' "reports of the engine"
fi
exit "${status:-0}"
