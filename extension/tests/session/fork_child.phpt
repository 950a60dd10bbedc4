--TEST--
pcntl_fork() within a session: parent and child both get their profile
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('pcntl_fork()'); ?>
--FILE--
<?php
require __DIR__ . '/../lib.inc';

function common(): void { usleep(10_000); }
function only_child(): void { usleep(10_000); }
function only_parent(): void { usleep(10_000); }

function forks(string $file): int
{
    common();
    $pid = pcntl_fork();
    if ($pid === 0) {
        only_child();
        $edges = xhprof_disable();
        ob_start();
        xhprof_test_edges($edges);
        xhprof_test_between('common', $edges['forks==>common']['wt'], 9_990, 9_000_000);
        xhprof_test_between('main()', $edges['main()']['wt'], 19_990, 20_000_000);
        xhprof_test_between('cpu', $edges['main()']['cpu'], 0, 5_000_000);
        xhprof_test_check_invariants($edges, xhprof_call_tree(), XHPROF_FLAGS_CPU | XHPROF_FLAGS_MEMORY);
        xhprof_enable();
        only_child();
        xhprof_test_edges(xhprof_disable());
        file_put_contents($file, ob_get_clean());
        exit(0);
    }
    only_parent();
    pcntl_waitpid($pid, $status);
    return pcntl_wifexited($status) ? pcntl_wexitstatus($status) : 999;
}

$file = xhprof_test_folder() . '/child';
xhprof_enable(XHPROF_FLAGS_CPU | XHPROF_FLAGS_MEMORY);
$code = forks($file);
$edges = xhprof_disable();
echo "-- child, exit code $code\n", file_get_contents($file), "-- parent\n";
xhprof_test_edges($edges);
xhprof_test_check_invariants($edges, xhprof_call_tree(), XHPROF_FLAGS_CPU | XHPROF_FLAGS_MEMORY);
?>
--EXPECT--
-- child, exit code 0
common==>usleep: ct=1
forks==>common: ct=1
forks==>only_child: ct=1
forks==>pcntl_fork: ct=1
forks==>xhprof_disable: ct=1
main(): ct=1
main()==>forks: ct=1
only_child==>usleep: ct=1
common: ok
main(): ok
cpu: ok
invariants: ok
main(): ct=1
main()==>only_child: ct=1
main()==>xhprof_disable: ct=1
only_child==>usleep: ct=1
-- parent
common==>usleep: ct=1
forks==>common: ct=1
forks==>only_parent: ct=1
forks==>pcntl_fork: ct=1
forks==>pcntl_waitpid: ct=1
forks==>pcntl_wexitstatus: ct=1
forks==>pcntl_wifexited: ct=1
main(): ct=1
main()==>forks: ct=1
main()==>xhprof_disable: ct=1
only_parent==>usleep: ct=1
invariants: ok
