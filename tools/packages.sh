#!/usr/bin/env bash
# packages.sh [PART...]: makes a release and tries its parts (see package-check.sh; default: all), in a Debian of its own,
# build/packages-RELEASE, made by debootstrap (see room.sh). A run changes a layer above it, which is thrown away. Needs root and
# debootstrap: exit code 77 without.
#   RELEASE   of Debian (default: bookworm, which has PHP 8.2)
set -euo pipefail
. "$(dirname "$0")/env.sh"
. "$(dirname "$0")/room.sh"
parts=("$@")
[[ ${#parts[@]} -gt 0 ]] || parts=(install deb phar composer pecl pie installer docker)
suite=${RELEASE:-bookworm}
# The parts ask for some of them as well: those that are in the layer below are not installed in each run.
room_with_packages "$suite"
room_layer
cp -R "$root/xhprof_html/assets/vendor" "$above/src/xhprof_html/assets/"
# shellcheck disable=SC2016 # for the inner shell
room_run 'tools/release.sh
  THROW_AWAY=yes exec tools/package-check.sh "$@"' "${parts[@]}"
