#!/usr/bin/env bash
# composer-package.sh [FOLDER]: writes the Composer package of what needs no compiler (library, command line and pages) into
# FOLDER (default: build/composer-package), which is replaced. Packagist takes one composer.json of a repository, and PIE needs
# that of the extension at the root: this package has to be published from a repository of its own, with these files.
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
