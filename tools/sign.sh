#!/usr/bin/env bash
# sign.sh FILE: signs it as FILE.asc, with the key of gpg that XHPROF_SIGN_KEY names (a fingerprint or an address), and verifies that.
# Without a key it removes FILE.asc, and says that there is no signature; with one that cannot sign it fails.
#   GNUPGHOME   the folder of gpg, where that is another one
set -euo pipefail
file=$1
rm -f "$file.asc"
if [[ -z ${XHPROF_SIGN_KEY:-} ]]; then
  echo "${file##*/} is not signed: XHPROF_SIGN_KEY names no key"
  exit 0
fi
command -v gpg >/dev/null || { echo "gpg is missing, which XHPROF_SIGN_KEY asks for; on Debian: apt-get install gnupg" >&2; exit 1; }
gpg --batch --quiet --local-user "$XHPROF_SIGN_KEY" --armor --detach-sign --output "$file.asc" -- "$file"
gpg --batch --quiet --verify -- "$file.asc" "$file" 2>/dev/null
echo "${file##*/} is signed with $XHPROF_SIGN_KEY: ${file##*/}.asc"
