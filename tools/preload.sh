#!/usr/bin/env bash
# preload.sh [LIBRARY]: tests of libxhprof_malloc.so (malloc/, default: the one in extension/modules) with the programs in tests/malloc
# and with others that are installed. Output is TAP.
set -euo pipefail
. "$(dirname "$0")/env.sh"
find_php
library=$(realpath "${1:-$root/extension/modules/libxhprof_malloc.so}")
source=$root/tests/malloc
out=$root/build/preload
mkdir -p "$out"
cc=("${CC:-cc}" -std=gnu11 -D_GNU_SOURCE -g -O1 -fno-builtin -Wall -Wextra -Werror -pthread)
for name in stats_test observers_test; do
  "${cc[@]}" -Wl,--wrap=mmap -o "$out/$name" "$source/$name.c" -ldl
done
"${cc[@]}" -DXHPROF_MALLOC_OPTIONAL -o "$out/program" "$source/program.c" -ldl -Wl,-rpath,"$out"
"${cc[@]}" -o "$out/linked" "$source/program.c" -L"${library%/*}" -lxhprof_malloc -ldl -Wl,-rpath,"${library%/*}"
"${cc[@]}" -shared -fPIC -o "$out/plugin.so" "$source/plugin.c" -ldl
# Only programs with the same C library can have it preloaded.
c_library() { readelf -d "$1" | sed -nE 's/.*\(NEEDED\).*\[(libc\..*)\]/\1/p'; }
c_library=$(c_library "$out/program")
declares() {
  printf '#include <dlfcn.h>\n#include <malloc.h>\n' | "${cc[@]}" -E -dD -x c - | awk -v name="$1" 'index($0, name) { found = 1 } END { exit !found }'
}
alike=
[[ $(c_library "$(command -v sh)") != "$c_library" ]] || alike=yes

status=0
for name in stats_test observers_test; do
  echo "# $name"
  XHPROF_MALLOC_REPORT=off LD_PRELOAD=$library "$out/$name" || status=$?
done

# Another C library, if installed.
if command -v musl-gcc >/dev/null; then
  musl=(musl-gcc "${cc[@]:1}")
  "${musl[@]}" -O2 -shared -fPIC -fvisibility=hidden -ftls-model=initial-exec -o "$out/libxhprof_malloc_musl.so" \
    -I"$root/extension" "$root"/malloc/*.c "$root"/extension/base/{redact,secret}.c
  for name in stats_test observers_test; do
    echo "# $name, with musl"
    "${musl[@]}" -Wl,--wrap=mmap -o "$out/musl_$name" "$source/$name.c"
    env XHPROF_MALLOC_REPORT=off LD_PRELOAD="$out/libxhprof_malloc_musl.so" "$out/musl_$name" || status=$?
  done
fi

# The rest tests whole programs: check TITLE COMMAND... passes when the command succeeds.
folder=$(mktemp -d "${TMPDIR:-/tmp}/xhprof-preload.XXXXXX")
trap 'rm -rf "$folder"' EXIT
cd "$folder"
checks=0
check() {
  local title=$1
  shift
  checks=$((checks + 1))
  if "$@" >"$folder/.said" 2>&1; then
    echo "ok $checks - $title"
  else
    echo "not ok $checks - $title"
    sed 's/^/# /' "$folder/.said" | head -20
    status=1
  fi
}
preloaded() { LD_PRELOAD=$library "$@"; }
program() { preloaded "$out/program" "$@"; }
same() { [[ $1 == "$2" ]] || { printf '%s\n-- is not --\n%s\n' "$1" "$2"; return 1; }; }
has() { grep -qE -- "$2" "$1" || { cat "$1"; return 1; }; }
count() { local found; found=$(grep -cE -- "$2" "$1") || true; same "$found" "$3"; }
empty() { [[ ! -s $1 ]] || { cat "$1"; return 1; }; }
# The numbers of a report file, in the order of program.c's.
numbers() {
  sed -nE 's/^  current  ([0-9]+) bytes?.* in ([0-9]+) blocks?$/\1 \2/p
    s/^  peak     ([0-9]+) bytes?.*/\1/p
    s/^  total    ([0-9]+) bytes?.* in ([0-9]+) allocations?, ([0-9]+) frees?$/\1 \2 \3/p' "$1" | tr '\n' ' ' | sed 's/ $//'
}

