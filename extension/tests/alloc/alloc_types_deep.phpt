--TEST--
What a block holds: 200,000 arrays, objects and generators in one another, cycles; the C stack stays flat
--SKIPIF--
<?php
if (getenv('SKIP_ASAN')) die('skip the engine itself needs the stack');
?>
--INI--
memory_limit=1G
opcache.enable_cli=0
--FILE--
<?php
require __DIR__ . '/../alloc_types.inc';

const DEPTH = 200_000;

class Node
{
    public mixed $next = null;
}

gc_disable();
function arrays(): array
{
    $array = [];
    for ($i = 0; $i < DEPTH; $i++) {
        $array = [$array];
    }
    return $array;
}

function nodes(): Node
{
    $last = null;
    for ($i = 0; $i < DEPTH; $i++) {
        $node = new Node();
        $node->next = $last;
        $last = $node;
    }
    return $last;
}

function references(): array
{
    $list = [];
    for ($i = 0; $i < DEPTH; $i++) {
        $next = ['r' => &$list];
        unset($list);
        $list = $next;
    }
    return $list;
}

function cycle(): Node
{
    $first = nodes();
    for ($node = $first; $node->next !== null; $node = $node->next) {
    }
    $node->next = [$first];
    return $first;
}

function recurse(int $depth): int
{
    $list = [$depth];
    if ($depth > 1) {
        return recurse($depth - 1) + count($list);
    }
    alloc_types_show('calls in one another', alloc_types_of('recurse'), ['array']);
    $pages = alloc_types_of('recurse', 'bytes')['stack of calls'];
    xhprof_test_between('their pages, MB', $pages / (1 << 20), DEPTH * 128 / (1 << 20), 256);
    return 1;
}

foreach (['arrays', 'nodes', 'references', 'cycle'] as $function) {
    xhprof_enable(XHPROF_FLAGS_ALLOC | XHPROF_FLAGS_NO_BUILTINS);
    $chain = $function();
    $start = xhprof_test_cpu();
    $types = alloc_types_of($function);
    $time = (xhprof_test_cpu() - $start) / 1e6;
    alloc_types_show($function, $types);
    xhprof_test_between("$function, seconds", $time, 0, 5);
    xhprof_disable();
    // From the outside: destroyed in one go, it would be as deep a recursion of the engine's.
    while ($chain) {
        if ($chain instanceof Node) {
            $next = is_array($chain->next) ? null : $chain->next;
            $chain->next = null;
        } else {
            $next = $chain[0] ?? $chain['r'] ?? null;
        }
        $chain = $next;
    }
}
xhprof_enable(XHPROF_FLAGS_ALLOC | XHPROF_FLAGS_NO_BUILTINS);
var_dump(recurse(DEPTH));
xhprof_disable();
?>
--EXPECT--
arrays: 400000 array
arrays, seconds: ok
nodes: 1 list of objects, 200000 object:Node
nodes, seconds: ok
references: 400000 array, 200000 reference
references, seconds: ok
cycle: 2 array, 200000 object:Node
cycle, seconds: ok
calls in one another: 400000 array
their pages, MB: ok
int(200000)
