--TEST--
The peak of a heap snapshot is the program's, whoever has reset PHP's counter, within a profile and without; and of its own request
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs("PHP's heap", 'loopback'); ?>
--FILE--
<?php
require __DIR__ . '/../auto.inc';

// Each page answers with the peak of a snapshot, in MB.
$program = <<<'PHP'
    <?php
    function hold(int $mb): int { return strlen(str_repeat('x', $mb << 20)); }
    function snapshot(): void {
        $file = $_SERVER['DOCUMENT_ROOT'] . '/snapshot';
        xhprof_heap_snapshot($file);
        $header = json_decode(fgets(fopen($file, 'r')), true);
        echo $header['peak'] >= $header['usage'] ? '' : 'below usage ', $header['peak'] >> 20;
    }
    match ($_SERVER['REQUEST_URI']) {
        '/plain' => [hold(30), snapshot()],
        '/reset' => [hold(30), memory_reset_peak_usage(), hold(5), memory_reset_peak_usage(), snapshot()],
        '/within' => [xhprof_enable(XHPROF_FLAGS_MEMORY), hold(30), memory_reset_peak_usage(), hold(5), snapshot(), xhprof_disable()],
        '/before' => [hold(30), xhprof_enable(XHPROF_FLAGS_MEMORY), hold(5), snapshot(), xhprof_disable()],
        '/after' => [hold(30), xhprof_enable(XHPROF_FLAGS_MEMORY), hold(5), memory_reset_peak_usage(), xhprof_disable(), snapshot()],
        '/small' => [hold(2), snapshot()],
        '/resets-small' => [hold(2), memory_reset_peak_usage(), snapshot()],
    };
    PHP;
foreach (['no', 'yes'] as $start) {
    $server = new XhprofTestServer($program, ['start_with_request' => $start, 'flags' => 'memory']);
    foreach (['plain', 'reset', 'within', 'before', 'after'] as $page) {
        foreach ([$page, 'small', 'resets-small'] as $path) {
            echo "$path: ", $server->request("/$path")['body'], $path === 'resets-small' ? "\n" : ', ';
        }
    }
    $server->stop();
}
?>
--EXPECT--
plain: 30, small: 2, resets-small: 2
reset: 30, small: 2, resets-small: 2
within: 30, small: 2, resets-small: 2
before: 30, small: 2, resets-small: 2
after: 30, small: 2, resets-small: 2
plain: 30, small: 2, resets-small: 2
reset: 30, small: 2, resets-small: 2
within: 30, small: 2, resets-small: 2
before: 30, small: 2, resets-small: 2
after: 30, small: 2, resets-small: 2