# Checks that rows are as gnuplot reads them, the invariants of each, and the least milliseconds between two.
readable() {
  awk -v milliseconds="${2:-0}" '
    /^#/ { next }
    NF != 7 { print "columns: " $0; exit bad = 1 }
    { for (i = 1; i <= NF; i++) if ($i !~ /^[0-9]+(\.[0-9]+)?$/) { print "number: " $0; exit bad = 1 } }
    $1 < time || $4 < peak || $5 < total || $6 < allocations || $7 < frees { print "falls: " $0; exit bad = 1 }
    $2 > $3 || $3 > $4 || $4 > $5 || $7 > $6 { print "exceeds: " $0; exit bad = 1 }
    { first = rows++ ? first : $1; time = $1; peak = $4; total = $5; allocations = $6; frees = $7 }
    END {
      if (!bad && (rows < 2 || milliseconds && (rows - 2) * milliseconds > (time - first) * 1000)) {
        print rows " rows in " time - first " s"
        exit 1
      }
    }' "$1"
}

echo "# What the library shows"
# _init and _fini are of musl's start files.
names=$(nm -D --defined-only "$library" | awk '{ sub(/@.*/, "", $3) } $3 !~ /^_(init|fini)$/ { print $3 }' | LC_ALL=C sort | tr '\n' ' ')
check "it exports the functions that it stands for and its own, no others" same "$names" "_Exit _exit aligned_alloc calloc \
$(! declares RTLD_DEEPBIND || echo 'dlopen ')free malloc memalign posix_memalign $(! declares pvalloc || echo 'pvalloc ')realloc \
reallocarray valloc xhprof_malloc_api xhprof_malloc_read xhprof_malloc_reset_peak \
xhprof_malloc_set_callback xhprof_malloc_write_report xhprof_stack_clear xhprof_stack_usage "
needs=$(readelf -d "$library" | sed -nE 's/.*NEEDED.*\[(.*)\]/\1/p' | grep -vE '^(libc|libdl|libpthread|ld-linux)[.-]' || true)
check "it needs the C library alone" same "$needs" ""

echo "# The header"
check "in a program with the library preloaded" same "$(XHPROF_MALLOC_REPORT=off program header)" "present grown told stack reset"
check "in the same one without it" same "$("$out/program" header report)" "absent same silent none reset"
check "in one that is linked with it" same "$(XHPROF_MALLOC_REPORT=off "$out/linked" header)" "present grown told stack reset"
"$out/linked" report >written 2>reported
check "a report in between" has written '^  peak +[0-9]+ bytes'
check "a linked program has its report as well" has reported '^libxhprof_malloc: process [0-9]+: '
for language in c c++; do
  for use in '' -DXHPROF_MALLOC_OPTIONAL; do
    compiler=${CC:-cc}
    [[ $language == c ]] || compiler=${CXX:-c++}
    if ! command -v "$compiler" >/dev/null; then
      continue
    fi
    printf '#include "%s"\nint main(void) { return xhprof_malloc_present() ? 0 : 1; }\n' "$root/malloc/xhprof_malloc.h" >use.c
    check "as $language $use" "$compiler" -x "$language" -std="${language}11" -Wall -Wextra -pedantic -Werror \
      -fsyntax-only ${use:+$use} use.c
  done
done

echo "# The report"
program keep=5000 pass=200000 many=100 figures >figures 2>report
read -r -a at_main <figures
read -r -a at_end <<<"$(numbers report)"
check "has the figures of the very end" same "${at_end[*]:1}" \
  "$((at_main[1] - 1)) ${at_main[2]} ${at_main[3]} ${at_main[4]} $((at_main[5] + 1))"
