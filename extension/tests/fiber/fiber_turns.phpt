--TEST--
Many fibers that run in turns
--FILE--
<?php
require __DIR__ . '/../lib.inc';

echo "Fibers that run in turns: every call is below its own fiber's function:\n";

function step_a(): void
{
    pause();
}

function step_b(): void
{
    pause();
}

function step_c(): void
{
    pause();
}

function pause(): void
{
    Fiber::suspend();
}

function task_a(): void
{
    for ($i = 0; $i < 3; $i++) {
        step_a();
    }
}

function task_b(): void
{
    for ($i = 0; $i < 2; $i++) {
        step_b();
    }
    step_a();
}

function task_c(): void
{
    $inner = new Fiber('task_b');
    $inner->start();
    while (!$inner->isTerminated()) {
        step_c();
        $inner->resume();
    }
}

function scheduler(): void
{
    $fibers = [];
    foreach (['task_a', 'task_b', 'task_c'] as $task) {
        $fibers[] = $f = new Fiber($task);
        $f->start();
    }
    while ($fibers !== []) {
        foreach ($fibers as $i => $f) {
            if ($f->isTerminated()) {
                unset($fibers[$i]);
            } else {
                $f->resume();
            }
        }
    }
}

xhprof_enable(XHPROF_FLAGS_NO_BUILTINS);
scheduler();
xhprof_test_profile(xhprof_disable());
xhprof_test_tree(xhprof_call_tree());

echo "A thousand fibers alive at once, finished in another order than started:\n";

function falls(int $n): void
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
    $fibers[$i] = new Fiber('falls');
    $fibers[$i]->start($i);
}
for ($i = 0; $i < 1000; $i++) {
    $j = ($i * 617) % 1000;
    $fibers[$j]->resume();
    unset($fibers[$j]);
}
xhprof_test_profile(xhprof_disable(), XHPROF_FLAGS_CPU | XHPROF_FLAGS_MEMORY);

echo "Generators inside fibers, and one generator resumed from two fibers:\n";

function leaf(): void
{
    static $n;
    $n++;
}

function gen(): Generator
{
    while (true) {
        leaf();
        Fiber::suspend();
        yield;
    }
}

function own(): void
{
    $g = gen();
    $g->current();
    $g->next();
    leaf();
}

$shared = (function (): Generator {
    while (true) {
        leaf();
        yield;
    }
})();

function shares(): void
{
    $GLOBALS['shared']->next();
    Fiber::suspend();
    $GLOBALS['shared']->next();
}

xhprof_enable(XHPROF_FLAGS_NO_BUILTINS);
$a = new Fiber('own');
$b = new Fiber('own');
$a->start();
$b->start();
while (!$a->isTerminated()) {
    $a->resume();
    leaf();
    $b->resume();
}
$c = new Fiber('shares');
$d = new Fiber('shares');
$c->start();
$d->start();
$c->resume();
$d->resume();
xhprof_test_profile(xhprof_disable());
?>
--EXPECT--
Fibers that run in turns: every call is below its own fiber's function:
main(): ct=1
main()==>scheduler: ct=1
scheduler==>task_a: ct=1
scheduler==>task_b: ct=1
scheduler==>task_c: ct=1
step_a==>pause: ct=5
step_b==>pause: ct=4
step_c==>pause: ct=3
task_a==>step_a: ct=3
task_b==>step_a: ct=2
task_b==>step_b: ct=4
task_c==>step_c: ct=3
task_c==>task_b: ct=1
invariants: ok
main() ct=1
  scheduler ct=1
    task_a ct=1
      step_a ct=3
        pause ct=3
    task_b ct=1
      step_a ct=1
        pause ct=1
      step_b ct=2
        pause ct=2
    task_c ct=1
      step_c ct=3
        pause ct=3
      task_b ct=1
        step_a ct=1
          pause ct=1
        step_b ct=2
          pause ct=2
A thousand fibers alive at once, finished in another order than started:
down==>down@1: ct=900
down@1==>down@2: ct=800
down@2==>down@3: ct=700
down@3==>down@4: ct=600
down@4==>down@5: ct=500
down@5==>down@6: ct=400
down@6==>down@7: ct=300
down@7==>down@8: ct=200
down@8==>down@9: ct=100
falls==>down: ct=1000
main(): ct=1
main()==>falls: ct=1000
invariants: ok
Generators inside fibers, and one generator resumed from two fibers:
gen==>leaf: ct=4
main(): ct=1
main()==>leaf: ct=2
main()==>own: ct=2
main()==>shares: ct=2
own==>gen: ct=2
own==>leaf: ct=2
shares==>{closure:fiber/fiber_turns.php:128}: ct=1
{closure:fiber/fiber_turns.php:128}==>leaf: ct=5
invariants: ok
