--TEST--
Requests in many fibers at once, as of a server with an event loop: each is counted once by its route, whatever becomes of its fiber
--FILE--
<?php
require __DIR__ . '/../worker.inc';

$code = <<<'PHP'
    $fibers = [];
    $serve = static fn (int $i) => handle("/route$i", static function () use ($i) {
        work();
        Fiber::suspend();
        $i % 4 === 1 && xhprof_set_route('named');
        // Nested handlers, and a fiber of its own.
        (new Handler(fn () => answer()))->handle(request('GET', '/nested'));
        (new Fiber(work(...)))->start();
        $i % 4 === 2 && throw new LogicException();
        return answer($i % 4 === 3 ? 503 : 200);
    });
    for ($i = 0; $i < 200; $i++) {
        $fibers[$i] = new Fiber($serve);
        $fibers[$i]->start($i % 4);
    }
    shuffle($fibers);
    foreach ($fibers as $i => $fiber) {
        try { $i < 150 ? $fiber->resume() : null; } catch (LogicException) {}
    }
    // The others are destroyed while they wait.
    $fibers = [];
    gc_collect_cycles();
    handle('/last', fn () => answer());
    PHP;
foreach (['auto', 'walk'] as $hooks) {
    $result = xhprof_test_worker($code, ['mode' => 'aggregate', 'start_with_request' => 'no', 'hooks' => $hooks]);
    $counts = [];
    foreach ($result['runs'] as $run) {
        foreach ($run['aggregate']['routes'] as $name => $route) {
            if ($route['requests'] > 0) { // else: samples before a new name
                $counts[$name] = ($counts[$name] ?? 0) + $route['requests'];
            }
            if ($route['failed'] > $route['requests'] || ($route['failed'] && !in_array($name, ['GET /route2', 'GET /route3'], true))) {
                echo "$name: failed $route[failed]\n";
            }
        }
    }
    ksort($counts);
    echo $result['code'], $result['out'], $result['err'], ' ', array_sum($counts), ' ', $counts['GET /route0'], ' ', $counts['GET /route2'], ' ', $counts['GET /route3'], ' ',
        $counts['GET /route1'] + $counts['named'], ' ', $counts['GET /last'], ' ', count($counts), "\n";
}
?>
--EXPECT--
0 201 50 50 50 50 1 6
0 201 50 50 50 50 1 6
