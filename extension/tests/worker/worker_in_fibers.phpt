--TEST--
What a request does in a fiber of its own, and while others are open: xhprof_set_route() and xhprof_ignore_request() are about that request
--FILE--
<?php
require __DIR__ . '/../worker.inc';

$code = <<<'PHP'
    function in_fiber(Closure $does): void { $fiber = new Fiber($does); $fiber->start(); while (!$fiber->isTerminated()) { $fiber->resume(); } }
    handle('/a', function () { in_fiber(function () { xhprof_set_route('set in a fiber'); work(); }); return answer(); });
    handle('/b', function () { in_fiber(function () { work(); echo xhprof_ignore_request() ? '' : "not ignored\n"; }); return answer(); });
    handle('/c', function () { work(); return answer(); });
    // A span of the program's in a fiber of a request is its own.
    handle('/d', function () { in_fiber(function () { $span = xhprof_span('inner'); Fiber::suspend(); xhprof_set_route('of inner'); echo xhprof_ignore_request() ? "ignored\n" : ''; $span->end(); }); return answer(); });
    $open = [];
    foreach (['/health', '/real', '/health', '/named', '/real', '/health'] as $path) {
        $open[] = $fiber = new Fiber(static fn () => handle($path, function () use ($path) {
            before();
            Fiber::suspend();
            $path === '/health' && in_fiber(static function () { echo xhprof_ignore_request() ? '' : "not ignored\n"; echo xhprof_ignore_request() ? "twice\n" : ''; });
            $path === '/named' && in_fiber(static fn () => xhprof_set_route('set while others wait'));
            work();
            Fiber::suspend();
            return answer($path === '/real' ? 503 : 200);
        }));
        $fiber->start();
    }
    foreach ([1, 2] as $round) {
        foreach ($open as $fiber) { $fiber->resume(); }
    }
    function before(): void {}
    // Too late: they are not about the program as a whole.
    xhprof_set_route('late');
    echo xhprof_ignore_request() ? "ignored\n" : '';
    handle('/last', fn () => answer());
    PHP;
foreach (['exact', 'sample'] as $mode) {
    echo "-- $mode\n";
    $result = xhprof_test_worker($code, ['mode' => $mode]);
    xhprof_test_show_worker($result, 'route', 'status', 'failed', 'ended_by');
}
echo "-- aggregate\n";
$result = xhprof_test_worker($code, ['mode' => 'aggregate']);
xhprof_test_show_worker($result);
$programs = array_merge(...array_map(static fn (array $run): array => array_filter($run['aggregate']['routes'], static fn (string $name): bool => str_contains($name, 'program.php'), ARRAY_FILTER_USE_KEY), $result['runs']));
echo 'the program: ', array_sum(array_column($programs, 'requests')), "\n";
// Blocks of those that are ignored are of none of the routes, and what they kept belongs to none of them.
$code = <<<'PHP'
    for ($round = 0; $round < 60; $round++) {
        $open = [];
        foreach (['/health', '/real', '/health', '/real'] as $path) {
            $open[] = $fiber = new Fiber(static fn () => handle($path, function () use ($path) {
                static $kept = [];
                $kept[] = str_repeat('x', 5000);
                Fiber::suspend();
                $path === '/health' && xhprof_ignore_request();
                $kept[] = str_repeat('y', 5000);
                return answer();
            }));
            $fiber->start();
        }
        foreach ($open as $fiber) { $fiber->resume(); }
    }
    PHP;
echo "-- allocations\n";
xhprof_test_show_worker(xhprof_test_worker($code, ['mode' => 'aggregate', 'alloc_sample_bytes' => 4096, 'start_with_request' => 'no']));
?>
--EXPECT--
-- exact
set in a fiber | 200 | - | -
GET /c | 200 | - | -
GET /d | 200 | - | -
of inner | - | - | -
GET /real | 503 | failed | -
set while others wait | 200 | - | -
GET /real | 503 | failed | -
GET /last | 200 | - | -
-- sample
set in a fiber | 200 | - | -
GET /c | 200 | - | -
GET /d | 200 | - | -
of inner | - | - | -
GET /real | 503 | failed | -
set while others wait | 200 | - | -
GET /real | 503 | failed | -
GET /last | 200 | - | -
-- aggregate
set in a fiber: 1
GET /c: 1
of inner: 1
GET /d: 1
GET /real: 2, failed 2
set while others wait: 1
GET /last: 1
the program: 1
-- allocations
GET /real: 120
