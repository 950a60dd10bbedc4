#!/usr/bin/env bash
# engine-all.sh [--engine]: engine-all.php at the lowest priority, with the sources of php-source.sh; exit code 77 when they are unavailable.
set -euo pipefail
. "$(dirname "$0")/env.sh"
find_php
source=$("$root/tools/php-source.sh")
echo "# Tests of ${source##*/} with PHP $("$PHP" -n -r 'echo PHP_VERSION;')"
exec nice "$PHP" -n "$root/tools/engine-all.php" "$source" "$@"
