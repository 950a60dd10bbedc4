--TEST--
xhprof.mode=aggregate with xhprof.alloc_sample_bytes: what spans keep alive, by route and call path
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('test clock', 'loopback', "PHP's heap", '+pcntl'); ?>
--FILE--
<?php
require __DIR__ . '/../aggregate_kept.inc';

// Blocks of 64 KB are sampled but for one in 9 million, those of 640 bytes one in seven.
$jobs = <<<'PHP'
    function block(int $bytes = 65_000): string { return str_repeat('x', $bytes); }
    class Log { public static array $lines = []; static function add(int $bytes): void { self::$lines[] = block($bytes); } }
    class Lru {
        public static array $entries = [];
        static function put(int $key, int $most): void {
            self::$entries[$key] = block();
            if (count(self::$entries) > $most) { unset(self::$entries[array_key_first(self::$entries)]); }
        }
    }
    class Table { public static array $rows = []; static function row(int $key): string { return self::$rows[$key] ??= block(); } }
    class Later { public static array $work = []; static function put(): void { self::$work[] = block(); } }
    function job(string $name, callable $work): void { xhprof_begin_span($name); $work(); xhprof_end_span(); }
    PHP;

echo "A leak, caches with a bound, and what is freed soon, of 400 jobs in 4 windows:\n";
$result = xhprof_test_aggregate($jobs . <<<'PHP'

    for ($i = 0; $i < 400; $i++) {
        job('leaks', static fn () => Log::add(65_000));
        job('caches', static fn () => Lru::put($i, 50));
        job('reads', static fn () => Table::row($i % 60));
        job('defers', static fn () => Later::put());
        if (count(Later::$work) > 2) { array_shift(Later::$work); } // freed between two spans
        job('clean', static fn () => block());
        if ($i % 100 === 99) { clock_goes(3_600_000); }
    }
    PHP, ['alloc_sample_bytes' => 4096, 'flush_seconds' => 3600]); // so that no window ends by itself
echo $result['out'], $result['err'];
xhprof_test_routes($result['runs'], $result['folder']);
$windows = xhprof_test_kept_blocks($result['runs'], $result['folder']);
xhprof_test_show_kept($windows, ['leaks>Log::add', 'caches>Lru::put', 'reads>Table::row', 'defers>Later::put', 'clean>block']);
// The first 16 jobs of a process are left out, and the last 16 are not known yet.
echo json_encode(xhprof_test_followed($result['runs'])), ' ', json_encode($result['runs'][0]['aggregate']['allocations']), "\n";

echo "One function of two routes, of which one lets go; freed in another job; exact profiles between them:\n";
$result = xhprof_test_aggregate($jobs . <<<'PHP'

    for ($i = 0; $i < 200; $i++) {
        job('one', static fn () => Log::add(65_000));
        job('other', static function (): void { Log::add(65_000); array_pop(Log::$lines); });
        job('fills', static fn () => Later::put());
        if ($i % 50 === 49) { job('empties', static function (): void { Later::$work = []; }); }
        xhprof_enable();
        block();
        xhprof_disable();
    }
    PHP, ['alloc_sample_bytes' => 4096]);
echo $result['out'], $result['err'];
xhprof_test_show_kept(xhprof_test_kept_blocks($result['runs'], $result['folder']), ['one>Log::add', 'other>Log::add', 'fills>Later::put']);

echo "Small blocks, of which one in seven is sampled, and nested spans:\n";
$result = xhprof_test_aggregate($jobs . <<<'PHP'

    for ($i = 0; $i < 300; $i++) {
        job('small', static function (): void { for ($n = 0; $n < 50; $n++) { Log::add(600); } });
        job('outer', static function (): void {
            Log::add(65_000);
            job('inner', static fn () => Log::add(65_000)); // a span within a span is a part of it
            Log::add(65_000);
        });
    }
    PHP, ['alloc_sample_bytes' => 4096]);
