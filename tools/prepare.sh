#!/usr/bin/env bash
# prepare.sh [SUITE...]: what make check needs before it runs these suites (none: all): packages, the PHP of the tests, servers and
# frameworks to test with, compiled templates. Where the suites begin with the build, that runs beside the downloads: the suite
# then only says how it ended.
set -euo pipefail
. "$(dirname "$0")/env.sh"
cd "$root"
tools/deps.sh check
build=
case " ${*:-build} " in
  *\ build\ * | *\ all\ * | *\ turn\ *)
    XHPROF_DEV=1 tools/build.sh >/dev/null 2>&1 &
    build=$!
    ;;
esac
status=0
{ tools/test-php.sh && tools/servers.sh && tools/frameworks.sh && tools/testing.sh && tools/php.sh tools/templates.php; } || status=$?
[[ -z $build ]] || wait "$build" || true
exit "$status"
