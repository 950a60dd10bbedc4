--TEST--
Property hooks that ran before the profile are in it, whichever way hooks are armed
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('PHP 8.4'); ?>
--FILE--
<?php
require __DIR__ . '/../lib.inc';

isset($argv[1]) || exit(xhprof_test_every_way(__FILE__));

function leaf(int $n): int
{
    static $calls;
    $calls++;
    return $n;
}

eval('class Hooked {
    public int $x = 1 { get { return leaf($this->x); } set { $this->x = leaf($value); } }
    public int $virtual { get => leaf(2); }
}
class Inherits extends Hooked {
    public int $x = 1 { get => leaf(parent::$x::get()); }
}');

function work(): void
{
    foreach ([new Hooked(), new Inherits()] as $object) {
        $object->x = 5;
        $object->x++;
        $object->virtual;
    }
}

work();
$profiles = [];
foreach ([0, 0, XHPROF_FLAGS_NO_BUILTINS] as $flags) {
    xhprof_enable($flags);
    work();
    $edges = xhprof_disable();
    work();
    xhprof_test_check_invariants($edges, xhprof_call_tree(), $flags);
    unset($edges['main()==>xhprof_disable']);
    $profiles[] = json_encode(array_map(static fn (array $values): int => $values['ct'], $edges));
}
echo count(array_unique($profiles)), " different\n";
xhprof_test_edges($edges);
?>
--EXPECT--
invariants: ok
invariants: ok
invariants: ok
1 different
Hooked::$virtual::get==>leaf: ct=2
Hooked::$x::get==>leaf: ct=2
Hooked::$x::set==>leaf: ct=4
Inherits::$x::get==>Hooked::$x::get: ct=1
Inherits::$x::get==>leaf: ct=1
main(): ct=1
main()==>work: ct=1
work==>Hooked::$virtual::get: ct=2
work==>Hooked::$x::get: ct=1
work==>Hooked::$x::set: ct=4
work==>Inherits::$x::get: ct=1
the same every way
