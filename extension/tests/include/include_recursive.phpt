--TEST--
A file that includes itself: run_init::f@1 with the option, transparent without
--FILE--
<?php
require __DIR__ . '/../lib.inc';

$folder = xhprof_test_folder();
file_put_contents("$folder/self.php", '<?php leaf(); if ($n-- > 0) { include __FILE__; }');
$dir = basename($folder);

function leaf(): void
{
    static $n;
    $n++;
}

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
?>
--EXPECT--
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
