--TEST--
A generator is one call however often it is resumed
--FILE--
<?php
require __DIR__ . '/../lib.inc';

function leaf(): void
{
    static $n;
    $n++;
}

function numbers(int $n): Generator
{
    for ($i = 0; $i < $n; $i++) {
        leaf();
        yield $i;
    }
}

function consume(): void
{
    foreach (numbers(5) as $x) {
        strrev((string) $x);
    }
}

xhprof_enable();
consume();
consume();
$never = numbers(3);
xhprof_test_profile(xhprof_disable());
xhprof_test_tree(xhprof_call_tree());
?>
--EXPECT--
consume==>numbers: ct=2
consume==>strrev: ct=10
main(): ct=1
main()==>consume: ct=2
main()==>xhprof_disable: ct=1
numbers==>leaf: ct=10
invariants: ok
main() ct=1
  consume ct=2
    numbers ct=2
      leaf ct=10
    strrev ct=10
  xhprof_disable ct=1
