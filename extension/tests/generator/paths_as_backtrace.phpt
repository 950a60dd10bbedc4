--TEST--
Generators that delegate and fibers that are resumed have the paths of PHP's own backtrace, and each call counts once
--FILE--
<?php
require __DIR__ . '/../lib.inc';
require __DIR__ . '/../delegating.inc';

/** What the backtrace has without PHP's own functions. */
function without_builtins(array $paths): array
{
    $users = [];
    foreach (array_keys($paths) as $path) {
        $users[preg_replace('/(Generator|Fiber)::\w+==>/', '', "$path==>")] = true;
    }
    return array_combine(array_map(static fn (string $path): string => substr($path, 0, -3), array_keys($users)), $users);
}

$calls = null;
foreach ([0, XHPROF_FLAGS_CPU, XHPROF_FLAGS_MEMORY, XHPROF_FLAGS_ALLOC, XHPROF_FLAGS_TIMELINE, XHPROF_FLAGS_NO_BUILTINS,
    XHPROF_FLAGS_NO_BUILTINS | XHPROF_FLAGS_CPU | XHPROF_FLAGS_MEMORY] as $flags) {
    $builtins = !($flags & XHPROF_FLAGS_NO_BUILTINS);
    Where::$paths = [];
    xhprof_enable($flags);
    program($builtins);
    $edges = xhprof_disable();
    $tree = xhprof_call_tree();
    $shown = $builtins ? Where::$paths : without_builtins(Where::$paths);
    $found = paths_of($tree);
    foreach (array_diff_key($shown, $found) as $path => $_) {
        echo "flags $flags: missing: $path\n";
    }
    foreach (array_diff_key($found, $shown) as $path => $_) {
        echo "flags $flags: not in the backtrace: $path\n";
    }
    $counts = ['inner' => 0, 'outer' => 0, 'outermost' => 0, 'tree' => 0, 'deep' => 0, 'task' => 0, 'Numbers::next' => 0];
    foreach ($tree['fn'] as $i => $fn) {
        if (isset($counts[$tree['names'][$fn]])) {
            $counts[$tree['names'][$fn]] += $tree['ct'][$i];
        }
    }
    printf("%d: %d paths, %s\n", $flags, count($found), json_encode($counts));
    if (!($flags & XHPROF_FLAGS_ALLOC)) {
        xhprof_test_check_invariants($edges, $tree, $flags);
    }
}

// The line of the path is that of "yield from".
$line = null;
foreach ($tree['fn'] as $i => $fn) {
    $line ??= $tree['names'][$fn] === 'inner' ? $tree['call_line'][$i] : null;
}
echo trim(file(__DIR__ . '/../delegating.inc')[$line - 1]), "\n";
?>
--EXPECT--
0: 75 paths, {"inner":11,"outer":9,"outermost":2,"tree":15,"deep":31,"task":4,"Numbers::next":14}
invariants: ok
2: 75 paths, {"inner":11,"outer":9,"outermost":2,"tree":15,"deep":31,"task":4,"Numbers::next":14}
invariants: ok
4: 75 paths, {"inner":11,"outer":9,"outermost":2,"tree":15,"deep":31,"task":4,"Numbers::next":14}
invariants: ok
8: 75 paths, {"inner":11,"outer":9,"outermost":2,"tree":15,"deep":31,"task":4,"Numbers::next":14}
16: 75 paths, {"inner":11,"outer":9,"outermost":2,"tree":15,"deep":31,"task":4,"Numbers::next":14}
invariants: ok
1: 59 paths, {"inner":10,"outer":9,"outermost":2,"tree":15,"deep":31,"task":4,"Numbers::next":12}
invariants: ok
7: 59 paths, {"inner":10,"outer":9,"outermost":2,"tree":15,"deep":31,"task":4,"Numbers::next":12}
invariants: ok
$value = yield from inner();
