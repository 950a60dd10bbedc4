--TEST--
Code from eval(): its names, and thousands of functions that are freed
--FILE--
<?php
require __DIR__ . '/../lib.inc';

echo "Compiling eval()'d code is eval::<file(line) : eval()'d code>; its functions hang on the function that evaluates:\n";

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

echo "Thousands of eval()'d closures and classes, freed while profiled: nothing merges, nothing crashes:\n";

function leaf_even(): void
{
    static $n;
    $n++;
}

function leaf_odd(): void
{
    static $n;
    $n++;
}

function makes(int $n): void
{
    for ($i = 0; $i < $n; $i++) {
        $leaf = $i % 2 ? 'leaf_odd' : 'leaf_even';
        $f = eval("return function () { $leaf(); " . str_repeat('$x = 1; ', $i % 17) . '};');
        $f();
        $f();
        unset($f);
        if ($i % 100 === 0) {
            $o = eval("return new class { function m() { $leaf(); } function __destruct() { $leaf(); } };");
            $o->m();
            unset($o);
            gc_collect_cycles();
        }
    }
}

foreach ([1, 2] as $round) {
    xhprof_enable(XHPROF_FLAGS_NO_BUILTINS);
    makes(3000);
    $edges = xhprof_disable();
    $closures = $parents = 0;
    foreach ($edges as $key => $values) {
        if (preg_match("/^makes==>\\{closure:.*eval\\(\\)'d code/s", $key)) {
            $closures += $values['ct'];
        }
        if (preg_match("/^(\\{closure:.*eval\\(\\)'d code.*)==>leaf_(odd|even)$/s", $key, $m)) {
            // A closure that called both leaves would be two closures under one name.
            $parents += isset($edges["$m[1]==>leaf_" . ($m[2] === 'odd' ? 'even' : 'odd')]) ? 1 : 0;
        }
    }
    printf("%d calls of closures, %d merged, leaves %d and %d\n", $closures, $parents,
        xhprof_test_calls($edges, 'leaf_even'), xhprof_test_calls($edges, 'leaf_odd'));
    xhprof_test_check_invariants($edges, xhprof_call_tree());
    unset($edges);
}
?>
--EXPECT--
Compiling eval()'d code is eval::<file(line) : eval()'d code>; its functions hang on the function that evaluates:
evaluates==>eval::%DIR%/eval_code.php(15) : eval()'d code: ct=3
evaluates==>eval::%DIR%/eval_code.php(17) : eval()'d code: ct=1
evaluates==>leaf: ct=3
evaluates==>made_by_eval: ct=1
made_by_eval==>leaf: ct=1
main(): ct=1
main()==>eval::%DIR%/eval_code.php(22) : eval()'d code: ct=1
main()==>eval::%DIR%/eval_code.php(22) : eval()'d code(1) : eval()'d code: ct=1
main()==>evaluates: ct=1
main()==>leaf: ct=1
main()==>xhprof_disable: ct=1
invariants: ok
Thousands of eval()'d closures and classes, freed while profiled: nothing merges, nothing crashes:
6000 calls of closures, 0 merged, leaves 3060 and 3000
invariants: ok
6000 calls of closures, 0 merged, leaves 3060 and 3000
invariants: ok
