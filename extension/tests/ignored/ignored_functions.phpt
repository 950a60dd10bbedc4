--TEST--
ignored_functions, string or list: an ignored function is transparent, its callees hang on its caller
--FILE--
<?php
require __DIR__ . '/../lib.inc';

function a(): void
{
    b();
}

function b(): void
{
    c();
    c();
}

function c(): void
{
    d();
}

function d(): void
{
    static $n;
    $n++;
}

foreach (['b', ['b'], ['b', 'c'], ['c', 'nonsense', 'b', 'b', ''], ['a'], 'xhprof_disable', ['main()'], 'main()', [], ''] as $ignored) {
    echo json_encode($ignored), "\n";
    xhprof_enable(0, ['ignored_functions' => $ignored]);
    a();
    xhprof_test_profile(xhprof_disable());
}
?>
--EXPECT--
"b"
a==>c: ct=2
c==>d: ct=2
main(): ct=1
main()==>a: ct=1
main()==>xhprof_disable: ct=1
invariants: ok
["b"]
a==>c: ct=2
c==>d: ct=2
main(): ct=1
main()==>a: ct=1
main()==>xhprof_disable: ct=1
invariants: ok
["b","c"]
a==>d: ct=2
main(): ct=1
main()==>a: ct=1
main()==>xhprof_disable: ct=1
invariants: ok
["c","nonsense","b","b",""]
a==>d: ct=2
main(): ct=1
main()==>a: ct=1
main()==>xhprof_disable: ct=1
invariants: ok
["a"]
b==>c: ct=2
c==>d: ct=2
main(): ct=1
main()==>b: ct=1
main()==>xhprof_disable: ct=1
invariants: ok
"xhprof_disable"
a==>b: ct=1
b==>c: ct=2
c==>d: ct=2
main(): ct=1
main()==>a: ct=1
invariants: ok
["main()"]
a==>b: ct=1
b==>c: ct=2
c==>d: ct=2
main(): ct=1
main()==>a: ct=1
main()==>xhprof_disable: ct=1
invariants: ok
"main()"
a==>b: ct=1
b==>c: ct=2
c==>d: ct=2
main(): ct=1
main()==>a: ct=1
main()==>xhprof_disable: ct=1
invariants: ok
[]
a==>b: ct=1
b==>c: ct=2
c==>d: ct=2
main(): ct=1
main()==>a: ct=1
main()==>xhprof_disable: ct=1
invariants: ok
""
a==>b: ct=1
b==>c: ct=2
c==>d: ct=2
main(): ct=1
main()==>a: ct=1
main()==>xhprof_disable: ct=1
invariants: ok
