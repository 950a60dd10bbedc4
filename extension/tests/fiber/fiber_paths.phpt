--TEST--
Paths of fibers: below the call that has started or resumed them
--FILE--
<?php
require __DIR__ . '/../lib.inc';

echo "What runs in a fiber hangs under the call that has started or resumed it; each call counts once, where it began:\n";

function leaf(): void
{
    static $n;
    $n++;
}

function task(int $n): string
{
    leaf();
    $got = Fiber::suspend($n);
    deeper();
    return $got;
}

function deeper(): void
{
    leaf();
    Fiber::suspend();
    leaf();
}

function starts(Fiber $f): void
{
    $f->start(1);
    leaf();
}

function resumes(Fiber $f): void
{
    $f->resume('x');
    leaf();
}

xhprof_enable();
$f = new Fiber('task');
starts($f);
resumes($f);
$f->resume();
$f->getReturn();
leaf();
xhprof_test_profile(xhprof_disable());
xhprof_test_tree(xhprof_call_tree());

echo "Recursion through fibers counts along the path:\n";

function nest(int $n): void
{
    leaf();
    if ($n > 0) {
        $f = new Fiber('nest');
        $f->start($n - 1);
        while (!$f->isTerminated()) {
            Fiber::suspend();
            $f->resume();
        }
    } else {
        Fiber::suspend();
    }
}

xhprof_enable(XHPROF_FLAGS_NO_BUILTINS);
$f = new Fiber('nest');
$f->start(3);
while (!$f->isTerminated()) {
    leaf();
    $f->resume();
}
xhprof_test_profile(xhprof_disable());

echo "Exceptions out of a fiber and thrown into it:\n";

function fails(): void
{
    fails_deep();
}

function fails_deep(): void
{
    leaf();
    Fiber::suspend();
    leaf();
    throw new RuntimeException('out');
}

function catches(): void
{
    try {
        Fiber::suspend();
    } catch (LogicException) {
        leaf();
    }
    Fiber::suspend();
}

function drive(): void
{
    $f = new Fiber('fails');
    $f->start();
    try {
        $f->resume();
    } catch (RuntimeException) {
        leaf();
    }
    $g = new Fiber('catches');
    $g->start();
    $g->throw(new LogicException('in'));
    leaf();
    try {
        $g->throw(new DomainException('through'));
    } catch (DomainException) {
        leaf();
    }
    $h = new Fiber(static fn () => throw new RuntimeException('at once'));
    try {
        $h->start();
    } catch (RuntimeException) {
        leaf();
    }
}

xhprof_enable(XHPROF_FLAGS_NO_BUILTINS);
drive();
leaf();
xhprof_test_profile(xhprof_disable());
?>
--EXPECT--
What runs in a fiber hangs under the call that has started or resumed it; each call counts once, where it began:
Fiber::resume==>task: ct=0
Fiber::start==>task: ct=1
deeper==>Fiber::suspend: ct=1
deeper==>leaf: ct=2
main(): ct=1
main()==>Fiber::__construct: ct=1
main()==>Fiber::getReturn: ct=1
main()==>Fiber::resume: ct=1
main()==>leaf: ct=1
main()==>resumes: ct=1
main()==>starts: ct=1
main()==>xhprof_disable: ct=1
resumes==>Fiber::resume: ct=1
resumes==>leaf: ct=1
starts==>Fiber::start: ct=1
starts==>leaf: ct=1
task==>Fiber::suspend: ct=1
task==>deeper: ct=1
task==>leaf: ct=1
invariants: ok
main() ct=1
  Fiber::__construct ct=1
  Fiber::getReturn ct=1
  Fiber::resume ct=1
    task ct=0
      deeper ct=0
        Fiber::suspend ct=0
        leaf ct=1
  leaf ct=1
  resumes ct=1
    Fiber::resume ct=1
      task ct=0
        Fiber::suspend ct=0
        deeper ct=1
          Fiber::suspend ct=1
          leaf ct=1
    leaf ct=1
  starts ct=1
    Fiber::start ct=1
      task ct=1
        Fiber::suspend ct=1
        leaf ct=1
    leaf ct=1
  xhprof_disable ct=1
Recursion through fibers counts along the path:
main(): ct=1
main()==>leaf: ct=1
main()==>nest: ct=1
nest==>leaf: ct=1
nest==>nest@1: ct=1
nest@1==>leaf: ct=1
nest@1==>nest@2: ct=1
nest@2==>leaf: ct=1
nest@2==>nest@3: ct=1
nest@3==>leaf: ct=1
invariants: ok
Exceptions out of a fiber and thrown into it:
catches==>leaf: ct=1
drive==>catches: ct=1
drive==>fails: ct=1
drive==>leaf: ct=4
drive==>{closure:fiber/fiber_paths.php:118}: ct=1
fails==>fails_deep: ct=1
fails_deep==>leaf: ct=2
main(): ct=1
main()==>drive: ct=1
main()==>leaf: ct=1
invariants: ok
