--TEST--
A snapshot changes nothing of the program: figures, reference counts, the collector, destructors, autoloading
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs("PHP's heap"); ?>
--FILE--
<?php
require __DIR__ . '/../heap.inc';

class Watched
{
    public ?Watched $other = null;
    public string $text = '';
    public function __destruct() { echo "destructor\n"; }
    public function __get(string $name): mixed { echo "__get($name)\n"; return null; }
    public function __isset(string $name): bool { echo "__isset($name)\n"; return true; }
    public function __debugInfo(): array { echo "__debugInfo\n"; return []; }
    public function __serialize(): array { echo "__serialize\n"; return []; }
}
class Counting extends ArrayObject implements JsonSerializable, Countable
{
    public function getIterator(): Iterator { echo "getIterator\n"; return parent::getIterator(); }
    public function count(): int { echo "count\n"; return 0; }
    public function offsetGet(mixed $key): mixed { echo "offsetGet\n"; return null; }
    public function jsonSerialize(): mixed { echo "jsonSerialize\n"; return null; }
}
spl_autoload_register(static function (string $class): void {
    echo "autoload $class\n";
});
set_error_handler(static function (int $type, string $text): bool {
    echo "error: $text\n";
    return true;
});
register_tick_function(static fn () => null);
function types(NotThere $a, int|AlsoNot $b = 3): ?NorThis { return null; }
$watched = new Watched();
$watched->other = new Watched();
unset($watched->other->text);
$text = str_repeat('t', 3);
$list = [$text, $text, [$text]];
$array = new Counting([1, 2, $text]);
$storage = new SplObjectStorage();
$storage[$watched] = $text;
$queue = new SplPriorityQueue();
$queue->insert($text, 1);
$fixed = SplFixedArray::fromArray([$text, null]);
$dll = new SplDoublyLinkedList();
$dll->push($text);
$period = new DatePeriod(new DateTime('2020-01-01'), new DateInterval('P1D'), 3);
$zone = new DateTimeZone('Europe/Berlin');
$map = new WeakMap();
$map[$watched] = [$text];
$tree = new RecursiveIteratorIterator(new RecursiveArrayIterator([1, [2, 3]]));
$tree->rewind();
$caching = new CachingIterator(new ArrayIterator([$text, $text]));
$caching->rewind();
$append = new AppendIterator();
$append->append(new ArrayIterator([$text]));
$generator = (static function () use ($text): Generator {
    yield [$text];
})();
$generator->current();
$fiber = new Fiber(static function () use ($text): void {
    Fiber::suspend([$text]);
});
$fiber->start();
$reflection = new ReflectionClass('Watched');
$xml = function_exists('simplexml_load_string') ? simplexml_load_string('<a><b>1</b></a>') : null;
for ($i = 0; $i < 20; $i++) {
    $cycle = [$i];
    $cycle[] = &$cycle;
    unset($cycle);
}
/** Reference counts of what all of this holds. */
function counts(): string
{
    ob_start();
    foreach (['watched', 'text', 'list', 'array', 'storage', 'queue', 'fixed', 'dll', 'generator', 'fiber', 'map'] as $name) {
        if (is_object($GLOBALS[$name])) {
            echo "$name ", spl_object_id($GLOBALS[$name]), "\n";
        } else {
            debug_zval_dump($GLOBALS[$name]);
        }
    }
    return ob_get_clean();
}
$file = xhprof_test_folder() . '/unchanged';
$roots = $rootsAfter = $usage = $real = $peak = $usageAfter = $realAfter = $peakAfter = 0;
$counts = $countsAfter = '';
foreach ([[], [], ['format' => 'summary'], ['handlers' => false], ['native' => false], ['scalars' => true, 'max_string' => 1000], ['redact' => true]] as $n => $options) {
    $counts = counts();
    $roots = gc_status()['roots'];
    $real = memory_get_usage(true);
    $usage = memory_get_usage();
    xhprof_heap_snapshot($file, $options);
    $usageAfter = memory_get_usage();
    $realAfter = memory_get_usage(true);
    $rootsAfter = gc_status()['roots'];
    $countsAfter = counts();
    if ($n > 0 && ([$usage, $real, $roots] !== [$usageAfter, $realAfter, $rootsAfter] || $counts !== $countsAfter)) {
        echo json_encode($options), ': ', json_encode([$usage, $real, $roots, $usageAfter, $realAfter, $rootsAfter]), "\n";
        echo $counts === $countsAfter ? '' : "$counts\n$countsAfter\n";
    }
}
echo "the same values:\n";
echo $array[2] ?? 'none', ' ', count((array) $array), ' ', $storage->count(), ' ', $queue->count(), ' ', $fixed[0], ' ', $dll[0], ' ', count($map), "\n";
echo json_encode([iterator_to_array($period)[1]->format('c'), $zone->getName(), iterator_to_array($tree, false), (string) $caching->current(), iterator_to_array($append)]), "\n";
echo json_encode($generator->current()), ' ', $fiber->isSuspended() ? 'suspended' : '', ' ', $reflection->getName(), "\n";
$fiber->resume();
echo "end\n";
?>
--EXPECT--
the same values:
offsetGet
none 3 1 1 ttt ttt 1
["2020-01-02T00:00:00+00:00","Europe\/Berlin",[1,2,3],"ttt",["ttt"]]
["ttt"] suspended Watched
end
destructor
destructor
