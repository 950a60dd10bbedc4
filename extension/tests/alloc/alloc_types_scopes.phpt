--TEST--
What a block holds: whatever a program can keep values in, and what is under way; once more with opcache and the JIT
--FILE--
<?php
require __DIR__ . '/../alloc_types.inc';

if (($argv[1] ?? '') !== 'child') {
    xhprof_test_every_way(__FILE__);
    exit;
}

class Keeper
{
    public const OF_CLASS = ['constant', ['of', 'class']];
    public static mixed $static;
    protected static array $more = [];

    public function method(): void
    {
        static $kept = [];
        $kept[] = text(1);
        self::$more[] = text(2);
    }
}

class Heir extends Keeper
{
}

function text(int $i): string { return str_repeat('x', 20 + $i); }
function strings(): void { global $label; alloc_types_show($label, alloc_types_of('work'), ['string']); }
function work(callable $function): void { $function(); }

/** @param callable(): void $function */
function check(string $as, callable $function): void
{
    global $label;
    $label = $as;
    xhprof_enable(XHPROF_FLAGS_ALLOC | XHPROF_FLAGS_NO_BUILTINS);
    work($function);
    xhprof_disable();
}

function arguments(string $a, array $b, string ...$rest): void { strings(); }
function more(string $a): void { strings(); }
function named(mixed ...$all): void { strings(); }

function changed(string $a): ?string
{
    $a = random_int(0, 1) < 2 ? null : text(1);
    strings();
    return $a;
}

check('variables', static function (): void {
    $a = text(1);
    $b = [text(2), 'c' => [text(3)]];
    strings();
    assert(count([$a, $b]) > 0);
});
check('arguments', static fn () => arguments(text(1), [text(2)], text(3), text(4)));
check('more arguments than parameters', static fn () => more(text(1), text(2), text(3)));
check('named arguments', static fn () => named(text(1), a: text(2), b: [text(3)]));
check('an argument that is gone', static fn () => changed(text(1)));
check('temporary values', static function (): void {
    foreach ([text(1), text(2)] as $value) {
        $sum = count([text(3), text(4)] + [5 => array_map(static fn () => strings(), [text(5)])]);
        break;
    }
});
check('arguments of internal functions', static fn () => array_map(static fn () => strings(), [text(1)]));
check('globals', static function (): void {
    global $kept;
    $kept = text(1);
    $GLOBALS['by name'] = [text(2)];
    strings();
    unset($GLOBALS['kept'], $GLOBALS['by name']);
});
check('static variables', static function (): void {
    static $kept;
    $kept = text(3);
    (new Keeper())->method();
    (new Heir())->method();
    strings();
});
check('static properties', static function (): void {
    Keeper::$static = [text(1)];
    Heir::$static[] = text(2);
    strings();
    Keeper::$static = null;
});
check('constants', static function (): void {
    static $n = 0;
    define('CONSTANT' . $n++, [text(1), [text(2)]]);
    strings();
});
check('variables by name', static function (): void {
    $name = 'made';
    $$name = text(1);
    extract(['more' => text(2), 'name' => text(3)]);
    compact('more');
    strings();
});
$folder = xhprof_test_folder();
file_put_contents("$folder/included.php", '<?php $first = null; $own = [text(3)]; $second .= text(4); strings();');
check('variables of an included file', static function () use ($folder): void {
    $first = text(1);
    $second = text(2);
    include "$folder/included.php";
    strings();
    assert(count([$first, $second, $own]) > 0);
});
check('handlers', static function (): void {
    $object = new class {
        public array $kept = [];

        public function handle(): bool { strings(); return true; }
    };
    $object->kept[] = text(1);
    set_error_handler([$object, 'handle']);
    unset($object);
    echo $undefined;
    restore_error_handler();
});
check('code compiled just now', static function (): void {
    eval('function compiled' . random_int(0, PHP_INT_MAX) . '() { return ["a", ["b"], fn() => [["c"]]]; }');
    strings();
});
?>
--EXPECT--
variables: 3 string
arguments: 4 string
more arguments than parameters: 3 string
named arguments: 3 string
an argument that is gone: -
temporary values: 5 string
arguments of internal functions: 1 string
globals: 2 string
static variables: 5 string
static properties: 2 string
constants: 3 string
variables by name: 3 string
variables of an included file: 3 string
variables of an included file: 3 string
handlers: 2 string
code compiled just now: 3 string
the same every way
