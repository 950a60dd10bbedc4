--TEST--
A program with something of everything: its profile is known to the call
--FILE--
<?php
require __DIR__ . '/../lib.inc';

xhprof_test_show(xhprof_test_child(__DIR__ . '/../scenario_child.inc', ['0']));
?>
--EXPECT--
invariants: ok
invariants: ok
invariants: ok
1 different, usort ok
Fiber::resume==>Scenario\fiber_task: 0
Fiber::start==>Scenario\fiber_task: 100
Scenario\Node::accept==>Scenario\Node::accept@1: 2
Scenario\Node::accept==>Scenario\Sum::visit: 1
Scenario\Node::accept@1==>Scenario\Node::accept@2: 4
Scenario\Node::accept@1==>Scenario\Sum::visit: 2
Scenario\Node::accept@2==>Scenario\Node::accept@3: 8
Scenario\Node::accept@2==>Scenario\Sum::visit: 4
Scenario\Node::accept@3==>Scenario\Node::accept@4: 16
Scenario\Node::accept@3==>Scenario\Sum::visit: 8
Scenario\Node::accept@4==>Scenario\Node::accept@5: 32
Scenario\Node::accept@4==>Scenario\Sum::visit: 16
Scenario\Node::accept@5==>Scenario\Node::accept@6: 64
Scenario\Node::accept@5==>Scenario\Sum::visit: 32
Scenario\Node::accept@6==>Scenario\Sum::visit: 64
Scenario\Sum::__call==>Scenario\Sum::count: 100
Scenario\Sum::visit==>Scenario\Sum::count: 127
Scenario\everything==>Fiber::__construct: 100
Scenario\everything==>Fiber::getReturn: 100
Scenario\everything==>Fiber::resume: 100
Scenario\everything==>Fiber::start: 100
Scenario\everything==>Scenario\Node::accept: 1
Scenario\everything==>Scenario\Sum::__call: 100
Scenario\everything==>Scenario\fib: 1
Scenario\everything==>Scenario\loop_body: 1000
Scenario\everything==>Scenario\numbers: 1
Scenario\everything==>Scenario\throws: 300
Scenario\everything==>Scenario\touch_counter: 151
Scenario\everything==>Scenario\tree: 1
Scenario\everything==>array_map: 2
Scenario\everything==>array_sum: 1
Scenario\everything==>eval::: 1
Scenario\everything==>range: 2
Scenario\fib==>Scenario\fib@1: 2
Scenario\fib@10==>Scenario\fib@11: 2
Scenario\fib@10==>Scenario\touch_counter: 19
Scenario\fib@11==>Scenario\touch_counter: 2
Scenario\fib@1==>Scenario\fib@2: 4
Scenario\fib@2==>Scenario\fib@3: 8
Scenario\fib@3==>Scenario\fib@4: 16
Scenario\fib@4==>Scenario\fib@5: 32
Scenario\fib@5==>Scenario\fib@6: 64
Scenario\fib@6==>Scenario\fib@7: 114
Scenario\fib@6==>Scenario\touch_counter: 7
Scenario\fib@7==>Scenario\fib@8: 128
Scenario\fib@7==>Scenario\touch_counter: 50
Scenario\fib@8==>Scenario\fib@9: 74
Scenario\fib@8==>Scenario\touch_counter: 91
Scenario\fib@9==>Scenario\fib@10: 20
Scenario\fib@9==>Scenario\touch_counter: 64
Scenario\fiber_task==>Fiber::suspend: 100
Scenario\fiber_task==>Scenario\touch_counter: 200
Scenario\loop_body==>Scenario\touch_counter: 1000
Scenario\loop_body==>mt_getrandmax: 1000
Scenario\numbers==>Scenario\touch_counter: 200
Scenario\throws==>Exception::__construct: 150
Scenario\throws==>Scenario\touch_counter: 600
Scenario\tree==>Scenario\Node::__construct: 1
Scenario\tree==>Scenario\tree@1: 2
Scenario\tree@1==>Scenario\Node::__construct: 2
Scenario\tree@1==>Scenario\tree@2: 4
Scenario\tree@2==>Scenario\Node::__construct: 4
Scenario\tree@2==>Scenario\tree@3: 8
Scenario\tree@3==>Scenario\Node::__construct: 8
Scenario\tree@3==>Scenario\tree@4: 16
Scenario\tree@4==>Scenario\Node::__construct: 16
Scenario\tree@4==>Scenario\tree@5: 32
Scenario\tree@5==>Scenario\Node::__construct: 32
Scenario\tree@5==>Scenario\tree@6: 64
Scenario\tree@6==>Scenario\Node::__construct: 64
array_map==>Scenario\touch_counter: 10
array_map==>{closure:tests/scenario.inc:124}: 500
main(): 1
main()==>Scenario\everything: 1
main()==>xhprof_disable: 1
{closure:tests/scenario.inc:124}==>Scenario\touch_counter: 500
same sums
