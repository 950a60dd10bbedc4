--TEST--
Marks: what a worker leaks between two jobs, which may be spans
--FILE--
<?php
require __DIR__ . '/../alloc.inc';
require __DIR__ . '/../auto.inc';

echo "Marks: what a worker leaks between two jobs:\n";

class Worker
{
    private array $log = [];
    private ?string $last = null;
    public array $spare = [null, null, null, null, null, null, null, null];

    public function job(int $n): void
    {
        $this->last = $this->text(1900); // one job's is alive, the next one frees it
        $this->leaks($n);
        $this->temporary();
    }

    private function text(int $length): string { return str_repeat('x', $length); }
    private function leaks(int $n): void { $this->spare[$n] = $this->text(5000); }
    private function temporary(): void { $this->text(9000); }
}

function show(string $title, array $options): void
{
    echo "-- $title\n";
    xhprof_test_print_live(xhprof_test_dump(['types' => false] + $options), ';str_repeat');
}

$worker = new Worker();
xhprof_enable(XHPROF_FLAGS_ALLOC);
for ($n = 0; $n < 5; $n++) {
    $worker->job($n);
    echo 'mark ', xhprof_alloc_mark(), "\n";
}
$worker->job(5);
show('all', []);
show('after 0: all that was allocated since the beginning', ['after' => 0]);
show('before 1: the first job', ['before' => 1]);
show('after 1, before 2: the second job', ['after' => 1, 'before' => 2]);
show('after 1, before 4: three jobs', ['after' => 1, 'before' => 4]);
show('after 4, before 5: the fifth, whose text is gone', ['after' => 4, 'before' => 5]);
show('after 5: the sixth', ['after' => 5]);
show('after 6, that is not made yet', ['after' => 6]);
show('before 6: all', ['before' => 6]);
$worker->spare[1] = null;
show('freed by now', ['after' => 1, 'before' => 2]);
foreach ([['after' => 2, 'before' => 2], ['after' => 3, 'before' => 2], ['after' => -1], ['before' => -1], ['after' => 1.0],
    ['after' => '1'], ['before' => null], ['after' => 1 << 32], ['after' => PHP_INT_MAX]] as $options) {
    xhprof_test_throws(static fn () => xhprof_alloc_dump(STDERR, 'json', $options));
}
$before = static fn (array $options): bool => isset(xhprof_test_live(xhprof_test_dump($options))['(before)']);
echo '(before) is in: ', json_encode([$before([]), $before(['before' => 1]), $before(['after' => 1])]), "\n";
xhprof_disable();
show('after the end', ['after' => 4]);
var_dump(xhprof_alloc_mark());
xhprof_enable(XHPROF_FLAGS_ALLOC);
echo 'a new session begins with mark ', xhprof_alloc_mark(), "\n";
xhprof_disable();
xhprof_enable();
var_dump(xhprof_alloc_mark());
xhprof_disable();
memprof_enable();
var_dump(xhprof_alloc_mark(), xhprof_alloc_mark());
memprof_disable();
xhprof_test_throws(static fn () => xhprof_alloc_mark(1));

echo "Marks: each job that is a span of a profile of the whole program ends with one, unless the program makes them:\n";

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
--EXPECTF--
Marks: what a worker leaks between two jobs:
mark 1
mark 2
mark 3
mark 4
mark 5
-- all
main();Worker::job;Worker::leaks;Worker::text;str_repeat: 49152 B in 6
main();Worker::job;Worker::text;str_repeat: 2048 B in 1
-- after 0: all that was allocated since the beginning
main();Worker::job;Worker::leaks;Worker::text;str_repeat: 49152 B in 6
main();Worker::job;Worker::text;str_repeat: 2048 B in 1
-- before 1: the first job
main();Worker::job;Worker::leaks;Worker::text;str_repeat: 8192 B in 1
-- after 1, before 2: the second job
main();Worker::job;Worker::leaks;Worker::text;str_repeat: 8192 B in 1
-- after 1, before 4: three jobs
main();Worker::job;Worker::leaks;Worker::text;str_repeat: 24576 B in 3
-- after 4, before 5: the fifth, whose text is gone
main();Worker::job;Worker::leaks;Worker::text;str_repeat: 8192 B in 1
-- after 5: the sixth
main();Worker::job;Worker::leaks;Worker::text;str_repeat: 8192 B in 1
main();Worker::job;Worker::text;str_repeat: 2048 B in 1
-- after 6, that is not made yet
-- before 6: all
main();Worker::job;Worker::leaks;Worker::text;str_repeat: 49152 B in 6
main();Worker::job;Worker::text;str_repeat: 2048 B in 1
-- freed by now
ValueError: xhprof_alloc_dump(): Option "before" must be a later mark than "after"
ValueError: xhprof_alloc_dump(): Option "before" must be a later mark than "after"
ValueError: xhprof_alloc_dump(): Option "after" must be between 0 and 4294967295
ValueError: xhprof_alloc_dump(): Option "before" must be between 0 and 4294967295
TypeError: xhprof_alloc_dump(): Option "after" must be of type int, float given
TypeError: xhprof_alloc_dump(): Option "after" must be of type int, string given
TypeError: xhprof_alloc_dump(): Option "before" must be of type int, null given
ValueError: xhprof_alloc_dump(): Option "after" must be between 0 and 4294967295
ValueError: xhprof_alloc_dump(): Option "after" must be between 0 and 4294967295
(before) is in: [true,true,false]
-- after the end
main();Worker::job;Worker::leaks;Worker::text;str_repeat: 16384 B in 2
main();Worker::job;Worker::text;str_repeat: 2048 B in 1
bool(false)
a new session begins with mark 1
bool(false)
int(1)
int(2)
ArgumentCountError: xhprof_alloc_mark() expects exactly 0 arguments, 1 given
Marks: each job that is a span of a profile of the whole program ends with one, unless the program makes them:
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
