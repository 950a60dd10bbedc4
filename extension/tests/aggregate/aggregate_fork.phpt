--TEST--
xhprof.mode=aggregate: a forked child counts what it does itself, and what its parent has done counts once
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('test clock', 'proc_open()', 'fork beside a thread', '+pcntl'); ?>
--FILE--
<?php
require __DIR__ . '/../aggregate.inc';

$result = xhprof_test_aggregate(<<<'PHP'
    function before() { work(400); }
    function parents() { work(100); }
    function childs() { work(200); }
    before();
    $children = [];
    for ($i = 0; $i < 3; $i++) {
        if (!($children[] = pcntl_fork())) {
            childs();
            exit;
        }
    }
    parents();
    foreach ($children as $child) { pcntl_waitpid($child, $status); echo pcntl_wexitstatus($status), ' '; }
    // Jobs in processes of their own, within and after a span.
    for ($i = 0; $i < 20; $i++) {
        xhprof_begin_span('parent');
        if (!pcntl_fork()) {
            work(10);
            xhprof_end_span();
            xhprof_begin_span('child');
            work(10);
            xhprof_end_span();
            exit(0);
        }
        xhprof_end_span();
        pcntl_wait($status);
        echo pcntl_wexitstatus($status);
    }
    echo "\n";
    clock_goes(1000); // the last process brings all
    PHP, [], [], ['pcntl']);
echo "$result[out]$result[err]";
$routes = xhprof_test_routes($result['runs'], $result['folder']);
$edges = [];
foreach ($result['runs'] as $run) {
    foreach ($run['edges'] as $edge => $figures) {
        $edges[$edge] = ($edges[$edge] ?? 0) + $figures['wt'];
    }
}
foreach ($routes as $name => $route) {
    echo basename($name), ": $route[requests]\n";
}
$program = current(array_filter($routes, static fn (string $name): bool => str_contains($name, 'program'), ARRAY_FILTER_USE_KEY));
$route = key(array_filter($routes, static fn (string $name): bool => str_contains($name, 'program'), ARRAY_FILTER_USE_KEY));
xhprof_test_between('before()', $edges["$route==>before"], 300_000, 700_000);
xhprof_test_between('the children', $edges["$route==>childs"], 500_000, 30_000_000);
// 0.4 s of the parent's before, and each child from its fork on only: on a quiet machine 0.5 s and 3 * 0.2 s, and the jobs without
// samples of the program's.
xhprof_test_between('time', $program['wall_us'], 1_000_000, 60_000_000);
xhprof_test_between('samples of it', $program['samples'] * 1000 / ($program['wall_us'] - $program['unsampled_us']), 0.7, 1.4);
?>
--EXPECT--
0 0 0 00000000000000000000
child: 20
parent: 40
program.php: 24
before(): ok
the children: ok
time: ok
samples of it: ok
