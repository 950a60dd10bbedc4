--TEST--
Samples of wall time go to the span whose turn it was, however late the timer's thread is
--EXTENSIONS--
pcntl
posix
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('test clock', '/proc/self/smaps', 'sampling'); ?>
--FILE--
<?php
require __DIR__ . '/../spans.inc';

// A child lets the program wait in one of two spans, as another program on a busy machine would. The thread wakes after that together
// with the program, which goes to another span at once, mostly before the thread, whose priority is low.
const TURNS = 40;
$code = <<<'PHP'
    function state(int $pid): string { return explode(' ', explode(') ', file_get_contents("/proc/$pid/stat"))[1])[0]; }
    $self = getmypid();
    $child = pcntl_fork();
    if ($child === 0) {
        while (state($self) !== 'Z' && posix_getppid() === $self) {
            if (state($self) === 'T') { usleep(40_000); posix_kill($self, SIGCONT); }
            usleep(100);
        }
        posix_kill(getmypid(), SIGKILL);
    }
    function fiber(string $name): XHProfSpan { $span = null; $fiber = new Fiber(static function () use (&$span, $name) { $span = xhprof_span($name); $GLOBALS['fibers'][] = Fiber::getCurrent(); Fiber::suspend(); }); $fiber->start(); $got = $span; $span = null; return $got; }
    [$waits, $other] = [fiber('waits'), fiber('other')];
    foreach (glob("/proc/$self/task/*") as $task) { trim(file_get_contents("$task/comm")) === 'xhprof-sampler' && pcntl_setpriority(19, (int) basename($task)); }
    for ($i = 0; $i < TURNS; $i++) { $waits->enter(); posix_kill($self, SIGSTOP); $waits->leave(); $other->enter(); $other->leave(); }
    $waits->end();
    $other->end();
    posix_kill($child, SIGKILL);
    PHP;
foreach (['sample', 'aggregate'] as $mode) {
    $child = xhprof_test_aggregate('const TURNS = ' . TURNS . '; ' . $code, ['mode' => $mode, 'start_with_request' => $mode === 'sample' ? 'yes' : 'no', 'sampling_interval' => 2000, 'flush_seconds' => 86400], [], ['posix']);
    echo "$mode: $child[code]$child[out]$child[err]\n";
    $own = $samples = [];
    foreach ($child['runs'] as $run) {
        foreach ($mode === 'sample' && isset($run['name']) ? [$run['name'] => ['wall_us' => $run['duration_us'], 'samples' => $run['samples']]] : $run['aggregate']['routes'] ?? [] as $name => $route) {
            $own[$name] = $route['wall_us'] - ($route['suspended']['us'] ?? 0);
            $samples[$name] = $route['samples'];
        }
    }
    foreach (['waits', 'other'] as $name) {
        // Each turn begins and ends within an interval.
        $off = $samples[$name] - $own[$name] / 2000;
        echo $name, ': ', abs($off) <= TURNS ? 'its own samples' : "$samples[$name] samples in $own[$name] us", $name === 'other' || $own[$name] >= TURNS * 40_000 ? '' : ", waited $own[$name] us", "\n";
    }
}
?>
--EXPECT--
sample: 0
waits: its own samples
other: its own samples
aggregate: 0
waits: its own samples
other: its own samples