echo $result['out'], $result['err'];
$windows = xhprof_test_kept_blocks($result['runs'], $result['folder']);
$small = $windows[0]['small>Log::add>block>str_repeat'];
// 14,000 blocks, 2,000 samples: 15 % are 6 sigma.
$before = memory_get_usage();
$block = str_repeat('x', 600); // 640 bytes, and more in a debug build
$size = memory_get_usage() - $before;
xhprof_test_between('small bytes', $small['kept_bytes'], 0.85 * $size * 50 * 285, 1.15 * $size * 50 * 300);
xhprof_test_between('small blocks', $small['kept_blocks'], 0.85 * 50 * 285, 1.15 * 50 * 300);
xhprof_test_show_kept($windows, ['outer>Log::add']);

echo "Freed between two spans, where no other block takes the place at once:\n";
$result = xhprof_test_aggregate($jobs . <<<'PHP'

    $answers = $rows = [];
    for ($i = 0; $i < 1000; $i++) {
        xhprof_begin_span('answers'); $answer = block(65_000); xhprof_end_span();
        $answers[] = $answer;
        while (count($answers) > 8) { array_shift($answers); }
        xhprof_begin_span('rows'); $rows[$i % 150] ??= block(9000); $answer = ''; xhprof_end_span();
        $answers[] = $answer;
    }
    PHP, ['alloc_sample_bytes' => 4096]);
echo $result['out'], $result['err'];
[$window] = xhprof_test_kept_blocks($result['runs'], $result['folder']);
echo json_encode($window['answers>block>str_repeat']), "\n";
// 142 rows of 12 KB, of which nineteen of twenty are sampled.
xhprof_test_between('rows', $window['rows>block>str_repeat']['kept_bytes'], 0.8 * 142 * 12_288, 1.2 * 142 * 12_288);

echo "Spans of 20 fibers at once: each has its own\n";
$result = xhprof_test_aggregate($jobs . <<<'PHP'

    function leaks(): void { for ($k = 0; $k < 3; $k++) { Log::add(65_000); Fiber::suspend(); } }
    function holds(): void { $held = []; for ($k = 0; $k < 3; $k++) { $held[] = block(); Fiber::suspend(); } }
    for ($n = 0, $fibers = []; $n < 400 || $fibers; ) {
        while (count($fibers) < 20 && $n < 400) {
            $route = $n++ % 2 ? 'leaks' : 'holds';
            $fibers[] = $fiber = new Fiber(static function () use ($route): void { xhprof_begin_span($route); $route(); xhprof_end_span(); });
            $fiber->start();
        }
        foreach ($fibers as $i => $fiber) {
            $fiber->resume();
            if ($fiber->isTerminated()) { unset($fibers[$i]); }
        }
    }
    PHP, ['alloc_sample_bytes' => 4096]);
echo $result['out'], $result['err'];
$followed = xhprof_test_followed($result['runs']);
echo array_sum($followed), "\n";
$sums = ['leaks' => 0, 'holds' => 0];
foreach (xhprof_test_kept_blocks($result['runs'], $result['folder'])[0] as $path => $figures) {
    $route = strtok($path, '>');
    isset($sums[$route]) && $sums[$route] += $figures['kept_bytes'] - $figures['released_bytes'];
}
xhprof_test_between('blocks of a span that leaks', $sums['leaks'] / 65_536 / $followed['leaks'], 2.9, 3.2);
xhprof_test_between('blocks of one that holds', $sums['holds'] / 65_536 / $followed['holds'], 0, 0.1);

