#!/usr/bin/env bash
# runtime.sh [packages|share]: makes build/runtime, the command line and the pages as they are installed: the Composer package with the packages
# that it requires, none of those for development, and in share/ its man pages and completions.
#   packages         only the first, for which nothing is compiled: it can be made at the same time
#   share            only the second
#   XHPROF_INSPECT   the program that the man page describes, where it is not built in extension/
# A release has these packages in its vendor/, so that nothing is fetched.
set -euo pipefail
. "$(dirname "$0")/env.sh"
find_php
[[ -n $PHP ]] || { echo "no PHP for the command line" >&2; exit 1; }
mkdir -p "$root/build"
exec 9>"$root/build/.runtime-lock"
flock 9
part=${1:-}
out=$root/build/runtime
kept=$root/build/runtime-vendor
inspect=${XHPROF_INSPECT:-$root/extension/modules/xhprof-inspect}

# Its classes are not in Composer's lists, which would be as old as these packages: xhprof_lib/autoload.php finds them. The version is
# that of the sources: Composer would ask git otherwise, and note the commit.
fetch() {
  rm -rf "$kept"
  cp "$root/tools/composer/release.json" "$out/"
  COMPOSER=release.json COMPOSER_ROOT_VERSION=$(<"$root/extension/VERSION") \
    composer_command update --no-dev --no-progress --optimize-autoloader --working-dir="$out" && cp -R "$out/vendor" "$kept"
}

if [[ $part != share ]]; then
  key=$(cat "$root/tools/composer/release.json" "$root/extension/VERSION" | digest)
  "$root/tools/composer-package.sh" "$out"
  if is_for_use "$root/vendor"; then
    cp -R "$root/vendor" "$out/vendor"
  elif is_for_use "$kept" && [[ -e $kept/.key && $(<"$kept/.key") == "$key" ]]; then
    cp -R "$kept" "$out/vendor"
  else
    stage runtime "Fetching the packages of the command line and the pages" fetch
    echo "$key" >"$kept/.key"
  fi
  rm -f "$out/release.json" "$out/vendor/.key" "$out/bin/xhprof-inspect"
  "$PHP" "$root/tools/templates.php" "$out/vendor/autoload.php" "$out/xhprof_html"
  # What their repositories and Windows need.
  find "$out/vendor" \( -name '.git*' -o -name '*.exe' \) -exec rm -r {} +
fi
[[ $part != packages ]] || exit 0

share=$out/share
xhprof=$out/bin/xhprof
mkdir -p "$share"/man/man1 "$share"/{bash-completion/completions,zsh/site-functions,fish/vendor_completions.d}
"$PHP" "$xhprof" completion bash >"$share/bash-completion/completions/xhprof"
"$PHP" "$xhprof" completion zsh >"$share/zsh/site-functions/_xhprof"
"$PHP" "$xhprof" completion fish >"$share/fish/vendor_completions.d/xhprof.fish"
"$PHP" "$root/tools/man.php" "$xhprof" "$inspect" "$share/man/man1"
