#!/usr/bin/env bash
# unit.sh: compiles the C tests of the modules that know nothing of PHP, with the address and undefined behaviour
# sanitizers, and runs them. Output is TAP. Needs a configured extension/ for its config.h.
set -euo pipefail
. "$(dirname "$0")/env.sh"
out=$root/build/unit
mkdir -p "$out"
cd "$root/extension"
cc=("${CC:-cc}" -std=gnu11 -D_GNU_SOURCE -DHAVE_CONFIG_H -DXHPROF_DEV=1 -I.)
# base, trace and alloc have to compile without PHP's headers; of the others those that do are tested here.
sources=(base/*.c trace/*.c alloc/*.c)
for source in heap/*.c export/*.c request/*.c; do
  if "${cc[@]}" -fsyntax-only "$source" 2>/dev/null; then
    sources+=("$source")
  fi
done
cc+=(-g -O1 -Wall -Wextra -Werror -fsanitize=address,undefined -fno-sanitize-recover=all)
rm -f "$out"/*.o
printf '%s\n' "${sources[@]}" |
  xargs -P "$(nproc)" -I {} bash -c '"${@:3}" -c -o "$1/$(basename "$2" .c).o" "$2"' bash "$out" {} "${cc[@]}"
status=0
for test in tests/unit/*_test.c; do
  program=$out/$(basename "$test" .c)
  "${cc[@]}" -Wl,--wrap=mmap -o "$program" "$test" "$out"/*.o -lz -lm -luuid
  echo "# $test"
  "$program" || status=$?
done
exit "$status"
