--TEST--
Exceptions thrown across frames that were open at the start, or at the stop, of a profile
--FILE--
<?php
require __DIR__ . '/../lib.inc';

isset($argv[1]) || exit(xhprof_test_every_way(__FILE__));

function leaf(): int
{
    static $n;
    return ++$n;
}

function down(int $depth, callable $what): void
{
    try {
        if ($depth === 0) {
            $what();
        } else {
            down($depth - 1, $what);
        }
    } finally {
        leaf();
    }
}

function throws(): never
{
    leaf();
    throw new DomainException('thrown');
}

function show(?array $edges): void
{
    xhprof_test_edges($edges, ['==>xhprof_disable']);
    xhprof_test_check_invariants($edges, xhprof_call_tree());
}

function catches(int $depth, callable $what): void
{
    try {
        down($depth, $what);
    } catch (DomainException) {
        leaf();
    }
}

catches(2, 'throws');
echo "-- through frames that ran before the start\n";
catches(2, static function (): void {
    xhprof_enable();
    throws();
});
catches(1, 'throws');
show(xhprof_disable());

echo "-- through frames that the profile began\n";
$edges = null;
xhprof_enable();
catches(1, static function () use (&$edges): void {
    $edges = xhprof_disable();
    throws();
});
show($edges);

echo "-- stopped and started again in between\n";
xhprof_enable();
catches(1, static function () use (&$edges): void {
    $edges = xhprof_disable();
    xhprof_enable();
    throws();
});
catches(0, 'throws');
$second = xhprof_disable();
xhprof_test_edges($edges, ['==>xhprof_disable']);
show($second);

echo "-- started in a finally block, stopped in a catch block\n";
try {
    try {
        throws();
    } finally {
        xhprof_enable();
        leaf();
    }
} catch (DomainException) {
    leaf();
    show(xhprof_disable());
}
echo "-- within array_map()\n";
xhprof_enable();
try {
    array_map('throws', [1, 2]);
} catch (DomainException) {
}
leaf();
show(xhprof_disable());
?>
--EXPECT--
-- through frames that ran before the start
catches==>down: ct=1
catches==>leaf: ct=1
down==>down@1: ct=1
down==>leaf: ct=1
down@1==>leaf: ct=1
down@1==>throws: ct=1
main(): ct=1
main()==>catches: ct=1
main()==>leaf: ct=4
main()==>throws: ct=1
throws==>Exception::__construct: ct=2
throws==>leaf: ct=2
invariants: ok
-- through frames that the profile began
catches==>down: ct=1
down==>down@1: ct=1
down@1==>{closure:hooks/arming_exceptions.php:58}: ct=1
main(): ct=1
main()==>catches: ct=1
invariants: ok
-- stopped and started again in between
catches==>down: ct=1
down==>down@1: ct=1
down@1==>{closure:hooks/arming_exceptions.php:66}: ct=1
main(): ct=1
main()==>catches: ct=1
catches==>down: ct=1
catches==>leaf: ct=1
down==>leaf: ct=1
down==>throws: ct=1
main(): ct=1
main()==>catches: ct=1
main()==>leaf: ct=3
main()==>throws: ct=1
throws==>Exception::__construct: ct=2
throws==>leaf: ct=2
invariants: ok
-- started in a finally block, stopped in a catch block
main(): ct=1
main()==>leaf: ct=2
invariants: ok
-- within array_map()
array_map==>throws: ct=1
main(): ct=1
main()==>array_map: ct=1
main()==>leaf: ct=1
throws==>Exception::__construct: ct=1
throws==>leaf: ct=1
invariants: ok
the same every way
