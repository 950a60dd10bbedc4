#!/usr/bin/env bash
# turn.sh: makes the last commit of a landing, an empty one that has the next number of the turns in which .ci/run takes what make
# check leaves out (see check/Turn.php and check/Rotation.php).
set -euo pipefail
. "$(dirname "$0")/env.sh"
cd "$root"
# The last one that a commit of this branch has; the history may have none.
last=$(git log -1 --grep='^Turn: [0-9]\+$' --format='%(trailers:key=Turn,valueonly,separator=)')
number=$((${last:-0} + 1))
git commit --quiet --allow-empty --message "Take turn $number of the checks" --message "Turn: $number"
echo "Turn: $number"
