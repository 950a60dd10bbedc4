--TEST--
Functions of every kind that were called before the profile are in it, whichever way hooks are armed
--FILE--
<?php
require __DIR__ . '/../lib.inc';

isset($argv[1]) || exit(xhprof_test_every_way(__FILE__));

function leaf(): int
{
    static $n;
    return ++$n;
}

function nests(): void
{
    if (!function_exists('nested')) {
        function nested(): void
        {
            leaf();
        }
    }
    nested();
}

enum Suit: string
{
    case Hearts = 'h';

    public function label(): int
    {
        return leaf();
    }

    public static function any(): self
    {
        leaf();
        return self::from('h');
    }
}

class Magic
{
    public function __call(string $name, array $arguments): int
    {
        return leaf();
    }

    public static function __callStatic(string $name, array $arguments): int
    {
        return leaf();
    }

    public function __invoke(int $x): int
    {
        return leaf();
    }

    public function __get(string $name): int
    {
        return leaf();
    }

    public function __destruct()
    {
        leaf();
    }

    public function method(): int
    {
        return leaf();
    }

    public static function of(): int
    {
        return leaf();
    }
}

function first_class(int $x): int
{
    return leaf();
}

function numbers(): Generator
{
    yield leaf();
    yield leaf();
}

$closure = static fn (int $x): int => leaf();
$callables = [new Magic(), first_class(...), strrev(...), (new Magic())->method(...), Magic::of(...), (new Magic())->any(...)];

function everything(Closure $closure, array $callables): void
{
    leaf();
    nests();
    Suit::any()->label();
    $magic = new Magic();
    $magic->unknown();
    Magic::unknown();
    $magic(1);
    $magic->property;
    $magic->method();
    Magic::of();
    unset($magic);
    foreach ($callables as $callable) {
        $callable(1);
    }
    array_map($closure, [1, 2]);
    array_map('first_class', [1, 2, 3]);
    array_map([$callables[0], 'method'], [1]);
    call_user_func_array('Magic::of', []);
    foreach (numbers() as $x) {
        strlen($GLOBALS['text']);
    }
    eval('leaf(); if (!function_exists("evaluated")) { function evaluated() { leaf(); } } evaluated();');
    include __DIR__ . '/../include/fixture_functions.inc';
    (new ArrayObject([1]))->count();
}

$text = 'text';
everything($closure, $callables);
$profiles = [];
for ($i = 0; $i < 3; $i++) {
    xhprof_enable();
    everything($closure, $callables);
    $edges = xhprof_disable();
    everything($closure, $callables);
    $shown = [];
    foreach ($edges as $key => $values) {
        // A file's compiling is another one with opcache.
        if (!preg_match('/^everything==>(load|eval)::|strlen$|function_exists$/', $key)) {
            $shown[$key] = $values['ct'];
        }
    }
    ksort($shown, SORT_STRING);
    $profiles[] = json_encode($shown, JSON_PRETTY_PRINT | JSON_UNESCAPED_SLASHES);
    xhprof_test_check_invariants($edges, xhprof_call_tree());
}
echo $profiles[0], "\n", count(array_unique($profiles)), " different\n";
?>
--EXPECT--
invariants: ok
invariants: ok
invariants: ok
{
    "Magic::__call==>leaf": 2,
    "Magic::__callStatic==>leaf": 1,
    "Magic::__destruct==>leaf": 1,
    "Magic::__get==>leaf": 1,
    "Magic::__invoke==>leaf": 2,
    "Magic::method==>leaf": 3,
    "Magic::of==>leaf": 3,
    "Suit::any==>Suit::from": 1,
    "Suit::any==>leaf": 1,
    "Suit::label==>leaf": 1,
    "array_map==>Magic::method": 1,
    "array_map==>first_class": 3,
    "array_map==>{closure:hooks/arming_functions.php:88}": 2,
    "evaluated==>leaf": 1,
    "everything==>ArrayObject::__construct": 1,
    "everything==>ArrayObject::count": 1,
    "everything==>Magic::__call": 2,
    "everything==>Magic::__callStatic": 1,
    "everything==>Magic::__destruct": 1,
    "everything==>Magic::__get": 1,
    "everything==>Magic::__invoke": 2,
    "everything==>Magic::method": 2,
    "everything==>Magic::of": 3,
    "everything==>Suit::any": 1,
    "everything==>Suit::label": 1,
    "everything==>array_map": 3,
    "everything==>evaluated": 1,
    "everything==>first_class": 1,
    "everything==>fixture_called": 1,
    "everything==>leaf": 2,
    "everything==>nests": 1,
    "everything==>numbers": 1,
    "everything==>strrev": 1,
    "first_class==>leaf": 4,
    "main()": 1,
    "main()==>everything": 1,
    "main()==>xhprof_disable": 1,
    "nested==>leaf": 1,
    "nests==>nested": 1,
    "numbers==>leaf": 2,
    "{closure:hooks/arming_functions.php:88}==>leaf": 2
}
1 different
the same every way
