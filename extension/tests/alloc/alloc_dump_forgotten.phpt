--TEST--
What a stopped profile has tracked can be dumped until another one starts, of whatever kind: its paths go with it
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('sampling'); ?>
--FILE--
<?php
function allocate(): array
{
    return array_map(static fn (int $i): string => str_repeat('x', 1000 + $i), range(1, 50));
}

function dumped(): string
{
    $stream = fopen('php://memory', 'w+');
    if (!xhprof_alloc_dump($stream)) {
        return 'nothing';
    }
    rewind($stream);
    return str_contains((string) stream_get_contents($stream), '"allocate"') ? 'by allocate()' : 'by others';
}

set_error_handler(static fn (int $type, string $message): bool => print "$message\n");
foreach (['xhprof_enable' => 'xhprof_disable', 'xhprof_sample_enable' => 'xhprof_sample_disable'] as $enable => $disable) {
    xhprof_enable(XHPROF_FLAGS_ALLOC);
    $kept = allocate();
    xhprof_disable();
    echo dumped(), "\n";
    $enable();
    echo dumped(), "\n";
    $disable();
    echo dumped(), "\n";
}
?>
--EXPECT--
by allocate()
xhprof_alloc_dump(): No allocations are tracked, and the last profile tracked none
nothing
xhprof_alloc_dump(): No allocations are tracked, and the last profile tracked none
nothing
by allocate()
xhprof_alloc_dump(): No allocations are tracked, and the last profile tracked none
nothing
xhprof_alloc_dump(): No allocations are tracked, and the last profile tracked none
nothing
