--TEST--
xhprof.mode=aggregate: the requests that a window keeps have the ids by which they are found in their traces
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('test clock', 'loopback'); ?>
--FILE--
<?php
require __DIR__ . '/../aggregate.inc';

$result = xhprof_test_aggregate(<<<'PHP'
    function ids(int $number): array { return [str_repeat(sprintf('%04x', $number), 8), str_repeat(sprintf('%04x', $number), 4)]; }
    for ($i = 0; $i < 12; $i++) {
        xhprof_begin_span('job ' . $i % 4);
        if ($i % 4 < 2) {
            xhprof_context(...ids(1 + $i));
        }
        work(25);
        if ($i % 4 === 1) { // one within it is not the outermost
            xhprof_context(...ids(100 + $i));
            work(25);
        }
        if ($i % 4 === 2) { // late
            xhprof_context(...ids(200 + $i));
            work(25);
        }
        xhprof_end_span();
    }
    PHP, ['start_with_request' => 'no']);
echo $result['out'], $result['err'];
$found = [];
foreach ($result['runs'] as $run) {
    foreach (xhprof_test_run_exemplars($result['folder'], "$run[id].$run[source]") as $one) {
        $number = (int) hexdec(substr($one['span_id'] ?? '0000', 0, 4));
        $job = (int) substr($one['route'], -1);
        $fits = match ($job) {
            0, 1 => $number >= 1 && $number <= 12 && ($number - 1) % 4 === $job,
            2 => $number >= 200 && $number < 212 && ($number - 200) % 4 === 2,
            default => !isset($one['span_id']) && !isset($one['trace_id']),
        };
        $fits = $fits && (!isset($one['span_id']) || $one['trace_id'] === str_repeat($one['span_id'], 2));
        $found["$one[route], $one[kind]"] = $fits ? 'its own' : json_encode([$one['trace_id'] ?? null, $one['span_id'] ?? null]);
    }
    echo implode(' ', $run['parts']), "\n";
}
ksort($found);
foreach ($found as $name => $what) {
    echo "$name: $what\n";
}

// Requests of a server have those that their clients sent, unless the program has set others.
$clock = xhprof_test_clock();
$server = new XhprofTestServer(
    XHPROF_TEST_WORK . 'if ($_SERVER["REQUEST_URI"] === "/c") { xhprof_context(str_repeat("c", 32), str_repeat("c", 16)); } work(25);',
    ['mode' => 'aggregate', 'flush_seconds' => 1, 'sampling_interval' => 1000],
    [],
    $clock,
);
$header = static fn (string $digit): array => ['Traceparent' => '00-' . str_repeat($digit, 32) . '-' . str_repeat($digit, 16) . '-01'];
$server->request('/a', $header('a'));
$server->request('/b');
$server->request('/c', $header('d'));
$server->request('/d', ['Traceparent' => '00-x']);
xhprof_test_clock_goes($clock, 1000);
$server->request('/later');
foreach ($server->runs(1) as $run) {
    foreach (xhprof_test_run_exemplars($server->folder, "$run[id].$run[source]") as $one) {
        echo "$one[route], $one[kind]: ", $one['trace_id'] ?? '-', ' ', $one['span_id'] ?? '-', "\n";
    }
}
$server->stop();
?>
--EXPECT--
exemplars tree
job 0, random: its own
job 0, slowest: its own
job 1, random: its own
job 1, slowest: its own
job 2, random: its own
job 2, slowest: its own
job 3, random: its own
job 3, slowest: its own
GET /a, slowest: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa aaaaaaaaaaaaaaaa
GET /a, random: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa aaaaaaaaaaaaaaaa
GET /b, slowest: - -
GET /b, random: - -
GET /c, slowest: cccccccccccccccccccccccccccccccc cccccccccccccccc
GET /c, random: cccccccccccccccccccccccccccccccc cccccccccccccccc
GET /d, slowest: - -
GET /d, random: - -
