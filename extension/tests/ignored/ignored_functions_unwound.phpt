--TEST--
ignored_functions: what ends inside an ignored function, and its time
--FILE--
<?php
require __DIR__ . '/../lib.inc';

echo "ignored_functions: exceptions, generators, fibers and sessions that end inside an ignored function:\n";

function leaf(): void { static $n; $n++; }

function skip_throw(): void
{
    try {
        leaf();
        throw new LogicException('x');
    } finally {
        leaf();
    }
}

function catcher(): void
{
    try {
        skip_throw();
    } catch (LogicException) {
        leaf();
    }
}

function skip_gen(): Generator
{
    leaf();
    yield 1;
    leaf();
    yield 2;
    leaf();
}

function consume(): void
{
    foreach (skip_gen() as $x) {
        leaf();
    }
}

function skip_fiber(): void
{
    leaf();
    Fiber::suspend();
    leaf();
}

function fibers(): void
{
    $f = new Fiber('skip_fiber');
    $f->start();
    leaf();
    $f->resume();
    leaf();
}

function skip_disable(): ?array { leaf(); return xhprof_disable(); }
function skip_enable(array $options): void { xhprof_enable(0, $options); leaf(); }

$options = ['ignored_functions' => ['skip_throw', 'skip_gen', 'skip_fiber', 'skip_disable', 'skip_enable']];
xhprof_enable(0, $options);
catcher();
consume();
fibers();
$edges = skip_disable();
xhprof_test_edges($edges);
xhprof_test_check_invariants($edges, xhprof_call_tree());

skip_enable($options);
leaf();
xhprof_test_profile(xhprof_disable());

echo "ignored_functions: the ignored function's own time and memory go to its caller:\n";

function busy(): string
{
    $end = hrtime(true) + 30_000_000;
    while (hrtime(true) < $end) {
    }
    return str_repeat('x', 1 << 20);
}

function caller(): string { return busy(); }

xhprof_enable(XHPROF_FLAGS_MEMORY | XHPROF_FLAGS_NO_BUILTINS, ['ignored_functions' => 'busy']);
$s = caller();
$edges = xhprof_disable();
xhprof_test_edges($edges);
xhprof_test_between('wt', $edges['main()==>caller']['wt'], 30_000, 20_000_000);
xhprof_test_between('mu', $edges['main()==>caller']['mu'], 1 << 20, (1 << 20) + 100_000);
xhprof_test_check_invariants($edges, xhprof_call_tree(), XHPROF_FLAGS_MEMORY);
?>
--EXPECT--
ignored_functions: exceptions, generators, fibers and sessions that end inside an ignored function:
Fiber::resume==>Fiber::suspend: ct=0
Fiber::resume==>leaf: ct=1
Fiber::start==>Fiber::suspend: ct=1
Fiber::start==>leaf: ct=1
catcher==>Exception::__construct: ct=1
catcher==>leaf: ct=3
consume==>leaf: ct=5
fibers==>Fiber::__construct: ct=1
fibers==>Fiber::resume: ct=1
fibers==>Fiber::start: ct=1
fibers==>leaf: ct=2
main(): ct=1
main()==>catcher: ct=1
main()==>consume: ct=1
main()==>fibers: ct=1
main()==>leaf: ct=1
main()==>xhprof_disable: ct=1
invariants: ok
main(): ct=1
main()==>leaf: ct=2
main()==>xhprof_disable: ct=1
invariants: ok
ignored_functions: the ignored function's own time and memory go to its caller:
main(): ct=1
main()==>caller: ct=1
wt: ok
mu: ok
invariants: ok
