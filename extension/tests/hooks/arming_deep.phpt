--TEST--
Enabled deep in the stack, disabled further up, further down, and at another depth every time
--FILE--
<?php
require __DIR__ . '/../lib.inc';

isset($argv[1]) || exit(xhprof_test_every_way(__FILE__));

function leaf(): int
{
    static $n;
    return ++$n;
}

/** Goes down $depth calls, runs $what there, and calls leaf() on the way back. */
function down(int $depth, callable $what): void
{
    if ($depth === 0) {
        $what();
    } else {
        down($depth - 1, $what);
    }
    leaf();
}

function show(?array $edges): void
{
    xhprof_test_edges($edges, ['==>xhprof_disable']);
    xhprof_test_check_invariants($edges, xhprof_call_tree());
}

$edges = null;
$enable = static function (): void {
    xhprof_enable();
};
$disable = static function () use (&$edges): void {
    $edges = xhprof_disable();
};

down(4, 'leaf');
echo "-- started 4 down, stopped in main()\n";
down(4, $enable);
leaf();
show(xhprof_disable());
echo "-- started in main(), stopped 4 down\n";
xhprof_enable();
down(4, $disable);
show($edges);
echo "-- started 3 down, stopped 2 further down\n";
down(3, static function () use ($disable): void {
    xhprof_enable();
    down(2, $disable);
});
show($edges);
echo "-- started 3 down, stopped 2 further up\n";
function up(callable $enable, callable $disable): void
{
    down(2, $enable);
    leaf();
    $disable();
    leaf();
}
down(1, static fn () => up($enable, $disable));
show($edges);
echo "-- through a callback\n";
array_map($enable, [0]);
array_map('leaf', [1, 2]);
array_map($disable, [0]);
show($edges);
?>
--EXPECT--
-- started 4 down, stopped in main()
main(): ct=1
main()==>leaf: ct=6
invariants: ok
-- started in main(), stopped 4 down
down==>down@1: ct=1
down@1==>down@2: ct=1
down@2==>down@3: ct=1
down@3==>down@4: ct=1
down@4==>{closure:hooks/arming_deep.php:33}: ct=1
main(): ct=1
main()==>down: ct=1
invariants: ok
-- started 3 down, stopped 2 further down
down==>down@1: ct=1
down@1==>down@2: ct=1
down@2==>{closure:hooks/arming_deep.php:33}: ct=1
main(): ct=1
main()==>down: ct=1
invariants: ok
-- started 3 down, stopped 2 further up
main(): ct=1
main()==>leaf: ct=4
main()==>{closure:hooks/arming_deep.php:33}: ct=1
invariants: ok
-- through a callback
array_map==>leaf: ct=2
array_map==>{closure:hooks/arming_deep.php:33}: ct=1
main(): ct=1
main()==>array_map: ct=2
invariants: ok
the same every way
