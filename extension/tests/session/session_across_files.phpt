--TEST--
A session that starts in one include file and ends in another
--FILE--
<?php
require __DIR__ . '/../lib.inc';

function work(): void
{
    leaf();
}

function leaf(): void
{
    static $n;
    $n++;
}

foreach ([false, true] as $runInit) {
    $options = ['options' => ['run_init' => $runInit]];
    include __DIR__ . '/fixture_enable.inc';
    work();
    include __DIR__ . '/fixture_disable.inc';
    work();
    xhprof_test_edges($edges);
    xhprof_test_check_invariants($edges, xhprof_call_tree(), 0, $runInit);
}
?>
--EXPECT--
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
