--TEST--
A generator resumed through Generator::current(), next() and send() hangs on the method that resumes it, and is one call
--FILE--
<?php
require __DIR__ . '/../lib.inc';

function leaf(): void
{
    static $n;
    $n++;
}

function gen(): Generator
{
    leaf();
    $x = yield 1;
    leaf();
    yield $x;
    leaf();
}

xhprof_enable();
$g = gen();
$g->current();
$g->send(5);
$g->next();
$g->valid();
xhprof_test_profile(xhprof_disable());
$tree = xhprof_call_tree();
$ct = 0;
foreach ($tree['fn'] as $i => $fn) {
    $tree['names'][$fn] === 'gen' && $ct += $tree['ct'][$i];
}
echo "gen in the tree: ct=$ct\n";
?>
--EXPECT--
Generator::current==>gen: ct=1
Generator::next==>gen: ct=0
Generator::send==>gen: ct=0
gen==>leaf: ct=3
main(): ct=1
main()==>Generator::current: ct=1
main()==>Generator::next: ct=1
main()==>Generator::send: ct=1
main()==>Generator::valid: ct=1
main()==>xhprof_disable: ct=1
invariants: ok
gen in the tree: ct=1
