--TEST--
xhprof.mode=aggregate with xhprof.alloc_sample_bytes: a child of a fork holds what its parent has at that moment, and what it adds
--SKIPIF--
<?php
require __DIR__ . '/../needs.inc';
xhprof_test_needs('test clock', 'loopback', "PHP's heap", 'pcntl_fork()');
if (xhprof_test_sanitized()) {
    die('skip a sanitizer has memory of its own in a forked child');
}
?>
--FILE--
<?php
require __DIR__ . '/../aggregate_allocations.inc';

$result = xhprof_test_aggregate(PIECES . <<<'PHP'
    function of_parent(): array { return pieces(16); }
    function of_child(): array { return pieces(8); }
    function before(): array { return pieces(32); }
    $before = before();
    $before = null;
    $kept = of_parent();
    if (!pcntl_fork()) {
        $more = of_child();
        exit;
    }
    pcntl_wait($status);
    clock_goes(1000);
    PHP, ['alloc_sample_bytes' => 4096], [], ['pcntl']);
echo $result['out'], $result['err'];
$bytes = xhprof_test_allocations($result['runs'], $result['folder'], 'peak_bytes');
$route = array_key_first(xhprof_test_routes($result['runs'], $result['folder']));
near('before, of the parent', $bytes["$route>before>pieces>str_repeat"] ?? null, 32);
near('of_parent, of the child', $bytes["$route>of_parent>pieces>str_repeat"] ?? null, 16);
near('of_child', $bytes["$route>of_child>pieces>str_repeat"] ?? null, 8);
?>
--EXPECT--
MB of before, of the parent: ok
MB of of_parent, of the child: ok
MB of of_child: ok
