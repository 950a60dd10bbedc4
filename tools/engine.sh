#!/usr/bin/env bash
# engine.sh NAME [--alloc] [--once] [SETTING...]: engine.php with the sources that php-source.sh has; 77 when they are not to be
# had.
set -euo pipefail
. "$(dirname "$0")/env.sh"
find_php
name=$1
shift
source=$("$root/tools/php-source.sh")
echo "# Tests of ${source##*/} with PHP $("$PHP" -n -r 'echo PHP_VERSION;')"
exec "$PHP" -n "$root/tools/engine.php" "$name" "$source" "$@"
