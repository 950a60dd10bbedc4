--TEST--
Samples and operations of a run have the trace context of the code that ran
--EXTENSIONS--
pdo
pdo_sqlite
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('sampling'); ?>
--FILE--
<?php
require __DIR__ . '/context.inc';

ini_set('xhprof.output_dir', $folder = xhprof_test_folder());

function query(PDO $database): void { $database->query('select 1')->fetchAll(); }

function waits_0(): void { usleep(30_000); }

function waits_1(): void { usleep(30_000); }

function waits_2(): void { usleep(30_000); }

function waits_3(): void { usleep(30_000); }

$database = new PDO('sqlite::memory:');

// Operations of an exact run: by context, also in fibers and without built-in functions.
foreach ([0, XHPROF_FLAGS_NO_BUILTINS, XHPROF_FLAGS_CPU | XHPROF_FLAGS_MEMORY] as $flags) {
    xhprof_enable($flags);
    query($database);
    for ($i = 1; $i <= 3; $i++) {
        set($i);
        for ($j = 0; $j < $i; $j++) {
            query($database);
        }
    }
    $fiber = new Fiber(static function () use ($database): void {
        query($database);
        set(4);
        Fiber::suspend();
        query($database);
        query($database);
    });
    set(0);
    $fiber->start();
    query($database);
    $fiber->resume();
    xhprof_disable();
    $found = of_contexts($folder, xhprof_save());
    ksort($found['operations']);
    echo "flags $flags: ", json_encode($found['operations']), " $found[dropped] dropped\n";
}

// Without any there is no such document.
xhprof_enable();
query($database);
xhprof_disable();
$id = xhprof_save();
echo implode(' ', xhprof_test_run_parts($folder, "$id.xhprof")), "\n";

// Samples: each of these functions runs in a context of its own.
xhprof_sample_enable(['interval' => 1000]);
for ($turn = 0; $turn < 6; $turn++) {
    set($turn % 4);
    ("waits_" . $turn % 4)();
}
$fiber = new Fiber(static function (): void {
    waits_1();
    set(3);
    Fiber::suspend();
    waits_3();
});
$fiber->start();
set(2);
waits_2();
$fiber->resume();
set(0);
waits_0();
xhprof_sample_disable();
$found = of_contexts($folder, xhprof_save())['samples'];
ksort($found);
foreach ($found as $number => $functions) {
    $own = ($functions["waits_$number"] ?? 0) + ($functions['Fiber::start'] ?? 0) + ($functions['Fiber::resume'] ?? 0);
    $foreign = array_diff_key($functions, ["waits_$number" => 0, 'main()' => 0, 'set' => 0, 'Fiber::start' => 0, 'Fiber::resume' => 0]);
    echo "$number: ", $own >= 20 ? 'its own' : json_encode($functions), ', ', $foreign === [] ? 'no others' : json_encode($foreign), "\n";
}
?>
--EXPECT--
flags 0: {"1":{"select ? at PDO::query":1},"2":{"select ? at PDO::query":2},"3":{"select ? at PDO::query":4},"4":{"select ? at PDO::query":2}} 0 dropped
flags 1: {"1":{"select ? at query":1},"2":{"select ? at query":2},"3":{"select ? at query":4},"4":{"select ? at query":2}} 0 dropped
flags 6: {"1":{"select ? at PDO::query":1},"2":{"select ? at PDO::query":2},"3":{"select ? at PDO::query":4},"4":{"select ? at PDO::query":2}} 0 dropped
meta operations tree
0: its own, no others
1: its own, no others
2: its own, no others
3: its own, no others
