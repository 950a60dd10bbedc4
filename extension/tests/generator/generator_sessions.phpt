--TEST--
Generators that throw, are abandoned, or were running before the session
--FILE--
<?php
require __DIR__ . '/../lib.inc';

echo "Exceptions out of and into generators:\n";

function leaf(): void { static $n; $n++; }

function fails(): Generator
{
    yield 1;
    leaf();
    throw new RuntimeException('out');
}

function catches(): Generator
{
    try {
        yield 1;
    } catch (RuntimeException) {
        leaf();
    }
    yield 2;
}

function passes(): Generator { yield from catches(); yield from fails(); }

function consume(): void
{
    try {
        foreach (fails() as $x) {
        }
    } catch (RuntimeException) {
        leaf();
    }
    $g = catches();
    $g->current();
    $g->throw(new RuntimeException('in'));
    leaf();
    try {
        foreach (passes() as $x) {
        }
    } catch (RuntimeException) {
        leaf();
    }
    $g = fails();
    try {
        $g->throw(new RuntimeException('before it started'));
    } catch (RuntimeException) {
        leaf();
    }
}

xhprof_enable(XHPROF_FLAGS_NO_BUILTINS);
consume();
leaf();
$edges = xhprof_disable();
foreach (['consume==>leaf', 'fails==>leaf', 'catches==>leaf', 'main()==>leaf', 'main()==>consume'] as $key) {
    echo "$key: ct=", $edges[$key]['ct'] ?? 'none', "\n";
}
xhprof_test_check_invariants($edges, xhprof_call_tree());

echo "Abandoned generators: the finally block runs below the generator, wherever it is destroyed:\n";

function cleanup(): void { static $n; $n++; }
function body(): void { static $n; $n++; }

function cleans(): Generator
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
    foreach (cleans() as $x) {
        break;
    }
    body();
}

xhprof_enable(XHPROF_FLAGS_NO_BUILTINS);
breaks();
$kept = cleans();
$kept->current();
$ref = WeakReference::create($kept);
unset($kept);
body();
$never = cleans();
unset($never);
body();
xhprof_test_profile(xhprof_disable());

// Suspended at disable, destroyed when nothing runs, then again in the next session.
xhprof_enable(XHPROF_FLAGS_NO_BUILTINS);
$one = cleans();
$one->current();
$two = cleans();
$two->current();
$edges = xhprof_disable();
xhprof_test_edges($edges);
unset($one);
xhprof_enable(XHPROF_FLAGS_NO_BUILTINS);
body();
unset($two);
body();
xhprof_test_profile(xhprof_disable());

echo "A generator that was running before xhprof_enable() is resumed, finished and abandoned in the session:\n";

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

function resume(Generator $g): void { $g->next(); leaf(); }

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
Exceptions out of and into generators:
consume==>leaf: ct=4
fails==>leaf: ct=2
catches==>leaf: ct=1
main()==>leaf: ct=1
main()==>consume: ct=1
invariants: ok
Abandoned generators: the finally block runs below the generator, wherever it is destroyed:
breaks==>body: ct=1
breaks==>cleans: ct=1
cleans==>body: ct=2
cleans==>cleanup: ct=2
main(): ct=1
main()==>body: ct=2
main()==>breaks: ct=1
main()==>cleans: ct=1
invariants: ok
cleans==>body: ct=2
main(): ct=1
main()==>cleans: ct=2
cleans==>cleanup: ct=1
main(): ct=1
main()==>body: ct=2
main()==>cleans: ct=0
invariants: ok
A generator that was running before xhprof_enable() is resumed, finished and abandoned in the session:
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
