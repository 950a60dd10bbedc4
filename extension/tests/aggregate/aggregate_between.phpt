--TEST--
Windows of a worker that always has an open request: each has what ran between requests in its time, as it was in the program
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('test clock', 'sampling'); ?>
--FILE--
<?php
require __DIR__ . '/../aggregate.inc';

const PROGRAM = <<<'PHP'
    function cpu(): int { $used = getrusage(); return 1_000_000 * ($used['ru_utime.tv_sec'] + $used['ru_stime.tv_sec']) + $used['ru_utime.tv_usec'] + $used['ru_stime.tv_usec']; }
    function between(int $times): void { for ($i = 0; $i < $times; $i++) { inner(); } }
    $open = new Fiber(static function () { $span = xhprof_span('open'); Fiber::suspend(); $span->end(); });
    $open->start();
    $truth = [];
    foreach (WINDOWS as $steps) {
        $sum = 0;
        foreach ($steps as [$times, $ms]) {
            $before = cpu();
            between($times);
            $sum += cpu() - $before;
            (new Fiber(static function () { $span = xhprof_span('job'); inner(); IGNORED && xhprof_ignore_request(); $span->end(); }))->start();
            clock_goes($ms);
        }
        $truth[] = $sum;
    }
    echo json_encode($truth);
    $open->resume();
    PHP;

$cases = [
    'all the same' => [array_fill(0, 4, [[1000, 1000]]), false],
    'one has much' => [[[[300, 1000]], [[3000, 1000]], [[300, 1000]]], false],
    'in parts' => [array_fill(0, 3, array_fill(0, 10, [150, 100])), false],
    'other requests are ignored' => [array_fill(0, 3, [[1000, 1000]]), true],
];
foreach ($cases as $label => [$windows, $ignored]) {
    $code = strtr(PROGRAM, ['WINDOWS' => var_export($windows, true), 'IGNORED' => var_export($ignored, true)]);
    $child = xhprof_test_aggregate($code, ['start_with_request' => 'no']);
    $truth = json_decode($child['out'], true);
    $runs = array_filter($child['runs'], static fn (array $run): bool => $run['mode'] === 'aggregate');
    usort($runs, static fn (array $a, array $b): int => $a['aggregate']['from'] <=> $b['aggregate']['from']);
    xhprof_test_routes($runs, $child['folder']);
    $found = $of = [];
    foreach ($runs as $run) {
        $number = $run['aggregate']['from'] - $runs[0]['aggregate']['from'];
        $of[$number] = $run['aggregate']['routes']['(between requests)'] ?? ['cpu_us' => 0, 'samples' => 0];
    }
    foreach ($truth as $number => $cpu_us) {
        [$cpu, $samples] = [$of[$number]['cpu_us'] ?? 0, $of[$number]['samples'] ?? 0];
        $found[] = $samples > 0 && $cpu > $cpu_us * 0.7 - 1000 && $cpu < $cpu_us * 1.3 + 3000 ? 'right' : "$cpu us and $samples samples, not $cpu_us us";
    }
    echo "$label: $child[err]", implode(', ', $found), "\n";
}
?>
--EXPECT--
all the same: right, right, right, right
one has much: right, right, right
in parts: right, right, right
other requests are ignored: right, right, right
