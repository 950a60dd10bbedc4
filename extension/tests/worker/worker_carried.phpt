--TEST--
Callbacks that Revolt's loop calls later work for the span in which they were given to it, in whatever fiber they run; for none where it has ended, or where there was none
--FILE--
<?php
require __DIR__ . '/../worker.inc';

$code = <<<'PHP'
    final class Loop
    {
        public static array $waiting = [];
        /** Calls what waits, each in a fiber that begins outside of all spans. */
        static function run(): void
        {
            while ($call = array_shift(self::$waiting)) {
                [$closure, $arguments] = $call;
                $fiber = new Fiber(static function () use ($closure, $arguments): void { try { $closure(...$arguments); } catch (LogicException $e) { echo $e->getMessage(), "\n"; } });
                $fiber->start();
                $fiber->isTerminated() || self::$waiting[] = [static fn () => $fiber->resume(), []];
            }
        }
    }
    function in_a() { return work(); }
    function in_b() { return work(); }
    function of_none() { return work(); }
    function later(Closure $does) { Revolt\EventLoop::queue($does); }
    function does(string $what): Closure { return static function (string ...$more) use ($what): int { $what(); Fiber::suspend(); $what(); return count($more); }; }
    $a = new Fiber(static function (): void { $span = xhprof_span('a'); Revolt\EventLoop::queue(does('in_a'), 'x', 'y'); Revolt\EventLoop::delay(0.1, does('in_a')); Fiber::suspend(); $span->end(); });
    $b = new Fiber(static function (): void { $span = xhprof_span('b'); Revolt\EventLoop::defer(does('in_b')); Revolt\EventLoop::queue(static function () { in_b(); later(in_b(...)); throw new LogicException('the loop has it'); }); Fiber::suspend(); $span->end(); });
    $ended = new Fiber(static function (): void { $span = xhprof_span('ended'); Revolt\EventLoop::queue(does('of_none')); $span->end(); });
    $a->start();
    $b->start();
    $ended->start();
    Revolt\EventLoop::queue(does('of_none'));
    Loop::run();
    $b->resume();
    $a->resume();
    try { Revolt\EventLoop::queue('no closure'); } catch (TypeError $e) { echo get_class($e), "\n"; }
    PHP;
$revolt = <<<'PHP'
    final class EventLoop
    {
        static function queue(\Closure $closure, mixed ...$arguments): void { \Loop::$waiting[] = [$closure, $arguments]; }
        static function defer(\Closure $closure): string { \Loop::$waiting[] = [$closure, ['an id']]; return 'an id'; }
        static function delay(float $delay, \Closure $closure): string { \Loop::$waiting[] = [$closure, ['an id']]; return 'an id'; }
    }
    PHP;
$code = 'eval(' . var_export("namespace Revolt;\n$revolt", true) . ");\n$code";
foreach (['auto', 'walk'] as $hooks) {
    $result = xhprof_test_worker($code, ['hooks' => $hooks]);
    echo $result['code'], ' ', $result['out'], $result['err'];
    foreach ($result['runs'] as $run) {
        $calls = [];
        foreach ($run['edges'] as $edge => $figures) {
            if (preg_match('/==>(in_a|in_b|of_none|XHProfWorkerCallback\S*)$/', $edge, $match) === 1) {
                $calls[$match[1]] = ($calls[$match[1]] ?? 0) + $figures['ct'];
            }
        }
        isset($run['name']) && print("$run[name]: " . json_encode($calls) . "\n");
    }
}
?>
--EXPECT--
0 the loop has it
TypeError
a: {"in_a":4}
b: {"in_b":4}
ended: []
0 the loop has it
TypeError
a: {"in_a":4}
b: {"in_b":4}
ended: []
