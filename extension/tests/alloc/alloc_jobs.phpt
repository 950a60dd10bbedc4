--TEST--
Marks of spans have the names of the jobs, and the size of the heap
--FILE--
<?php
require __DIR__ . '/../auto.inc';

/** The names at the marks of the one run, and by how many 100 KB the heap has grown from one to the next. */
function marks(array $child): string
{
    $run = $child['runs'][0];
    $memory = xhprof_test_run_part($child['folder'], "$run[id].$run[source]", 'memory');
    if (!isset($memory['at_marks'])) {
        return "$memory[marks] marks, no jobs";
    }
    ['job' => $job, 'size' => $size] = $memory['at_marks'];
    $shown = [];
    foreach ($job as $i => $place) {
        $grown = $i === 0 ? '' : sprintf(' %+d', round(($size[$i] - $size[$i - 1]) / 102400));
        $shown[] = ($place < 0 ? '-' : json_encode($memory['jobs'][$place])) . $grown;
    }
    return "$memory[marks] marks: " . implode(', ', $shown) . (count($size) === count($job) ? '' : ' OF OTHER LENGTH');
}

$program = static fn (string $code): string => '<?php xhprof_enable(XHPROF_FLAGS_ALLOC); (static function () { ' . $code . ' })(); xhprof_disable(); xhprof_save();';
$ways = [
    'two jobs, one leaks' => 'for ($i = 0; $i < 6; $i++) { $s = @xhprof_span($i % 2 ? "import" : "mail"); if ($i % 2) { $GLOBALS["all"][] = str_repeat("x", 300 << 10); } unset($s); }',
    'what a job frees' => 'foreach (["fill", "free", "none"] as $name) { $s = @xhprof_span($name); if ($name !== "none") { $GLOBALS["x"] = $name === "fill" ? str_repeat("x", 600 << 10) : null; } unset($s); }',
    'begun by a function' => 'foreach (["a", "b"] as $name) { @xhprof_begin_span($name); xhprof_end_span(); }',
    'within each other' => '$s = @xhprof_span("outer"); $t = @xhprof_span("inner"); unset($t, $s); $s = @xhprof_span("next"); unset($s);',
    'others are open' => '$fibers = []; $job = static function (int $kb) { $s = @xhprof_span("of $kb"); $GLOBALS["all"][] = str_repeat("x", $kb << 10); Fiber::suspend(); unset($s); }; foreach ([300, 600, 900] as $kb) { $fibers[] = $fiber = new Fiber($job); $fiber->start($kb); } $fibers[1]->resume(); $fibers[0]->resume(); $fibers[2]->resume(); $s = @xhprof_span("alone"); unset($s);',
    'another one begins and ends meanwhile' => '$outer = new Fiber(static function () { $s = @xhprof_span("long"); Fiber::suspend(); unset($s); }); $outer->start(); $inner = new Fiber(static function () { $s = @xhprof_span("short"); unset($s); }); $inner->start(); $outer->resume(); $s = @xhprof_span("alone"); $GLOBALS["all"][] = str_repeat("x", 300 << 10); unset($s);',
    'alone, in fibers' => 'for ($i = 0; $i < 3; $i++) { $fiber = new Fiber(static function () { $s = @xhprof_span("job"); Fiber::suspend(); $GLOBALS["all"][] = str_repeat("x", 300 << 10); unset($s); }); $fiber->start(); $fiber->resume(); }',
    'open when the profile begins' => 'xhprof_disable(); $s = @xhprof_span("old"); xhprof_enable(XHPROF_FLAGS_ALLOC); $f = new Fiber(static function () { foreach (["a", "b"] as $name) { $s = @xhprof_span($name); unset($s); } }); $f->start(); unset($s);',
    'names of all kinds' => 'foreach (["", "\u{e4}", "a;b\n", str_repeat("n", 3)] as $name) { $s = @xhprof_span($name); unset($s); }',
    'the program makes marks' => 'for ($i = 0; $i < 2; $i++) { $s = @xhprof_span("job"); xhprof_alloc_mark(); unset($s); }',
    'and one before a span' => '$s = @xhprof_span("job"); unset($s); $s = @xhprof_span("job"); unset($s); xhprof_alloc_mark();',
    'no spans' => 'xhprof_alloc_mark(); xhprof_alloc_mark();',
    'many' => 'for ($i = 0; $i < 3000; $i++) { $s = @xhprof_span("job " . $i % 700); unset($s); }',
];
foreach ($ways as $label => $code) {
    $child = xhprof_test_auto($program($code), ['start_with_request' => 'yes']);
    $child['runs'] = array_values(array_filter($child['runs'], static fn (array $run): bool => $run['source'] === 'xhprof'));
    $text = marks($child);
    echo "$label: $child[out]$child[err]", strlen($text) < 1000 ? $text : preg_replace('/^(\d+ marks: "job 0", "job 1" \+0).*("job 199" \+0)$/', '$1 ... $2', $text), "\n";
}
?>
--EXPECT--
two jobs, one leaks: 6 marks: "mail", "import" +3, "mail" +0, "import" +3, "mail" +0, "import" +3
what a job frees: 3 marks: "fill", "free" -6, "none" +0
begun by a function: 2 marks: "a", "b" +0
within each other: 2 marks: "outer", "next" +0
others are open: 4 marks: -, - +0, - +0, "alone" +0
another one begins and ends meanwhile: 3 marks: -, - +0, "alone" +3
alone, in fibers: 3 marks: "job", "job" +3, "job" +3
open when the profile begins: 2 marks: "a", "b" +0
names of all kinds: 4 marks: "", "\u00e4" +0, "a;b\n" +0, "nnn" +0
the program makes marks: 2 marks, no jobs
and one before a span: 3 marks: "job", "job" +0, - +0
no spans: 2 marks, no jobs
many: 3000 marks: "job 0", "job 1" +0 ... "job 199" +0