echo "A text that each request adds to, and a list that doubles: what they grow by\n";
$grows = $jobs . <<<'PHP'

    class Grows { public static string $text = ''; public static array $list = []; public static array $each = []; }
    function text(): void { Grows::$text .= str_repeat('t', 5000); }
    function listed(int $i): void { for ($n = 0; $n < 100; $n++) { Grows::$list[] = $i; } }
    function shrinks(): void { Grows::$each = range(1, 5000); for ($n = 0; $n < 4990; $n++) { array_pop(Grows::$each); } sort(Grows::$each); }
    function does(string $name, int $i): void { match ($name) { 'text' => text(), 'list' => listed($i), 'shrinks' => shrinks() }; }
    PHP;
foreach ([
    'one at a time' => 'for ($i = 0; $i < 600; $i++) { foreach (["text", "list", "shrinks"] as $name) { job($name, static fn () => does($name, $i)); } }',
    'two at once' => 'for ($i = 0; $i < 600; $i++) { foreach (["text", "list", "shrinks"] as $name) {
        $fiber = new Fiber(static function () use ($name, $i): void { xhprof_begin_span($name); Fiber::suspend(); does($name, $i); xhprof_end_span(); });
        $fiber->start(); isset($before) && $before->resume(); $before = $fiber;
    } } $before->resume();',
] as $label => $code) {
    $result = xhprof_test_aggregate("$grows\n$code", ['alloc_sample_bytes' => 4096]);
    echo $result['out'], $result['err'];
    $sums = [];
    foreach (xhprof_test_kept_blocks($result['runs'], $result['folder']) as $window) {
        foreach ($window as $path => $figures) {
            $route = strtok($path, '>');
            $sums[$route]['kept'] = ($sums[$route]['kept'] ?? 0) + $figures['kept_bytes'];
            $sums[$route]['released'] = ($sums[$route]['released'] ?? 0) + $figures['released_bytes'];
        }
    }
    // 600 times 5,000 bytes; 60,000 values of 16 bytes, for which the list has 65,536 places: 1 MB. 3 MB are some 700 samples.
    xhprof_test_between("$label, text", $sums['text']['kept'] / 600 / 5000, 0.8, 1.2);
    xhprof_test_between("$label, list", $sums['list']['kept'] / 1_048_576, 0.8, 1.2);
    echo "released: {$sums['text']['released']}, {$sums['list']['released']}\n";
    xhprof_test_between("$label, what each request replaces", $sums['shrinks']['kept'], 0, 20_000);
}

echo "Of fibers that begin before the first span ends: all are followed\n";
$result = xhprof_test_aggregate($jobs . <<<'PHP'

    $fibers = [];
    for ($i = 0; $i < 5; $i++) {
        $fibers[] = $fiber = new Fiber(static function (): void { xhprof_begin_span('first'); $held = block(); Fiber::suspend(); xhprof_end_span(); });
        $fiber->start();
    }
    foreach ($fibers as $fiber) { $fiber->resume(); }
    for ($i = 0; $i < 40; $i++) { job('leaks', static fn () => Log::add(65_000)); }
    PHP, ['alloc_sample_bytes' => 4096]);
echo $result['out'], $result['err'], array_sum(array_map(static fn (array $run): int => $run['aggregate']['allocations']['unfollowed'], $result['runs'])), " unfollowed\n";

echo "Frees that are not seen, as in an exact profile of the memory: the blocks are not followed any more\n";
$result = xhprof_test_aggregate($jobs . <<<'PHP'

    for ($i = 0; $i < 60; $i++) {
        job('fills', static fn () => Later::put());
        if ($i % 20 === 19) { xhprof_enable(XHPROF_FLAGS_ALLOC); Later::$work = []; xhprof_disable(); }
    }
    PHP, ['alloc_sample_bytes' => 4096]);
echo $result['out'], $result['err'];
xhprof_test_show_kept(xhprof_test_kept_blocks($result['runs'], $result['folder']), ['fills>Later::put']);
xhprof_test_between('unfollowed', $result['runs'][0]['aggregate']['allocations']['unfollowed'], 8, 16);

