--TEST--
Each read of a property with a get hook is a call, also where the engine enters the hook by itself
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('PHP 8.4'); ?>
--FILE--
<?php
require __DIR__ . '/../lib.inc';

isset($argv[1]) || exit(xhprof_test_every_way(__FILE__));

eval('class Hooked {
    public string $name { get { return strtolower("N"); } }
    public int $count = 0 { get { return $this->count; } set { $this->count = leaf($value); } }
    public int $generated { get { foreach ($this->counts() as $n) { leaf($n); } return 1; } }
    public iterable $each { get { yield leaf(1); yield leaf(2); } }
    private function counts(): Generator { yield 1; yield 2; }
    public function own(): string { return $this->name . ($this->name ?? ""); }
}
class Inherits extends Hooked {
    public string $name { get => parent::$name::get(); }
}');

function leaf(int $n): int
{
    static $calls; // never compiled into its caller
    $calls++;
    return $n;
}

function reads(Hooked $object): void
{
    for ($i = 0; $i < 5; $i++) {
        $object->name;
        $object->count++;
        $object->count += 2;
        strlen($object->name);
        isset($object->name);
        $object->name ?? '';
        leaf($object->count);
        $object->own();
        $object->generated;
        foreach ($object->each as $value) {
        }
    }
}

function closures(Hooked $object, Closure $reads): void
{
    for ($i = 0; $i < 5; $i++) {
        $reads($object);
    }
}

$reads = function (Hooked $object): string { return $object->name . $object->name; };
$hooked = new Hooked();
$inherits = new Inherits();
$profiles = [];
foreach ([0, 1, 2] as $round) {
    foreach ([0, XHPROF_FLAGS_NO_BUILTINS] as $flags) {
        xhprof_enable($flags);
        reads($hooked);
        reads($inherits);
        closures($hooked, $reads);
        $edges = xhprof_disable();
        xhprof_test_check_invariants($edges, xhprof_call_tree(), $flags);
        $counts = [];
        foreach ($edges as $edge => $values) {
            $counts[preg_replace('/\{closure:[^}]*\}/', '{closure}', $edge)] = $values['ct'];
        }
        if ($flags === 0) {
            echo $counts['Hooked::$name::get==>strtolower'], "\n"; // each call of the hook makes one
        }
        $profiles[$flags][] = json_encode(array_filter($counts, static fn (string $edge): bool
            => preg_match('/\$\w+::[gs]et/', $edge) === 1, ARRAY_FILTER_USE_KEY));
        // Between profiles the engine remembers each operation again.
        reads($hooked);
        closures($inherits, $reads);
    }
}
echo count(array_unique($profiles[0])), ' ', count(array_unique($profiles[XHPROF_FLAGS_NO_BUILTINS])), " different\n";
foreach (json_decode($profiles[XHPROF_FLAGS_NO_BUILTINS][0], true) as $edge => $count) {
    echo "$edge: $count\n";
}
?>
--EXPECT--
invariants: ok
70
invariants: ok
invariants: ok
70
invariants: ok
invariants: ok
70
invariants: ok
1 1 different
reads==>Hooked::$name::get: 20
reads==>Hooked::$count::get: 30
Hooked::$count::set==>leaf: 20
reads==>Hooked::$count::set: 20
Hooked::own==>Hooked::$name::get: 10
Inherits::$name::get==>Hooked::$name::get: 30
Hooked::own==>Inherits::$name::get: 10
Hooked::$generated::get==>Hooked::counts: 10
Hooked::$generated::get==>leaf: 20
reads==>Hooked::$generated::get: 10
Hooked::$each::get==>leaf: 20
reads==>Hooked::$each::get: 10
reads==>Inherits::$name::get: 20
{closure}==>Hooked::$name::get: 10
the same every way
