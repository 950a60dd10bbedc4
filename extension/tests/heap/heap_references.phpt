--TEST--
Heap snapshot: as many references lead to each thing as its reference count says
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs("PHP's heap"); ?>
--FILE--
<?php
require __DIR__ . '/../heap.inc';

class Above
{
    private array $same = [1];
    protected ?object $other = null;
    public readonly array $once;

    public function __construct()
    {
        $this->same[] = uniqid();
        $this->other = new stdClass();
        $this->once = [uniqid()];
    }

    public function __get(string $name): mixed { return strtoupper($name); }
}
#[AllowDynamicProperties]
final class Below extends Above
{
    public static array $all = [];
    private array $same = [];
    public array $own = ['constant' => [1, 2, 3]];

    public function take(mixed ...$values): static
    {
        $this->same = $values;
        self::$all[] = $this;
        return $this;
    }

    public function each(): Generator
    {
        foreach ($this->same as $key => $value) {
            yield $key => [$value, uniqid()];
        }
    }
}
enum Suit: string
{
    case Hearts = 'h';
    case Spades = 's';
}

$below = (new Below())->take([uniqid()], new ArrayObject([uniqid()]));
$below->dynamic = [uniqid(), &$below->own];
$below->unknown;
$cast = (array) $below;
$clone = clone $below;
$weak = [WeakReference::create($below), new WeakMap()];
$weak[1][$below] = [uniqid()];
$holds = static function () use ($clone, &$cast): array {
    static $calls = [];
    return $calls[] = [$clone, uniqid()];
};
$holds();
$suits = [Suit::Hearts, Suit::from('s')];
$bound = Closure::bind(fn(): array => [$this, $below], $clone, Below::class);
$first = $below->take(...);

function delegates(Generator $inner): Generator { $local = [uniqid()]; return [yield from $inner, $local]; }
function passes(): Generator
{
    // What is on its way to a call while the generator waits.
    return array_merge([uniqid()], [str_repeat('a', 3)], yield, [uniqid()]);
}
$generators = [delegates($below->each()), $below->each(), passes(), delegates(passes())];
foreach ($generators as $generator) {
    $generator->current();
}
$generators[1]->next();
unset($generator);

$fiber = new Fiber(static function (array $given): array {
    $local = [uniqid(), $given];
    foreach ([[uniqid()]] as $looped) {
        $local[] = (static fn(array $item): mixed => Fiber::suspend([$item, $local]))($looped);
    }
    return $local;
});
$suspended = $fiber->start([uniqid()]);
function suspends(): Generator
{
    yield array_filter(joined([uniqid()], Fiber::suspend([uniqid()]), [uniqid()]));
}
function joined(mixed ...$values): array { return $values; }
$running = suspends();
$through = new Fiber(static fn(): mixed => $running->current());
$through->start();

$lists = [new SplObjectStorage(), new SplDoublyLinkedList(), new SplPriorityQueue(), new SplFixedArray(3), new SplMinHeap()];
$lists[0][$below] = [uniqid()];
$lists[1][] = [uniqid()];
$lists[2]->insert([uniqid()], [1, uniqid()]);
$lists[3][1] = [uniqid()];
$lists[4]->insert([uniqid()]);

$cycle = ['first' => [uniqid()]];
$cycle['self'] = &$cycle;
$exception = new LogicException('a', 1, new RuntimeException('b'));
eval('final class Evaluated { public array $list = [[1], [2]]; } $evaluated = new Evaluated();');
$class = new ReflectionClass(Above::class);
if (method_exists($class, 'newLazyGhost')) { // PHP 8.4
    $lazy = [$class->newLazyGhost(static function (Above $above) use ($below): void {
    }), $class->newLazyProxy([new ArrayObject([uniqid()]), 'getIterator']), $class->newLazyProxy(static fn(Above $proxy): Above => new Above())];
    isset($lazy[2]->once);
}

function called(array $first): array
{
    $local = [uniqid(), $first];
    extract(['extracted' => [uniqid()]]);
    return deeper([uniqid()], named: [uniqid()], other: [uniqid()]);
}
function deeper(array $first, mixed ...$rest): array
{
    foreach ([[uniqid()], $rest] as $looped) {
        return [[uniqid()], fewer([uniqid()], [uniqid()], $first)];
    }
}
function fewer(array $one): array { return (fn(): array => xhprof_test_heap())(); }
[1 => $heap] = called([uniqid()]);
xhprof_test_heap_check($heap);

$references = [];
foreach ($heap['nodes'] as $address => $node) {
    foreach ($node['t'] === 'native' ? [] : $node['e'] ?? [] as $edge) {
        if ($edge[1] !== null && ($edge[2] ?? '') !== 'w') {
            $references[$edge[1]][] = "{$node['t']} " . ($node['c'] ?? '') . " {$edge[0]}";
        }
    }
}
$counted = $bad = [];
foreach ($heap['nodes'] as $address => $node) {
    if (!isset($node['r']) || in_array($node['t'], ['string', 'native', 'unreachable'], true)) {
        continue; // a string's name may be held by what does not count it
    }
    $counted[$node['t']] = ($counted[$node['t']] ?? 0) + 1;
    if (count($references[$address] ?? []) !== $node['r']) {
        $bad[] = "{$node['t']} " . ($node['c'] ?? '') . " has {$node['r']}: " . implode(', ', $references[$address] ?? []);
    }
}
ksort($counted);
echo implode(', ', array_keys($counted)), "\n";
echo count($bad), " differ\n", implode("\n", array_slice($bad, 0, 10)), $bad ? "\n" : '';
?>
--EXPECT--
sound
array, closure, enum case, fiber, generator, object, reference, resource
0 differ
