#!/usr/bin/env bash
# fleet.sh engine|demo|check: the engine of a fleet's store, for `make demo-fleet` and `make check-fleet` only: 550 MB in build/fleet.
#   engine   installs it, where it is not; without npm, or where it cannot be had, it says so and ends with 77
#   demo     demo/fleet.php, and serves the store and the pages until Ctrl-C: SEED=n, SERVE=0 ends instead, PORT=8080 of the pages
#   check    tests/fleet, with a report in build/log/fleet.xml
set -euo pipefail
. "$(dirname "$0")/env.sh"
find_php
cd "$root"
source=tests/fleet/engine
out=build/fleet/engine

# Not `npm ci`: the lock need not have the engines of other platforms. What it has is installed in its version and by its checksum.
install_engine() {
  rm -rf "$out"
  mkdir -p "$out"
  cp "$source"/package.json "$source"/package-lock.json "$out"
  npm install --prefix "$out" --no-save --ignore-scripts --no-audit --no-fund
}

engine() {
  command -v node npm >/dev/null || { echo "no node or npm: no engine for a fleet's store" >&2; return 77; }
  local key
  key=$(cat "$source"/package*.json | digest)
  mkdir -p build/fleet
  exec 9>build/fleet/.lock
  flock 9
  if [[ ! -e $out/.installed || $(<"$out/.installed") != "$key" ]]; then
    stage fleet-engine "Installing the engine of a fleet's store in $out, 550 MB" install_engine || return 77
    echo "$key" >"$out/.installed"
  fi
  exec 9>&-
}

case ${1:-} in
  engine) engine ;;
  demo)
    engine
    serve=(--serve ${PORT:+--port="$PORT"})
    [[ ${SERVE:-1} != 0 ]] || serve=()
    exec "$PHP" demo/fleet.php ${SEED:+--seed="$SEED"} "${serve[@]}"
    ;;
  check)
    engine
    exec "$PHP" vendor/bin/phpunit -c tests --colors=never --log-junit "$root/build/log/fleet.xml" tests/fleet
    ;;
  *)
    echo "fleet.sh engine|demo|check" >&2
    exit 2
    ;;
esac
