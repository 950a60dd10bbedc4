--TEST--
A session that runs stays the only one, and none ends where none runs
--FILE--
<?php
require __DIR__ . '/../lib.inc';

echo "xhprof_disable() and xhprof_sample_disable() are null when nothing runs:\n";

var_dump(xhprof_disable());
var_dump(xhprof_sample_disable());
xhprof_enable();
var_dump(is_array(xhprof_disable()));
var_dump(xhprof_disable());
var_dump(xhprof_sample_disable());

echo "A second xhprof_enable() is ignored with its flags and options; the first session goes on:\n";

function a(): void { b(); }
function b(): void { static $n; $n++; }

function restart(): void
{
    a();
    xhprof_enable(XHPROF_FLAGS_MEMORY | XHPROF_FLAGS_NO_BUILTINS, ['ignored_functions' => ['b', 'a']]);
    a();
}

xhprof_enable(XHPROF_FLAGS_CPU);
a();
xhprof_enable(0, ['ignored_functions' => 'b']);
a();
restart();
strrev($_SERVER['PHP_SELF']);
$edges = xhprof_disable();
xhprof_test_edges($edges, ['==>xhprof_enable']);
xhprof_test_check_invariants($edges, xhprof_call_tree(), XHPROF_FLAGS_CPU);
var_dump(xhprof_disable());
?>
--EXPECT--
xhprof_disable() and xhprof_sample_disable() are null when nothing runs:
NULL
NULL
bool(true)
NULL
NULL
A second xhprof_enable() is ignored with its flags and options; the first session goes on:
a==>b: ct=4
main(): ct=1
main()==>a: ct=2
main()==>restart: ct=1
main()==>strrev: ct=1
main()==>xhprof_disable: ct=1
restart==>a: ct=2
invariants: ok
NULL
