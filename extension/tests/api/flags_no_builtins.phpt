--TEST--
XHPROF_FLAGS_NO_BUILTINS: internal functions are transparent, their callbacks hang on the user function
--FILE--
<?php
require __DIR__ . '/../lib.inc';

class Item implements JsonSerializable
{
    public function jsonSerialize(): mixed
    {
        return strrev($_SERVER['PHP_SELF']);
    }
}

function twice(int $x): int
{
    return abs($x) * 2;
}

function work(): void
{
    array_map('twice', [1, 2, 3]);
    json_encode(new Item());
    usleep(1);
    (new ArrayObject([1]))->count();
}

xhprof_enable(XHPROF_FLAGS_NO_BUILTINS);
work();
eval('twice(4);');
$edges = xhprof_disable();
unset($edges['main()==>eval::' . __FILE__ . '(' . (__LINE__ - 2) . ") : eval()'d code"]);
ksort($edges);
foreach ($edges as $key => $values) {
    echo "$key: ct={$values['ct']}\n";
}

// The next session has them again.
xhprof_enable();
work();
xhprof_test_profile(xhprof_disable());
?>
--EXPECT--
main(): ct=1
main()==>twice: ct=1
main()==>work: ct=1
work==>Item::jsonSerialize: ct=1
work==>twice: ct=3
Item::jsonSerialize==>strrev: ct=1
array_map==>twice: ct=3
json_encode==>Item::jsonSerialize: ct=1
main(): ct=1
main()==>work: ct=1
main()==>xhprof_disable: ct=1
twice==>abs: ct=3
work==>ArrayObject::__construct: ct=1
work==>ArrayObject::count: ct=1
work==>array_map: ct=1
work==>json_encode: ct=1
work==>usleep: ct=1
invariants: ok
