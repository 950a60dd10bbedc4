#!/usr/bin/env bash
# archives.sh [PATTERN...]: makes in build/release the archives that PIE downloads, for PHP 8.2 to 8.6, thread-safe or not, with glibc and
# musl, on x86_64 and arm64, as far as they can be made here; prints a table that says of each whether it was built, and whether it was
# loaded and has profiled. A pattern is of the shell, for their names without version: "php8.4-*", "*-arm64-*-zts". Without one: all.
#   --list     only names them
#   --no-run   none is run, and no PHP is fetched for that
# They are compiled by the compiler and the C library of this machine, whose age says which systems they run on, with PHP's headers of
# Debian's packages: unpacked in build/archives, nothing is installed, and root is not needed. Of a thread-safe PHP these headers differ in
# one line. Only where PHP's own headers are those of this machine, as in a container of Docker's PHP, tools/pie.sh has less to assume: a
# release takes its archives from there (.github/workflows/release.yml).
#   musl       by Debian's musl-tools with the headers of build/php-musl (make check-musl builds it): 8.2, x86_64
#   arm64      by gcc-aarch64-linux-gnu; run by QEMU
#   8.3        is in no Debian
# Exit code 1 when one that could be built is wrong, 77 when none could be.
set -euo pipefail
. "$(dirname "$0")/env.sh"
. "$(dirname "$0")/archive.sh"
. "$(dirname "$0")/room.sh"
list='' run=yes patterns=()
for word in "$@"; do
  case $word in
    --list) list=yes ;;
    --no-run) run='' ;;
    -*) sed -n '2,16s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
    *) patterns+=("$word") ;;
  esac
done
[[ ${#patterns[@]} -gt 0 ]] || patterns=('*')
out=$root/build/archives
keyring=/usr/share/keyrings/debian-archive-keyring.gpg

# The Debian that has this PHP, and the version where it goes on to newer ones: as tools/other-php.sh has them.
suite_of() {
  case $1 in
    8.2) echo bookworm ;;
    8.4) echo trixie ;;
    8.5 | 8.6) echo "experimental $(sed -n "s/^  $1) .* version=\([^ ]*\).*/\1/p" "$root/tools/other-php.sh")" ;;
  esac
}

# deb_apt PHP ARCH COMMAND...: apt-get with lists, settings and packages of its own, for that Debian and processor.
deb_apt() {
  local php=$1 arch=$2 suite version folder options
  read -r suite version <<<"$(suite_of "$php")"
  folder=$out/apt-$suite-$arch
  options=(-q -o "APT::Architecture=$arch" -o "APT::Architectures=$arch" -o "Dir::Etc::SourceList=$folder/sources" -o Dir::Etc::SourceParts=/dev/null
    -o Dir::Etc::Preferences=/dev/null -o Dir::Etc::PreferencesParts=/dev/null -o "Dir::State=$folder" -o "Dir::State::status=$folder/status"
    -o "Dir::Cache=$folder/cache" -o APT::Install-Recommends=false -o Acquire::Languages=none -o Acquire::Retries=3
    -o Acquire::Check-Valid-Until=false -o APT::Update::Post-Invoke= -o APT::Sandbox::User=root -o Debug::NoLocking=true)
  if [[ ! -e $folder/ready ]]; then
    mkdir -p "$folder"/{lists,cache/archives}/partial
    : >"$folder/status"
    {
      echo "deb [signed-by=$keyring] $(room_mirror) $suite main"
      [[ $suite != experimental ]] || echo "deb [signed-by=$keyring] $(room_mirror) sid main"
    } >"$folder/sources"
    apt-get "${options[@]}" update && touch "$folder/ready" || return
  fi
  apt-get "${options[@]}" "${@:3}"
}

