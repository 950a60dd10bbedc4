--TEST--
Marks: each job that is a span of a profile of the whole program ends with one, unless the program makes them
--FILE--
<?php
require __DIR__ . '/../lib.inc';
require __DIR__ . '/../auto.inc';

$head = '<?php function job() { $GLOBALS["kept"][] = str_repeat("x", 5000); } function all($of) { xhprof_enable(XHPROF_FLAGS_ALLOC); $of(); echo xhprof_alloc_mark() - 1, " marks\n"; xhprof_disable(); } ';
$programs = [
    'objects' => 'for ($i = 0; $i < 4; $i++) { $s = @xhprof_span("job"); job(); unset($s); }',
    'two functions' => 'for ($i = 0; $i < 4; $i++) { @xhprof_begin_span("job"); job(); xhprof_end_span(); }',
    'left open by an exception' => 'for ($i = 0; $i < 4; $i++) { try { @xhprof_begin_span("job"); if ($i % 2) { throw new LogicException(); } job(); xhprof_end_span(); } catch (LogicException) { } }',
    'within each other' => 'for ($i = 0; $i < 4; $i++) { $s = @xhprof_span("job"); $t = @xhprof_span("part"); job(); unset($t); $t = @xhprof_span("part"); unset($t, $s); }',
    'the program marks in its jobs' => 'for ($i = 0; $i < 4; $i++) { $s = @xhprof_span("job"); job(); xhprof_alloc_mark(); unset($s); }',
    'the program marks after them: one more, as the first ends' => 'for ($i = 0; $i < 4; $i++) { $s = @xhprof_span("job"); job(); unset($s); xhprof_alloc_mark(); }',
    'the program marks before them' => 'xhprof_alloc_mark(); for ($i = 0; $i < 4; $i++) { $s = @xhprof_span("job"); job(); unset($s); }',
    'of another profile' => '$s = @xhprof_span("job"); xhprof_disable(); xhprof_enable(XHPROF_FLAGS_ALLOC); unset($s);',
    'two profiles' => 'for ($i = 0; $i < 3; $i++) { $s = @xhprof_span("job"); unset($s); } xhprof_disable(); xhprof_enable(XHPROF_FLAGS_ALLOC); for ($i = 0; $i < 2; $i++) { $s = @xhprof_span("job"); unset($s); }',
    'in a fiber' => 'for ($i = 0; $i < 4; $i++) { $f = new Fiber(function () { $s = @xhprof_span("job"); job(); Fiber::suspend(); job(); }); $f->start(); $f->resume(); }',
    'allocations are not tracked' => 'xhprof_disable(); xhprof_enable(0); $s = @xhprof_span("job"); unset($s); xhprof_disable(); xhprof_enable(XHPROF_FLAGS_ALLOC);',
];
foreach ($programs as $label => $code) {
    $child = xhprof_test_auto("{$head}all(static function () { $code });");
    echo "$label: ", $child['out'];
    echo $child['err'] ?? '';
}
?>
--EXPECT--
objects: 4 marks
two functions: 4 marks
left open by an exception: 3 marks
within each other: 4 marks
the program marks in its jobs: 4 marks
the program marks after them: one more, as the first ends: 5 marks
the program marks before them: 1 marks
of another profile: 0 marks
two profiles: 2 marks
in a fiber: 4 marks
allocations are not tracked: 0 marks
