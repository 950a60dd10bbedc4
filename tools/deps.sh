#!/usr/bin/env bash
# deps.sh [GROUP]: installs the dependencies of that target. Debian packages: as root it installs them, otherwise it prints the line to run
# and exits with 1. Then Composer's and npm's. Present ones are left alone, whatever their source, and a second run does nothing.
set -euo pipefail
. "$(dirname "$0")/env.sh"
groups=(assets build arginfo format frameworks install release demo fleet bench engine musl zts room screenshots site check)
group=${1:-check}
missing=()
if [[ " ${groups[*]} " != *" $group "* ]]; then
  echo "There are no dependencies of \"$group\"; take one of: ${groups[*]}" >&2
  exit 2
fi

# need PACKAGE COMMAND...: the package is missing when the command fails.
need() {
  local package=$1
  shift
  "$@" >/dev/null 2>&1 || missing+=("$package")
}
# want PACKAGE COMMAND...: the same, for what tests skip without, unless apt has lists and the package is not in them.
want() {
  "${@:2}" >/dev/null 2>&1 || { apt-cache show gcc && ! apt-cache show "$1"; } >/dev/null 2>&1 || missing+=("$1")
}
has_compiler() { have "${CC:-cc}"; }
has_php() { [[ -n $PHP ]]; }
has_phpize() { [[ -n $PHPIZE ]]; }
has_extension() { [[ -n $PHP ]] && "$PHP" -r "exit((int) !extension_loaded('$1'));"; }
# Where another Python comes first, that of Debian has it.
has_numpy() { python3 -c "import numpy" || /usr/bin/python3 -c "import numpy"; }

find_missing() {
  find_php
  missing=()
  if [[ $group == assets ]]; then
    need nodejs have node
    need npm have npm
    return 0
  fi
  if [[ $group == site ]]; then
    need nodejs have node
    need npm have npm
    if [[ ${DEMO:-1} == 0 ]]; then
      need "php$PHP_V-cli" has_php
      need "php$PHP_V-xml" has_extension dom
      need "php$PHP_V-mbstring" has_extension mbstring
      need ca-certificates test -e /etc/ssl/certs/ca-certificates.crt
      need unzip have unzip
      need composer have composer
      return 0
    fi
  fi
  need gcc has_compiler
  need make have make
  need "php$PHP_V-cli" has_php
  need "php$PHP_V-dev" has_phpize
  [[ $group != build ]] || return 0
  if [[ $group == arginfo ]]; then
    need php-parser test -e /usr/share/php/PhpParser/autoload.php
    return 0
  fi
  if [[ $group == format || $group == frameworks ]]; then
    need "php$PHP_V-xml" has_extension simplexml
    [[ $group != format ]] || need clang-format have clang-format
    need "php$PHP_V-mbstring" has_extension mbstring
    need ca-certificates test -e /etc/ssl/certs/ca-certificates.crt
    need unzip have unzip
    need composer have composer
    return 0
  fi
  if [[ $group == release ]]; then
    need git have git
    need zip have zip
    need unzip have unzip
    need xz-utils have xz
    need php-pear have pecl
    need nodejs have node
    need npm have npm
  fi
  if [[ $group == install || $group == release ]]; then
    need "php$PHP_V-mbstring" has_extension mbstring
    need "php$PHP_V-sqlite3" has_extension pdo_sqlite
    if ! is_for_use "$root/vendor"; then
      need ca-certificates test -e /etc/ssl/certs/ca-certificates.crt
      need unzip have unzip
      need composer have composer
    fi
    return 0
  fi
  if [[ $group == engine || $group == musl || $group == zts || $group == room || $group == check ]]; then
    need git have git
    need xz-utils have xz
  fi
  # Only root can use it.
  if [[ $(id -u) -eq 0 && ($group == room || $group == check) ]]; then
    need debootstrap have debootstrap
  fi
  [[ $group != musl ]] || need musl-tools have musl-gcc
  need "php$PHP_V-xml" has_extension dom # the reports of test runners
  [[ $group != engine && $group != musl ]] || return 0
  need ca-certificates test -e /etc/ssl/certs/ca-certificates.crt
  need unzip have unzip
  need composer have composer
  need "php$PHP_V-mbstring" has_extension mbstring
  [[ $group != room && $group != zts && ($group != demo || ${APP:-} == shop) ]] || return 0
  need "php$PHP_V-curl" has_extension curl
  need "php$PHP_V-sqlite3" has_extension pdo_sqlite
  if [[ $group == fleet ]]; then
    need nodejs have node
    need npm have npm
  fi
  [[ $group != demo && $group != fleet && $group != site ]] || return 0
  need "php$PHP_V-intl" has_extension intl
  want "php$PHP_V-soap" has_extension soap
  [[ $group != bench ]] || return 0
  need clang-format have clang-format
  need php-pear have pecl
  need php-parser test -e /usr/share/php/PhpParser/autoload.php
  need graphviz have dot
  need jq have jq
  need curl have curl
  need valgrind have callgrind_annotate
  want google-perftools have google-pprof
  want musl-tools have musl-gcc
  want python3-numpy has_numpy
  need nodejs have node
  [[ $group != screenshots ]] || need pngquant have pngquant
  want zsh have zsh
  want fish have fish
  need npm have npm
  need chromium have chromium
  want chromium-headless-shell have chromium-headless-shell
}