echo "Two processes: a child has what it keeps itself\n";
$result = xhprof_test_aggregate($jobs . <<<'PHP'

    for ($i = 0; $i < 40; $i++) { job('parent', static fn () => Log::add(65_000)); }
    if (!pcntl_fork()) {
        Log::$lines = []; // the parent's
        for ($i = 0; $i < 60; $i++) { job('child', static fn () => Log::add(65_000)); }
        exit;
    }
    pcntl_wait($status);
    for ($i = 0; $i < 40; $i++) { job('parent', static fn () => Log::add(65_000)); }
    clock_goes(1000);
    PHP, ['alloc_sample_bytes' => 4096], [], ['pcntl']);
echo $result['out'], $result['err'];
$sum = [];
foreach (xhprof_test_kept_blocks($result['runs'], $result['folder']) as $window) {
    foreach (['parent', 'child'] as $route) {
        $figures = $window["$route>Log::add>block>str_repeat"] ?? ['kept_bytes' => 0, 'released_bytes' => 0];
        $sum[$route] = ($sum[$route] ?? 0) + $figures['kept_bytes'] / 65_536;
        $sum["$route released"] = ($sum["$route released"] ?? 0) + $figures['released_bytes'] / 65_536;
    }
}
echo json_encode(array_map(round(...), $sum)), "\n";

echo "A request's heap is emptied: nothing of it is kept\n";
$clock = xhprof_test_clock();
$settings = ['mode' => 'aggregate', 'flush_seconds' => 1, 'alloc_sample_bytes' => 4096];
$server = new XhprofTestServer('<?php ' . $jobs . "\n" . 'Log::add(65_000); echo count(Log::$lines);', $settings, [], $clock);
for ($i = 0; $i < 40; $i++) {
    $server->request('/');
}
xhprof_test_clock_goes($clock, 1000);
$server->request('/');
$runs = $server->runs(1);
echo json_encode(array_map(static fn (array $run): bool => isset(xhprof_test_run_part($server->folder, "{$run['id']}.{$run['source']}", 'tree')['self']['kept_bytes']), $runs)), "\n";
$server->stop();
--EXPECT--
A leak, caches with a bound, and what is freed soon, of 400 jobs in 4 windows:
leaks>Log::add: 93-0 100-0 100-0 100-0 0-0
caches>Lru::put: 94-47 100-100 100-100 100-100 0-0
reads>Table::row: 57-0 0-0 0-0 0-0 0-0
defers>Later::put: 0-0 0-0 0-0 0-0 0-0
clean>block: 0-0 0-0 0-0 0-0 0-0
{"caches":394,"clean":393,"defers":394,"leaks":393,"reads":394} {"sample_bytes":4096,"dropped":0,"unfollowed":0}
One function of two routes, of which one lets go; freed in another job; exact profiles between them:
one>Log::add: 189-0
other>Log::add: 0-0
fills>Later::put: 171-171
Small blocks, of which one in seven is sampled, and nested spans:
small bytes: ok
small blocks: ok
outer>Log::add: 852-0
Freed between two spans, where no other block takes the place at once:
{"kept_bytes":0,"kept_blocks":0,"released_bytes":0,"released_blocks":0}
rows: ok
Spans of 20 fibers at once: each has its own
368
blocks of a span that leaks: ok
blocks of one that holds: ok
A text that each request adds to, and a list that doubles: what they grow by
one at a time, text: ok
one at a time, list: ok
released: 0, 0
one at a time, what each request replaces: ok
two at once, text: ok
two at once, list: ok
released: 0, 0
two at once, what each request replaces: ok
Of fibers that begin before the first span ends: all are followed
0 unfollowed
Frees that are not seen, as in an exact profile of the memory: the blocks are not followed any more
fills>Later::put: 0-0
unfollowed: ok
Two processes: a child has what it keeps itself
{"parent":48,"parent released":0,"child":28,"child released":0}
A request's heap is emptied: nothing of it is kept
[false]
