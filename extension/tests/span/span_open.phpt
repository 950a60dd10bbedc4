--TEST--
10,000 spans that are open at once: each is counted, and its memory is small; further ones are not kept but reported, and their ends raise nothing and end no other span
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('test clock', '/proc/self/smaps', "PHP's heap", '64 bits'); ?>
--FILE--
<?php
require __DIR__ . '/../spans.inc';

const STACK = 204800; // bytes; no other mapping has this size
$head = <<<'PHP'
    set_error_handler(static function (int $type, string $message): bool { echo "$message\n"; return true; });
    function open(string $name): Fiber { $fiber = new Fiber(static function () use ($name): void { $span = xhprof_span($name); Fiber::suspend(); }); $fiber->start(); return $fiber; }
    function open_by_function(string $name): Fiber { $fiber = new Fiber(static function () use ($name): void { xhprof_begin_span($name); Fiber::suspend(); var_dump(xhprof_end_span()); }); $fiber->start(); return $fiber; }
    /** KB of memory in use, except for the stacks of fibers. */
    function used(): int
    {
        $sum = $size = 0;
        foreach (file('/proc/self/smaps') as $line) {
            if (preg_match('/^(Size|Rss): +(\d+) kB/', $line, $match) === 1) {
                $size = $match[1] === 'Size' ? (int) $match[2] : $size;
                $sum += $match[1] === 'Rss' && $size !== 200 ? (int) $match[2] : 0;
            }
        }
        return $sum;
    }

    PHP;
$cases = [
    'as many as are kept' => '$fibers = []; for ($i = 0; $i < 10000; $i++) { $fibers[] = open("r " . $i % 3); } foreach ($fibers as $fiber) { $fiber->resume(); }',
    'more' => '$fibers = []; for ($i = 0; $i < 10050; $i++) { $fibers[] = open("r " . $i % 3); } foreach ($fibers as $fiber) { $fiber->resume(); } $fibers = []; open("later")->resume();',
    'in turn' => '$fibers = []; for ($i = 0; $i < 10001; $i++) { $fibers[] = open("r"); } for ($i = 0; $i < 5000; $i++) { $fibers[2 * $i]->resume(); } for ($i = 0; $i < 5001; $i++) { $fibers[] = open("again"); } unset($fibers);',
    'by functions' => '$fibers = []; for ($i = 0; $i < 10000; $i++) { $fibers[] = open("r"); } for ($i = 0; $i < 3; $i++) { $fibers[] = open_by_function("not kept"); } foreach (array_slice($fibers, 10000) as $fiber) { $fiber->resume(); } unset($fibers);',
    'within another one' => '$fibers = []; for ($i = 0; $i < 9999; $i++) { $fibers[] = open("r"); } function job() { xhprof_begin_span("job"); inner_job(); inner_job(); $GLOBALS["fibers"][] = open("too many"); xhprof_end_span(); $GLOBALS["fibers"][] = open("one more"); } function inner_job() { xhprof_begin_span("inner"); xhprof_end_span(); } job(); var_dump(xhprof_end_span()); unset($fibers);',
    'within another one, with an exception' => '$fibers = []; for ($i = 0; $i < 9999; $i++) { $fibers[] = open("r"); } function job() { xhprof_begin_span("job"); for ($i = 0; $i < 2; $i++) { try { inner_job(); } catch (LogicException) { } } } function inner_job() { xhprof_begin_span("inner"); throw new LogicException(); } job(); xhprof_begin_span("next"); xhprof_end_span(); $fibers[] = open("one more"); unset($fibers);',
];
$settings = ['fiber.stack_size' => STACK, 'memory_limit' => -1, 'log_errors' => 1, 'error_log' => '/dev/stderr', 'display_errors' => 0];
$ini = ['mode' => 'aggregate', 'start_with_request' => 'no', 'sampling_interval' => 1_000_000, 'flush_seconds' => 86400];
foreach ($cases as $label => $code) {
    $child = xhprof_test_aggregate($head . $code, $ini, $settings);
    echo "-- $label", $child['code'] === 0 ? '' : ": code $child[code]", "\n", $child['out'], preg_replace(['/^\[.*?\] /m', '/(?: in \S+ on line \d+)?$/m'], '', $child['err']);
    foreach (xhprof_test_span_routes($child) as $line) {
        echo preg_replace('/, suspended \d+/', '', $line), "\n";
    }
}
// The same program with spans and without them. The profiler's memory comes in pieces that double: this many spans fill theirs.
$code = '$fibers = []; for ($i = 0; $i < 100; $i++) { $fibers[] = open("GET /products/list"); } $before = used(); for ($i = 0; $i < 6000; $i++) { $fibers[] = open("GET /products/list"); } $usage = used(); echo $usage - $before;';
$kb = [];
foreach (['yes', 'no'] as $with) {
    $child = xhprof_test_aggregate($head . $code, $with === 'yes' ? $ini : ['mode' => 'exact'] + $ini, $settings);
    $kb[$with] = (int) $child['out'];
}
echo 'memory: ', $kb['no'] > 6000 && $kb['yes'] > $kb['no'] && $kb['yes'] - $kb['no'] < 6000 ? 'less than a kilobyte for each' : json_encode($kb), "\n";
?>
--EXPECT--
-- as many as are kept
r 0: requests 3334
r 1: requests 3333
r 2: requests 3333
-- more
xhprof: 50 spans were not profiled, as 10000 others were open
later: requests 1
r 0: requests 3334
r 1: requests 3333
r 2: requests 3333
-- in turn
xhprof: 2 spans were not profiled, as 10000 others were open
again: requests 5000
r: requests 10000
-- by functions
NULL
NULL
NULL
xhprof: 3 spans were not profiled, as 10000 others were open
r: requests 10000
-- within another one
xhprof_end_span(): No span has begun
NULL
xhprof: 3 spans were not profiled, as 10000 others were open
job: requests 1
one more: requests 1
r: requests 9999
-- within another one, with an exception
xhprof: 2 spans were not profiled, as 10000 others were open
job: requests 1
next: requests 1
one more: requests 1
r: requests 9999
memory: less than a kilobyte for each
