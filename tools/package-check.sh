#!/usr/bin/env bash
# package-check.sh PART...: installs what `make install` and `make release` made, tries it and removes it again. For a Debian that
# is thrown away afterwards, as root: it installs packages. Output is TAP.
#   install    make install, the programs, man pages, completions in three shells, the pages, make uninstall
#   composer   composer require --dev and composer global require of the package of the tools
#   deb        the Debian packages: lintian, installed, purged
#   pecl       pecl package, pecl install, pecl uninstall
#   pie        the archive that PIE downloads for this PHP
#   docker     the RUN lines of the Dockerfile
set -euo pipefail
. "$(dirname "$0")/env.sh"
[[ ${THROW_AWAY:-} == yes && $(id -u) -eq 0 ]] || { echo "THROW_AWAY=yes, as root, says that this system may be changed" >&2; exit 2; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
number=0 failed=0
log=$scratch/log

# check TEXT COMMAND...
check() {
  local text=$1
  shift
  number=$((number + 1))
  if ("$@") >"$log" 2>&1 </dev/null; then
    echo "ok $number - $text"
  else
    failed=1
    echo "not ok $number - $text"
    tail -n 40 "$log" | sed 's/^/# /'
  fi
}
apt() {
  DEBIAN_FRONTEND=noninteractive apt-get -y -q -o DPkg::Lock::Timeout=900 "$@"
}
# needed PACKAGE...
needed() {
  dpkg-query -W "$@" >/dev/null 2>&1 || apt install --no-install-recommends "$@" >"$log" 2>&1 || { tail -n 20 "$log" >&2; exit 1; }
}
# Every file of the system but caches, logs and what package managers note about their own work.
files() {
  find /etc /opt /usr /var -xdev \( -path /var/cache -o -path /var/log -o -path /var/lib/apt -o -path /var/lib/dpkg -o -name '.*' \) \
    -prune -o -print | sort
}
same_files() { files | diff "$scratch/files" -; }
prints() { # TEXT COMMAND...
  local text=$1
  shift
  timeout 60 "$@" >"$scratch/printed" 2>&1
  local status=$?
  cat "$scratch/printed"
  grep -qF -- "$text" "$scratch/printed" && return "$status"
}
fails_with() { ! prints "$@" && grep -qF -- "$1" "$scratch/printed"; }
version=$(<"$root/extension/VERSION")
script=$scratch/mine.php
cat >"$script" <<'P'
<?php
function own_work(): string { return str_repeat(md5('a'), 100); }
for ($i = 0; $i < 1000; $i++) { own_work(); }
echo "done\n";
P

profiles() {
  xhprof run --output-dir="$scratch/runs" -- "$script" &&
    prints own_work xhprof report --output-dir="$scratch/runs"
}
extension_is_loaded() { prints "Version => $version" php --ri xhprof; }
manual() { # NAME TEXT
  MANWIDTH=80 timeout 60 man "$1" | col -b >"$scratch/page"
  grep -q "$2" "$scratch/page"
}
completes_bash() {
  # shellcheck disable=SC2016 # for the inner shell
  timeout 60 bash -c '. /usr/share/bash-completion/bash_completion; _completion_loader xhprof
    COMP_WORDS=(xhprof report --) COMP_CWORD=2 COMP_LINE="xhprof report --" COMP_POINT=16
    $(complete -p xhprof | sed "s/.* -F \([^ ]*\).*/\1/") xhprof -- report; printf "%s\n" "${COMPREPLY[@]}"' >"$scratch/words"
  cat "$scratch/words"
  grep -q -- '--symbol' "$scratch/words" && ! grep -q no-interaction "$scratch/words"
}
# The text appears when it is completed, at the first TAB.
completes_zsh() {
  # shellcheck disable=SC2016 # for the inner shell
  timeout 60 zsh -f -c 'zmodload zsh/zpty; zpty z env TERM=dumb zsh -f -i
    zpty -w z "autoload -U compinit; compinit -u -d $1/zcompdump; echo rea\"\"dy"; zpty -r z text "*ready*"
    zpty -n -w z "xhprof aggr"$'"'\t'"'; zpty -r z text "*xhprof*aggregate*"; print -r -- $text' zsh "$scratch"
}
completes_fish() {
  timeout 60 fish -c 'complete -C "xhprof report --"' >"$scratch/words"
  cat "$scratch/words"
  grep -q -- '--symbol' "$scratch/words" && ! grep -q no-interaction "$scratch/words"
}
# serves UNIT: starts what the unit starts, as its user.
serves() {
  local command address
  # Another program of this machine may have the port.
  command=$(sed -n 's/^ExecStart=\(.*\) --port=.*/\1/p' "$1")
  install -d -o www-data "$scratch/served"
  chmod 711 "$scratch"
  : >"$scratch/served.log"
  # shellcheck disable=SC2086 # words
  XHPROF_OUTPUT_DIR=$scratch/served setsid setpriv --reuid=www-data --regid=www-data --clear-groups $command >"$scratch/served.log" 2>&1 &
  tail -f --pid=$! "$scratch/served.log" | grep -m 1 -o 'http://[^ ]*' >"$scratch/address" || true
  address=$(<"$scratch/address")
  php -r '[$url, $token] = explode("?token=", $argv[1]);
    echo file_get_contents($url, false, stream_context_create(["http" => ["header" => "Authorization: Bearer $token"]]));' "$address" \
    | grep -o '<title>.*</title>'
  local status=$?
  kill %1
  return "$status"
}

part_install() {
  needed man-db bsdextrautils bash-completion zsh fish
  cd "$root"
  tools/deps.sh install >"$log" 2>&1 || { tail "$log" >&2; exit 1; }
  files >"$scratch/files"
  check "make install" make -C "$root" install
  check "PHP loads the extension" extension_is_loaded
  check "xhprof is in PATH" prints "xhprof $version" xhprof --version
  check "xhprof-inspect is in PATH" prints "xhprof-inspect $version" xhprof-inspect --version
  check "it profiles a script" profiles
  installed_works
  check "the pages are served" serves /usr/local/lib/systemd/system/xhprof-pages.service
  check "make uninstall" make -C "$root" uninstall
  check "nothing is left" same_files
}
installed_works() {
  check "man xhprof" manual xhprof 'SYMBOL'
  check "man xhprof-inspect" manual xhprof-inspect 'max-string'
  check "bash completes" completes_bash
  check "zsh completes" completes_zsh
  check "fish completes" completes_fish
}

part_composer() {
  local home repository
  repository=$(printf '{"type": "path", "url": "%s", "options": {"symlink": false}}' "$root/build/release/xhprof-tools-$version")
  needed composer unzip
  export COMPOSER_ALLOW_SUPERUSER=1 COMPOSER_NO_INTERACTION=1
  home=$(composer config --global home)
  mkdir -p "$scratch/project"
  cd "$scratch/project"
  echo '{}' >composer.json
  composer config repositories.xhprof "$repository"
  check "composer require --dev" composer require --dev xhprof/tools
  check "vendor/bin/xhprof runs" prints "xhprof $version" vendor/bin/xhprof --version
  check "it brings what it needs and no tools for development" brings_no_more vendor
  check "nothing of it is left on a production host" without_dev
  composer global config repositories.xhprof "$repository"
  check "composer global require" composer global require xhprof/tools
  check "it runs from there" prints "xhprof $version" "$home/vendor/bin/xhprof" --version
  cd "$root"
}
brings_no_more() { ls "$1" | diff - <(printf '%s\n' autoload.php bin composer psr symfony twig xhprof); }
without_dev() { composer install --no-dev && [[ ! -e vendor/xhprof && ! -e vendor/symfony && ! -e vendor/bin/xhprof ]]; }

# For every PHP with phpize here; the packages are those that make release has built.
part_deb() {
  local packages=("$root"/build/release/*.deb)
  needed lintian man-db bsdextrautils bash-completion zsh fish php-cli php-mbstring
  files >"$scratch/files"
  check "lintian finds no error" lintian --fail-on error "$root"/build/release/*.changes
  check "apt installs the packages" apt install --no-install-recommends "${packages[@]}"
  check "PHP loads the extension" extension_is_loaded
  check "xhprof is in PATH" prints "xhprof $version" xhprof --version
  check "xhprof-inspect is in PATH" prints "xhprof-inspect $version" xhprof-inspect --version
  check "it profiles a script" profiles
  installed_works
  check "the pages are served" serves /lib/systemd/system/xhprof-pages.service
  # shellcheck disable=SC2046 # words
  check "apt purges them" apt purge $(for package in "${packages[@]}"; do dpkg-deb -f "$package" Package; done)
  check "nothing is left" same_files
}

part_pecl() {
  needed php-pear uuid-dev pkg-config gcc make
  local modules data
  modules=$(php-config --extension-dir)
  data=$(pecl config-get data_dir)/xhprof
  # PEAR keeps the folders of all packages.
  mkdir -p "$(pecl config-get test_dir)" "${data%/*}" "$(pecl config-get doc_dir)"
  files >"$scratch/files"
  check "pecl install" pecl install "$root/build/release/xhprof-$version.tgz"
  check "PHP loads the extension" prints "Version => $version" php -d extension=xhprof.so --ri xhprof
  # PECL drops the run bit of all that it compiles.
  check "the tools say how xhprof-inspect can be run" \
    fails_with "chmod +x $modules/xhprof-inspect" "$root/build/release/xhprof-tools-$version/bin/xhprof-inspect" --version
  check "it can be made to run" chmod +x "$modules/xhprof-inspect"
  check "xhprof-inspect runs" prints "xhprof-inspect $version" "$modules/xhprof-inspect" --version
  check "the library loads" php -r 'require $argv[1] . "/xhprof_lib/utils/xhprof_lib.php"; exit((int) !function_exists("xhprof_compute_flat_info"));' "$data"
  check "the pages are there" test -e "$data/xhprof_html/index.php"
  check "pecl uninstall" pecl uninstall xhprof
  check "nothing is left" same_files
}

# The name is that of php/pie, src/Platform/PrePackagedBinaryAssetName.php; src/Installing/UnixInstall.php copies xhprof.so of it.
part_pie() {
  needed unzip
  local name archive modules
  name=$(php -n -r 'echo "php_xhprof-$argv[1]_php", PHP_MAJOR_VERSION, ".", PHP_MINOR_VERSION, "-x86_64-linux-glibc.zip";' "$version")
  archive=$root/build/release/$name
  modules=$(php-config --extension-dir)
  # shellcheck disable=SC2016 # for PHP
  check "the tag's composer.json names archives before the sources" php -n -r '
    $package = json_decode(file_get_contents($argv[1]), true, flags: JSON_THROW_ON_ERROR);
    exit((int) ($package["php-ext"]["download-url-method"] !== ["pre-packaged-binary", "composer-default"]));' \
    "$root/build/release/composer.json"
  check "the archive has the name that PIE asks for, and its xhprof.so" unzip -q -d "$modules" "$archive" xhprof.so
  check "PHP loads it" prints "Version => $version" php -n -d extension=xhprof --ri xhprof
  check "the other programs are unpacked beside it" unzip -q -d "$modules" "$archive" xhprof-inspect libxhprof_malloc.so
  check "the tools find xhprof-inspect there" prints "xhprof-inspect $version" \
    "$root/build/release/xhprof-tools-$version/bin/xhprof-inspect" --version
  rm "$modules"/{xhprof.so,xhprof-inspect,libxhprof_malloc.so}
}

each_line_runs() {
  local line
  while IFS= read -r line <&3; do
    sh -c "$line" || return
  done 3<"$1"
}
# docker-php-ext-enable and PHPIZE_DEPS are those of Docker's images of PHP.
part_docker() {
  local lines=$scratch/run.sh
  PHP_INI_DIR=$(php -n -r 'echo dirname(PHP_CONFIG_FILE_SCAN_DIR);')
  export PHP_INI_DIR PHPIZE_DEPS="autoconf dpkg-dev file g++ gcc libc-dev make pkg-config re2c"
  mkdir -p /usr/src/xhprof
  (cd "$root" && tracked . | xargs -0 cp --parents -t /usr/src/xhprof)
  # shellcheck disable=SC2016 # for that program
  printf '#!/bin/sh\necho "extension=$1" >"$PHP_INI_DIR/conf.d/docker-php-ext-$1.ini"\n' >/usr/local/bin/docker-php-ext-enable
  chmod +x /usr/local/bin/docker-php-ext-enable
  sed -e ':a' -e '/\\$/{N;s/\\\n//;ba' -e '}' "$root/Dockerfile" | sed -n 's/^RUN //p' >"$lines"
  check "the Dockerfile has commands" test -s "$lines"
  check "they run" each_line_runs "$lines"
  check "PHP loads the extension" extension_is_loaded
  check "PHP has its settings" prints "xhprof.output_dir => /var/lib/xhprof" php --ri xhprof
  check "xhprof-inspect is beside it" prints "xhprof-inspect $version" \
    "$(php -n -r 'echo ini_get("extension_dir");')/xhprof-inspect" --version
}

for part in "$@"; do
  "part_$part"
done
echo "1..$number"
exit "$failed"
