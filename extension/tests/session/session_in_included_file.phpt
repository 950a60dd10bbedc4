--TEST--
A session inside one included file, and one that begins there and ends in the main file
--FILE--
<?php
require __DIR__ . '/../lib.inc';

$folder = xhprof_test_folder();
file_put_contents("$folder/whole.php", '<?php xhprof_enable(); work(); $edges = xhprof_disable(); work();');
file_put_contents("$folder/begin.php", '<?php function begin() { xhprof_enable(); work(); } begin(); work();');

function work(): void
{
    static $n;
    $n++;
}

include "$folder/whole.php";
xhprof_test_edges($edges);
include "$folder/begin.php";
work();
xhprof_test_profile(xhprof_disable());
xhprof_test_tree(xhprof_call_tree());
?>
--EXPECT--
main(): ct=1
main()==>work: ct=1
main()==>xhprof_disable: ct=1
main(): ct=1
main()==>work: ct=3
main()==>xhprof_disable: ct=1
invariants: ok
main() ct=1
  work ct=3
  xhprof_disable ct=1
