#!/usr/bin/env bash
# unit.sh [FOLDER]: compiles the C tests of the modules that use no PHP, or only its headers, with the address and undefined behaviour
# sanitizers, and runs them. Output is TAP. The folder is a configured extension/, for its config.h; default: the one here.
set -euo pipefail
. "$(dirname "$0")/env.sh"
out=$root/build/unit
find_php
read -ra includes <<<"$("$php_config" --includes)"
cd "${1:-$root/extension}"
[[ $# -eq 0 ]] || out=$out-$(basename "$(dirname "$PWD")")
mkdir -p "$out/walk"
cc=("${CC:-cc}" -std=gnu11 -D_GNU_SOURCE -DHAVE_CONFIG_H -DXHPROF_DEV=1 -I.)
# base, trace and alloc have to compile without PHP's headers; of the other folders this tests the files that do.
sources=(base/*.c trace/*.c alloc/*.c) walk=()
for source in operation/*.c heap/*.c hook/*.c export/*.c folder/*.c aggregate/*.c request/*.c; do
  if "${cc[@]}" -fsyntax-only "$source" 2>/dev/null; then
    sources+=("$source")
  elif [[ $source == heap/* && $source != heap/heap_engine.c ]]; then # which asks the engine itself
    walk+=("$source")
  fi
done
cc+=(-g -O1 -Wall -Wextra -Wno-unused-parameter -Werror)
echo 'int main(void) { return 0; }' >"$out/empty.c"
if "${CC:-cc}" -fsanitize=address,undefined -o "$out/empty" "$out/empty.c" 2>/dev/null &&
  ASAN_OPTIONS=detect_leaks=0 "$out/empty" 2>/dev/null; then
  cc+=(-fsanitize=address,undefined -fno-sanitize-recover=all)
  # Leaks cannot be found where ptrace is refused, as by an emulator of another processor: every program would fail.
  if ! "$out/empty" >/dev/null 2>&1; then
    echo "# the leak sanitizer does not work here"
    export ASAN_OPTIONS=detect_leaks=0
  fi
else
  # Its libraries are not there for every C library. This needs none.
  echo "# the address sanitizer does not work here; undefined behaviour ends a program"
  cc+=(-fsanitize=undefined -fsanitize-undefined-trap-on-error)
fi
# The walk over the heap uses PHP's headers, and reads at any alignment.
cc_walk=("${cc[@]}" "${includes[@]}" -fno-sanitize=alignment)
rm -f "$out"/*.o "$out"/walk/*.o

# compile INTO COMPILER... : compiles the sources named on stdin
compile() {
  xargs -P "$(nproc)" -I {} bash -c '"${@:3}" -c -o "$1/$(basename "$2" .c).o" "$2"' bash "$1" {} "${@:2}"
}

printf '%s\n' "${sources[@]}" | compile "$out" "${cc[@]}"
printf '%s\n' "${walk[@]}" | compile "$out/walk" "${cc_walk[@]}"
status=0
for test in tests/unit/*_test.c; do
  program=$out/$(basename "$test" .c)
  if [[ $test == *_walk_test.c ]]; then
    "${cc_walk[@]}" -Wl,--wrap=mmap -o "$program" "$test" "$out"/*.o "$out"/walk/*.o -lm
  else
    "${cc[@]}" -Wl,--wrap=mmap -o "$program" "$test" "$out"/*.o -lm
  fi
  echo "# $test"
  "$program" || status=$?
done
exit "$status"
