--TEST--
However few paths xhprof.max_nodes keeps, every function's calls, their sum and the operations are exact, in every mode
--FILE--
<?php
require __DIR__ . '/../run_files.inc';

function a(int $depth): void
{
    if ($depth > 0) {
        a($depth - 1);
        b($depth - 1);
    }
}

function b(int $depth): void
{
    if ($depth > 0) {
        a($depth - 1);
        strrev('b');
        b($depth - 1);
    }
}

function gen(int $n): Generator
{
    for ($i = 0; $i < $n; $i++) {
        b(3);
        yield $i;
    }
}

function task(int $n): void
{
    a($n);
    Fiber::suspend();
    b($n);
}

function program(): void
{
    a(9);
    for ($i = 0; $i < 40; $i++) {
        foreach (gen(3) as $x) {
            a(2);
        }
        $fiber = new Fiber('task');
        $fiber->start($i % 5);
        b(3);
        $fiber->resume();
        eval("function f{$GLOBALS['round']}_$i() { a(1); } f{$GLOBALS['round']}_$i();");
    }
    b(9);
}

/** Calls by function, whatever called it. */
function calls(array $edges): array
{
    $calls = [];
    foreach ($edges as $key => $values) {
        $name = preg_replace(['/^.*==>/', '/@\d+$/', '/^f\d+_/', '/^(eval::).*/'], ['', '', 'f_', '$1'], $key);
        $calls[$name] = ($calls[$name] ?? 0) + $values['ct'];
    }
    // The edges of what was resumed elsewhere are not calls.
    unset($calls['(truncated)'], $calls['gen'], $calls['task'], $calls['Fiber::suspend']);
    ksort($calls);
    return $calls;
}

/** The same of the tree. */
function calls_in_tree(array $tree): array
{
    $calls = [];
    foreach ($tree['fn'] as $i => $fn) {
        $name = preg_replace(['/^f\d+_/', '/^(eval::).*/'], ['f_', '$1'], $tree['names'][$fn]);
        $calls[$name] = ($calls[$name] ?? 0) + $tree['ct'][$i];
    }
    ksort($calls);
    return $calls;
}

$round = 0;
$folder = xhprof_test_folder();
ini_set('xhprof.output_dir', $folder);
ini_set('xhprof.timeline_threshold', '0');
foreach ([0, XHPROF_FLAGS_NO_BUILTINS, XHPROF_FLAGS_CPU | XHPROF_FLAGS_MEMORY, XHPROF_FLAGS_ALLOC, XHPROF_FLAGS_TIMELINE,
    XHPROF_FLAGS_CPU | XHPROF_FLAGS_MEMORY | XHPROF_FLAGS_ALLOC | XHPROF_FLAGS_TIMELINE] as $flags) {
    $expected = null;
    foreach (['1000000', '16', '100', '1000', '2000'] as $max) {
        ini_set('xhprof.max_nodes', $max);
        $round++;
        xhprof_enable($flags);
        program();
        $edges = xhprof_disable();
        $tree = xhprof_call_tree();
        $meta = xhprof_test_run_part($folder, xhprof_save() . '.xhprof', 'meta');
        $found = [calls($edges), calls_in_tree($tree), $meta['calls'], $meta['functions'] - isset(calls_in_tree($tree)['(truncated)'])];
        unset($found[1]['(truncated)']);
        $expected ??= $found;
        foreach ($expected as $i => $value) {
            if ($found[$i] !== $value) {
                echo "flags $flags, $max nodes: ", json_encode($found[$i]), ' and not ', json_encode($value), "\n";
            }
        }
        if (($meta['nodes_dropped'] > 0) !== ($max !== '1000000')) {
            echo "flags $flags, $max nodes: nodes_dropped is {$meta['nodes_dropped']}\n";
        }
        if (count($tree['fn']) > (int) $max * 2 + count($tree['names'])) {
            echo "flags $flags, $max nodes: ", count($tree['fn']), " nodes\n";
        }
        if (!($flags & XHPROF_FLAGS_ALLOC)) { // which it does not know
            ob_start();
            xhprof_test_check_invariants($edges, $tree, $flags);
            $said = ob_get_clean();
            echo $said === "invariants: ok\n" ? '' : "flags $flags, $max nodes: $said";
        }
        // The calls alone are here: their time is that of the paths that they were folded into.
        foreach ($tree['fn'] as $i => $fn) {
            $under = $tree['depth'][$i] === 1 ? $tree['names'][$fn] : $under ?? '';
            if ($under === '(truncated)' && $tree['depth'][$i] > 1 && $tree['self']['wt'][$i] !== 0) {
                echo "flags $flags, $max nodes: {$tree['names'][$fn]} has a time\n";
                break;
            }
        }
    }
    printf("flags %d: a %d, b %d, task %d, gen %d\n", $flags, ...array_map(
        static fn (string $name): int => $expected[1][$name],
        ['a', 'b', 'task', 'gen'],
    ));
}

// A name for which there is no node is counted as well: 3,000 functions, each called twice.
ini_set('xhprof.max_nodes', '16');
for ($i = 0, $code = ''; $i < 3000; $i++) {
    $code .= "function g$i() {} ";
}
eval($code);
xhprof_enable();
for ($i = 0; $i < 6000; $i++) {
    ('g' . $i % 3000)();
}
$edges = xhprof_disable();
$calls = array_count_values(array_intersect_key(calls($edges), array_flip(preg_filter('/^/', 'g', range(0, 2999)))));
echo json_encode($calls), ' ', array_sum(array_column($edges, 'ct')), "\n";
?>
--EXPECT--
flags 0: a 3159, b 3159, task 40, gen 40
flags 1: a 3159, b 3159, task 40, gen 40
flags 6: a 3159, b 3159, task 40, gen 40
flags 8: a 3159, b 3159, task 40, gen 40
flags 16: a 3159, b 3159, task 40, gen 40
flags 30: a 3159, b 3159, task 40, gen 40
{"2":3000} 6002
