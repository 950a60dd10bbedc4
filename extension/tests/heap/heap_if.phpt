--TEST--
xhprof.heap_if: a heap snapshot when a request, a program or a span has a peak or has kept bytes; once per process and hour
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('test clock', "PHP's heap"); ?>
--FILE--
<?php
require __DIR__ . '/../aggregate.inc';

/** What the snapshots in a folder are of, in the order in which they were made. */
function shown(string $folder): string
{
    $shown = [];
    foreach (glob("$folder/*.heap.jsonl") as $file) {
        $lines = file($file);
        [$head, $end] = [json_decode($lines[0], true), json_decode((string) end($lines), true)];
        preg_match('/^heap_if-(\w+)-(\d+)-(\d+)\.heap\.jsonl$/', basename($file), $name);
        $isHeld = str_contains(implode('', $lines), 'THE LARGE TEXT');
        $shown[$name[3] ?? $file] = preg_replace('/xhprof.phpt.\d+.\w{8}.program.php/', 'program', ($name[1] ?? '?') . " = $head[route], $head[taken_if]")
            . ($head['reached'] >= (int) explode('=', $head['taken_if'])[1] << 20 ? '' : ' NOT REACHED')
            . ((int) ($name[2] ?? 0) === $head['pid'] ? '' : ' OTHER PROCESS') . ($isHeld ? ', held' : '')
            . (($end['end'] ?? null) === true ? '' : ' CUT');
    }
    ksort($shown);
    return implode('; ', $shown) ?: 'none';
}

const GROW = 'function grow(int $mb) { $x = strtoupper("the large text") . str_repeat("x", $mb << 20); return strlen($x); }
    function hour() { clock_goes(3_600_000); } ';

