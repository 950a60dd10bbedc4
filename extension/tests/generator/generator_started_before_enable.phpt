--TEST--
A generator that was running before xhprof_enable() is resumed, finished and abandoned in the session
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
    try {
        for ($i = 0; $i < 3; $i++) {
            leaf();
            yield $i;
        }
    } finally {
        leaf();
    }
}

function resume(Generator $g): void
{
    $g->next();
    leaf();
}

/** The session starts inside the generator. */
function enabling(): Generator
{
    xhprof_enable(XHPROF_FLAGS_NO_BUILTINS);
    leaf();
    yield 1;
    leaf();
}

/** The session ends inside the generator. */
function disabling(): Generator
{
    leaf();
    yield 1;
    leaf();
    $GLOBALS['edges'] = xhprof_disable();
    leaf();
    yield 2;
    leaf();
}

$g = gen();
$h = gen();
$g->current();
$h->current();
xhprof_enable(XHPROF_FLAGS_NO_BUILTINS);
resume($g);
resume($g);
resume($g);
unset($h);
xhprof_test_profile(xhprof_disable());

foreach (enabling() as $x) {
    leaf();
}
leaf();
$edges = xhprof_disable();
echo xhprof_test_calls($edges, 'leaf'), "\n";
xhprof_test_check_invariants($edges, xhprof_call_tree());

xhprof_enable(XHPROF_FLAGS_NO_BUILTINS);
foreach (disabling() as $x) {
    leaf();
}
leaf();
xhprof_test_edges($edges);
xhprof_test_check_invariants($edges, xhprof_call_tree());
?>
--EXPECT--
gen==>leaf: ct=4
main(): ct=1
main()==>gen: ct=0
main()==>resume: ct=3
resume==>gen: ct=0
resume==>leaf: ct=3
invariants: ok
4
invariants: ok
disabling==>leaf: ct=2
main(): ct=1
main()==>disabling: ct=1
main()==>leaf: ct=1
invariants: ok
