--TEST--
Callbacks hang on what calls them: an internal function, or the engine by itself
--FILE--
<?php
require __DIR__ . '/../lib.inc';

echo "Callbacks hang on the internal function that calls them:\n";

class Cmp
{
    public static int $n = 0;

    public static function byValue(int $a, int $b): int
    {
        self::$n++;
        return $a <=> $b;
    }

    public function inc(int $x): int
    {
        return $x + 1;
    }

    public function __invoke(int $x): bool
    {
        return $x > 1;
    }
}

function double(int $x): int
{
    return 2 * $x;
}

$items = [3, 1, 2];
$cmp = new Cmp();
xhprof_enable();
usort($items, ['Cmp', 'byValue']);
array_map('double', $items);
array_map([$cmp, 'inc'], $items);
array_filter($items, $cmp);
array_walk($items, 'double');
preg_replace_callback('/b/', fn (array $m): string => strtoupper($m[0]), 'abba');
array_map('strrev', ['ab', 'cd']);
(new ReflectionMethod('Cmp', 'inc'))->invoke($cmp, 1);
(new ReflectionFunction('double'))->invoke(1);
$edges = xhprof_disable();
$n = Cmp::$n;
echo 'usort: ', $edges['usort==>Cmp::byValue']['ct'] === $n && $n > 1 ? 'as often as called' : "$n calls", "\n";
xhprof_test_edges($edges, ['usort==>Cmp::byValue']);
xhprof_test_check_invariants($edges, xhprof_call_tree());

echo "Calls the engine makes by itself: iterators, ArrayAccess, Countable, stream wrappers, unserialize, constructors of attributes:\n";

class Numbers implements Iterator
{
    private int $i = 0;

    public function current(): mixed
    {
        return $this->i;
    }

    public function key(): mixed
    {
        return $this->i;
    }

    public function next(): void
    {
        $this->i++;
    }

    public function rewind(): void
    {
        $this->i = 0;
    }

    public function valid(): bool
    {
        return $this->i < 2;
    }
}

class Box implements ArrayAccess, Countable
{
    public function offsetExists(mixed $o): bool
    {
        return true;
    }

    public function offsetGet(mixed $o): mixed
    {
        return 1;
    }

    public function offsetSet(mixed $o, mixed $v): void
    {
        static $n;
        $n++;
    }

    public function offsetUnset(mixed $o): void
    {
        static $n;
        $n++;
    }

    public function count(): int
    {
        return 3;
    }

    public function __serialize(): array
    {
        return [];
    }

    public function __unserialize(array $data): void
    {
        static $n;
        $n++;
    }
}

class Stream
{
    public $context;

    public function stream_open(string $path): bool
    {
        return true;
    }

    public function stream_close(): void
    {
        static $n;
        $n++;
    }
}

stream_wrapper_register('phpt', Stream::class);

function work(Box $box): void
{
    foreach (new Numbers() as $n) {
    }
    iterator_to_array(new Numbers());
    $box[1] = $box[2];
    unset($box[3]);
    isset($box[4]);
    count($box);
    unserialize(serialize($box));
    fclose(fopen('phpt://x', 'r'));
}

xhprof_enable();
work(new Box());
xhprof_test_profile(xhprof_disable());

echo "Autoloaders: called by the engine from a function, or by class_exists:\n";

$folder = xhprof_test_folder();
file_put_contents("$folder/Loaded.php", '<?php class Loaded extends LoadedParent { function m() { leaf(); } }');
file_put_contents("$folder/LoadedParent.php", '<?php class LoadedParent { function p() { leaf(); } }');

function leaf(): void
{
    static $n;
    $n++;
}

function loader(string $class): void
{
    include $GLOBALS['folder'] . "/$class.php";
}

function uses(): void
{
    $l = new Loaded();
    $l->m();
    $l->p();
}

spl_autoload_register('loader');
xhprof_enable(XHPROF_FLAGS_NO_BUILTINS);
uses();
$edges = xhprof_disable();
$shown = [];
foreach ($edges as $key => $values) {
    $shown[str_replace(basename($folder), 'dir', $key)] = $values;
}
xhprof_test_edges($shown);
xhprof_test_check_invariants($edges, xhprof_call_tree());
?>
--EXPECT--
Callbacks hang on the internal function that calls them:
usort: as often as called
ReflectionFunction::invoke==>double: ct=1
ReflectionMethod::invoke==>Cmp::inc: ct=1
array_filter==>Cmp::__invoke: ct=3
array_map==>Cmp::inc: ct=3
array_map==>double: ct=3
array_map==>strrev: ct=2
array_walk==>double: ct=3
main(): ct=1
main()==>ReflectionFunction::__construct: ct=1
main()==>ReflectionFunction::invoke: ct=1
main()==>ReflectionMethod::__construct: ct=1
main()==>ReflectionMethod::invoke: ct=1
main()==>array_filter: ct=1
main()==>array_map: ct=3
main()==>array_walk: ct=1
main()==>preg_replace_callback: ct=1
main()==>usort: ct=1
main()==>xhprof_disable: ct=1
preg_replace_callback==>{closure:calls/callbacks.php:40}: ct=2
{closure:calls/callbacks.php:40}==>strtoupper: ct=2
invariants: ok
Calls the engine makes by itself: iterators, ArrayAccess, Countable, stream wrappers, unserialize, constructors of attributes:
fclose==>Stream::stream_close: ct=1
fopen==>Stream::stream_open: ct=1
iterator_to_array==>Numbers::current: ct=2
iterator_to_array==>Numbers::key: ct=2
iterator_to_array==>Numbers::next: ct=2
iterator_to_array==>Numbers::rewind: ct=1
iterator_to_array==>Numbers::valid: ct=3
main(): ct=1
main()==>work: ct=1
main()==>xhprof_disable: ct=1
serialize==>Box::__serialize: ct=1
unserialize==>Box::__unserialize: ct=1
work==>Box::count: ct=1
work==>Box::offsetExists: ct=1
work==>Box::offsetGet: ct=1
work==>Box::offsetSet: ct=1
work==>Box::offsetUnset: ct=1
work==>Numbers::current: ct=2
work==>Numbers::next: ct=2
work==>Numbers::rewind: ct=1
work==>Numbers::valid: ct=3
work==>fclose: ct=1
work==>fopen: ct=1
work==>iterator_to_array: ct=1
work==>serialize: ct=1
work==>unserialize: ct=1
invariants: ok
Autoloaders: called by the engine from a function, or by class_exists:
Loaded::m==>leaf: ct=1
LoadedParent::p==>leaf: ct=1
loader==>load::dir/Loaded.php: ct=1
loader==>loader@1: ct=1
loader@1==>load::dir/LoadedParent.php: ct=1
main(): ct=1
main()==>uses: ct=1
uses==>Loaded::m: ct=1
uses==>LoadedParent::p: ct=1
uses==>loader: ct=1
invariants: ok
