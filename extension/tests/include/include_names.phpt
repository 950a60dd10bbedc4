--TEST--
Compiling a file and its top-level code
--FILE--
<?php
require __DIR__ . '/../lib.inc';

echo "Compiling a file is load::dir/file.php; its top-level code is transparent in the classic array:\n";

function includes(): void
{
    include __DIR__ . '/fixture_functions.inc';
    require __DIR__ . '/fixture_functions.inc';
    include_once __DIR__ . '/fixture_functions.inc';
}

xhprof_enable();
$value = include __DIR__ . '/fixture_functions.inc';
includes();
include __DIR__ . '/fixture_nested.inc';
$edges = xhprof_disable();
echo $value, "\n";
xhprof_test_edges($edges, ['==>dirname']);
xhprof_test_check_invariants($edges, xhprof_call_tree());
xhprof_test_tree(xhprof_call_tree());

echo "load:: keeps the last two parts of the path: spaces, non-ASCII bytes, long names:\n";

$folder = xhprof_test_folder();
$deep = "$folder/one/two words";
mkdir($deep, 0700, true);
$names = ['a b.php', "caf\xc3\xa9.php", "bad\xff.php", str_repeat('l', 200) . '.php', 'x.phtml', 'noext'];
foreach ($names as $name) {
    file_put_contents("$deep/$name", '<?php leaf();');
}

function leaf(): void { static $n; $n++; }

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

echo "A file that includes itself: run_init::f@1 with the option, transparent without:\n";

$folder = xhprof_test_folder();
file_put_contents("$folder/self.php", '<?php leaf(); if ($n-- > 0) { include __FILE__; }');
$dir = basename($folder);

foreach ([true, false] as $runInit) {
    $n = 2;
    xhprof_enable(XHPROF_FLAGS_NO_BUILTINS, ['run_init' => $runInit]);
    include "$folder/self.php";
    $edges = xhprof_disable();
    $shown = [];
    foreach ($edges as $key => $values) {
        $shown[str_replace($dir, 'dir', $key)] = $values;
    }
    xhprof_test_edges($shown);
    xhprof_test_check_invariants($edges, xhprof_call_tree(), 0, $runInit);
}

echo "options['run_init']: the top-level code of a file is an edge of the classic array too:\n";

function loads(): void { include __DIR__ . '/fixture_nested.inc'; }

include __DIR__ . '/fixture_functions.inc';
xhprof_enable(0, ['run_init' => true]);
loads();
xhprof_test_profile(xhprof_disable(), 0, true);

xhprof_enable(0, ['run_init' => false]);
loads();
xhprof_test_profile(xhprof_disable());

echo "Files that do not exist, do not parse or throw leave the stack right:\n";

$folder = xhprof_test_folder();
file_put_contents("$folder/broken.php", '<?php function broken( {');

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
Compiling a file is load::dir/file.php; its top-level code is transparent in the classic array:
fixture
includes==>fixture_called: ct=2
includes==>function_exists: ct=2
includes==>load::include/fixture_functions.inc: ct=2
main(): ct=1
main()==>fixture_called: ct=4
main()==>function_exists: ct=2
main()==>includes: ct=1
main()==>load::include/fixture_functions.inc: ct=2
main()==>load::include/fixture_nested.inc: ct=1
main()==>xhprof_disable: ct=1
invariants: ok
main() ct=1
  includes ct=1
    load::include/fixture_functions.inc ct=2
    run_init::include/fixture_functions.inc ct=2
      fixture_called ct=2
      function_exists ct=2
  load::include/fixture_functions.inc ct=1
  load::include/fixture_nested.inc ct=1
  run_init::include/fixture_functions.inc ct=1
    fixture_called ct=1
    function_exists ct=1
  run_init::include/fixture_nested.inc ct=1
    fixture_called ct=2
    load::include/fixture_functions.inc ct=1
    run_init::include/fixture_functions.inc ct=1
      fixture_called ct=1
      function_exists ct=1
  xhprof_disable ct=1
load:: keeps the last two parts of the path: spaces, non-ASCII bytes, long names:
7 true
9 true
8 true
204 true
7 true
5 true
6 8
invariants: ok
A file that includes itself: run_init::f@1 with the option, transparent without:
main(): ct=1
main()==>load::dir/self.php: ct=1
main()==>run_init::dir/self.php: ct=1
run_init::dir/self.php==>leaf: ct=1
run_init::dir/self.php==>load::dir/self.php: ct=1
run_init::dir/self.php==>run_init::dir/self.php@1: ct=1
run_init::dir/self.php@1==>leaf: ct=1
run_init::dir/self.php@1==>load::dir/self.php: ct=1
run_init::dir/self.php@1==>run_init::dir/self.php@2: ct=1
run_init::dir/self.php@2==>leaf: ct=1
invariants: ok
main(): ct=1
main()==>leaf: ct=3
main()==>load::dir/self.php: ct=3
invariants: ok
options['run_init']: the top-level code of a file is an edge of the classic array too:
loads==>load::include/fixture_nested.inc: ct=1
loads==>run_init::include/fixture_nested.inc: ct=1
main(): ct=1
main()==>loads: ct=1
main()==>xhprof_disable: ct=1
run_init::include/fixture_functions.inc==>fixture_called: ct=1
run_init::include/fixture_functions.inc==>function_exists: ct=1
run_init::include/fixture_nested.inc==>fixture_called: ct=2
run_init::include/fixture_nested.inc==>load::include/fixture_functions.inc: ct=1
run_init::include/fixture_nested.inc==>run_init::include/fixture_functions.inc: ct=1
invariants: ok
loads==>fixture_called: ct=3
loads==>function_exists: ct=1
loads==>load::include/fixture_functions.inc: ct=1
loads==>load::include/fixture_nested.inc: ct=1
main(): ct=1
main()==>loads: ct=1
main()==>xhprof_disable: ct=1
invariants: ok
Files that do not exist, do not parse or throw leave the stack right:
main(): ct=1
main()==>leaf: ct=1
main()==>tries: ct=1
tries==>fixture_called: ct=1
tries==>leaf: ct=6
tries==>load::dir/broken.php: ct=1
tries==>load::include/fixture_throws.inc: ct=1
invariants: ok
