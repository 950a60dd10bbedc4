#!/usr/bin/env bash
# composer.sh: checks that composer.json is valid and has what PIE needs to build the extension, and no more; that the
# composer.json of the package with the library, the command line and the pages is valid too, and that both agree.
set -euo pipefail
. "$(dirname "$0")/../env.sh"
cd "$root"
export COMPOSER_ALLOW_SUPERUSER=1 COMPOSER_NO_INTERACTION=1
# Composer before 2.8 does not know the section php-ext, which the check below reads: it sees the rest.
version=$(composer --version --no-ansi 2>/dev/null | grep -oE '[0-9]+\.[0-9]+\.[0-9]+' | head -n 1)
known=composer.json
if [[ $(printf '%s\n' 2.8.0 "$version" | sort -V | head -n 1) != 2.8.0 ]]; then
  known=build/composer-known.json
  php -r '
    $composer = json_decode(file_get_contents("composer.json"), flags: JSON_THROW_ON_ERROR);
    unset($composer->{"php-ext"});
    echo json_encode($composer, JSON_THROW_ON_ERROR);
  ' >"$known"
fi
composer validate --no-check-lock --strict "$known" 2>&1
php -r '
  $composer = json_decode(file_get_contents("composer.json"), true, flags: JSON_THROW_ON_ERROR);
  $pie = $composer["php-ext"] ?? [];
  $right = $composer["type"] === "php-ext" && $pie["extension-name"] === "xhprof"
    && is_file($pie["build-path"] . "/config.m4") && $pie["support-nts"] && $pie["support-zts"];
  // Its file of settings is the last that PHP reads, whoever writes it. A release has no debian/.
  $priority = $pie["priority"] ?? 80;
  $right = $right && $priority === 99 && str_contains(file_get_contents("tools/install.sh"), "/$priority-xhprof.ini")
    && str_contains(file_get_contents("tools/install.sh"), "; priority=$priority\\n")
    && (!is_dir("debian") || str_starts_with(file_get_contents("debian/xhprof.ini"), "; priority=$priority\n"));
  foreach ($pie["configure-options"] as $option) {
    $right = $right && str_contains(file_get_contents($pie["build-path"] . "/config.m4"), "--" . $option["name"]);
  }
  echo $right ? "" : "composer.json: the section php-ext does not describe extension/\n";
  exit((int) !$right);
'
tools/composer-package.sh >/dev/null
composer validate --no-check-lock --strict build/composer-package/composer.json 2>&1
composer validate --no-check-lock --strict bridge/composer.json 2>&1
php -r '
  $read = static fn (string $file): array => json_decode(file_get_contents($file), true, flags: JSON_THROW_ON_ERROR);
  $root = $read("composer.json");
  $package = $read("build/composer-package/composer.json");
  // What the tools need is neither required by the extension nor of another version in its tests.
  $right = $package["name"] !== $root["name"] && isset($root["suggest"][$package["name"]])
    && array_keys($root["require"]) === ["php"] && !isset($root["bin"], $root["autoload"], $package["require-dev"])
    && $package["require"]["php"] === $root["require"]["php"] && $package["license"] === $root["license"]
    && array_diff_assoc($package["autoload"]["psr-4"], $root["autoload-dev"]["psr-4"]) === [];
  foreach (array_diff_key($package["require"], ["php" => 1]) as $name => $range) {
    $right = $right && version_compare($root["require-dev"][$name], ltrim(explode(" || ", $range)[0], "^"), ">=");
  }
  foreach ([...$package["bin"], ...$package["autoload"]["psr-4"]] as $file) {
    $right = $right && file_exists("build/composer-package/$file");
  }
  echo $right ? "" : "tools/composer/composer.json does not agree with composer.json\n";
  $bridge = $read("bridge/composer.json");
  $agrees = $bridge["require"] === ["php" => $root["require"]["php"], $package["name"] => "self.version"]
    && $bridge["license"] === $root["license"] && isset($bridge["suggest"]["ext-xhprof"])
    && str_replace("\"src/", "\"bridge/src/", json_encode($bridge["autoload"]["psr-4"], JSON_UNESCAPED_SLASHES))
      === json_encode(array_diff_assoc($root["autoload-dev"]["psr-4"], $package["autoload"]["psr-4"]), JSON_UNESCAPED_SLASHES);
  echo $agrees ? "" : "bridge/composer.json does not agree with composer.json and tools/composer/composer.json\n";
  exit((int) (!$right || !$agrees));
'
