--TEST--
Sessions across functions and files: each call hangs on the function that makes it
--FILE--
<?php
require __DIR__ . '/../lib.inc';

echo "A session that starts in one include file and ends in another:\n";

function work(): void { leaf(); }
function leaf(): void { static $n; $n++; }

foreach ([false, true] as $runInit) {
    $options = ['options' => ['run_init' => $runInit]];
    include __DIR__ . '/fixture_enable.inc';
    work();
    include __DIR__ . '/fixture_disable.inc';
    work();
    xhprof_test_edges($edges);
    xhprof_test_check_invariants($edges, xhprof_call_tree(), 0, $runInit);
}

echo "A session inside one included file, and one that begins there and ends in the main file:\n";

$folder = xhprof_test_folder();
file_put_contents("$folder/whole.php", '<?php xhprof_enable(); included_work(); $edges = xhprof_disable(); included_work();');
file_put_contents("$folder/begin.php", '<?php function begin() { xhprof_enable(); included_work(); } begin(); included_work();');

function included_work(): void { static $n; $n++; }

include "$folder/whole.php";
xhprof_test_edges($edges);
include "$folder/begin.php";
included_work();
xhprof_test_profile(xhprof_disable());
xhprof_test_tree(xhprof_call_tree());

echo "xhprof_disable hangs on the function that calls it; xhprof_enable never appears:\n";

function start(): void { xhprof_enable(); }
function stop(): array { return xhprof_disable(); }

start();
$edges = stop();
xhprof_test_edges($edges);
xhprof_test_check_invariants($edges, xhprof_call_tree());

xhprof_enable();
xhprof_enable();
$edges = stop();
unset($edges['main()==>xhprof_enable']);
xhprof_test_edges($edges);
?>
--EXPECT--
A session that starts in one include file and ends in another:
main(): ct=1
main()==>load::session/fixture_disable.inc: ct=1
main()==>work: ct=3
main()==>xhprof_disable: ct=1
work==>leaf: ct=3
invariants: ok
main(): ct=1
main()==>load::session/fixture_disable.inc: ct=1
main()==>run_init::session/fixture_disable.inc: ct=1
main()==>work: ct=2
run_init::session/fixture_disable.inc==>work: ct=1
run_init::session/fixture_disable.inc==>xhprof_disable: ct=1
work==>leaf: ct=3
invariants: ok
A session inside one included file, and one that begins there and ends in the main file:
main(): ct=1
main()==>included_work: ct=1
main()==>xhprof_disable: ct=1
main(): ct=1
main()==>included_work: ct=3
main()==>xhprof_disable: ct=1
invariants: ok
main() ct=1
  included_work ct=3
  xhprof_disable ct=1
xhprof_disable hangs on the function that calls it; xhprof_enable never appears:
main(): ct=1
main()==>stop: ct=1
stop==>xhprof_disable: ct=1
invariants: ok
main(): ct=1
main()==>stop: ct=1
stop==>xhprof_disable: ct=1
