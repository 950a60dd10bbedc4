--TEST--
Closures of the same line in files of different folders, and in eval()'d code, keep apart
--FILE--
<?php
require __DIR__ . '/../lib.inc';

$folder = xhprof_test_folder();
foreach (['one', 'two'] as $i => $dir) {
    mkdir("$folder/$dir");
    file_put_contents("$folder/$dir/same.php", '<?php return fn () => ' . ($i ? 'second' : 'first') . '();');
}

function first(): void
{
    static $n;
    $n++;
}

function second(): void
{
    static $n;
    $n++;
}

xhprof_enable(XHPROF_FLAGS_NO_BUILTINS);
$f = include "$folder/one/same.php";
$g = include "$folder/two/same.php";
$f();
$g();
$f();
eval('(fn () => first())(); (fn () => second())();');
eval('(fn () => second())();');
$edges = xhprof_disable();
foreach (['one', 'two'] as $dir) {
    echo json_encode($edges["main()==>{closure:$dir/same.php:1}"]['ct'] ?? null), ' ';
}
echo json_encode($edges['{closure:one/same.php:1}==>first']['ct'] ?? null), ' ';
echo json_encode($edges['{closure:two/same.php:1}==>second']['ct'] ?? null), "\n";
$callers = ['first' => [], 'second' => []];
foreach ($edges as $key => $values) {
    if (preg_match("/^\\{closure:.*eval\(\)'d code.*==>(first|second)$/s", $key, $m)) {
        $callers[$m[1]][] = $values['ct'];
    }
}
sort($callers['second']);
echo json_encode($callers), "\n";
xhprof_test_check_invariants($edges, xhprof_call_tree());
?>
--EXPECT--
2 1 2 1
{"first":[1],"second":[1,1]}
invariants: ok
