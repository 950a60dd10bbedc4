--TEST--
Flags give their metrics, leave out internal functions, and warn where they are unknown
--FILE--
<?php
require __DIR__ . '/../lib.inc';

echo "Every combination of flags gives its metrics, in the order ct, wt, cpu, mu, pmu, on every edge:\n";

function inner(): string
{
    return str_repeat('x', random_int(1000, 2000));
}

function outer(): int
{
    return strlen(strrev(inner()));
}

for ($flags = 0; $flags < 8; $flags++) {
    xhprof_enable($flags);
    outer();
    outer();
    $edges = xhprof_disable();
    echo $flags, ' ', implode(',', array_keys($edges['main()'])), ' ', implode(',', array_keys(xhprof_call_tree()['self'])), "\n";
    xhprof_test_check_invariants($edges, xhprof_call_tree(), $flags);
}

echo "XHPROF_FLAGS_NO_BUILTINS: internal functions are transparent, their callbacks hang on the user function:\n";

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

echo "Unknown flag bits raise a warning and are otherwise ignored:\n";

xhprof_enable(1 << 20);
$edges = xhprof_disable();
xhprof_test_edges($edges);
echo json_encode(array_keys($edges['main()'])), "\n";

xhprof_enable(32 | XHPROF_FLAGS_CPU | XHPROF_FLAGS_MEMORY);
$edges = xhprof_disable();
echo json_encode(array_keys($edges['main()'])), "\n";

xhprof_enable(-1);
$edges = xhprof_disable();
xhprof_test_edges($edges);
echo json_encode(array_keys($edges['main()'])), "\n";

set_error_handler(static function (int $type, string $message): bool {
    echo $type === E_WARNING ? 'E_WARNING' : $type, "\n";
    return true;
});
xhprof_enable(32);
restore_error_handler();
echo json_encode(is_array(xhprof_disable())), "\n";
?>
--EXPECTF--
Every combination of flags gives its metrics, in the order ct, wt, cpu, mu, pmu, on every edge:
0 ct,wt wt
invariants: ok
1 ct,wt wt
invariants: ok
2 ct,wt,cpu wt,cpu
invariants: ok
3 ct,wt,cpu wt,cpu
invariants: ok
4 ct,wt,mu,pmu wt,mu,pmu
invariants: ok
5 ct,wt,mu,pmu wt,mu,pmu
invariants: ok
6 ct,wt,cpu,mu,pmu wt,cpu,mu,pmu
invariants: ok
7 ct,wt,cpu,mu,pmu wt,cpu,mu,pmu
invariants: ok
XHPROF_FLAGS_NO_BUILTINS: internal functions are transparent, their callbacks hang on the user function:
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
Unknown flag bits raise a warning and are otherwise ignored:

Warning: xhprof_enable(): %s in %sapi_flags.php on line 65
main(): ct=1
main()==>xhprof_disable: ct=1
["ct","wt"]

Warning: xhprof_enable(): %s in %sapi_flags.php on line 70
["ct","wt","cpu","mu","pmu"]

Warning: xhprof_enable(): %s in %sapi_flags.php on line 74
main(): ct=1
["ct","wt","cpu","mu","pmu"]
E_WARNING
true
