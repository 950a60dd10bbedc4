#!/usr/bin/env bash
# engine.sh NAME [--alloc] [--once] [SETTING...]: engine.php with the sources of php-source.sh; exit code 77 when they
# are unavailable.
set -euo pipefail
. "$(dirname "$0")/env.sh"
find_php
name=$1
shift
source=$("$root/tools/php-source.sh")
echo "# Tests of ${source##*/} with PHP $("$PHP" -n -r 'echo PHP_VERSION;')"
exec "$PHP" -n "$root/tools/engine.php" "$name" "$source" "$@"
