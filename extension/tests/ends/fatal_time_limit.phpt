--TEST--
max_execution_time: the shutdown function still gets a whole profile
--FILE--
<?php
require __DIR__ . '/../lib.inc';

function spins(): void
{
    while (true) {
        turn();
    }
}

function turn(): void
{
    static $n;
    $n++;
}

if (isset($argv[1])) {
    register_shutdown_function(static function (): void {
        $edges = xhprof_disable();
        echo $edges['spins==>turn']['ct'] > 1000 ? "turned\n" : "ct={$edges['spins==>turn']['ct']}\n";
        unset($edges['spins==>turn']);
        xhprof_test_edges($edges, ['==>xhprof_disable']);
    });
    xhprof_enable();
    set_time_limit(1);
    spins();
}
$child = xhprof_test_child(__FILE__, ['child']);
$child['out'] = preg_replace('/^.*Maximum execution time.*\R/m', "time limit\n", ltrim($child['out']));
xhprof_test_show($child, 255);
?>
--EXPECT--
time limit
turned
main(): ct=1
main()==>set_time_limit: ct=1
main()==>spins: ct=1
main()==>{closure:ends/fatal_time_limit.php:18}: ct=1
