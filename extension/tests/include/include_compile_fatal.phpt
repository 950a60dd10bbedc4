--TEST--
A fatal error while including a file (class that can not be linked) ends the session in good order
--FILE--
<?php
require __DIR__ . '/../lib.inc';

function includes(string $file): void
{
    include $file;
}

register_shutdown_function(static function () use (&$dir): void {
    $edges = xhprof_disable();
    $shown = [];
    foreach ($edges as $key => $values) {
        $shown[str_replace($dir, 'dir', $key)] = $values;
    }
    xhprof_test_edges($shown, ['==>xhprof_disable']);
    xhprof_test_check_invariants($edges, xhprof_call_tree());
});
$folder = xhprof_test_folder();
file_put_contents("$folder/bad.php", '<?php interface I { function m(); } class C implements I {}');
$dir = basename($folder);

xhprof_enable();
includes("$folder/bad.php");
?>
--EXPECTF--
Fatal error: Class C contains 1 abstract method %sbad.php on line 1
includes==>load::dir/bad.php: ct=1
main(): ct=1
main()==>includes: ct=1
main()==>{closure:include/include_compile_fatal.php:9}: ct=1
invariants: ok
