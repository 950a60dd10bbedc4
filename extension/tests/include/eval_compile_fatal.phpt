--TEST--
A fatal error while compiling (redeclared function) ends the session in good order
--FILE--
<?php
require __DIR__ . '/../lib.inc';

function leaf(): void
{
    static $n;
    $n++;
}

function compiles(): void
{
    leaf();
    eval('function leaf(): void {}');
}

register_shutdown_function(static function (): void {
    $edges = xhprof_disable();
    $shown = [];
    foreach ($edges as $key => $values) {
        $shown[str_replace(__DIR__, '%DIR%', $key)] = $values;
    }
    unset($shown['{closure:include/eval_compile_fatal.php:16}==>xhprof_disable']);
    xhprof_test_edges($shown);
    xhprof_test_check_invariants($edges, xhprof_call_tree());
    xhprof_enable();
    leaf();
    xhprof_test_edges(xhprof_disable());
});
xhprof_enable();
compiles();
?>
--EXPECTF--
Fatal error: Cannot redeclare %aeval_compile_fatal.php(13) : eval()'d code on line 1
compiles==>eval::%DIR%/eval_compile_fatal.php(13) : eval()'d code: ct=1
compiles==>leaf: ct=1
main(): ct=1
main()==>compiles: ct=1
main()==>{closure:include/eval_compile_fatal.php:16}: ct=1
invariants: ok
main(): ct=1
main()==>leaf: ct=1
main()==>xhprof_disable: ct=1
