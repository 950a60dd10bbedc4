--TEST--
Property hooks of PHP 8.4 are calls of their own
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('PHP 8.4'); ?>
--FILE--
<?php
require __DIR__ . '/../lib.inc';

eval('class Hooked {
    private int $n = 0;
    public int $x { get { return leaf($this->n++); } set { $this->n = leaf($value); } }
}');

function leaf(int $n): int
{
    $GLOBALS['leaf'] = $n;
    return $n;
}

xhprof_enable(XHPROF_FLAGS_NO_BUILTINS);
$h = new Hooked();
$h->x = 5;
echo $h->x, $h->x, "\n";
xhprof_test_profile(xhprof_disable());
?>
--EXPECT--
56
Hooked::$x::get==>leaf: ct=2
Hooked::$x::set==>leaf: ct=1
main(): ct=1
main()==>Hooked::$x::get: ct=2
main()==>Hooked::$x::set: ct=1
invariants: ok
