#!/usr/bin/env bash
# unit.sh: compiles the C tests of the modules that use no PHP, or only its headers, with the address and undefined behaviour
# sanitizers, and runs them. Output is TAP. Needs a configured extension/ for its config.h.
set -euo pipefail
. "$(dirname "$0")/env.sh"
out=$root/build/unit
mkdir -p "$out/walk"
find_php
read -ra includes <<<"$("$php_config" --includes)"
cd "$root/extension"
cc=("${CC:-cc}" -std=gnu11 -D_GNU_SOURCE -DHAVE_CONFIG_H -DXHPROF_DEV=1 -I.)
# base, trace and alloc have to compile without PHP's headers; of the other folders this tests the files that do.
sources=(base/*.c trace/*.c alloc/*.c) walk=()
for source in heap/*.c export/*.c request/*.c; do
  if "${cc[@]}" -fsyntax-only "$source" 2>/dev/null; then
    sources+=("$source")
  elif [[ $source == heap/* && $source != heap/heap_engine.c ]]; then # which asks the engine itself
    walk+=("$source")
  fi
done
cc+=(-g -O1 -Wall -Wextra -Werror -fsanitize=address,undefined -fno-sanitize-recover=all)
# The walk over the heap uses PHP's headers, and reads at any alignment.
cc_walk=("${cc[@]}" "${includes[@]}" -Wno-unused-parameter -fno-sanitize=alignment)
rm -f "$out"/*.o "$out"/walk/*.o

# compile INTO COMPILER... : compiles the sources named on stdin
compile() {
  xargs -P "$(nproc)" -I {} bash -c '"${@:3}" -c -o "$1/$(basename "$2" .c).o" "$2"' bash "$1" {} "${@:2}"
}

printf '%s\n' "${sources[@]}" | compile "$out" "${cc[@]}"
printf '%s\n' "${walk[@]}" | compile "$out/walk" "${cc_walk[@]}"
# Leaks cannot be found where ptrace is refused, as by an emulator of another processor: every program would fail.
echo 'int main(void) { return 0; }' | "${CC:-cc}" -fsanitize=address -o "$out/empty" -x c -
if ! "$out/empty" >/dev/null 2>&1; then
  echo "# the leak sanitizer does not work here"
  export ASAN_OPTIONS=detect_leaks=0
fi
status=0
for test in tests/unit/*_test.c; do
  program=$out/$(basename "$test" .c)
  if [[ $test == *_walk_test.c ]]; then
    "${cc_walk[@]}" -Wl,--wrap=mmap -o "$program" "$test" "$out"/*.o "$out"/walk/*.o -lm -luuid
  else
    "${cc[@]}" -Wl,--wrap=mmap -o "$program" "$test" "$out"/*.o -lm -luuid
  fi
  echo "# $test"
  "$program" || status=$?
done
exit "$status"
