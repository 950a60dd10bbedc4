#!/usr/bin/env bash
# testing.sh: the test runners under which tests/bin/ProfilesCodeTest.php runs its cases, in build/testing: PHPUnit 9 to 12, and Pest, of
# the versions in tests/bin/testing/*.json. What cannot be had, or is not for this PHP, is named; its tests skip.
set -euo pipefail
. "$(dirname "$0")/env.sh"
find_php
out=$root/build/testing
mkdir -p "$out"
exec 9>"$out/.lock"
flock 9

runner() {
  rm -rf "$out/$1"
  mkdir -p "$out/$1"
  cp "$root/tests/bin/testing/$1.json" "$out/$1/composer.json"
  (cd "$out/$1" && composer_command update --no-progress)
}
for file in "$root"/tests/bin/testing/*.json; do
  name=$(basename "$file" .json)
  if [[ $name == phpunit-12 && $PHP_V == 8.2 ]]; then
    echo "No PHPUnit 12, which needs PHP 8.3: its tests skip"
    continue
  fi
  once "testing-$name" "$({ cat "$file"; echo "$PHP_V"; } | digest)" "$out/$name/vendor/autoload.php" \
    "Installing $name in build/testing" runner "$name" || echo "No $name by Composer: its tests skip"
done
