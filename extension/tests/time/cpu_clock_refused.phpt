--TEST--
Without rseq the CPU clock is the next one, and phpinfo() and the run's metadata say why
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('rseq'); ?>
--FILE--
<?php
require __DIR__ . '/../run_files.inc';

function work(): void { usleep(0); }

if (isset($argv[1])) {
    ini_set('xhprof.output_dir', $argv[1]);
    xhprof_enable(XHPROF_FLAGS_CPU);
    work();
    $edges = xhprof_disable();
    $id = xhprof_save();
    xhprof_test_check_invariants($edges, xhprof_call_tree(), XHPROF_FLAGS_CPU);
    $clock = xhprof_test_run_part($argv[1], "$id.xhprof", 'meta')['clock'];
    ob_start();
    phpinfo(INFO_MODULES);
    preg_match('/^CPU clock => (\w+)\nWhy not rseq => (.+)$/m', (string) ob_get_clean(), $m);
    echo $clock['cpu'], ', in phpinfo() ', $m[1], "\n";
    echo $clock['cpu_refused']['rseq'] ?? 'no reason', "\n";
    echo ($clock['cpu_refused']['rseq'] ?? null) === $m[2] ? "the same in both\n" : "$m[2]\n";
    exit(0);
}
$env = ['GLIBC_TUNABLES' => 'glibc.pthread.rseq=0'] + getenv();
foreach (['auto', 'rseq', 'interpolate', 'syscall', 'getrusage'] as $clock) {
    echo "-- $clock\n";
    xhprof_test_show(xhprof_test_child(__FILE__, [xhprof_test_folder()], ['xhprof.cpu_clock' => $clock], env: $env));
}
?>
--EXPECT--
-- auto
invariants: ok
interpolate, in phpinfo() interpolate
the C library has registered no rseq area (an old kernel, or switched off by GLIBC_TUNABLES)
the same in both
-- rseq
invariants: ok
interpolate, in phpinfo() interpolate
the C library has registered no rseq area (an old kernel, or switched off by GLIBC_TUNABLES)
the same in both
-- interpolate
invariants: ok
interpolate, in phpinfo() interpolate
the C library has registered no rseq area (an old kernel, or switched off by GLIBC_TUNABLES)
the same in both
-- syscall
invariants: ok
syscall, in phpinfo() syscall
the C library has registered no rseq area (an old kernel, or switched off by GLIBC_TUNABLES)
the same in both
-- getrusage
invariants: ok
getrusage, in phpinfo() getrusage
the C library has registered no rseq area (an old kernel, or switched off by GLIBC_TUNABLES)
the same in both
