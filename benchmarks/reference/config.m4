PHP_ARG_ENABLE([bench-reference],
  [whether to enable the reference of the benchmark],
  [AS_HELP_STRING([--enable-bench-reference], [Enable the reference of the benchmark])],
  [yes])

if test "$PHP_BENCH_REFERENCE" != "no"; then
  PHP_NEW_EXTENSION([bench_reference], [bench_reference.c], [$ext_shared],,
    [-O2 -Wall -Wextra -Wno-unused-parameter -fvisibility=hidden])
fi
