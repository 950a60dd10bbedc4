--TEST--
Names of 2000 bytes are whole: two that differ in the last byte stay two functions
--FILE--
<?php
require __DIR__ . '/../lib.inc';

$stem = str_repeat('n', 1999);
eval("function {$stem}a() { {$stem}b(); } function {$stem}b() { leaf(); }");
eval("class C$stem { static function m$stem() { leaf(); } }");

function leaf(): void
{
    static $n;
    $n++;
}

xhprof_enable(XHPROF_FLAGS_NO_BUILTINS);
"{$stem}a"();
"{$stem}b"();
"{$stem}b"();
"C{$stem}::m{$stem}"();
$edges = xhprof_disable();
$shown = [];
foreach ($edges as $key => $values) {
    $shown[strtr($key, [$stem => '<stem>'])] = $values;
}
xhprof_test_edges($shown);
xhprof_test_check_invariants($edges, xhprof_call_tree());
?>
--EXPECT--
<stem>a==><stem>b: ct=1
<stem>b==>leaf: ct=3
C<stem>::m<stem>==>leaf: ct=1
main(): ct=1
main()==><stem>a: ct=1
main()==><stem>b: ct=2
main()==>C<stem>::m<stem>: ct=1
invariants: ok
