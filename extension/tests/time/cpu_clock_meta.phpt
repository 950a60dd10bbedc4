--TEST--
The run's metadata has the CPU clock that was used
--FILE--
<?php
require __DIR__ . '/../run_files.inc';

if (isset($argv[1])) {
    ini_set('xhprof.output_dir', $argv[1]);
    foreach ([XHPROF_FLAGS_CPU | XHPROF_FLAGS_MEMORY, 0] as $flags) {
        xhprof_enable($flags);
        xhprof_disable();
        $id = xhprof_save();
        $clock = xhprof_test_run_part($argv[1], "$id.xhprof", 'meta')['clock'];
        $refused = $clock['cpu_refused'] ?? [];
        if ($flags === 0) {
            echo array_keys($clock) === ['wall'] ? 'none without the flag' : json_encode($clock), "\n";
        } elseif ($refused === []) {
            echo $clock['cpu'] === $argv[2] ? 'as asked' : json_encode($clock), "\n";
        } else {
            $wanted = $argv[2] === 'rseq' ? 'interpolate' : $argv[2];
            $reason = array_keys($refused) === ['rseq'] && is_string($refused['rseq']) && $refused['rseq'] !== '';
            echo $clock['cpu'] === $wanted && $reason ? 'as asked' : json_encode($clock), "\n";
        }
    }
    exit(0);
}
foreach (['rseq', 'interpolate', 'syscall', 'getrusage'] as $clock) {
    echo "-- $clock\n";
    xhprof_test_show(xhprof_test_child(__FILE__, [xhprof_test_folder(), $clock], ['xhprof.cpu_clock' => $clock]));
}
?>
--EXPECT--
-- rseq
as asked
none without the flag
-- interpolate
as asked
none without the flag
-- syscall
as asked
none without the flag
-- getrusage
as asked
none without the flag
