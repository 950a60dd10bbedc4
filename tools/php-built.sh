#!/usr/bin/env bash
# php-built.sh zts|asan|musl|ts: builds a PHP from the source package of the PHP under test (see php-source.sh), and the extension for
# it, which has its own assertions. The first two have the engine's assertions and reports of leaked blocks too.
#   zts    thread-safe; with it the programs of tools/zts, which run the extension in several threads
#   asan   with the address sanitizer, in the extension as well
#   musl   as it is used, with the C library musl: by Debian's musl-tools
#   ts     thread-safe as it is used, with the command line alone and no extension: what archives for PIE are tried with
# Leaves build/php-VARIANT/php, .../extension/modules/xhprof.so, .../threads, .../workers and .../forged. The PHP is built once per
# source package.
set -euo pipefail
. "$(dirname "$0")/env.sh"
variant=${1:-}
out=$root/build/php-$variant
options=(--disable-all --disable-cgi --disable-phpdbg --enable-cli --enable-opcache --enable-ctype --enable-filter --enable-pcntl
  --enable-posix --enable-tokenizer --enable-session)
case $variant in
  zts) options+=(--enable-debug --enable-zts --enable-embed=shared) title="a thread-safe debug PHP" ;;
  asan) options+=(--enable-debug --enable-address-sanitizer) title="a debug PHP with the address sanitizer" ;;
  musl)
    title="a PHP with musl"
    if ! command -v musl-gcc >/dev/null; then
      echo "skipped: no musl-gcc; on Debian: apt-get install musl-tools"
      exit 77
    fi
    options+=("--build=$(uname -m)-linux-musl" --without-valgrind)
    export CC=$out/cc
    ;;
  ts)
    options=(--disable-all --disable-cgi --disable-phpdbg --enable-cli --enable-zts) title="a thread-safe PHP"
    export CFLAGS=-O0
    ;;
  *) sed -n 2,7p "$0" >&2; exit 2 ;;
esac
source=$("$(dirname "$0")/php-source.sh")
mkdir -p "$out"
exec 9>"$out/.lock"
flock 9
# Leaks of build tools and of configure's programs do not matter.
export ASAN_OPTIONS=detect_leaks=0

# stage runs a function without "set -e": each joins its steps.
configure_php() {
  rm -rf "$out/build" "$out/php" && mkdir -p "$out/build" && cd "$out/build" &&
    "$source/configure" --prefix="$out/php" --with-config-file-path="$out/php" "${options[@]}"
}
# A compiler that finds the kernel's headers, which musl-gcc does not. It links libgcc_eh, which needs glibc; of PHP
# only the JIT calls it, for the figures of debuggers: it gets none.
make_compiler() {
  rm -rf "$out/build" "$out/system"
  mkdir -p "$out/build" "$out/system"/{include,lib} && cd "$out/build" || return
  ln -s /usr/include/{linux,asm-generic} "/usr/include/$(gcc -print-multiarch)/asm" "$out/system/include/"
  echo 'int _Unwind_Backtrace(void *see, void *argument) { return 5; } unsigned long _Unwind_GetCFA(void *frame) { return 0; }' |
    musl-gcc -O2 -fPIC -c -o none.o -x c - && ar rcs "$out/system/lib/libnone.a" none.o || return
  printf '#!/bin/sh\nexec musl-gcc "$@" -isystem "%s/include" -L"%s/lib" -lnone\n' "$out/system" "$out/system" >"$CC"
  chmod +x "$CC"
}
make_php() {
  cd "$out/build" && nice make --jobs="$(nproc)" &&
    make install-cli install-build install-headers install-programs || return
  # There is none without shared extensions.
  [[ $variant == ts ]] || make install-modules || return
  [[ $variant != zts ]] || make install-sapi
}
key=$(echo "$source ${CC:-} ${options[*]}" | digest)
if [[ ! -e $out/.key || $(<"$out/.key") != "$key" ]]; then
  rm -f "$out/.key"
  [[ $variant != musl ]] || stage musl-compiler "Making a compiler for musl" make_compiler
  stage "$variant-php-configure" "Configuring $title from ${source##*/}" configure_php
  stage "$variant-php-make" "Compiling it, once; it takes some minutes" make_php
  cd "$root"
  rm -rf "$out/build"
  echo "$key" >"$out/.key"
fi
if [[ $variant == ts ]]; then
  echo "Built PHP $("$out/php/bin/php" -n -r 'echo PHP_VERSION;') (ts), of ${source##*/}"
  exit 0
fi

# Unchanged files keep their times, so that only changed ones are compiled again.
php_config=$out/php/bin/php-config
copy_extension() {
  cd "$root" && tracked extension inspect malloc |
    xargs -0 cp --parents --preserve=timestamps --update -t "$out"
}
configure_extension() {
  cd "$out/extension" && "$out/php/bin/phpize" --clean && "$out/php/bin/phpize" || return
  if [[ $variant == asan ]]; then
    export CFLAGS="-g -O1 -fsanitize=address -fno-omit-frame-pointer"
  fi
  ./configure --with-php-config="$php_config" --enable-xhprof-dev
}
make_extension() { make --silent --jobs="$(nproc)" -C "$out/extension" all; }
mkdir -p "$out/extension"
stage "$variant-copy" "Copying the extension" copy_extension
key=$(cat "$out/.key" "$root/extension/config.m4" "$root"/{malloc,inspect}/Makefile.frag | digest)
if [[ ! -e $out/extension/Makefile || ! -e $out/.extension-key || $(<"$out/.extension-key") != "$key" ]]; then
  rm -f "$out/.extension-key"
  stage "$variant-configure" "Configuring the extension for it" configure_extension
  echo "$key" >"$out/.extension-key"
fi
stage "$variant-make" "Compiling the extension for it" make_extension

# program NAME OPTION...: of tools/zts.
program() {
  # shellcheck disable=SC2046 # words
  "${CC:-cc}" -std=gnu11 -D_GNU_SOURCE -g -O1 -Wall -Wextra -Wno-unused-parameter -DZEND_ENABLE_STATIC_TSRMLS_CACHE=1 -pthread \
    $("$php_config" --includes) -o "$out/$1" "$root/tools/zts/$1.c" "${@:2}"
}
embedding=(-L"$out/php/lib" -lphp -Wl,-rpath,"$out/php/lib")
if [[ $variant == zts ]]; then
  stage zts-threads-make "Compiling the program with threads" program threads "${embedding[@]}"
  stage zts-workers-make "Compiling the program with workers" program workers "${embedding[@]}"
  stage zts-forged-make "Compiling the program with made-up threads" program forged -rdynamic
fi
echo "Built for PHP $("$php_config" --version) ($variant), of ${source##*/}"