check "without the million bytes that a destructor freed" test $((at_main[0] - at_end[0])) -ge 1000000 -a \
  $((at_main[0] - at_end[0])) -lt 1010000
check "is four lines" same "$(wc -l <report)" 4
check "names process and command" has report "^libxhprof_malloc: process [0-9]+: .*/program keep=5000 pass=REDACTED many=100 figures$"
program keep=5 --password=hunter2 ann:hunter2@host figures 2>report >/dev/null || true
check "without the secrets of the command" has report '/program keep=5 --password=REDACTED REDACTED figures$'
XHPROF_MALLOC_PROFILE=$folder/secret.dat program keep=5 --password=hunter2 figures >/dev/null 2>&1 || true
check "nor has the profile any" same "$(grep -c hunter2 secret.dat) $(grep -c REDACTED secret.dat)" "0 1"
program plugin=plugin.so figures >figures 2>report
read -r -a at_main <figures
check "counts what is loaded to be bound to the C library itself" test "${at_main[0]:-0}" -ge 4300000
program watched 2>report
check "none when PHP's extension has taken the figures" empty report
XHPROF_MALLOC_REPORT=stderr program watched 2>report
check "unless it is asked for" count report '^libxhprof_malloc' 1
for way in exit=3 _exit=3 signal; do
  code=0
  XHPROF_MALLOC_PROFILE=profile program "$way" 2>report || code=$?
  check "of $way: one report" count report '^libxhprof_malloc' 1
  check "of $way: the exit code" same "$code" 3
  check "of $way: all of the profile" readable profile
done
program vfork keep=70000 2>report
check "a child of vfork() has none" same "$(grep -cE '^  peak     107[0-9]{4} ' report) $(wc -l <report)" "1 4"
orders=("$library $out/plugin.so")
# Elsewhere the libraries that are preloaded before it end after it (malloc/library.c).
[[ $c_library != libc.so.6 ]] || orders+=("$out/plugin.so $library")
for preloads in "${orders[@]}"; do
  LD_PRELOAD=$preloads "$out/program" 2>report
  check "comes after the end of all libraries" has report '^  current  [0-9]{1,6} '
done
program keep=70000 fork 2>report
check "a forked child has its own" count report '^libxhprof_malloc' 2
check "which says so" has report '^libxhprof_malloc: process [0-9]+, forked by [0-9]+: '
check "and begins with its parent's blocks" same "$(grep -cE '^  peak     107[0-9]{4} ' report)" 2
program "exec=$out/program" 2>report
check "a program started by exec has its own, and the first one none" has report '^libxhprof_malloc: process [0-9]+: .*/program$'
check "just one" count report '^libxhprof_malloc' 1
XHPROF_MALLOC_REPORT=off program 2>report
check "none when it is off" empty report
XHPROF_MALLOC_REPORT=file program 2>report
XHPROF_MALLOC_REPORT=file program folder=/ 2>>report
check "is added to a file, whatever folder the program goes to" count file '^libxhprof_malloc' 2
check "which leaves stderr alone" empty report
mkdir 'per%process'
(cd 'per%process' && XHPROF_MALLOC_REPORT=of-%p-100%% program fork)
check "of each process in a file of its own" same "$(find per%process -name 'of-*-100%' | grep -cE '/of-[0-9]+-100%$')" 2
XHPROF_MALLOC_REPORT=missing/file program 2>report
check "goes to stderr when its file cannot be written" count report '^libxhprof_malloc: (cannot write .*missing/file: no such file or folder$|process)' 2
program closed 2>report
check "comes after the program closed stderr, a file" count report '^libxhprof_malloc' 1
program closed 2>&1 >/dev/null | cat >report
check "or a pipe" count report '^libxhprof_malloc' 1
program data=data 2>report
check "never goes to a file that has the number of stderr" same "$(cat data)" data
check "but to what stderr was" count report '^libxhprof_malloc' 1
program figures 2>&- >figures
check "a program without a stderr has none" same "$(wc -l <figures)" 1
set +o pipefail
{ program pause exit=0; echo "$?" >code; } 2>&1 | true
set -o pipefail
check "a pipe that nobody reads does not end the program" same "$(cat code)" 0
mkdir jail
for way in nothing-open all-open=data; do
  rm -f file
  XHPROF_MALLOC_REPORT=$folder/file program "$way"
  check "$way: is added to its file all the same" count file '^libxhprof_malloc' 1
