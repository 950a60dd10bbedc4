#!/usr/bin/env bash
# composer-package.sh [FOLDER]: writes the Composer package of the parts without C code (library, command line and pages) into
# FOLDER (default: build/composer-package), which is replaced. Packagist reads one composer.json per repository, and PIE needs
# the extension's at the root: publish this package from a repository of its own, with these files.
set -euo pipefail
. "$(dirname "$0")/env.sh"
out=$(realpath -m "${1:-$root/build/composer-package}")
cd "$root"
rm -rf "$out"
mkdir -p "$out"
tracked LICENSE SECURITY.md bin extension/VERSION xhprof_lib xhprof_html | grep -zv '/screenshots/' | xargs -0 cp --parents -t "$out"
assets=xhprof_html/assets/vendor
if [[ -d $assets ]]; then
  cp -R --parents -t "$out" "$assets"
else
  echo "The pages have call graphs as tables only. For their pictures: make assets, then make install again"
fi
# The guide for assistants, where agents, Laravel Boost and Symfony AI Mate look for it.
mkdir -p "$out/skills" "$out/resources"
cp -R skills/xhprof "$out/skills/"
cp -R skills/boost "$out/resources/"
cp skills/mate/INSTRUCTIONS.md "$out/"
cp tools/composer/composer.json "$out/"
