#!/usr/bin/env bash
# composer-package.sh [FOLDER]: writes the Composer package of the parts without C code (library, command line and pages) into
# FOLDER (default: build/composer-package), which is replaced. Packagist reads one composer.json per repository, and PIE needs
# the extension's at the root: publish this package from a repository of its own, with these files.
set -euo pipefail
. "$(dirname "$0")/env.sh"
out=$(realpath -m "${1:-$root/build/composer-package}")
cd "$root"
assets=xhprof_html/assets/vendor
[[ -d $assets ]] || { echo "no $assets: run make assets first" >&2; exit 1; }
rm -rf "$out"
mkdir -p "$out"
git ls-files -z LICENSE SECURITY.md bin xhprof_lib xhprof_html | xargs -0 cp --parents -t "$out"
cp -R --parents -t "$out" "$assets"
cp tools/composer/composer.json "$out/"
echo "Wrote $out"
