--TEST--
Sampled spans of fibers that take turns have the CPU time of their own turns, with every CPU clock: those that work have it, one that sleeps in its turns has none, and together they have what the program used
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('sampling'); ?>
--FILE--
<?php
require __DIR__ . '/../auto.inc';

// Each job measures the CPU time of its turns: no scheduling of the machine changes that.
$code = <<<'PHP'
<?php
function cpu(): int
{
    $r = getrusage();
    return ($r['ru_utime.tv_sec'] + $r['ru_stime.tv_sec']) * 1_000_000 + $r['ru_utime.tv_usec'] + $r['ru_stime.tv_usec'];
}
function works(int $us): void { $end = cpu() + $us; while (cpu() < $end) { for ($i = 0, $x = 0; $i < 3000; $i++) { $x ^= $i; } } }
function job(string $name, int $us): void
{
    $span = xhprof_span($name);
    for ($turn = 0; $turn < 4; $turn++) {
        $from = cpu();
        $us ? works($us) : usleep(5000);
        $GLOBALS['used'][$name] = ($GLOBALS['used'][$name] ?? 0) + cpu() - $from;
        Fiber::suspend();
    }
    $span->end();
}
$fibers = [];
foreach (['short' => 2000, 'long' => 8000, 'sleeps' => 0] as $name => $us) {
    $fibers[] = $fiber = new Fiber(job(...));
    $fiber->start($name, $us);
}
while ($fibers) {
    works(3000); // of no span
    foreach ($fibers as $i => $fiber) {
        $fiber->resume();
        if ($fiber->isTerminated()) { unset($fibers[$i]); }
    }
}
echo json_encode($used);
PHP;
foreach (['auto', 'interpolate', 'syscall', 'getrusage'] as $clock) {
    $child = xhprof_test_auto($code, ['mode' => 'sample', 'cpu_clock' => $clock, 'sampling_interval' => 10_000]);
    $used = json_decode($child['out'], true);
    $wrong = [];
    $spans = 0;
    foreach ($child['runs'] as $run) {
        $name = $run['name'] ?? null;
        if ($name === null) {
            continue; // what ran before the first span
        }
        $spans++;
        // A turn has the switch too; the scheduler's ticks may be what getrusage() knows.
        if ($run['cpu_us'] < $used[$name] * 0.9 - 3000 || $run['cpu_us'] > $used[$name] * 1.1 + 4000) {
            $wrong[] = "$name: $run[cpu_us] us, used $used[$name] us";
        }
        if ($run['cpu_us'] > $run['duration_us'] + 1000 || ($name === 'sleeps' && $run['duration_us'] - $run['cpu_us'] < 15_000)) {
            $wrong[] = "$name: $run[cpu_us] us of $run[duration_us] us";
        }
    }
    echo "$clock: $spans spans", implode(', ', ['', ...$wrong]), $child['err'], "\n";
}
?>
--EXPECT--
auto: 3 spans
interpolate: 3 spans
syscall: 3 spans
getrusage: 3 spans
