#!/bin/sh
# archive.sh: PIE's archive of the PHP of this container, one of Docker's official images of PHP, Debian's or Alpine's: installs what
# tools/pie.sh needs, and runs it. It changes the system.
set -eu
cd "$(dirname "$0")/../.."
# PHPIZE_DEPS is the image's.
if command -v apk >/dev/null; then
  # shellcheck disable=SC2086 # words
  apk add --no-cache bash binutils coreutils findutils git grep sed unzip zip $PHPIZE_DEPS
else
  apt-get update
  # shellcheck disable=SC2086 # words
  apt-get install -y --no-install-recommends git unzip zip $PHPIZE_DEPS
fi
exec tools/pie.sh
