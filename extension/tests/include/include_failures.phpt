--TEST--
Files that do not exist, do not parse or throw leave the stack right
--FILE--
<?php
require __DIR__ . '/../lib.inc';

$folder = xhprof_test_folder();
file_put_contents("$folder/broken.php", '<?php function broken( {');

function leaf(): void
{
    static $n;
    $n++;
}

function tries(string $folder): void
{
    @include __DIR__ . '/there_is_no_such_file.inc';
    leaf();
    try {
        include "$folder/broken.php";
    } catch (ParseError) {
        leaf();
    }
    try {
        include __DIR__ . '/fixture_throws.inc';
    } catch (DomainException) {
        leaf();
    }
    try {
        eval('this is no PHP');
    } catch (ParseError) {
        leaf();
    }
    try {
        eval('leaf(); throw new DomainException();');
    } catch (DomainException) {
        leaf();
    }
}

include __DIR__ . '/fixture_functions.inc';
xhprof_enable(XHPROF_FLAGS_NO_BUILTINS);
tries($folder);
leaf();
$edges = xhprof_disable();
foreach (array_keys($edges) as $key) {
    if (str_contains($key, 'eval::') || str_contains($key, 'no_such_file')) {
        unset($edges[$key]);
    }
}
$shown = [];
foreach ($edges as $key => $values) {
    $shown[str_replace(basename($folder), 'dir', $key)] = $values;
}
xhprof_test_edges($shown);

xhprof_enable();
tries($folder);
leaf();
xhprof_test_check_invariants(xhprof_disable(), xhprof_call_tree());
?>
--EXPECT--
main(): ct=1
main()==>leaf: ct=1
main()==>tries: ct=1
tries==>fixture_called: ct=1
tries==>leaf: ct=6
tries==>load::dir/broken.php: ct=1
tries==>load::include/fixture_throws.inc: ct=1
invariants: ok