$jobs = static fn (string $each, int $number = 14): string => "for (\$i = 1; \$i <= $number; \$i++) {
    clock_goes(1); \$span = xhprof_span(\"job \$i\"); $each; unset(\$span); }";
$programs = [
    'a peak' => ['grow(20);', 'peak=16M'],
    'a lower peak' => ['grow(4);', 'peak=16M'],
    'held at the end' => ['class Kept { static $all; } Kept::$all = strtoupper("the large text") . str_repeat("x", 20 << 20);', 'peak=16M'],
    'reset by the program' => ['grow(20); memory_reset_peak_usage();', 'peak=16M'],
    'spans' => [$jobs('grow($i === 3 ? 20 : 1)'), 'peak=16M'],
    'spans of the next hours' => [$jobs('grow($i % 3 ? 1 : 20); if ($i === 5 || $i === 10) hour()'), 'peak=16M'],
    'a smaller one an hour later' => [$jobs('grow($i === 2 ? 40 : ($i === 9 ? 20 : 1)); if ($i === 5) hour()'), 'peak=16M'],
    'nested' => ['xhprof_begin_span("outer"); xhprof_begin_span("inner"); grow(20); xhprof_end_span(); xhprof_end_span();', 'peak=16M'],
    'before the first span' => ['grow(20); ' . $jobs('grow(1)', 2), 'peak=16M'],
    'a leak' => [$jobs('$kept[] = str_repeat("x", 1 << 20)', 30), 'kept=8M'],
    'a leak of objects' => [$jobs('for ($j = 0; $j < 3000; $j++) { $kept[] = new ArrayObject([$i, $j, "text $j"]); }', 40), 'kept=8M'],
    'a cache with a bound' => [$jobs('$kept[$i % 5] = str_repeat("x", 1 << 20)', 60), 'kept=4M'],
    'what is freed in the span' => [$jobs('grow(20)', 30), 'kept=8M'],
    'a cache filled at first' => [$jobs('if ($i < 10) { $kept[] = str_repeat("x", 1 << 20); }', 30), 'kept=8M'],
    'what another open span holds' => ['for ($n = 1; $n < 30; $n++) { clock_goes(1); $f = new Fiber(static function () { $s = xhprof_span("large"); $x = str_repeat("x", 20 << 20); Fiber::suspend(); unset($x); $s->end(); }); $f->start(); ' . $jobs('grow(1)', 3) . ' $f->resume(); }', 'kept=8M'],
    'what open spans hold in turns' => ['$f = []; for ($i = 1; $i < 100; $i++) { clock_goes(1); $f[] = $new = new Fiber(static function () use ($i) { $s = xhprof_span("job $i"); $x = str_repeat("x", ($i % 7 ? 1 : 20) << 20); Fiber::suspend(); unset($x); $s->end(); }); $new->start(); if ($i > 3) { $key = array_key_first($f); $f[$key]->resume(); unset($f[$key]); } }', 'kept=16M'],
    'a leak beside an open span' => ['$open = xhprof_span("open"); $f = new Fiber(static function () { $kept = []; ' . $jobs('$kept[] = str_repeat("x", 1 << 20)', 50) . ' }); $f->start();', 'kept=8M'],
    'within a profile of the program' => ['xhprof_enable(XHPROF_FLAGS_MEMORY); ' . $jobs('grow($i === 3 ? 20 : 1)') . ' echo xhprof_disable()["main()"]["pmu"] > 20 << 20 ? "large " : "small ", memory_get_peak_usage() > 20 << 20 ? "large " : "small ";', 'peak=16M'],
    'both' => [$jobs('$kept[] = str_repeat("x", 1 << 20); if ($i === 25) { hour(); grow(40); }', 30), 'kept=8M, peak=50M'],
];
foreach (['no', 'yes', 'sampled'] as $when) {
    echo "start_with_request=$when:\n";
    foreach ($programs as $label => [$code, $condition]) {
        $child = xhprof_test_auto(
            XHPROF_TEST_WORK . GROW . $code,
            ['heap_if' => "\"$condition\"", 'start_with_request' => $when, 'sample_rate' => 0, 'mode' => $when === 'yes' ? 'sample' : 'exact', 'sampling_interval' => 60_000_000],
            xhprof_test_clock(),
            ['log_errors' => 0],
        );
        $child['out'] = preg_replace('/\n(Warning: xhprof_span\(\): A profile is running: the span is not profiled).*\n/', '', $child['out'], -1, $warned);
        $text = ($warned > 0 ? "$warned warnings " : '') . $child['out'] . preg_replace('/^xhprof: the heap snapshot for xhprof\.heap_if, \w+=\w+, is \S+\n/m', '', $child['err']);
        // A debug build of PHP takes more bytes for each small block.
        $shown = $label === 'a leak of objects' ? preg_replace('/job(.)1[1-9]\b/', 'job${1}1_', shown($child['folder'])) : shown($child['folder']);
        echo "$label: $text", $shown, ($child['runs'] === []) === ($when !== 'yes') ? '' : ' RUNS', "\n";
    }
}

echo "memory_get_peak_usage() is what it is without:\n";
$code = '$a = str_repeat("x", 20 << 20); $a = null; ' . $jobs('grow(2)', 3) . ' echo memory_get_peak_usage() > 20 << 20 ? "large" : "small", " ";
    memory_reset_peak_usage(); ' . $jobs('grow(2)', 3) . ' echo memory_get_peak_usage() > 20 << 20 ? "large" : "small", "\n";';
foreach (['"peak=16M"', ''] as $condition) {
    echo xhprof_test_auto(XHPROF_TEST_WORK . GROW . $code, ['heap_if' => $condition, 'start_with_request' => 'no'], xhprof_test_clock(), ['log_errors' => 0])['out'];
}

echo "each process has its own:\n";
$code = 'grow(20); for ($i = 0; $i < 3; $i++) { if (($child = pcntl_fork()) === 0) { clock_goes(1); exit; } pcntl_waitpid($child, $status); }';
if (xhprof_test_available('pcntl')) {
    $child = xhprof_test_auto(XHPROF_TEST_WORK . GROW . $code, ['heap_if' => '"peak=16M"', 'start_with_request' => 'no'], xhprof_test_clock(), ['log_errors' => 0], ['pcntl']);
    echo count(glob("$child[folder]/*.heap.jsonl")), "\n";
} else {
    echo "4\n";
}

echo "at memory_limit what is there is in it:\n";
$code = '$all = [strtoupper("the large text")]; while (true) { $all[] = str_repeat("x", 10_000); }';
$child = xhprof_test_auto(XHPROF_TEST_WORK . GROW . $code, ['heap_if' => '"peak=16M"', 'start_with_request' => 'no'], xhprof_test_clock(), ['log_errors' => 0, 'memory_limit' => '24M']);
echo str_contains($child['out'], 'Allowed memory size') ? 'the fatal error' : $child['out'], ', ', shown($child['folder']), "\n";

echo "samples see it while it is there:\n";
$code = 'function large() { $x = strtoupper("the large text") . str_repeat("x", 20 << 20); while (!glob(dirname(__FILE__) . "/runs/*.heap.jsonl")) { work(1); } }
    xhprof_begin_span("large"); large(); xhprof_end_span();';
foreach (['sample', 'aggregate'] as $mode) {
    $child = xhprof_test_auto(XHPROF_TEST_WORK . GROW . $code, ['heap_if' => '"peak=16M"', 'mode' => $mode, 'sampling_interval' => 1000], xhprof_test_clock(), ['log_errors' => 0]);
    echo "$mode: $child[out]", shown($child['folder']), "\n";
}
?>
--EXPECT--
start_with_request=no:
a peak: program = program, peak=16M
a lower peak: none
held at the end: program = program, peak=16M, held
reset by the program: program = program, peak=16M
spans: job_3 = job 3, peak=16M
spans of the next hours: job_3 = job 3, peak=16M; job_6 = job 6, peak=16M; job_12 = job 12, peak=16M
a smaller one an hour later: job_2 = job 2, peak=16M; job_9 = job 9, peak=16M
nested: inner = inner, peak=16M
before the first span: none
a leak: job_18 = job 18, kept=8M
a leak of objects: job_1_ = job 1_, kept=8M
a cache with a bound: none
what is freed in the span: none
a cache filled at first: none
what another open span holds: none
what open spans hold in turns: none
a leak beside an open span: job_33 = job 33, kept=8M
within a profile of the program: large large job_3 = job 3, peak=16M
both: job_18 = job 18, kept=8M; job_25 = job 25, peak=50M
start_with_request=yes:
a peak: program = program, peak=16M
a lower peak: none
held at the end: program = program, peak=16M, held
reset by the program: program = program, peak=16M
spans: job_3 = job 3, peak=16M
spans of the next hours: job_3 = job 3, peak=16M; job_6 = job 6, peak=16M; job_12 = job 12, peak=16M
a smaller one an hour later: job_2 = job 2, peak=16M; job_9 = job 9, peak=16M
nested: inner = inner, peak=16M
before the first span: none
a leak: job_18 = job 18, kept=8M
a leak of objects: job_1_ = job 1_, kept=8M
a cache with a bound: none
what is freed in the span: none
a cache filled at first: none
what another open span holds: none
what open spans hold in turns: none
a leak beside an open span: job_33 = job 33, kept=8M
within a profile of the program: 14 warnings large large job_3 = job 3, peak=16M
both: job_18 = job 18, kept=8M; job_25 = job 25, peak=50M
start_with_request=sampled:
a peak: program = program, peak=16M
a lower peak: none
held at the end: program = program, peak=16M, held
reset by the program: program = program, peak=16M
spans: job_3 = job 3, peak=16M
spans of the next hours: job_3 = job 3, peak=16M; job_6 = job 6, peak=16M; job_12 = job 12, peak=16M
a smaller one an hour later: job_2 = job 2, peak=16M; job_9 = job 9, peak=16M
nested: inner = inner, peak=16M
before the first span: none
a leak: job_18 = job 18, kept=8M
a leak of objects: job_1_ = job 1_, kept=8M
a cache with a bound: none
what is freed in the span: none
a cache filled at first: none
what another open span holds: none
what open spans hold in turns: none
a leak beside an open span: job_33 = job 33, kept=8M
within a profile of the program: 14 warnings large large job_3 = job 3, peak=16M
both: job_18 = job 18, kept=8M; job_25 = job 25, peak=50M
memory_get_peak_usage() is what it is without:
large small
large small
each process has its own:
4
at memory_limit what is there is in it:
the fatal error, program = program, peak=16M, held
samples see it while it is there:
sample: large = large, peak=16M, held
aggregate: large = large, peak=16M, held
