--TEST--
load:: keeps the last two parts of the path: spaces, non-ASCII bytes, long names
--FILE--
<?php
require __DIR__ . '/../lib.inc';

$folder = xhprof_test_folder();
$deep = "$folder/one/two words";
mkdir($deep, 0700, true);
$names = ['a b.php', "caf\xc3\xa9.php", "bad\xff.php", str_repeat('l', 200) . '.php', 'x.phtml', 'noext'];
foreach ($names as $name) {
    file_put_contents("$deep/$name", '<?php leaf();');
}

function leaf(): void
{
    static $n;
    $n++;
}

xhprof_enable(XHPROF_FLAGS_NO_BUILTINS);
foreach ($names as $name) {
    include "$deep/$name";
}
$edges = xhprof_disable();
foreach ($names as $name) {
    $key = "main()==>load::two words/$name";
    echo strlen($name), ' ', json_encode(($edges[$key]['ct'] ?? null) === 1), "\n";
}
echo $edges['main()==>leaf']['ct'], ' ', count($edges), "\n";
xhprof_test_check_invariants($edges, xhprof_call_tree());
?>
--EXPECT--
7 true
9 true
8 true
204 true
7 true
5 true
6 8
invariants: ok
