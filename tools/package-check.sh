#!/usr/bin/env bash
# package-check.sh PART...: installs what `make install` and `make release` made, tries it and removes it again. For a Debian that
# is thrown away afterwards, as root: it installs packages. Output is TAP.
#   install    make install, the programs, man pages, completions in three shells, the pages, make uninstall; DESTDIR and PREFIX
#   phar       xhprof.phar without the extension and with it, its pages; the sums of the release; it is made again, and is the same
#   composer   composer require --dev and composer global require of the package of the tools, and of that for frameworks
#   deb        the Debian packages: lintian, an older version upgraded, purged
#   pecl       pecl package, pecl install, pecl uninstall
#   pie        the archive that PIE downloads for this PHP; the steps with which it compiles, where there is none
#   installer  what install-php-extensions does in Docker's images with the archive for it
#   docker     the lines RUN and COPY of the Dockerfiles for Debian; the feature of development containers; DDEV's add-on
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
  is_installed "$@" || apt install --no-install-recommends "$@" >"$log" 2>&1 || { tail -n 20 "$log" >&2; exit 1; }
}
# Every file of the system but logs, the caches of others, and what package managers note about their own work.
files() {
  find /etc /opt /usr /var -xdev \( -path '/var/cache/*' ! -path '/var/cache/xhprof*' -o -path /var/log -o -path /var/lib/apt -o -path /var/lib/dpkg -o -name '.*' \) \
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
loads_last() { [[ $(find "$(php -n -r 'echo PHP_CONFIG_FILE_SCAN_DIR;')" -name '*.ini' -printf '%f\n' | sort | tail -n 1) == 99-xhprof.ini ]]; }
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
    zpty -n -w z "xhprof mea"$'"'\t'"'; zpty -r z text "*xhprof*mean*"; print -r -- $text' zsh "$scratch"
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

# What a service leaves that was used: it starts with the machine, and has its cache.
service_was_used() { systemctl enable xhprof-pages && install -d -o www-data /var/cache/xhprof/x; }

# Nothing but what is below DESTDIR changes, and that can be removed again.
installs_elsewhere() {
  local elsewhere=(make -C "$root" DESTDIR="$scratch/dest" PREFIX=/opt/x)
  "${elsewhere[@]}" install &&
    prints "xhprof $version" "$scratch/dest/opt/x/bin/xhprof" --version &&
    "$scratch/dest$(php-config --extension-dir)/xhprof-inspect" --version &&
    grep '^ExecStart=/opt/x/bin/xhprof ' "$scratch/dest/opt/x/lib/systemd/system/xhprof-pages.service" &&
    "${elsewhere[@]}" uninstall &&
    same_files &&
    ! find "$scratch/dest" ! -type d | grep .
}

part_install() {
  needed man-db bsdextrautils bash-completion zsh fish systemd
  cd "$root"
  # git reads no repository of another user, unless that is asked for.
  chown -R www-data: "$root"
  tools/deps.sh install >"$log" 2>&1 || { tail "$log" >&2; exit 1; }
  files >"$scratch/files"
  check "DESTDIR and PREFIX" installs_elsewhere
  check "make install, in another user's checkout" make -C "$root" install
  check "PHP loads the extension" extension_is_loaded
  check "it does so last" loads_last
  check "xhprof is in PATH" prints "xhprof $version" xhprof --version
  check "xhprof-inspect is in PATH" prints "xhprof-inspect $version" xhprof-inspect --version
  check "it profiles a script" profiles
  installed_works
  check "the pages are served" serves /usr/local/lib/systemd/system/xhprof-pages.service
  check "they have what draws call graphs" draws_graphs /usr/local/share/xhprof
  check "systemd accepts the units" systemd-analyze verify /usr/local/lib/systemd/system/xhprof-{pages,ship}.service
  check "it can be enabled" service_was_used
  check "make uninstall" make -C "$root" uninstall
  check "nothing is left" same_files
  chown -R root: "$root"
}
installed_works() {
  check "man xhprof" manual xhprof 'SYMBOL'
  check "man xhprof-inspect" manual xhprof-inspect 'max-string'
  check "bash completes" completes_bash
  check "zsh completes" completes_zsh
  check "fish completes" completes_fish
}

# draws_graphs FOLDER: of the tools.
draws_graphs() { [[ -s $1/xhprof_html/assets/vendor/graphviz/graphviz.js && -s $1/xhprof_html/assets/vendor/graphviz/NOTICE ]]; }

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
  # As without settings of the machine: without a lock file, Composer 2.5 ends with an error after it has installed.
  composer config lock true
  check "composer require --dev" composer require --dev xhprof/tools
  check "vendor/bin/xhprof runs" prints "xhprof $version" vendor/bin/xhprof --version
  check "its pages have what draws call graphs" draws_graphs vendor/xhprof/tools
  check "it brings what it needs and no tools for development" brings_no_more vendor
  check "nothing of it is left on a production host" without_dev
  composer config repositories.xhprof-bridge "${repository/xhprof-tools-/xhprof-bridge-}"
  check "composer require --dev xhprof/bridge" composer require --dev xhprof/bridge
  # shellcheck disable=SC2016 # for PHP
  check "it shows the pages of the tools" prints "200 200 404" php -r 'require "vendor/autoload.php";
    $mount = new XHProf\Bridge\Mount(getcwd());
    echo implode(" ", array_map(fn ($path) => $mount->respond($path, "GET")->status, ["/", "/assets/app.css", "/vendor"])), "\n";'
  check "it can be removed again" composer remove --dev xhprof/bridge
  # Beside the oldest and the newest of Symfony and Twig that a project may have. Symfony 8 wants PHP 8.4.
  beside symfony/console:6.4.1 twig/twig:3.14.0
  beside "symfony/console:^7.4" "twig/twig:^3.30"
  if php -r 'exit(PHP_VERSION_ID < 80400 ? 1 : 0);'; then
    beside "symfony/console:^8.0" "twig/twig:^3.30"
  else
    in_project "symfony/console:^8.0"
    composer config platform.php 8.4.0
    check "it can be required beside symfony/console:^8.0" composer require --dry-run xhprof/tools "symfony/console:^8.0"
  fi
  cd "$scratch/project"
  composer global config repositories.xhprof "$repository"
  composer global config lock true
  check "composer global require" composer global require xhprof/tools
  check "it runs from there" prints "xhprof $version" "$home/vendor/bin/xhprof" --version
  cd "$root"
}
# in_project PACKAGE...: a new project, which may require xhprof/tools
in_project() {
  rm -rf "$scratch/beside"
  mkdir "$scratch/beside"
  cd "$scratch/beside"
  echo '{}' >composer.json
  composer config repositories.xhprof "$repository"
  composer config lock true
}
# beside PACKAGE...: the tools are required beside these, and do their work
beside() {
  in_project
  check "it can be required beside $*" composer require xhprof/tools "$@"
  mkdir runs
  cat >run.folded <<<"main;work 3"
  check "it reads and prints a run there" does_its_work
  check "its pages are shown there" shows_its_pages vendor/bin/xhprof
}
does_its_work() {
  vendor/bin/xhprof import run.folded --output-dir=runs && vendor/bin/xhprof list --output-dir=runs &&
    vendor/bin/xhprof report latest --output-dir=runs | grep -q work && vendor/bin/xhprof help report | grep -q -- --wide &&
    vendor/bin/xhprof export latest -f html -o run.html --output-dir=runs && grep -q work run.html
}
# shows_its_pages COMMAND...: of the command line, with the first run of the folder runs
shows_its_pages() {
  local server page
  "$@" serve --no-token --port=18099 --output-dir=runs &
  server=$!
  page=$(php -r '
    for ($i = 0; $i < 600; $i++) {
      if (($page = @file_get_contents("http://127.0.0.1:18099/index.php?run=" . $argv[1])) !== false) {
        exit($page);
      }
      usleep(50000);
    }' "$("$@" list --json --output-dir=runs | php -r 'echo json_decode(stream_get_contents(STDIN))->runs[0]->id;')")
  kill "$server"
  grep -q '>work<' <<<"$page"
}
brings_no_more() { ls "$1" | diff - <(printf '%s\n' autoload.php bin composer psr symfony twig xhprof); }
without_dev() { composer install --no-dev && [[ ! -e vendor/xhprof && ! -e vendor/symfony && ! -e vendor/bin/xhprof ]]; }

# Nothing but php-cli and the file.
part_phar() {
  needed php-cli php-mbstring
  local file="$scratch/one file/xhprof.phar" minor
  minor=$(php -n -r 'echo PHP_MAJOR_VERSION, ".", PHP_MINOR_VERSION;')
  mkdir -p "${file%/*}"
  cp "$root/build/release/xhprof.phar" "$file"
  cd "${file%/*}"
  mkdir runs
  echo "main;work 3" >run.folded
  check "the list of sums has every file, and is right" sums_are_right
  check "php runs it" prints "xhprof $version" php xhprof.phar --version
  check "it is a program" prints "xhprof $version" ./xhprof.phar --version
  check "it says that the extension is missing, and what still works" \
    fails_with "Saved runs can be read without it" php xhprof.phar run -d extension_dir=/nowhere -- "$script"
  check "it reads and prints a run without it" phar_reads_runs php xhprof.phar
  check "it lists the runs" prints imported php xhprof.phar list --output-dir=runs
  local few=(php -n -d extension=phar -d extension=mbstring xhprof.phar)
  check "it reads a run without SQLite too" phar_reads_runs "${few[@]}"
  check "it says that lists need it" fails_with "pdo_sqlite" "${few[@]}" list --output-dir=runs
  check "it says that mbstring is missing" fails_with "php$minor-mbstring" php -n -d extension=phar xhprof.phar list
  check "it says that phar is missing" fails_with "extension phar" php -n xhprof.phar list
  check "its pages are shown" shows_its_pages php xhprof.phar
  unzip -q "$root/build/release/php_xhprof-${version}_php$minor-$(uname -m)-linux-glibc.zip" xhprof.so
  check "with the release's xhprof.so beside it, it profiles" phar_profiles
  check "they draw call graphs" php -r '
    exit((int) (strlen(file_get_contents("phar://$argv[1]/xhprof_html/assets/vendor/graphviz/graphviz.js")) < 1e5));' "$file"
  check "made again elsewhere, it is the same" is_made_again "$file"
  cd "$root"
}
sums_are_right() {
  cd "$root/build/release" && sha256sum --strict -c SHA256SUMS &&
    diff <(find . -maxdepth 1 -type f ! -name 'SHA256SUMS*' -printf '%P\n' | sort) <(sed 's/^[0-9a-f]* [ *]//' SHA256SUMS | sort) &&
    grep -q ' xhprof.phar$' SHA256SUMS
}
# phar_reads_runs COMMAND...
phar_reads_runs() {
  local id
  id=$("$@" import run.folded --output-dir=runs | grep -o '^[0-9a-f]\{32\}') &&
    prints work "$@" report "$id" --output-dir=runs && "$@" export "$id" -f html -o run.html --output-dir=runs && grep -q work run.html
}
phar_profiles() {
  php xhprof.phar run --output-dir=mine -- "$script" && prints own_work php xhprof.phar report --output-dir=mine
}
# At another time, in another folder, by a user who keeps files closed.
is_made_again() {
  umask 077
  git clone -q "$root" "$scratch/again" && cp -R "$root/xhprof_html/assets/vendor" "$scratch/again/xhprof_html/assets/" &&
    find "$scratch/again" -exec touch -d '2001-01-01' {} + && "$scratch/again/tools/phar.sh" && cmp "$1" "$scratch/again/build/xhprof.phar"
}

# older FOLDER PACKAGE...: the same packages of a lower version, with a file that these do not have. Symbols for debuggers depend on
# their exact version.
older() {
  local package folder=$1
  mkdir "$folder"
  for package in "${@:2}"; do
    [[ $package != *-dbgsym_* ]] || continue
    rm -rf "$scratch/old"
    dpkg-deb -R "$package" "$scratch/old" || return
    sed -i 's/^Version: .*/Version: 2.9-1/' "$scratch/old/DEBIAN/control"
    touch "$scratch/old/usr/share/doc/$(dpkg-deb -f "$package" Package)/gone"
    dpkg-deb -b "$scratch/old" "$folder/${package##*/}" || return
  done
}
is_upgraded() { # PACKAGE...
  local package
  for package in "$@"; do
    package=$(dpkg-deb -f "$package" Package)
    [[ $(dpkg-query -W -f '${Version}' "$package") == "$version"-* && ! -e /usr/share/doc/$package/gone ]] || return
  done
}

# For every PHP with phpize here; the packages are those that make release has built.
part_deb() {
  local packages=("$root"/build/release/*.deb)
  needed lintian man-db bsdextrautils bash-completion zsh fish systemd php-cli php-mbstring
  files >"$scratch/files"
  check "lintian finds no error and nothing to warn of" lintian --fail-on error,warning "$root"/build/release/*.changes
  check "an older version can be built" older "$scratch/older" "${packages[@]}"
  check "apt installs it" apt install --no-install-recommends "$scratch"/older/*.deb
  check "apt upgrades the packages" apt install --no-install-recommends "${packages[@]}"
  check "nothing of the older ones is there" is_upgraded "${packages[@]}"
  check "PHP loads the extension" extension_is_loaded
  check "it does so last" loads_last
  check "xhprof is in PATH" prints "xhprof $version" xhprof --version
  check "xhprof-inspect is in PATH" prints "xhprof-inspect $version" xhprof-inspect --version
  check "it profiles a script" profiles
  installed_works
  check "the pages are served" serves /lib/systemd/system/xhprof-pages.service
  check "they have what draws call graphs" draws_graphs /usr/share/xhprof
  check "systemd accepts the units" systemd-analyze verify /lib/systemd/system/xhprof-{pages,ship}.service
  check "it can be enabled" service_was_used
  # shellcheck disable=SC2046 # words
  check "apt purges them" apt purge $(for package in "${packages[@]}"; do dpkg-deb -f "$package" Package; done)
  check "nothing is left" same_files
}

part_pecl() {
  needed php-pear gcc make
  local modules data
  modules=$(php-config --extension-dir)
  data=$(pecl config-get data_dir)/xhprof
  # PEAR keeps the folders of all packages.
  mkdir -p "$(pecl config-get test_dir)" "${data%/*}" "$(pecl config-get doc_dir)"
  files >"$scratch/files"
  check "PECL finds no error in its package.xml and nothing to warn of" is_valid_for_pecl
  check "pecl install" env MAKEFLAGS="-j$(nproc)" pecl install "$root/build/release/xhprof-$version.tgz"
  check "PHP loads the extension" prints "Version => $version" php -d extension=xhprof.so --ri xhprof
  # PECL drops the run bit of all that it compiles.
  check "the tools say how xhprof-inspect can be run" \
    fails_with "chmod +x $modules/xhprof-inspect" "$root/build/release/xhprof-tools-$version/bin/xhprof-inspect" --version
  check "it can be made to run" chmod +x "$modules/xhprof-inspect"
  check "xhprof-inspect runs" prints "xhprof-inspect $version" "$modules/xhprof-inspect" --version
  check "the library loads" php -r 'require $argv[1] . "/xhprof_lib/utils/xhprof_lib.php"; exit((int) !function_exists("xhprof_compute_flat_info"));' "$data"
  check "the pages are there" test -e "$data/xhprof_html/index.php"
  check "they have what draws call graphs" draws_graphs "$data"
  check "pecl uninstall" pecl uninstall xhprof
  check "nothing is left" same_files
}

# It warns of a date that is not today's, as one of yesterday is at midnight.
is_valid_for_pecl() {
  prints "Validation: 0 error(s)" pecl package-validate "$root/build/release/xhprof-$version.tgz" &&
    ! grep '^Warning:' "$scratch/printed" | grep -v 'Release Date'
}

# The name is that of php/pie, src/Platform/PrePackagedBinaryAssetName.php; src/Installing/UnixInstall.php copies xhprof.so of it.
part_pie() {
  needed unzip gcc make
  local name archive modules sources=$scratch/sources
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
  check "PIE's settings have PHP load it last" pie_enables
  check "the other programs are unpacked beside it" unzip -q -d "$modules" "$archive" xhprof-inspect libxhprof_malloc.so
  check "the tools find xhprof-inspect there" prints "xhprof-inspect $version" \
    "$root/build/release/xhprof-tools-$version/bin/xhprof-inspect" --version
  rm "$modules"/{xhprof.so,xhprof-inspect,libxhprof_malloc.so}
  # What Composer downloads is what git has. src/Building/UnixBuild.php has the steps.
  mkdir "$sources"
  check "the sources are those of the tag" unpacks_tag "$sources"
  # shellcheck disable=SC2016 # for PHP
  check "PIE's steps compile them" pie_compiles "$sources/$(php -n -r '
    echo json_decode(file_get_contents($argv[1]), true)["php-ext"]["build-path"];' "$root/build/release/composer.json")"
  check "PHP loads it" prints "Version => $version" php -n -d extension=xhprof --ri xhprof
  check "xhprof-inspect runs" prints "xhprof-inspect $version" "$modules/xhprof-inspect" --version
  rm "$modules"/{xhprof.so,xhprof-inspect,libxhprof_malloc.so}
}
# What src/Installing/Ini/OndrejPhpenmod.php does with the package's priority.
pie_enables() {
  local v file priority
  v=$(php -n -r 'echo PHP_MAJOR_VERSION, ".", PHP_MINOR_VERSION;')
  file=/etc/php/$v/mods-available/xhprof.ini
  # shellcheck disable=SC2016 # for PHP
  priority=$(php -n -r 'echo json_decode(file_get_contents($argv[1]), true)["php-ext"]["priority"];' "$root/build/release/composer.json")
  printf '\n; PIE automatically added this to enable the xhprof/xhprof extension\n; priority=%s\nextension=xhprof\n' "$priority" >"$file"
  phpenmod -v "$v" -s ALL xhprof && loads_last && php --ri xhprof
  local status=$?
  phpdismod -v "$v" -s ALL xhprof
  rm -f /var/lib/php/modules/"$v"/*/disabled_by_admin/xhprof
  rm "$file"
  return "$status"
}
unpacks_tag() { git -C "$root" archive HEAD | tar -x -C "$1"; }
pie_compiles() {
  cd "$1" && phpize && ./configure --with-libdir=lib/x86_64-linux-gnu --with-php-config="$(command -v php-config)" &&
    make -j"$(nproc)" && make install
}

# copies FROM... TO: COPY, of the checkout or of what an earlier stage made.
copies() {
  local to=${*: -1} from file
  if [[ $1 == --from=* ]]; then
    cp -a "$2/." "$to"
    return
  fi
  [[ -f $root/$1 && $to != */ ]] || mkdir -p "$to"
  for from in "${@:1:$#-1}"; do
    # It may be a pattern.
    for file in "$root"/$from; do
      if [[ -d $file ]]; then
        cp -a "$file/." "$to"
      else
        cp "$file" "$to"
      fi || return
    done
  done
}
# builds_image DOCKERFILE
builds_image() {
  local word line lines=$scratch/lines
  sed -e ':a' -e '/\\$/{N;s/\\\n//;ba' -e '}' "$1" >"$lines"
  while read -r word line <&3; do
    case $word in
      RUN) sh -c "$line" || return ;;
      # shellcheck disable=SC2086 # words
      COPY) copies $line || return ;;
    esac
  done 3<"$lines"
}
# docker-php-ext-enable and PHPIZE_DEPS are those of Docker's images of PHP.
part_docker() {
  local folder=$scratch/release
  PHP_INI_DIR=$(php -n -r 'echo dirname(PHP_CONFIG_FILE_SCAN_DIR);')
  export PHP_INI_DIR PHPIZE_DEPS="autoconf dpkg-dev file g++ gcc libc-dev make pkg-config re2c"
  # shellcheck disable=SC2016 # for that program
  printf '#!/bin/sh\necho "extension=$1" >"$PHP_INI_DIR/conf.d/docker-php-ext-$1.ini"\n' >/usr/local/bin/docker-php-ext-enable
  chmod +x /usr/local/bin/docker-php-ext-enable
  # As in a checkout where it was compiled for another PHP.
  : >"$root/extension/settings.lo"
  check "the lines of the Dockerfile run" builds_image "$root/tools/docker/Dockerfile"
  check "PHP loads the extension" extension_is_loaded
  check "PHP has its run folder" prints "Run folder => /var/lib/xhprof" env "$(sed -n 's/^ENV //p' "$root/tools/docker/Dockerfile")" php --ri xhprof
  check "xhprof-inspect is in PATH" prints "xhprof-inspect $version" /usr/local/bin/xhprof-inspect --version
  without_docker
  cp "$root/build/release/xhprof.phar" "$root/build/"
  check "the lines of the tools' Dockerfile run" builds_image "$root/tools/docker/Dockerfile.tools"
  check "its program runs" prints "xhprof $version" /usr/local/bin/xhprof --version
  check "its pages can be seen" serves_as_image
  rm /usr/local/bin/xhprof
  mkdir "$folder"
  cp "$root/build/release/xhprof-$version.tgz" "$root/build/release/xhprof.phar" "$folder/"
  check "the feature of development containers is installed" \
    env RELEASE="$folder" TRIGGER=secret _REMOTE_USER=nobody sh "$root/tools/devcontainer/xhprof/install.sh"
  check "PHP loads the extension" extension_is_loaded
  check "it has its trigger" prints "xhprof.start_with_request => trigger => trigger" php --ri xhprof
  without_docker
  cp -R "$root/tools/ddev/web-build/." "$folder/"
  check "the lines of DDEV's add-on run" env DDEV_PHP_VERSION="$(php -r 'echo PHP_MAJOR_VERSION, ".", PHP_MINOR_VERSION;')" \
    bash -c "$(declare -f copies builds_image); root=$folder scratch=$scratch; builds_image $folder/Dockerfile.xhprof"
  check "PHP loads the extension with its settings" prints "xhprof.trigger_value => (set)" php -c "$root/tools/ddev/php/xhprof.ini" --ri xhprof
  check "xhprof-inspect is in PATH" prints "xhprof-inspect $version" /usr/local/bin/xhprof-inspect --version
  without_docker
}
# Removes what the lines of an image have installed.
without_docker() {
  rm -f "$(php-config --extension-dir)"/{xhprof.so,xhprof-inspect,libxhprof_malloc.so} "$PHP_INI_DIR"/conf.d/*xhprof.ini \
    "$(php -n -r 'echo PHP_CONFIG_FILE_SCAN_DIR;')"/99-xhprof.ini /usr/local/bin/xhprof-{inspect,pages}
}
# As the image's command does, but on a port of its own; a connection is what its health check asks for.
serves_as_image() {
  local server status=1
  XHPROF_UI_PASSWORD=twelve-bytes-x XHPROF_OUTPUT_DIR=/var/lib/xhprof xhprof serve --host=0.0.0.0 --port=18080 &
  server=$!
  php -r '
    for ($i = 0; $i < 600; $i++) {
      $page = @file_get_contents("http://127.0.0.1:18080/", false, stream_context_create(["http" => [
        "header" => "Authorization: Basic " . base64_encode("any:twelve-bytes-x")]]));
      if ($page !== false) {
        exit((int) !str_contains($page, "<title>"));
      }
      usleep(50000);
    }
    exit(1);' && status=0
  kill "$server"
  return "$status"
}

# The script unpacks an archive, takes the one folder in it, wants package.xml there and has PECL install it (its README, and
# mlocati/docker-php-extension-installer#760 and #984); it brings PHPIZE_DEPS, and no more for an extension that it does not know.
part_installer() {
  needed php-pear gcc make
  local folder=$scratch/source modules
  modules=$(php-config --extension-dir)
  mkdir "$folder"
  check "the archive has one folder with package.xml" has_one_folder "$folder"
  check "PECL installs it from there" env MAKEFLAGS="-j$(nproc)" pecl install --force "$folder/xhprof-$version/package.xml"
  check "PHP loads it" prints "Version => $version" php -n -d extension=xhprof --ri xhprof
  check "it needs no library but C's" needs_only_libc "$modules/xhprof.so"
  check "pecl uninstall" pecl uninstall xhprof
}
has_one_folder() {
  tar -C "$1" -xzf "$root/build/release/php_xhprof-$version-src.tgz" && [[ $(ls "$1") == "xhprof-$version" && -s $1/xhprof-$version/package.xml ]]
}
needs_only_libc() { [[ $(readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | grep -vE '^(libc|ld-linux.*)\.so') == '' ]]; }

for part in "$@"; do
  "part_$part"
done
echo "1..$number"
exit "$failed"
