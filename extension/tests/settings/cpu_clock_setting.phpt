--TEST--
xhprof.cpu_clock: its values; a wrong one is reported at start-up and is auto
--FILE--
<?php
require __DIR__ . '/../lib.inc';

if (isset($argv[1])) {
    ob_start();
    phpinfo(INFO_MODULES);
    preg_match('/^CPU clock => (\w+)\n(?:Why not rseq => (.+)\n)?/m', (string) ob_get_clean(), $m);
    // Where the system has no rseq the next one stands in for it, and the reason is given.
    echo $m[1] === 'interpolate' && ($m[2] ?? '') !== '' && $argv[1] !== 'interpolate' ? 'rseq' : $m[1], "\n";
    echo ini_get('xhprof.cpu_clock'), "\n";
    exit(0);
}
xhprof_test_alike(['auto', 'rseq', 'interpolate', 'syscall', 'getrusage', 'sundial', 'RSEQ', '""', '0'],
    static function (string $value): void {
        $child = xhprof_test_child(__FILE__, [$value], ['xhprof.cpu_clock' => $value]);
        xhprof_test_show(['out' => str_replace('not "' . trim($value, '"') . '"', 'not what was set', $child['out'])] + $child);
    });
?>
--EXPECT--
-- auto
rseq
auto
-- rseq
rseq
rseq
-- interpolate
interpolate
interpolate
-- syscall
syscall
syscall
-- getrusage
getrusage
getrusage
-- sundial

Warning: xhprof.cpu_clock must be auto, rseq, interpolate, syscall or getrusage, not what was set in Unknown on line 0
rseq
auto
-- RSEQ: as sundial
-- "": as sundial
-- 0: as sundial
