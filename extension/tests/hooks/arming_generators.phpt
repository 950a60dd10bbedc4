--TEST--
Generators that live through several profiles and the idle time between
--FILE--
<?php
require __DIR__ . '/../lib.inc';

isset($argv[1]) || exit(xhprof_test_every_way(__FILE__));

function leaf(): int { static $n; return ++$n; }

function numbers(): Generator
{
    try {
        for ($i = 0; $i < 3; $i++) {
            leaf();
            yield $i;
        }
    } finally {
        mt_getrandmax();
    }
}

function outer(): Generator { yield from numbers(); leaf(); }

function show(?array $edges): void
{
    xhprof_test_edges($edges, ['==>xhprof_disable']);
    xhprof_test_check_invariants($edges, xhprof_call_tree());
}

echo "-- suspended in one profile, finished in the next\n";
$generator = outer();
xhprof_enable();
$generator->current();
show(xhprof_disable());
xhprof_enable();
foreach ($generator as $x) {
    leaf();
    if ($x === 1) {
        break;
    }
}
$generator->next();
$generator->next();
show(xhprof_disable());

echo "-- suspended in a profile, finished while idle\n";
$generator = numbers();
xhprof_enable();
$generator->current();
$generator->next();
show(xhprof_disable());
$generator->next();
$generator->next();
echo $generator->valid() ? "not at its end\n" : '';

echo "-- started while idle, finished in a profile\n";
$generator = outer();
$generator->current();
xhprof_enable();
while ($generator->valid()) {
    $generator->next();
}
show(xhprof_disable());

echo "-- abandoned in a profile and while idle\n";
$first = numbers();
$second = numbers();
xhprof_enable();
$first->current();
$second->current();
unset($first);
$edges = xhprof_disable();
unset($second);
show($edges);

echo "-- enabled in a generator, disabled outside, and the other way round\n";
function switches(array &$edges): Generator
{
    leaf();
    xhprof_enable();
    leaf();
    yield 1;
    leaf();
    $edges = xhprof_disable();
    leaf();
    yield 2;
}
$edges = [];
$generator = switches($edges);
$generator->current();
leaf();
$generator->next();
leaf();
show($edges);
?>
--EXPECT--
-- suspended in one profile, finished in the next
Generator::current==>outer: ct=1
main(): ct=1
main()==>Generator::current: ct=1
numbers==>leaf: ct=1
outer==>numbers: ct=1
invariants: ok
Generator::next==>outer: ct=0
main(): ct=1
main()==>Generator::next: ct=2
main()==>leaf: ct=2
main()==>outer: ct=0
numbers==>leaf: ct=2
numbers==>mt_getrandmax: ct=1
outer==>leaf: ct=1
outer==>numbers: ct=0
invariants: ok
-- suspended in a profile, finished while idle
Generator::current==>numbers: ct=1
Generator::next==>numbers: ct=0
main(): ct=1
main()==>Generator::current: ct=1
main()==>Generator::next: ct=1
numbers==>leaf: ct=2
invariants: ok
-- started while idle, finished in a profile
Generator::next==>outer: ct=0
main(): ct=1
main()==>Generator::next: ct=3
main()==>Generator::valid: ct=4
numbers==>leaf: ct=2
numbers==>mt_getrandmax: ct=1
outer==>leaf: ct=1
outer==>numbers: ct=0
invariants: ok
-- abandoned in a profile and while idle
Generator::current==>numbers: ct=2
main(): ct=1
main()==>Generator::current: ct=2
main()==>numbers: ct=0
numbers==>leaf: ct=2
numbers==>mt_getrandmax: ct=1
invariants: ok
-- enabled in a generator, disabled outside, and the other way round
Generator::next==>switches: ct=0
main(): ct=1
main()==>Generator::next: ct=1
main()==>leaf: ct=2
switches==>leaf: ct=1
invariants: ok
the same every way
