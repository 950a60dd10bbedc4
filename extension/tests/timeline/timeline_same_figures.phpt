--TEST--
A timeline changes no count and no byte of a profile, with CPU time, memory or both, and its figures are those of the tree
--FILE--
<?php
require __DIR__ . '/../timeline.inc';

function leaf(int $size): string { return str_repeat('x', $size); }
function keeps(array &$kept, int $size): void { $kept[] = leaf($size); }
function descends(int $depth): int { return $depth === 0 ? strlen(leaf(100)) : 1 + descends($depth - 1); }
function throws(): never { leaf(5000); throw new LogicException(); }

function numbers(): Generator
{
    for ($i = 1; $i < 4; $i++) {
        yield leaf($i * 1000);
    }
}

function program(): void
{
    $kept = [];
    for ($i = 0; $i < 300; $i++) {
        keeps($kept, $i * 10);
        array_map('strlen', $kept);
    }
    descends(50);
    try {
        throws();
    } catch (LogicException) {
    }
    foreach (numbers() as $number) {
        keeps($kept, strlen($number));
    }
    $fiber = new Fiber(static function (): void {
        $kept = [];
        keeps($kept, 2000);
        Fiber::suspend();
        keeps($kept, 3000);
    });
    $fiber->start();
    keeps($kept, 4000);
    $fiber->resume();
}

/** What the JIT has left for code, in bytes; 0 without a JIT. It compiles in memory of the program's, at any of its calls. */
function left_for_code(): int
{
    return function_exists('opcache_get_status') ? opcache_get_status(false)['jit']['buffer_free'] ?? 0 : 0;
}

/** What does not depend on the clock, by edge, of a profile in which the JIT has compiled nothing. */
function figures(int $flags, array $options): array
{
    $attempts = 0;
    do {
        $left = left_for_code();
        xhprof_enable($flags, $options);
        program();
        $edges = xhprof_disable();
    } while (left_for_code() !== $left && ++$attempts < 100);
    echo $attempts < 100 ? '' : "the JIT compiles without end\n";
    xhprof_test_check_invariants($edges, xhprof_call_tree(), $flags);
    ksort($edges);

    return array_map(static fn (array $edge): array => array_diff_key($edge, ['wt' => 0, 'cpu' => 0]), $edges);
}

program();
$sets = ['CPU' => XHPROF_FLAGS_CPU, 'MEMORY' => XHPROF_FLAGS_MEMORY, 'both' => XHPROF_FLAGS_CPU | XHPROF_FLAGS_MEMORY];
xhprof_test_alike($sets, static function (int $flags): void {
    $without = figures($flags, []);
    $every = figures($flags | XHPROF_FLAGS_TIMELINE, ['timeline_threshold' => 0]);
    [$timeline, $tree] = xhprof_test_timeline();
    xhprof_test_check_timeline($timeline, $tree);
    $long = figures($flags | XHPROF_FLAGS_TIMELINE, ['timeline_threshold' => 1000000]);
    echo count($without) > 10 && $without === $every ? 'same' : 'differs', ' ', $without === $long ? 'same' : 'differs', "\n";

    // With a threshold of 0 each call is there: as often as its function's nodes count; a generator once for each of its runs.
    // A call in a fiber that is resumed counts where it began, and is in the timeline where it ended.
    $calls = $counts = [];
    foreach ($timeline['node'] as $node) {
        $calls[$tree['fn'][$node] ?? -1] = ($calls[$tree['fn'][$node] ?? -1] ?? 0) + 1;
    }
    foreach ($tree['ct'] as $i => $count) {
        $counts[$tree['fn'][$i]] = ($counts[$tree['fn'][$i]] ?? 0) + $count;
    }
    $bad = [];
    foreach ($counts as $i => $count) {
        $function = $tree['names'][$i];
        if (($calls[$i] ?? 0) !== $count && !in_array($function, ['main()', 'numbers', 'Fiber::start', 'Fiber::resume'], true)) {
            $bad[] = "$function: $count calls, " . ($calls[$i] ?? 0) . ' of the timeline';
        }
    }
    echo $bad === [] ? "calls: all\n" : implode("\n", $bad) . "\n";
    echo isset($timeline['memory']) === (bool) ($flags & XHPROF_FLAGS_MEMORY) ? "memory: ok\n" : "memory: wrong\n";
});
?>
--EXPECT--
-- CPU
invariants: ok
invariants: ok
timeline: ok
invariants: ok
same same
calls: all
memory: ok
-- MEMORY: as CPU
-- both: as CPU
