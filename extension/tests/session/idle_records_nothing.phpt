--TEST--
After a profile nothing more is recorded: the call tree stays as it was, whatever the program does
--FILE--
<?php
require __DIR__ . '/../run_files.inc';

isset($argv[1]) || exit(xhprof_test_every_way(__FILE__));

function leaf(): int { static $n; return ++$n; }
function numbers(): Generator { yield leaf(); yield leaf(); }
function throws(): never { leaf(); throw new DomainException(); }

function work(): void
{
    leaf();
    array_map('leaf', [1, 2]);
    $generator = numbers();
    $generator->current();
    $generator->next();
    $fiber = new Fiber(static function (): void {
        leaf();
        Fiber::suspend();
        leaf();
    });
    $fiber->start();
    $fiber->resume();
    try {
        throws();
    } catch (DomainException) {
    }
    eval('leaf();');
    include __DIR__ . '/../include/fixture_functions.inc';
}

function first_called_while_idle(): void { leaf(); }

work();
$folder = xhprof_test_folder();
ini_set('xhprof.output_dir', $folder);
foreach ([0, XHPROF_FLAGS_NO_BUILTINS, XHPROF_FLAGS_CPU | XHPROF_FLAGS_MEMORY] as $flags) {
    xhprof_enable($flags);
    work();
    $edges = xhprof_disable();
    $tree = xhprof_call_tree();
    $calls = xhprof_test_calls($edges, 'leaf');
    for ($i = 0; $i < 50; $i++) {
        work();
        first_called_while_idle();
    }
    usleep(10_000);
    echo $calls, xhprof_call_tree() === $tree ? ', unchanged' : ', changed', "\n";
    $id = xhprof_save();
    $meta = xhprof_test_run_part($folder, "$id.xhprof", 'meta');
    echo $meta['totals'] === array_diff_key($edges['main()'], ['ct' => 1]) ? 'saved as it was' : json_encode($meta), "\n";
    echo json_encode(xhprof_disable()), "\n";
}
?>
--EXPECT--
9, unchanged
saved as it was
null
9, unchanged
saved as it was
null
9, unchanged
saved as it was
null
the same every way