# Whether make has read the package lists within the last hour (make build, then make install), and they are still there.
lists_are_new() {
  [[ -n $(find "$root/build/stamp/apt-update" -mmin -60 2>/dev/null) ]] && apt-cache show gcc >/dev/null 2>&1
}
update_lists() {
  stage apt-update "Reading the package lists (apt-get update)" apt_get update || return
  mkdir -p "$root/build/stamp"
  touch "$root/build/stamp/apt-update"
}

install_packages() {
  find_missing
  [[ ${#missing[@]} -gt 0 ]] || return 0
  if ! have apt-get; then
    echo "Packages are missing, and apt-get is not available. Their names on Debian: ${missing[*]}" >&2
    return 1
  fi
  if [[ $(id -u) -ne 0 ]]; then
    printf 'Packages are missing. Install them, then run make again:\n\n  sudo apt-get install --no-install-recommends %s\n\n' \
      "${missing[*]}" >&2
    return 1
  fi
  if ! lists_are_new; then
    update_lists
    find_missing
    [[ ${#missing[@]} -gt 0 ]] || return 0
  fi
  stage apt-install "Installing ${missing[*]}" apt_get install --no-install-recommends "${missing[@]}"
  hash -r
  find_missing
  if [[ ${#missing[@]} -gt 0 ]]; then
    echo "Still missing after the installation: ${missing[*]}" >&2
    return 1
  fi
}

mkdir -p "$root/build"
exec 9>"$root/build/.deps-lock"
flock 9
cd "$root"
install_packages
case $group in build | arginfo | frameworks | install | engine | musl) exit 0 ;; esac
composer_packages() {
  once composer "$({ cat composer.json; echo "$PHP_V"; } | digest)" vendor/autoload.php \
    "Installing the Composer packages" composer_command update --no-progress
}
[[ $group == release || $group == assets || $group == screenshots || $group == site || $group == check ]] || composer_packages
case $group in room | bench | zts | format) exit 0 ;; esac

# npm packages that the pages load. A demo goes on without them where they are not available (npm pulls 387 packages onto a bare
# Debian, three minutes): its call graphs are tables only then.
# Leaves a node_modules that already has them alone, and leaves no stamp for one that lacks the tools of the tests.
npm_key() { { cat package.json package-lock.json; node --version; } | digest; }
copy_assets() { node tools/assets.mjs; }
install_assets() { copy_assets 2>/dev/null || { npm ci --omit=dev --no-audit --no-fund && copy_assets; }; }
vendor=xhprof_html/assets/vendor/graphviz/graphviz.js
assets_key=$(find tools/assets.mjs tools/types package.json package-lock.json -type f -print0 | sort -z | xargs -0 cat | digest)
copying="Copying what the pages load from npm packages"
case $group in
  demo | fleet)
    without="Call graphs in the pages are tables only. For their pictures:"
    if ! have npm; then
      [[ -e $vendor ]] || echo "$without apt-get install npm, then make assets"
    else
      once assets "$assets_key" "$vendor" "$copying" install_assets || echo "$without make assets"
    fi
    ;;
  release | assets) once assets "$assets_key" "$vendor" "$copying" install_assets ;;
  *)
    # Each waits for its registry most of the time.
    composer_packages &
    once npm "$(npm_key)" node_modules/.package-lock.json "Installing the npm packages" npm ci --no-audit --no-fund
    once assets "$assets_key" "$vendor" "$copying" copy_assets
    wait $!
    ;;
esac