done
check "and to no other that has its number" same "$(cat data)" data
rm -f file
XHPROF_MALLOC_REPORT=$folder/file program remove=file || true
check "its file is made again" count file '^libxhprof_malloc' 1
check "which is its owner's alone" same "$(stat -c %a file)" 600
for target in target missing-target; do
  echo kept >target
  ln -s "$target" link
  XHPROF_MALLOC_REPORT=link program 2>report
  check "follows no link to $target" has report "^libxhprof_malloc: cannot write $folder/link: is a link$"
  check "but goes to stderr" count report '^libxhprof_malloc: process' 1
  XHPROF_MALLOC_REPORT=off XHPROF_MALLOC_PROFILE=link program slowly 2>report
  check "nor does memory over time" has report "^libxhprof_malloc: cannot write $folder/link: is a link$"
  check "the target of the link is as it was" same "$(cat target) $(ls missing-target 2>/dev/null)" "kept "
  rm link
done
rm target
program_err=$(XHPROF_MALLOC_REPORT=/dev/stderr program 2>&1 >/dev/null)
check "goes through a link of the system's, /dev/stderr" same "$(grep -c '^libxhprof_malloc: process' <<<"$program_err")" 1
XHPROF_MALLOC_REPORT=/dev/stderr program 2>report
check "a file, too" count report '^libxhprof_malloc: process' 1
mkfifo pipe
exec 9<>pipe
XHPROF_MALLOC_REPORT=pipe program
timeout 20 head -n 1 <&9 >report
exec 9>&-
check "comes through a pipe" count report '^libxhprof_malloc' 1
for what in REPORT PROFILE; do
  code=0
  # timeout itself may have another C library.
  timeout 20 env XHPROF_MALLOC_REPORT=off "XHPROF_MALLOC_$what=$folder/pipe" LD_PRELOAD="$library" "$out/program" slowly >/dev/null 2>report || code=$?
  check "$what waits for no reader of a pipe" same "$code" 0
  check "$what says so" has report "^libxhprof_malloc: cannot write $folder/pipe: "
  echo kept >target
  ln target link
  env XHPROF_MALLOC_REPORT=off "XHPROF_MALLOC_$what=link" LD_PRELOAD="$library" "$out/program" slowly >/dev/null 2>report
  check "$what empties and extends no file that has another name" same "$(cat target)" kept
  check "$what says that as well" has report "^libxhprof_malloc: cannot write $folder/link: "
  rm link target
  if [[ $(id -u) -eq 0 ]]; then
    echo kept >of-another && chown 65534 of-another
    env XHPROF_MALLOC_REPORT=off "XHPROF_MALLOC_$what=of-another" LD_PRELOAD="$library" "$out/program" slowly >/dev/null 2>report
    check "$what touches no file of another user" same "$(cat of-another)" kept
    rm of-another
  fi
done
if [[ $(id -u) -eq 0 ]]; then
  for way in chroot=jail user=65534; do
    rm -f file
    XHPROF_MALLOC_REPORT=file program "$way" fork
    check "$way: is added to its file, of a child too" count file '^libxhprof_malloc: process [0-9]+.*: .*/program ' 2
    check "$way: and to no other" same "$(ls jail)" ""
  done
fi
started=$(date +%s%N)
program daemon 2>&1 | cat >/dev/null
check "a child that closed stderr does not keep a pipe open" test $(($(date +%s%N) - started)) -lt 2000000000
echo 'echo "a b"; (exit 3); echo $?' >script
[[ -z $alike ]] || check "in a shell and its commands" same "$(preloaded sh script 2>/dev/null)" "$(sh script)"

