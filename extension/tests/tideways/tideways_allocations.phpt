--TEST--
TIDEWAYS_XHPROF_FLAGS_MEMORY_ALLOC: each edge has what the callee itself allocated and freed, as tideways_xhprof has it
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('own Tideways'); ?>
--INI--
; What the compiler allocates while a function runs is that function's.
opcache.jit=disable
--FILE--
<?php
require __DIR__ . '/../lib.inc';

/** Allocates blocks and keeps them. */
function keeps(int $blocks): array
{
    $kept = [];
    for ($i = 0; $i < $blocks; $i++) {
        $kept[] = str_repeat('x', 5000);
    }
    return $kept;
}

/** Frees what others have allocated. */
function drops(array &$kept): void { $kept = []; }

/** Frees what it allocates. */
function garbage(int $blocks): void
{
    for ($i = 0; $i < $blocks; $i++) {
        $x = strrev(str_repeat('y', 20_000));
    }
}

function recursive(int $n): ?string
{
    $own = str_repeat('z', 1000);
    return $n > 0 ? recursive($n - 1) : null;
}

function nothing(): void
{
}

/** Numbers of an edge, where they are as many as there ought to be. */
function about(array $edge, int $allocated, int $freed, int $bytes): string
{
    // Besides, an array grows, and blocks are a little larger than what is in them.
    $near = static fn (int $value, int $least, int $more): string => $value >= $least && $value <= $least + $more ? 'ok' : "$value and not $least";
    return $near($edge['mem.na'], $allocated, 12) . ' ' . $near($edge['mem.nf'], $freed, 12) . ' '
        . $near($edge['mem.aa'], $bytes, max(1000, intdiv($bytes, 4)));
}

$kept = [];
tideways_xhprof_enable(TIDEWAYS_XHPROF_FLAGS_MEMORY_ALLOC);
$kept = keeps(100);
drops($kept);
garbage(50);
recursive(3);
nothing();
$edges = tideways_xhprof_disable();
foreach ($edges as $key => $edge) {
    if (array_keys($edge) !== ['ct', 'wt', 'mem.na', 'mem.nf', 'mem.aa'] || min($edge) < 0) {
        echo "$key: ", json_encode($edge), "\n";
    }
}
echo 'keeps: ', about($edges['keeps==>str_repeat'], 100, 0, 500_000), "\n";
echo 'drops: ', about($edges['main()==>drops'], 0, 100, 0), "\n";
echo 'garbage: ', about($edges['garbage==>str_repeat'], 50, 0, 1_000_000), ', ', about($edges['garbage==>strrev'], 50, 0, 1_000_000), "\n";
echo 'what it frees: ', $edges['main()==>garbage']['mem.nf'] >= 90 ? 'ok' : $edges['main()==>garbage']['mem.nf'], "\n";
echo 'nothing: ', about($edges['main()==>nothing'], 0, 0, 0), "\n";
echo 'recursive: ', about($edges['recursive@2==>str_repeat'], 1, 0, 1000), ' ',
    isset($edges['recursive@2==>recursive@3']['mem.na']) ? 'at each level' : 'at no level', "\n";
echo 'of the callees it has nothing: ', $edges['main()']['mem.aa'] < 100_000 ? 'ok' : $edges['main()']['mem.aa'], "\n";

echo "-- without built-in functions they are their callers'\n";
tideways_xhprof_enable(TIDEWAYS_XHPROF_FLAGS_MEMORY_ALLOC | TIDEWAYS_XHPROF_FLAGS_NO_BUILTINS);
garbage(50);
$edges = tideways_xhprof_disable();
echo about($edges['main()==>garbage'], 100, 95, 2_000_000), "\n";

echo "-- as mu\n";
foreach ([
    TIDEWAYS_XHPROF_FLAGS_MEMORY_ALLOC_AS_MU,
    TIDEWAYS_XHPROF_FLAGS_MEMORY_ALLOC_AS_MU | TIDEWAYS_XHPROF_FLAGS_MEMORY_PMU | TIDEWAYS_XHPROF_FLAGS_CPU,
    TIDEWAYS_XHPROF_FLAGS_MEMORY_ALLOC_AS_MU | TIDEWAYS_XHPROF_FLAGS_MEMORY_MU,
    TIDEWAYS_XHPROF_FLAGS_MEMORY_ALLOC | TIDEWAYS_XHPROF_FLAGS_MEMORY,
    32,
] as $flags) {
    tideways_xhprof_enable($flags);
    $kept = keeps(50); // the growth has what str_repeat() allocates too
    $edge = tideways_xhprof_disable()['main()==>keeps'];
    echo $flags, ': ', implode(' ', array_keys($edge)), ', ',
        !isset($edge['mu']) ? 'no mu' : ($edge['mu'] === ($edge['mem.aa'] ?? null) ? 'mu is mem.aa' : 'mu is the growth'), "\n";
}

echo "-- fibers, generators, and files that are included\n";
file_put_contents($file = xhprof_test_folder() . '/part.php', '<?php $part = str_repeat("p", 300_000);');
tideways_xhprof_enable(TIDEWAYS_XHPROF_FLAGS_MEMORY_ALLOC | TIDEWAYS_XHPROF_FLAGS_NO_BUILTINS);
(static function () use ($file): void {
    include $file;
})();
$fiber = new Fiber(static function (): void {
    $kept = keeps(10);
    Fiber::suspend();
    drops($kept);
});
$fiber->start();
$fiber->resume();
$edges = tideways_xhprof_disable();
$closures = array_values(preg_grep('/^main\(\)==>\{closure/', array_keys($edges)));
echo $edges[$closures[0]]['mem.aa'] >= 300_000 ? "of the file that includes it\n" : json_encode($edges) . "\n";
$dropped = array_values(preg_grep('/==>drops$/', array_keys($edges)));
echo about($edges[$dropped[0]], 0, 10, 0), "\n";

echo "-- other profiles have none of it\n";
xhprof_enable(XHPROF_FLAGS_ALLOC);
garbage(1);
echo implode(' ', array_keys(tideways_xhprof_disable()['main()==>garbage'])), "\n";
tideways_xhprof_enable(TIDEWAYS_XHPROF_FLAGS_MEMORY_ALLOC);
garbage(1);
echo implode(' ', array_keys(xhprof_disable()['main()==>garbage'])), "\n";
?>
--EXPECT--
keeps: ok ok ok
drops: ok ok ok
garbage: ok ok ok, ok ok ok
what it frees: ok
nothing: ok ok ok
recursive: ok ok ok at each level
of the callees it has nothing: ok
-- without built-in functions they are their callers'
ok ok ok
-- as mu
48: ct wt mem.na mem.nf mem.aa mu, mu is mem.aa
53: ct wt cpu pmu mem.na mem.nf mem.aa mu, mu is mem.aa
50: ct wt mu mem.na mem.nf mem.aa, mu is the growth
22: ct wt mu pmu mem.na mem.nf mem.aa, mu is the growth
32: ct wt, no mu
-- fibers, generators, and files that are included
of the file that includes it
ok ok ok
-- other profiles have none of it
ct wt
ct wt
