--TEST--
xhprof.mode=aggregate: names that are too many, as a scanner asks for, neither hide the others nor fill the folder
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('test clock'); ?>
--FILE--
<?php
require __DIR__ . '/../lib.inc';
require __DIR__ . '/../auto.inc';
require __DIR__ . '/../aggregate.inc';

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
?>
--EXPECT--
1 run, 10600 requests
real: [5,5,5,5,5,5,5,5]
users: 40, blog: 10000
0 of the blog by themselves
small
