--TEST--
xhprof.max_nodes from 1,000 on: light paths become part of their callers, what runs meanwhile goes on, sums and operations stay
--FILE--
<?php
require __DIR__ . '/../operations/operations.inc';

// Some 11,000 paths, again and again: f0() to f9() call each other, 4 deep.
for ($i = 0; $i < 10; $i++) {
    $calls = implode(' ', array_map(static fn (int $j): string => "f$j(\$n - 1);", range(0, 9)));
    eval("function f$i(int \$n): void { if (\$n > 0) { $calls } }");
}

function reads(): bool { return file_get_contents('data:,x') === 'x'; }

function light(int $n): void
{
    if ($n > 0) {
        light($n - 1);
        return;
    }
    reads();
    f0(3);
    reads();
}

function gen(): Generator
{
    f1(3);
    yield 1;
    f2(3);
    reads();
}

function task(): void
{
    f3(3);
    Fiber::suspend();
    f4(3);
    reads();
}

function throws(): void { f5(2); throw new RuntimeException(); }

function program(): void
{
    $generator = gen();
    $generator->current();
    $fibers = [];
    for ($i = 0; $i < 5; $i++) {
        $fibers[$i] = new Fiber('task');
        $fibers[$i]->start();
    }
    for ($round = 0; $round < 3; $round++) {
        for ($i = 0; $i < 10; $i++) {
            "f$i"(3);
            light($i);
        }
        try {
            throws();
        } catch (RuntimeException) {
            reads();
        }
    }
    foreach ($fibers as $i => $fiber) {
        if ($i < 3) {
            $fiber->resume();
        }
    }
    unset($fibers[3], $fiber);
    $generator->next();
}

foreach ([0, XHPROF_FLAGS_CPU | XHPROF_FLAGS_MEMORY, XHPROF_FLAGS_NO_BUILTINS] as $flags) {
    foreach (['1000', '100000'] as $max) {
        ini_set('xhprof.max_nodes', $max);
        xhprof_enable($flags);
        program();
        $edges = xhprof_disable();
        $tree = xhprof_call_tree();
        $folder = xhprof_test_folder();
        ini_set('xhprof.output_dir', $folder);
        $id = xhprof_save();
        $meta = xhprof_test_run_part($folder, "$id.xhprof", 'meta');
        xhprof_test_remove($folder);
        $count[$max] = array_sum($tree['ct']);
        $folded = array_sum(array_column(array_filter($edges, fn ($key) => str_starts_with($key, '(truncated)==>'), ARRAY_FILTER_USE_KEY), 'ct'));
        // In (truncated) is each function, with the calls of its folded paths.
        echo "$flags, $max: ", $meta['nodes_dropped'] > 0 ? 'light ones folded, ' : '',
            count($tree['fn']) <= (int) $max + count($tree['names']) ? 'as many paths as may be, ' : count($tree['fn']) . ' paths, ',
            $folded === $meta['nodes_dropped'] ? "all calls counted\n" : "$folded calls of {$meta['nodes_dropped']}\n";
        foreach (['program', 'gen', 'task'] as $function) {
            $nodes = array_keys($tree['fn'], array_search($function, $tree['names']));
            echo $function, ' ', array_sum(array_intersect_key($tree['ct'], array_flip($nodes))), $function === 'task' ? "\n" : ', ';
        }
        xhprof_test_check_invariants($edges, $tree, $flags);
        ob_start();
        operations_show();
        $operations[$max] = ob_get_clean();
    }
    echo substr_count($operations['1000'], "\n"), ' operations, ',
        $operations['1000'] === $operations['100000'] ? 'the same' : implode("\n", $operations), "\n";
    echo $count['1000'] === $count['100000'] ? 'every call is counted' : json_encode($count), "\n";
}
?>
--EXPECT--
0, 1000: light ones folded, as many paths as may be, all calls counted
program 1, gen 1, task 5
invariants: ok
0, 100000: as many paths as may be, all calls counted
program 1, gen 1, task 5
invariants: ok
13 operations, the same
every call is counted
6, 1000: light ones folded, as many paths as may be, all calls counted
program 1, gen 1, task 5
invariants: ok
6, 100000: as many paths as may be, all calls counted
program 1, gen 1, task 5
invariants: ok
13 operations, the same
every call is counted
1, 1000: light ones folded, as many paths as may be, all calls counted
program 1, gen 1, task 5
invariants: ok
1, 100000: as many paths as may be, all calls counted
program 1, gen 1, task 5
invariants: ok
13 operations, the same
every call is counted