echo "# Memory over time"
rows() { grep -vc '^#' "$1"; }
export XHPROF_MALLOC_REPORT=off
XHPROF_MALLOC_PROFILE=profile XHPROF_MALLOC_RESOLUTION=0ms program keep=5000 pass=200000 many=1000 figures >figures
read -r -a at_main <figures
check "0ms: a row for each change" same "$(rows profile)" $((at_main[4] + at_main[5] + 3))
check "in columns" readable profile
check "the last row is the end" same "$(tail -n 1 profile | cut -d ' ' -f 4-7)" "${at_main[2]} ${at_main[3]} ${at_main[4]} $((at_main[5] + 1))"
check "the head says what they are" has profile '^# time_s current_bytes highest_bytes peak_bytes total_bytes allocations frees$'
check "and how to plot them" has profile "^# plot: gnuplot -p -e \".* '$folder/profile' using 1:2 with steps "
check "the highest is reached" awk '!/^#/ && $3 > most { most = $3 } !/^#/ { peak = $4 } END { exit most == peak ? 0 : 1 }' profile
XHPROF_MALLOC_PROFILE=profile program slowly figures >figures
check "10ms: fewer rows" readable profile 10
check "the highest between two rows is seen all the same" test "$(awk '!/^#/ && NR > 6 && $3 > $2 + 40000' profile | wc -l)" -ge 1
XHPROF_MALLOC_PROFILE=profile XHPROF_MALLOC_RESOLUTION=1ms program threads
check "1ms: of threads" readable profile 1
check "more rows than of 10ms" test "$(rows profile)" -gt 12
XHPROF_MALLOC_PROFILE=profile XHPROF_MALLOC_RESOLUTION=0ms,100k program many=1000 pass=50000 pass=200000 pass=200000
check "100k: only what differs by so much" test "$(rows profile)" -ge 5 -a "$(rows profile)" -le 10
XHPROF_MALLOC_PROFILE=profile XHPROF_MALLOC_RESOLUTION=500us program slowly
check "500us" readable profile 0.5
for wrong in 10 ms '10ms,' 10ms,5x -5ms '5 ms' 99999999999999999999ms 10ms,1k,2; do
  XHPROF_MALLOC_PROFILE=profile XHPROF_MALLOC_RESOLUTION=$wrong program figures >figures 2>report
  check "not a resolution: $wrong" has report "^libxhprof_malloc: XHPROF_MALLOC_RESOLUTION must be .* not $wrong$"
  check "its profile is written all the same" readable profile 10
done
rm -f profile*
XHPROF_MALLOC_PROFILE=profile program slowly fork slowly
check "a forked child goes on" test "$(find . -name 'profile.*' | wc -l)" -eq 1
check "in a file of its own" readable profile.* 10
check "and leaves the first one to its parent" readable profile 10
if [[ -n $alike ]]; then
  rm -f profile*
  XHPROF_MALLOC_PROFILE=profile preloaded sh -c "'$out/program' slowly; '$out/program' slowly"
  check "so does a program that is started by another" test "$(find . -name 'profile.*' | wc -l)" -eq 2
  check "whose profile stays" has profile '^# memory over time of process [0-9]+: sh -c '
fi
XHPROF_MALLOC_PROFILE=profile program slowly
check "the next run replaces it" has profile '^# memory over time of process [0-9]+: .*/program slowly'
rm -f profile*
XHPROF_MALLOC_PROFILE=profile-%p program slowly fork slowly
check "or each has one by its process id" same "$(find . -name 'profile-*' | grep -cE '/profile-[0-9]+$')" 2
XHPROF_MALLOC_PROFILE=profile program slowly folder=/ slowly _exit=0
check "the folder does not matter, nor _exit()" readable profile 10
ways=(nothing-open all-open=data)
[[ $(id -u) -ne 0 ]] || ways+=(chroot=jail user=65534)
for way in "${ways[@]}"; do
  XHPROF_MALLOC_PROFILE=profile program slowly "$way" slowly _exit=0
  check "nor $way" test "$(awk '!/^#/ { time = $1 } END { print int(time * 1000) }' profile)" -ge 60
  check "nor $way: whole rows" readable profile 10
