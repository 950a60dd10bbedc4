--TEST--
ignored_functions: callees hang on the caller, levels and lists
--FILE--
<?php
require __DIR__ . '/../lib.inc';

echo "ignored_functions, string or list: an ignored function is transparent, its callees hang on its caller:\n";

function a(): void { b(); }
function b(): void { c(); c(); }
function c(): void { d(); }
function d(): void { static $n; $n++; }

$lists = ['b', ['b'], ['b', 'c'], ['c', 'nonsense', 'b', 'b', ''], ['a'], 'xhprof_disable', ['main()'], 'main()', [], ''];
xhprof_test_alike(array_combine(array_map('json_encode', $lists), $lists), static function (array|string $ignored): void {
    xhprof_enable(0, ['ignored_functions' => $ignored]);
    a();
    xhprof_test_profile(xhprof_disable());
});

echo "ignored_functions: an ignored function has no recursion level, the others keep theirs:\n";

function skip(int $n): void
{
    leaf();
    if ($n > 0) {
        skip($n - 1);
    }
}

function leaf(): void { static $n; $n++; }

function again(int $n): void
{
    if ($n > 0) {
        via($n);
    }
}

function via(int $n): void { again($n - 1); }

xhprof_enable(0, ['ignored_functions' => ['skip', 'via', 'xhprof_disable']]);
skip(3);
again(3);
xhprof_test_profile(xhprof_disable());
?>
--EXPECT--
ignored_functions, string or list: an ignored function is transparent, its callees hang on its caller:
-- "b"
a==>c: ct=2
c==>d: ct=2
main(): ct=1
main()==>a: ct=1
main()==>xhprof_disable: ct=1
invariants: ok
-- ["b"]: as "b"
-- ["b","c"]
a==>d: ct=2
main(): ct=1
main()==>a: ct=1
main()==>xhprof_disable: ct=1
invariants: ok
-- ["c","nonsense","b","b",""]: as ["b","c"]
-- ["a"]
b==>c: ct=2
c==>d: ct=2
main(): ct=1
main()==>b: ct=1
main()==>xhprof_disable: ct=1
invariants: ok
-- "xhprof_disable"
a==>b: ct=1
b==>c: ct=2
c==>d: ct=2
main(): ct=1
main()==>a: ct=1
invariants: ok
-- ["main()"]
a==>b: ct=1
b==>c: ct=2
c==>d: ct=2
main(): ct=1
main()==>a: ct=1
main()==>xhprof_disable: ct=1
invariants: ok
-- "main()": as ["main()"]
-- []: as ["main()"]
-- "": as ["main()"]
ignored_functions: an ignored function has no recursion level, the others keep theirs:
again==>again@1: ct=1
again@1==>again@2: ct=1
again@2==>again@3: ct=1
main(): ct=1
main()==>again: ct=1
main()==>leaf: ct=4
invariants: ok
