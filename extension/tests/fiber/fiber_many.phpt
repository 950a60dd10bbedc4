--TEST--
A thousand fibers alive at once, finished in another order than started
--FILE--
<?php
require __DIR__ . '/../lib.inc';

function task(int $n): void
{
    down($n % 10);
}

function down(int $n): void
{
    if ($n > 0) {
        down($n - 1);
    } else {
        Fiber::suspend();
    }
}

xhprof_enable(XHPROF_FLAGS_NO_BUILTINS | XHPROF_FLAGS_CPU | XHPROF_FLAGS_MEMORY);
$fibers = [];
for ($i = 0; $i < 1000; $i++) {
    $fibers[$i] = new Fiber('task');
    $fibers[$i]->start($i);
}
for ($i = 0; $i < 1000; $i++) {
    $j = ($i * 617) % 1000;
    $fibers[$j]->resume();
    unset($fibers[$j]);
}
xhprof_test_profile(xhprof_disable(), XHPROF_FLAGS_CPU | XHPROF_FLAGS_MEMORY);
?>
--EXPECT--
down==>down@1: ct=900
down@1==>down@2: ct=800
down@2==>down@3: ct=700
down@3==>down@4: ct=600
down@4==>down@5: ct=500
down@5==>down@6: ct=400
down@6==>down@7: ct=300
down@7==>down@8: ct=200
down@8==>down@9: ct=100
main(): ct=1
main()==>task: ct=1000
task==>down: ct=1000
invariants: ok