done
check "which writes to no other file" same "$(cat data)$(ls jail)" data
XHPROF_MALLOC_PROFILE=profile program slowly remove=profile slowly
check "a file that is removed is made again" test "$(rows profile)" -ge 1
XHPROF_MALLOC_PROFILE=$folder/missing/profile program figures >figures 2>report
check "that cannot be written is said" has report "^libxhprof_malloc: cannot write $folder/missing/profile: no such file or folder$"
check "and changes nothing else" same "$(wc -l <figures)" 1
(
  ulimit -f 1
  trap '' XFSZ
  XHPROF_MALLOC_PROFILE=limited XHPROF_MALLOC_RESOLUTION=0ms program many=1000 figures >figures
)
check "a full disk ends nothing" same "$(wc -l <figures)" 1
unset XHPROF_MALLOC_REPORT

echo "# Other programs"
# Output and exit code are the same as without it.
unchanged() {
  local plain code=0 preloaded_code=0
  plain=$("$@" 2>/dev/null) || code=$?
  XHPROF_MALLOC_REPORT=$folder/all XHPROF_MALLOC_PROFILE=$folder/all.profile-%p preloaded "$@" >"$folder/.output" 2>"$folder/.errors" ||
    preloaded_code=$?
  same "$(<"$folder/.output")" "$plain" && same "$preloaded_code" "$code" && empty "$folder/.errors"
}
check "php" unchanged "$PHP" -n -r '$a = range(1, 100000); echo array_sum($a), md5(serialize($a)), preg_replace("/a/", "b", "aaa");'
if [[ -z $alike ]]; then
  echo "# the other programs of this machine have another C library"
  echo "1..$checks"
  exit "$status"
fi
found() { command -v "$1" >/dev/null; }
check "sh" unchanged sh -c 'for i in 1 2 3; do echo $i | sed s/2/x/; done; exit 5'
check "bash" unchanged bash -c 'a=(x y z); printf "%s\n" "${a[@]}" $(seq 3) | sort -r; exit 4'
check "php on the heap of the system" unchanged env USE_ZEND_ALLOC=0 "$PHP" -n -r 'echo strlen(serialize(range(1, 10000)));'
check "awk" unchanged awk 'BEGIN { for (i = 0; i < 10000; i++) a[i] = i; print length(a) }'
# pyenv's python3 is a script.
! found python3 || check "python3" unchanged python3 -c 'import threading
l = []
t = [threading.Thread(target=lambda: l.append(sum(range(10000)))) for i in range(8)]
[x.start() for x in t]; [x.join() for x in t]
print(len(l), l[0])'
printf '#include <stdio.h>\nint main(void) { puts("compiled"); return 0; }\n' >compiled.c
check "the compiler" unchanged sh -c "'${CC:-cc}' -o compiled compiled.c && ./compiled"
! found git || check "git" unchanged git -C "$root" log -5 --stat --format=%H
! found xz || check "xz, with threads" unchanged sh -c 'seq 200000 | xz -T4 -1 | xz -d | md5sum'
check "all of them have told" test "$(grep -c '^libxhprof_malloc: process' all)" -ge 20
unreadable=$(for file in all.profile-*; do readable "$file" 10 || head -n 1 "$file"; done)
check "and all have their memory over time" same "$unreadable" ""
# A dlsym() of its own, by glibc's versions.
if [[ $c_library == libc.so.6 ]]; then
  "${cc[@]}" -shared -fPIC -o "$out/slow_dlsym.so" "$source/slow_dlsym.c" -ldl
  LD_PRELOAD="$library $out/slow_dlsym.so" "$out/program" keep=1000 figures >figures 2>report
  check "a dlsym() that allocates" same "$(wc -l <figures)" 1
  check "and its report" has report '^  total    [0-9]+ bytes'
fi
echo "1..$checks"
exit "$status"
