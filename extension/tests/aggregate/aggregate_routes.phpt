--TEST--
xhprof.mode=aggregate: of the routes of a window
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('test clock'); ?>
--FILE--
<?php
require __DIR__ . '/../aggregate.inc';

echo "xhprof.mode=aggregate: the slowest request of each route and one by chance are kept as trees of their own:\n";

$code = <<<'PHP'
    function slow_part(int $ms) { work($ms); }
    $longest = 0;
    for ($i = 0; $i < 6; $i++) {
        $began = hrtime(true);
        xhprof_begin_span('job ' . $i % 2);
        $i === 5 ? slow_part(100 + 2 * $longest) : work(30); // longer than what the machine has made of the others
        xhprof_end_span();
        $longest = max($longest, intdiv(hrtime(true) - $began, 1_000_000));
    }
    PHP;
$result = xhprof_test_aggregate($code, ['start_with_request' => 'no', 'sampling_interval' => 1000]);
echo $result['out'], $result['err'];
xhprof_test_show_requests(xhprof_test_routes($result['runs'], $result['folder']));
foreach ($result['runs'] as $run) {
    $names = xhprof_test_run_part($result['folder'], "$run[id].$run[source]", 'tree')['names'];
    foreach (xhprof_test_run_exemplars($result['folder'], "$run[id].$run[source]") as $one) {
        $functions = array_map(static fn (int $fn): string => $names[$fn], $one['fn']);
        $slow = in_array('slow_part', $functions, true);
        echo "$one[route], $one[kind]:", $one['kind'] === 'slowest' && $slow ? ' slow_part' : '', ' ', $functions[0], "\n";
        $route = $run['aggregate']['routes'][$one['route']];
        $same = array_sum($one['ct']) === $one['samples'] && $one['samples'] > 0 && $one['samples'] <= $route['samples'];
        $same = $same && count($one['fn']) === count($one['depth']) && count($one['fn']) === count($one['ct'])
            && count($one['fn']) === count($one['call_line']) && $one['depth'][0] === 0 && min(array_slice($one['depth'], 1) ?: [1]) === 1;
        $times = $one['kind'] === 'slowest' ? $one['wall_us'] === $route['max_us'] : $one['wall_us'] <= $route['max_us'];
        echo $same && $times && $one['failed'] === false && $one['ended'] >= $run['aggregate']['from'] && $one['peak'] > 0
            ? '' : 'wrong: ' . json_encode([$one, $route]) . "\n";
    }
}

echo "xhprof.mode=aggregate: names that are too many, as a scanner asks for, neither hide the others nor fill the folder:\n";

$child = xhprof_test_aggregate(<<<'PHP'
    mt_srand(1);
    function word(): string { return strtr((string) mt_rand(), '0123456789', 'abcdefghij'); }
    function span(string $name, int $us): void {
        xhprof_begin_span($name);
        for ($end = hrtime(true) + $us * 1000; hrtime(true) < $end;) {}
        xhprof_end_span();
    }
    // Nothing in common; then one that varies.
    for ($i = 0; $i < 520; $i++) { span('GET ' . word(), 0); }
    for ($i = 0; $i < 10_000; $i++) { span('GET /blog/' . word(), 0); }
    for ($i = 0; $i < 40; $i++) {
        span('GET /real/' . 'abcdefgh'[$i % 8], 2000);
        span("GET /users/{id}", 2000);
    }
    PHP, ['start_with_request' => 'no', 'flush_seconds' => 3600]);
echo $child['out'], $child['err'];
$routes = xhprof_test_routes($child['runs'], $child['folder']);
echo count($child['runs']), ' run, ', count($routes) <= 501 ? '' : 'too many routes, ', array_sum(array_column($routes, 'requests')), " requests\n";
echo 'real: ', json_encode(array_map(static fn (string $page): int => $routes["GET /real/$page"]['requests'] ?? 0, str_split('abcdefgh'))), "\n";
// A span in which the processor did something else may stand by itself, if it has a fiftieth of the blog's time and requests.
$blog = array_filter($routes, static fn (string $name): bool => str_starts_with($name, 'GET /blog/'), ARRAY_FILTER_USE_KEY);
$share = static fn (array $some, string $of): float => array_sum(array_column($some, $of)) / array_sum(array_column($routes, $of));
$weight = static fn (array $some): float => $share($some, 'wall_us') + $share($some, 'requests');
$light = array_filter($blog, static fn (array $route): bool => $weight([$route]) * 50 < $weight($blog));
echo 'users: ', $routes['GET /users/{id}']['requests'], ', blog: ', array_sum(array_column($blog, 'requests')), "\n";
echo count($light), " of the blog by themselves\n";
$size = array_sum(array_map(filesize(...), glob("{$child['folder']}/*")));
echo $size < 500_000 ? 'small' : "$size bytes", "\n";

echo "xhprof.mode=aggregate: a request that meets a condition of xhprof.save_if is counted, and saved as a run of its own:\n";

$code = <<<'PHP'
    foreach (['a' => 20, 'b' => 60, 'c' => 20] as $name => $ms) {
        xhprof_begin_span("job $name");
        work($ms);
        xhprof_end_span();
    }
    PHP;
foreach (['route=job b', 'route=*@2', ''] as $condition) {
    $result = xhprof_test_aggregate($code, ['start_with_request' => 'no', 'save_if' => "\"$condition\""]);
    echo "$condition: $result[out]$result[err]";
    $runs = array_filter($result['runs'], static fn (array $run): bool => $run['start'] !== 'aggregate');
    xhprof_test_show_requests(xhprof_test_routes(array_values(array_diff_key($result['runs'], $runs)), $result['folder']));
    foreach ($runs as $run) {
        $tree = xhprof_test_run_part($result['folder'], "$run[id].$run[source]", 'tree');
        echo "$run[name] $run[mode] $run[saved_if]: ", implode(' ', $run['parts']), ', ', array_sum($tree['ct']) === $run['samples'] ? 'all samples' : 'other samples',
            in_array('inner', $tree['names'], true) ? '' : ' without its functions', "\n";
    }
}
?>
--EXPECT--
xhprof.mode=aggregate: the slowest request of each route and one by chance are kept as trees of their own:
job 0: 3
job 1: 3
job 0, slowest: job 0
job 0, random: job 0
job 1, slowest: slow_part job 1
job 1, random: job 1
xhprof.mode=aggregate: names that are too many, as a scanner asks for, neither hide the others nor fill the folder:
1 run, 10600 requests
real: [5,5,5,5,5,5,5,5]
users: 40, blog: 10000
0 of the blog by themselves
small
xhprof.mode=aggregate: a request that meets a condition of xhprof.save_if is counted, and saved as a run of its own:
route=job b: job a: 1
job b: 1
job c: 1
job b sample route=job b: samples tree, all samples
route=*@2: job a: 1
job b: 1
job c: 1
job a sample route=*: samples tree, all samples
job b sample route=*: samples tree, all samples
: job a: 1
job b: 1
job c: 1
