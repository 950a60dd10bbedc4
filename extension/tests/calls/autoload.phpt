--TEST--
Autoloaders: called by the engine from a function, or by class_exists
--FILE--
<?php
require __DIR__ . '/../lib.inc';

$folder = xhprof_test_folder();
file_put_contents("$folder/Loaded.php", '<?php class Loaded extends LoadedParent { function m() { leaf(); } }');
file_put_contents("$folder/LoadedParent.php", '<?php class LoadedParent { function p() { leaf(); } }');

function leaf(): void
{
    static $n;
    $n++;
}

function loader(string $class): void
{
    include $GLOBALS['folder'] . "/$class.php";
}

function uses(): void
{
    $l = new Loaded();
    $l->m();
    $l->p();
}

spl_autoload_register('loader');
xhprof_enable(XHPROF_FLAGS_NO_BUILTINS);
uses();
$edges = xhprof_disable();
$shown = [];
foreach ($edges as $key => $values) {
    $shown[str_replace(basename($folder), 'dir', $key)] = $values;
}
xhprof_test_edges($shown);
xhprof_test_check_invariants($edges, xhprof_call_tree());
?>
--EXPECT--
Loaded::m==>leaf: ct=1
LoadedParent::p==>leaf: ct=1
loader==>load::dir/Loaded.php: ct=1
loader==>loader@1: ct=1
loader@1==>load::dir/LoadedParent.php: ct=1
main(): ct=1
main()==>uses: ct=1
uses==>Loaded::m: ct=1
uses==>LoadedParent::p: ct=1
uses==>loader: ct=1
invariants: ok
