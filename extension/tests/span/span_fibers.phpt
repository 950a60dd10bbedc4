--TEST--
Spans of many fibers, ten at a time, some of which wait, and some of which throw: each is counted once, whatever way it is begun and ended; the fiber that starts them works between requests
--FILE--
<?php
require __DIR__ . '/../auto.inc';

$code = <<<'PHP'
<?php
function work(int $i): void { strrev("$i"); $i % 7 === 0 && Fiber::suspend(); $i % 11 === 0 && throw new LogicException(); }
$ways = [
    'functions' => static function (int $i): void { xhprof_begin_span('job'); try { work($i); } finally { xhprof_end_span(); } },
    'if' => static function (int $i): void { if (xhprof_begin_span('job')) { work($i); xhprof_end_span(); } },
    'object' => static function (int $i): void { $span = xhprof_span('job'); work($i); },
    'object, ended' => static function (int $i): void { $span = xhprof_span('job'); work($i); $span->end(); },
    'nested' => static function (int $i): void { $span = xhprof_span('job'); (static fn () => [xhprof_begin_span('inner'), work($i)])(); },
];
$job = $ways[$argv[1]];
$waiting = [];
for ($i = 1; $i <= 3000; $i++) {
    $fiber = new Fiber($job);
    try { $fiber->start($i); } catch (LogicException) {}
    $fiber->isTerminated() || $waiting[] = $fiber;
    while (count($waiting) > 9 || ($i === 3000 && $waiting)) {
        try { array_shift($waiting)->resume(); } catch (LogicException) {}
    }
}
PHP;
foreach (['functions', 'if', 'object', 'object, ended', 'nested'] as $way) {
    $child = xhprof_test_auto($code, ['mode' => 'aggregate', 'start_with_request' => 'no', 'flush_seconds' => 86400], [], [], [], [$way]);
    $counts = [];
    foreach ($child['runs'] as $run) {
        foreach ($run['aggregate']['routes'] as $name => $route) {
            $counts[$name] = ($counts[$name] ?? 0) + $route['requests'];
        }
    }
    echo "$way: $child[out]$child[err]", json_encode($counts), "\n";
}
?>
--EXPECT--
functions: {"job":3000,"(between requests)":0}
if: {"job":3000,"(between requests)":0}
object: {"job":3000,"(between requests)":0}
object, ended: {"job":3000,"(between requests)":0}
nested: {"job":3000,"(between requests)":0}
