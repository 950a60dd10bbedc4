#!/usr/bin/env bash
# bare.sh TARGET [NAME=VALUE...]: `make TARGET NAME=VALUE...` in a Debian that has git and make, a copy of the sources, and no more: what
# passes here passes for a person who tries the project first. See check/BareTargets.php for the targets and the settings. What it did is
# thrown away. Needs root and debootstrap: exit code 77 without.
set -euo pipefail
. "$(dirname "$0")/env.sh"
. "$(dirname "$0")/room.sh"
[[ $# -gt 0 ]] || { sed -n 2,4p "$0" >&2; exit 2; }
room_base bare bookworm ca-certificates git make
room_layer
# A target may have nothing to say; that it was skipped is no pass.
status=0
# shellcheck disable=SC2016 # for the inner shell
room_run 'exec make "$@" </dev/null' "$@" 2>&1 | tee "$layers/output" || status=$?
if [[ $status -eq 0 ]] && grep -E '^skipped: ' "$layers/output" && ! grep -qE '^[1-9][0-9]* passed, 0 failed$' "$layers/output"; then
  exit 77
fi
exit "$status"
