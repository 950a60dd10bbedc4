--TEST--
Compiling eval()'d code is eval::<file(line) : eval()'d code>; its functions hang on the function that evaluates
--FILE--
<?php
require __DIR__ . '/../lib.inc';

function leaf(): void
{
    static $n;
    $n++;
}

function evaluates(): void
{
    for ($i = 0; $i < 3; $i++) {
        eval('leaf();');
    }
    eval('function made_by_eval(): void { leaf(); } made_by_eval();');
}

xhprof_enable();
evaluates();
eval('eval("leaf();");');
$edges = xhprof_disable();
$shown = [];
foreach ($edges as $key => $values) {
    $shown[str_replace(__DIR__, '%DIR%', $key)] = $values;
}
xhprof_test_edges($shown);
xhprof_test_check_invariants($edges, xhprof_call_tree());
?>
--EXPECT--
evaluates==>eval::%DIR%/eval_code.php(13) : eval()'d code: ct=3
evaluates==>eval::%DIR%/eval_code.php(15) : eval()'d code: ct=1
evaluates==>leaf: ct=3
evaluates==>made_by_eval: ct=1
made_by_eval==>leaf: ct=1
main(): ct=1
main()==>eval::%DIR%/eval_code.php(20) : eval()'d code: ct=1
main()==>eval::%DIR%/eval_code.php(20) : eval()'d code(1) : eval()'d code: ct=1
main()==>evaluates: ct=1
main()==>leaf: ct=1
main()==>xhprof_disable: ct=1
invariants: ok