# headers PHP ARCH: unpacks that PHP's headers in build/archives/dev-PHP-ARCH.
headers() {
  local php=$1 arch=$2 suite version folder=$out/dev-$1-$2
  read -r suite version <<<"$(suite_of "$php")"
  rm -rf "$folder"
  mkdir -p "$folder/deb" && cd "$folder/deb" &&
    deb_apt "$php" "$arch" download "php$php-dev${version:+=$version}" && dpkg -x ./*.deb .. && rm -r ../deb && touch ../.ready
}
# programs PHP ARCH: unpacks that PHP's command line and all that it needs in build/archives/cli-PHP-ARCH.
programs() {
  local php=$1 arch=$2 suite version folder=$out/cli-$1-$2 packages deb
  read -r suite version <<<"$(suite_of "$php")"
  packages=("php$php-cli${version:+=$version}" "php$php-common${version:+=$version}" "php$php-opcache${version:+=$version}")
  # Since 8.5 it is in PHP itself.
  [[ $php == 8.[24] ]] || unset 'packages[2]'
  [[ -z $version ]] || packages+=("$(sed -n "s/^  $php) .* common=\([^ ]*\).*/php-common=\1/p" "$root/tools/other-php.sh")" "php$php-readline=$version")
  rm -rf "$folder"
  mkdir -p "$folder" && deb_apt "$php" "$arch" -y --download-only install "${packages[@]}" || return
  # A Debian of today has one folder of libraries.
  mkdir -p "$folder"/usr/{bin,sbin,lib,lib64} && ln -s usr/{bin,sbin,lib,lib64} "$folder/" || return
  for deb in "$out/apt-$suite-$arch/cache/archives"/*.deb; do
    dpkg-deb --fsys-tarfile "$deb" | tar -C "$folder" -x --keep-directory-symlink || return
  done
  rm -f "$out/apt-$suite-$arch/cache/archives"/*.deb
  touch "$folder/.ready"
}
qemu() { find "$root/build/qemu/usr/bin" -name qemu-aarch64-static -o -name qemu-aarch64 2>/dev/null | head -n 1; }
unpack_qemu() {
  rm -rf "$root/build/qemu" && mkdir -p "$root/build/qemu" && cd "$root/build/qemu" && { apt_download qemu-user-static || apt_download qemu-user; } &&
    dpkg -x ./*.deb . && rm ./*.deb
}

# compile NAME PHP ARCH LIBC THREADS INCLUDE: compiles the extension in build/archives/NAME, with the headers of that folder.
compile() {
  local name=$1 php=$2 arch=$3 libc=$4 threads=$5 include=$6 folder=$out/$1 options=() config
  rm -rf "$folder"
  mkdir -p "$folder"
  (cd "$root" && tracked extension inspect malloc | grep -zv '^extension/tests/' | xargs -0 cp --parents -t "$folder") || return
  if [[ $threads == zts ]] && ! grep -q '^#define ZTS 1' "$include/main/php_config.h"; then
    cp -R "$include" "$folder/include" && include=$folder/include && echo '#define ZTS 1' >>"$include/main/php_config.h" || return
  fi
  # What configure asks of php-config.
  config=$folder/php-config
  cat >"$config" <<C
#!/bin/sh
for word; do
  case \$word in
    --prefix) echo /usr ;;
    --includes) echo "-I$include -I$include/main -I$include/TSRM -I$include/Zend -I$include/ext" ;;
    --include-dir) echo "$include" ;;
    --extension-dir) echo /usr/lib/php ;;
    --version) echo "$php.0" ;;
    --vernum) echo "${php/./0}00" ;;
    --php-binary) echo "$PHP" ;;
    *) echo ;;
  esac
done
C
  chmod +x "$config"
  case $libc-$arch in
    musl-*) export CC=$root/build/php-musl/cc && options=("--build=$(uname -m)-linux-musl") ;;
    glibc-arm64) options=(--host=aarch64-linux-gnu "--build=$(gcc -dumpmachine)") && export CC=aarch64-linux-gnu-gcc ;;
  esac
  export CFLAGS="-O2 -ffile-prefix-map=$folder=."
  cd "$folder/extension" && "$PHPIZE" && ./configure "${options[@]}" --with-php-config="$config" &&
    make --silent --jobs="$(nproc)" LIBTOOL="$root/tools/compile.sh \$(SHELL) \$(top_builddir)/libtool --silent" all
}

# Loads xhprof.so into that PHP and profiles a program: prints its version.
# shellcheck disable=SC2016 # for PHP
try='function work() { return strlen(str_repeat("a", 9)); } xhprof_enable(); work(); $run = xhprof_disable();
  if (($run["main()==>work"]["ct"] ?? 0) !== 1) { exit(1); }
  echo phpversion("xhprof");'
# tried NAME PHP ARCH LIBC THREADS ARCHIVE: whether it does so, in a PHP of that kind, where there is one.
tried() {
  local php=$2 arch=$3 libc=$4 threads=$5 archive=$6 scratch root_folder=$out/cli-$2-$3 command=() status=0
  scratch=$out/$1/run
  rm -rf "$scratch"
  unzip -q -d "$scratch" "$archive"
  if [[ $libc == musl && $threads == nts ]]; then
    command=("$root/build/php-musl/php/bin/php")
  elif [[ $threads == zts && $php == "$PHP_V" && $libc-$arch == glibc-amd64 && -x $root/build/php-ts/php/bin/php ]]; then
    command=("$root/build/php-ts/php/bin/php")
  elif [[ $threads == nts && $libc == glibc ]]; then
    [[ -e $root_folder/.ready ]] || stage "archives-cli-$php-$arch" "Unpacking PHP $php ($arch) in build/archives" programs "$php" "$arch" >&2 || return 2
    case $arch in
      amd64) command=("$root_folder/lib64/ld-linux-x86-64.so.2" --library-path "$root_folder/usr/lib/x86_64-linux-gnu:$root_folder/usr/lib" "$root_folder/usr/bin/php$php") ;;
      arm64)
        [[ -n $(qemu) ]] || stage qemu "Unpacking QEMU in build/qemu" unpack_qemu >&2 || return 2
        command=("$(qemu)" -L "$root_folder" "$root_folder/usr/bin/php$php")
        ;;
    esac
  else
    return 2
  fi
  "${command[@]}" -n -d "extension=$scratch/xhprof.so" -r "$try" >"$logs/archives-run-$1.log" 2>&1 || status=1
  [[ $status -eq 0 && $(<"$logs/archives-run-$1.log") == "$(<"$root/extension/VERSION")" ]]
}

find_php
[[ -n $PHPIZE ]] || { echo "skipped: no phpize"; exit 77; }
if [[ -z $list ]]; then
  mkdir -p "$out" "$logs"
  exec 9>"$out/.lock"
  flock 9
fi
number=0 failed=0 rows=()
for php in 8.2 8.3 8.4 8.5 8.6; do
  for libc in glibc musl; do
    for arch in amd64 arm64; do
      for threads in nts zts; do
        machine=${arch/amd64/x86_64}
        archive=$(archive_name "$php" "$machine" "$libc" "$threads")
        name=php${archive#*_php} name=${name%.zip}
        wanted=
        for pattern in "${patterns[@]}"; do
          # shellcheck disable=SC2053 # a pattern
          [[ $name != $pattern ]] || wanted=yes
        done
        [[ -n $wanted ]] || continue
        if [[ -n $list ]]; then
          echo "$archive"
          continue
        fi
        include='' why='' compiler=gcc strip=strip
        [[ $arch-$libc != arm64-glibc ]] || compiler=aarch64-linux-gnu-gcc strip=aarch64-linux-gnu-strip
        if [[ $libc == musl ]]; then
          include=$root/build/php-musl/php/include/php
          if [[ $arch == arm64 ]]; then
            why="no compiler for musl on arm64 here"
          elif [[ $php != "$PHP_V" ]]; then
            why="no PHP $php with musl here"
          elif [[ ! -e $include/main/php.h ]]; then
            why="make check-musl builds the PHP for it"
          fi
        elif [[ -z $(suite_of "$php") ]]; then
          why="no Debian has PHP $php"
        elif ! have "$compiler"; then
          why="no $compiler; on Debian: apt-get install gcc-aarch64-linux-gnu libc6-dev-arm64-cross"
        elif [[ ! -e $out/dev-$php-$arch/.ready ]] &&
          ! stage "archives-dev-$php-$arch" "Unpacking the headers of PHP $php ($arch) in build/archives" headers "$php" "$arch"; then
          why="its headers could not be fetched: build/log/archives-dev-$php-$arch.log"
        else
          include=$(echo "$out/dev-$php-$arch"/usr/include/php/20*)
        fi
        if [[ -n $why ]]; then
          rows+=("$name|not here|$why")
          continue
        fi
        if ! (stage "archives-$name" "Compiling $name" compile "$name" "$php" "$arch" "$libc" "$threads" "$include"); then
          rows+=("$name|FAILED|it does not compile: build/log/archives-$name.log")
          failed=1
          continue
        fi
        archive_pack "$root/build/release/$archive" "$out/$name/extension/modules" "$strip"
        if ! wrong=$(archive_check "$root/build/release/$archive"); then
          rows+=("$name|FAILED|$wrong")
          failed=1
          continue
        fi
        number=$((number + 1))
        note=$([[ $libc != glibc ]] || echo "glibc $(archive_glibc "$root/build/release/$archive") or newer; ")
        status=2
        if [[ -n $run ]]; then
          status=0
          tried "$name" "$php" "$arch" "$libc" "$threads" "$root/build/release/$archive" || status=$?
        fi
        case $status in
          0) rows+=("$name|built and run|$note$([[ $arch != arm64 ]] && echo "it has profiled" || echo "cross-compiled; it has profiled in an emulator")") ;;
          1)
            rows+=("$name|FAILED|it does not profile: build/log/archives-run-$name.log")
            failed=1
            ;;
          2) rows+=("$name|built, not run|$note$([[ $arch != arm64 ]] || echo "cross-compiled; ")no such PHP here$([[ -n $run ]] || echo " (--no-run)")") ;;
        esac
        rm -rf "${out:?}/$name"
      done
    done
  done
done
[[ -z $list ]] || exit 0
[[ ${#rows[@]} -gt 0 ]] || { echo "no archive is like ${patterns[*]}; archives.sh --list names them" >&2; exit 2; }
echo
printf '%s\n' "${rows[@]}" | awk -F '|' '{ printf "%-36s %-15s %s\n", $1, $2, $3 }'
[[ $failed -eq 0 ]] || exit 1
[[ $number -gt 0 ]] || { echo "skipped: none of them can be built here"; exit 77; }
