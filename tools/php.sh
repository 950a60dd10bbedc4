#!/usr/bin/env bash
# php.sh ARGS...: the PHP that the project is built for (see env.sh).
set -euo pipefail
. "$(dirname "$0")/env.sh"
find_php
exec "$PHP" "$@"
