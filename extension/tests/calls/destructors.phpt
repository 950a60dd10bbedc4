--TEST--
Destructors hang on the function that drops the last reference
--FILE--
<?php
require __DIR__ . '/../lib.inc';

function leaf(): void { static $n; $n++; }

class D
{
    public function __construct(private bool $throws = false) { static $n; $n++; }

    public function __destruct()
    {
        leaf();
        if ($this->throws) {
            throw new RuntimeException();
        }
    }
}

class Node
{
    public ?Node $other = null;

    public function __destruct() { leaf(); }
}

function drops(): void
{
    $d = new D();
    unset($d);
    $d = new D();
    $d = null;
    new D();
}

function throws(): void
{
    $d = new D(true);
    try {
        $d = null;
    } catch (RuntimeException) {
        leaf();
    }
}

function cycle(): void
{
    $a = new Node();
    $a->other = new Node();
    $a->other->other = $a;
}

function collects(): void { gc_collect_cycles(); }

gc_collect_cycles();
xhprof_enable(XHPROF_FLAGS_NO_BUILTINS);
drops();
throws();
cycle();
collects();
leaf();
xhprof_test_profile(xhprof_disable());

// At the end of a scope: once, whatever the engine says is the caller.
function leaves(): void { $d = new D(); leaf(); }

xhprof_enable(XHPROF_FLAGS_NO_BUILTINS);
leaves();
leaves();
$edges = xhprof_disable();
echo xhprof_test_calls($edges, 'D::__destruct'), ' ', $edges['D::__destruct==>leaf']['ct'], ' ', $edges['leaves==>leaf']['ct'], "\n";
xhprof_test_check_invariants($edges, xhprof_call_tree());
?>
--EXPECT--
D::__destruct==>leaf: ct=4
Node::__destruct==>leaf: ct=2
collects==>Node::__destruct: ct=2
drops==>D::__construct: ct=3
drops==>D::__destruct: ct=3
main(): ct=1
main()==>collects: ct=1
main()==>cycle: ct=1
main()==>drops: ct=1
main()==>leaf: ct=1
main()==>throws: ct=1
throws==>D::__construct: ct=1
throws==>D::__destruct: ct=1
throws==>leaf: ct=1
invariants: ok
2 2 2
invariants: ok
