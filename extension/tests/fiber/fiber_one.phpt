--TEST--
What runs in a fiber hangs under the call that has started or resumed it; each call counts once, where it began
--FILE--
<?php
require __DIR__ . '/../lib.inc';

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
?>
--EXPECT--
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
