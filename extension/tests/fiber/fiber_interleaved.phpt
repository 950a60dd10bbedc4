--TEST--
Fibers that run in turns: every call is below its own fiber's function
--FILE--
<?php
require __DIR__ . '/../lib.inc';

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
?>
--EXPECT--
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
