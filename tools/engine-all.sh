#!/usr/bin/env bash
# engine-all.sh: engine-all.php, as nice as can be, with the sources that php-source.sh has; 77 when they are not to be had.
set -euo pipefail
. "$(dirname "$0")/env.sh"
find_php
source=$("$root/tools/php-source.sh")
echo "# Tests of ${source##*/} with PHP $("$PHP" -n -r 'echo PHP_VERSION;')"
exec nice "$PHP" -n "$root/tools/engine-all.php" "$source"
