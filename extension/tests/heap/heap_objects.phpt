--TEST--
Heap snapshot: objects with their properties, enums, closures, methods, static members
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs("PHP's heap"); ?>
--FILE--
<?php
require __DIR__ . '/../heap.inc';

class Base
{
    private string $hidden;
    protected ?Base $other = null;
    public static array $registry = [];
    public function __construct(string $hidden)
    {
        $this->hidden = $hidden;
    }
}
final class Child extends Base
{
    private string $hidden;
    public string $uninitialised;
    public readonly array $fixed;
    public function __construct(string $hidden, ?Base $other = null)
    {
        parent::__construct($hidden);
        $this->hidden = $hidden . '-own';
        $this->other = $other;
        $this->fixed = [str_repeat('f', 3)];
    }
    public function bound(): Closure
    {
        $kept = [str_repeat('k', 5)];
        return function () use ($kept): int {
            return count($kept) + strlen($this->hidden);
        };
    }
}
#[AllowDynamicProperties]
class Dynamic
{
    public int $declared = 1;
    public ?string $unset = 'x';
}
enum Suit: string
{
    case Hearts = 'H';
    case Spades = 'S';
    const WILD = self::Spades;
}
enum Plain
{
    case One;
}
abstract class Anonymous
{
}
function counts(): Closure
{
    static $calls = [];
    $calls[] = str_repeat('c', 3);
    return Closure::fromCallable('counts'); // of counts(...) the engine may keep one
}
$base = new Base(str_repeat('h', 3));
$child = new Child(str_repeat('i', 3), $base);
Base::$registry = ['child' => $child];
$dynamic = new Dynamic();
$dynamic->{'added'} = str_repeat('d', 3);
$dynamic->{'12'} = str_repeat('t', 3);
unset($dynamic->unset);
$std = (object) ['a' => [1], 'b' => str_repeat('b', 3)];
$suit = Suit::Hearts;
$plain = [Plain::One, Plain::One, Suit::WILD];
$bound = $child->bound();
$scoped = Closure::bind(static fn (): int => 1, null, Child::class);
$callable = counts();
$method = $child->bound(...);
$builtin = Closure::fromCallable('strlen');
$anonymous = new class extends Anonymous {
    public array $list = [1, 2];
};
$many = [];
for ($i = 0; $i < 1234; $i++) {
    $many[] = new Base("number $i");
}
$cycle = new Child('cycle');
$cycle2 = new Child('cycle', $cycle);
(function () use ($cycle2): void {
    $this->other = $cycle2;
})->call($cycle);
$cloned = clone $std;
$exception = new LogicException(str_repeat('m', 3), 7, new RuntimeException('previous'));

$heap = xhprof_test_heap();
xhprof_test_heap_check($heap);
$at = static fn (string $variable, string|int ...$names): ?array => xhprof_test_heap_global($heap, $variable, ...$names);
$show = static function (string $variable, string|int ...$names) use ($at): void {
    echo implode('.', [$variable, ...$names]), ': ', preg_replace('/@anonymous\x00.*?\$\w+/', '@anonymous', xhprof_test_heap_text($at($variable, ...$names))), "\n";
};
foreach (['Base', 'Child', 'Dynamic', 'stdClass', 'Suit', 'Plain', 'LogicException', 'RuntimeException'] as $class) {
    echo $class, ' ', $heap['footer']['summary']['classes'][$class]['count'] ?? 0, "\n";
}
$show('base');
$show('base', 'hidden');
$show('child');
$show('child', 'fixed', 0);
echo $at('child', 'other')['a'] === $at('base')['a'] ? "the same\n" : "another\n";
$show('dynamic');
$show('dynamic', 'added');
$show('std', 'properties', 'b');
$show('cloned', 'properties', 'b');
$show('suit');
$show('plain', 0);
$show('plain', 2);
echo $at('plain', 0)['a'] === $at('plain', 1)['a'] ? "one case\n" : "two\n";
foreach (['bound', 'scoped', 'callable', 'method', 'builtin'] as $closure) {
    $show($closure);
    $show($closure, 'this');
    $show($closure, 'static variables');
}
$show('bound', 'static variables', 'kept', 0);
$show('anonymous');
echo $at('cycle', 'other')['a'] === $at('cycle2')['a'] && $at('cycle2', 'other')['a'] === $at('cycle')['a'] ? "a cycle\n" : "none\n";
$show('exception', 'message');
$show('exception', 'previous', 'message');
$class = xhprof_test_heap_at($heap, xhprof_test_heap_root($heap, 'class_table'), 'base');
echo $class['t'], ' ', $class['c'], ' ', $class['f'] === __FILE__ ? 'its file ' : 'no file ', $class['l'], "\n";
foreach ($heap['nodes'] as $node) {
    if ($node['t'] === 'closure' && $node['a'] === $at('bound')['a']) {
        echo $node['f'] === __FILE__ ? 'its file ' : 'no file ', $node['l'] ?? 0, "\n";
    }
}
?>
--EXPECT--
sound
Base 1235
Child 3
Dynamic 1
stdClass 2
Suit 2
Plain 1
LogicException 1
RuntimeException 1
base: object Base r=2 {hidden}
base.hidden: string v="hhh" n=3 r=1
child: object Child r=4 {Base::hidden, other, hidden, fixed}
child.fixed.0: string v="fff" n=3 r=1
the same
dynamic: object Dynamic r=1 {added, 12}
dynamic.added: string v="ddd" n=3 r=1
std.properties.b: string v="bbb" n=3 r=1
cloned.properties.b: string v="bbb" n=3 r=1
suit: enum case Suit r=2 {name, value}
plain.0: enum case Plain r=3 {name}
plain.2: enum case Suit r=3 {name, value}
one case
bound: closure Closure r=1 {class/w, this}
bound.this: object Child r=4 {Base::hidden, other, hidden, fixed}
bound.static variables: array n=1 r=1 {kept}
scoped: closure Closure r=1 {class/w}
scoped.this: nothing
scoped.static variables: nothing
callable: closure Closure r=1
callable.this: nothing
callable.static variables: array n=1 r=1 {calls}
method: closure Closure r=1 {class/w, this}
method.this: object Child r=4 {Base::hidden, other, hidden, fixed}
method.static variables: nothing
builtin: closure Closure r=1
builtin.this: nothing
builtin.static variables: nothing
bound.static variables.kept.0: string v="kkkkk" n=5 r=1
anonymous: object Anonymous@anonymous r=1 {list}
a cycle
exception.message: string v="mmm" n=3 r=1
exception.previous.message: string v="previous" n=8
class Base its file 4
its file 29
