#!/usr/bin/env bash
# fuzz.sh [TARGET [CASE]]: fuzz.php with the PHP that the extension is built for. SEED=n (default 1), ROUNDS=n.
set -euo pipefail
. "$(dirname "$0")/../../tools/env.sh"
find_php
echo "# SEED=${SEED:-1} ROUNDS=${ROUNDS:-1}"
exec "$PHP" -n "$root/tests/fuzz/fuzz.php" "$@"
