#!/usr/bin/env bash
# mcp-clients.sh [COMMAND...]: installs the clients of the Model Context Protocol that tests/mcp/package.json names in build/mcp,
# unless they are there (100 MB), and runs COMMAND.
set -euo pipefail
. "$(dirname "$0")/env.sh"
out=$root/build/mcp
mkdir -p "$out"
exec 9>"$out/.lock"
flock 9
if ! cmp -s "$root/tests/mcp/package-lock.json" "$out/node_modules/.made-of"; then
  cp "$root/tests/mcp/package.json" "$root/tests/mcp/package-lock.json" "$out/"
  # The inspector asks for a newer Node than Debian has; its command line runs from Node 19 on, so not with Debian 12's.
  (cd "$out" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error)
  cp "$root/tests/mcp/package-lock.json" "$out/node_modules/.made-of"
fi
exec 9>&-
[[ $# -eq 0 ]] || exec "$@"
