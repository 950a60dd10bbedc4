--TEST--
Names are byte-exact: UTF-8, bytes that are no UTF-8, the case of the declaration
--FILE--
<?php
require __DIR__ . '/../lib.inc';

eval("function na\xc3\xafve() {} function raw\xff\x80() { na\xc3\xafve(); } class \xe9t\xe9 { static function \xfe() { raw\xff\x80(); } }");

function CamelCase(): void
{
    static $n;
    $n++;
}

xhprof_enable();
"raw\xff\x80"();
"\xe9t\xe9::\xfe"();
camelcase();
CAMELCASE();
$edges = xhprof_disable();
$shown = [];
foreach ($edges as $key => $values) {
    $shown[addcslashes($key, "\x80..\xff")] = $values;
}
xhprof_test_edges($shown);
xhprof_test_check_invariants($edges, xhprof_call_tree());
?>
--EXPECT--
\351t\351::\376==>raw\377\200: ct=1
main(): ct=1
main()==>CamelCase: ct=2
main()==>\351t\351::\376: ct=1
main()==>raw\377\200: ct=1
main()==>xhprof_disable: ct=1
raw\377\200==>na\303\257ve: ct=2
invariants: ok
