--TEST--
Options null and [] are the same as none; named arguments work
--FILE--
<?php
require __DIR__ . '/../lib.inc';

function f(): void
{
    static $n;
    $n++;
}

foreach ([[], [0, null], [0, []], ['flags' => 0], ['options' => null], ['options' => ['ignored_functions' => []]]] as $args) {
    xhprof_enable(...$args);
    f();
    $edges = xhprof_disable();
    echo json_encode(array_keys($edges['main()'])), ' ';
    ksort($edges);
    echo implode(' ', array_keys($edges)), "\n";
}
?>
--EXPECT--
["ct","wt"] main() main()==>f main()==>xhprof_disable
["ct","wt"] main() main()==>f main()==>xhprof_disable
["ct","wt"] main() main()==>f main()==>xhprof_disable
["ct","wt"] main() main()==>f main()==>xhprof_disable
["ct","wt"] main() main()==>f main()==>xhprof_disable
["ct","wt"] main() main()==>f main()==>xhprof_disable
