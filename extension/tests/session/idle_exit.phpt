--TEST--
exit() in a fiber, in a generator and in deep frames while idle after a profile
--FILE--
<?php
require __DIR__ . '/../lib.inc';

function leaf(): int { static $n; return ++$n; }

function down(int $depth, callable $what): void
{
    if ($depth === 0) {
        $what();
    } else {
        down($depth - 1, $what);
    }
    leaf();
}

function at_exit(): void
{
    leaf();
    $tree = xhprof_call_tree();
    $calls = 0;
    foreach ($tree['fn'] as $i => $fn) {
        $calls += $tree['names'][$fn] === 'leaf' ? $tree['ct'][$i] : 0;
    }
    echo "$calls calls\n";
}

function stops_and_exits(): never
{
    leaf();
    xhprof_disable();
    leaf();
    exit(3);
}

function numbers(): Generator { yield leaf(); stops_and_exits(); }

if (isset($argv[1])) {
    register_shutdown_function('at_exit');
    xhprof_enable();
    match ($argv[1]) {
        'frames' => down(5, 'stops_and_exits'),
        'generator' => down(3, static fn () => iterator_to_array(numbers())),
        'fiber' => down(3, static fn () => (new Fiber('stops_and_exits'))->start()),
        'callback' => array_map('stops_and_exits', ['x']),
        'buffer' => ob_start(static fn (string $text): string => $text . leaf() . "\n") && printf('buffered ') > 0 && stops_and_exits(),
    };
    exit(9);
}
foreach (['frames', 'generator', 'fiber', 'callback', 'buffer'] as $where) {
    echo "-- $where\n";
    xhprof_test_every_way(__FILE__, [$where], 3);
}
?>
--EXPECT--
-- frames
1 calls
the same every way
-- generator
2 calls
the same every way
-- fiber
1 calls
the same every way
-- callback
1 calls
the same every way
-- buffer
buffered 1 calls
4
the same every way
