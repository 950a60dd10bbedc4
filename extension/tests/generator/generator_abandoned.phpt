--TEST--
Abandoned generators: the finally block runs below the generator, wherever it is destroyed
--FILE--
<?php
require __DIR__ . '/../lib.inc';

function cleanup(): void
{
    static $n;
    $n++;
}

function body(): void
{
    static $n;
    $n++;
}

function gen(): Generator
{
    try {
        body();
        yield 1;
        body();
        yield 2;
    } finally {
        cleanup();
    }
}

function breaks(): void
{
    foreach (gen() as $x) {
        break;
    }
    body();
}

xhprof_enable(XHPROF_FLAGS_NO_BUILTINS);
breaks();
$kept = gen();
$kept->current();
$ref = WeakReference::create($kept);
unset($kept);
body();
$never = gen();
unset($never);
body();
xhprof_test_profile(xhprof_disable());

// Suspended at disable, destroyed when nothing runs, then again in the next session.
xhprof_enable(XHPROF_FLAGS_NO_BUILTINS);
$one = gen();
$one->current();
$two = gen();
$two->current();
$edges = xhprof_disable();
xhprof_test_edges($edges);
unset($one);
xhprof_enable(XHPROF_FLAGS_NO_BUILTINS);
body();
unset($two);
body();
xhprof_test_profile(xhprof_disable());
?>
--EXPECT--
breaks==>body: ct=1
breaks==>gen: ct=1
gen==>body: ct=2
gen==>cleanup: ct=2
main(): ct=1
main()==>body: ct=2
main()==>breaks: ct=1
main()==>gen: ct=1
invariants: ok
gen==>body: ct=2
main(): ct=1
main()==>gen: ct=2
gen==>cleanup: ct=1
main(): ct=1
main()==>body: ct=2
main()==>gen: ct=0
invariants: ok
