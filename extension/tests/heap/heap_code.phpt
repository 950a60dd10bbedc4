--TEST--
Heap snapshot: functions and classes with all their parts
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs("PHP's heap"); ?>
--INI--
opcache.enable_cli=0
--FILE--
<?php
require __DIR__ . '/../heap.inc';

eval(<<<'PHP'
#[Attribute]
class Note { public function __construct(public array $of = []) {} }
interface HasArea { const UNIT = 'm' . PHP_INT_SIZE; public function area(int|float $by): int|float; }
trait Named { public static array $named = []; private array $names = ['a' => [1]]; public function name() { static $calls = [0]; return $calls; } public function other() {} }
trait Renamed { public function name() {} }
/** A comment that belongs to the class */
#[Note(of: ['k' => ['deep']])]
abstract class Shape implements HasArea, Countable {
    use Named, Renamed { Named::name insteadof Renamed; Renamed::name as protected renamed; }
    /** Of a constant */
    public const SIDES = ['list' => [1, 2]], SELF = self::SIDES['list'];
    /** Of a property */
    #[Note] public ?HasArea $next = null;
    public array $options = ['color' => ['red']];
    public static ?Shape $last = null;
    protected static array $all = [];
    public function __construct(public readonly string $title = 'none') { self::$last = $this; self::$all[] = $this; }
    /** Of a method */
    public function count(): int { try { foreach ([$this->title] as $i) { $n = $i . PHP_OS; } } finally { $done = true; } return 0; }
}
class Circle extends Shape { public function area(int|float $by): int|float { return $by; } public function count(): int { return 1; } }
enum Suit: string { const Wild = self::Spades; case Hearts = 'h'; case Spades = 's'; }
/** Of a function */
function declares(/** Of an argument */ array $a = ['x' => ['y']], HasArea&Countable ...$rest) {
    static $kept = ['first'];
    $kept[] = str_repeat('k', 40);
    return function () use ($a) { static $inside = []; $inside[] = $a; return function () { return 1; }; };
}
PHP);
class_alias('Circle', 'Round');
declares()()();
$circle = new Circle('round');
$circle->name();
$hearts = Suit::from('h');
const OF_PROGRAM = ['a' => ['b']];
define('DEFINED', str_repeat('d', 30));

$heap = xhprof_test_heap();
xhprof_test_heap_check($heap);
$functions = xhprof_test_heap_root($heap, 'function_table');
$classes = xhprof_test_heap_root($heap, 'class_table');

/** Closures' names have more to them since 8.4. */
function plain(string $name): string
{
    return str_starts_with($name, '{closure') ? '{closure}' : $name;
}
/** Its references: "name kind: type"; the same ones once. Strings that name something may be interned, or not. */
function references(array $heap, ?array $node): string
{
    $lines = [];
    foreach ($node['e'] ?? [] as $edge) {
        $to = $heap['nodes'][$edge[1]];
        if (in_array($edge[0], ['name', 'key', 'file', 'variable'], true)) {
            continue;
        }
        $kind = ['p' => ' (part)', 'w' => ' (weak)'][$edge[2] ?? ''] ?? '';
        $lines["  $edge[0]$kind: {$to['t']}" . (in_array($to['t'], ['function', 'class', 'constant', 'enum case'], true) ? ' ' . plain($to['c']) : '')] = true;
    }
    ksort($lines);
    return implode("\n", array_keys($lines)) . "\n";
}
/** Bytes that the parts of these names use. */
function sizes(array $heap, array $node, string ...$parts): string
{
    $sizes = [];
    foreach ($parts as $part) {
        $to = xhprof_test_heap_at($heap, $node, $part);
        $sizes[] = "$part " . ($to === null ? 'missing' : $to['s'] . ($to['b'] ?? 0 ? '' : ' elsewhere'));
    }
    return implode(', ', $sizes) . "\n";
}

$declares = xhprof_test_heap_at($heap, $functions, 'declares');
echo xhprof_test_heap_text(['e' => []] + $declares), ', line ', $declares['l'], ', ', str_contains($declares['f'], "eval()'d") ? 'of eval' : $declares['f'], "\n";
echo references($heap, $declares);
echo sizes($heap, $declares, 'refcount', 'variables', 'doc comment', 'declared functions');
// Since 8.6 an argument has room for a comment, and the comment.
$size = xhprof_test_heap_at($heap, $declares, 'arguments')['s'];
echo $size === 2 * (PHP_VERSION_ID < 80600 ? 32 : 40) ? 'two arguments' : "arguments of $size bytes", "\n";
$comments = [];
foreach ($declares['e'] as $edge) {
    $edge[0] === 'doc comment' && $comments[] = $heap['nodes'][$edge[1]]['v'];
}
echo array_diff($comments, PHP_VERSION_ID < 80600 ? [] : ['/** Of an argument */']) === ['/** Of a function */'] ? 'comments' : json_encode($comments), "\n";
echo implode(' ', array_keys(array_column(xhprof_test_heap_at($heap, $declares, 'static variables')['e'], 1, 0))), ': ',
    xhprof_test_heap_text(xhprof_test_heap_at($heap, $declares, 'static variables', 'kept', 'value') ?? xhprof_test_heap_at($heap, $declares, 'static variables', 'kept')), "\n";
echo xhprof_test_heap_at($heap, $declares, 'doc comment')['v'], "\n";
$closure = xhprof_test_heap_at($heap, $declares, 'declared function');
echo plain($closure['c']), ' declares ', plain(xhprof_test_heap_at($heap, $closure, 'declared function')['c']), "\n";

echo "-- class\n";
$shape = xhprof_test_heap_at($heap, $classes, 'shape');
echo xhprof_test_heap_text(['e' => []] + $shape), ', line ', $shape['l'], "\n";
echo references($heap, $shape);
echo xhprof_test_heap_at($heap, $shape, 'doc comment')['v'], "\n";
echo 'static: ', xhprof_test_heap_at($heap, $shape, '::$last')['c'], ', ', xhprof_test_heap_at($heap, $shape, '::$all')['n'], "\n";
echo 'default: ', xhprof_test_heap_at($heap, $shape, 'default of $options', 'color', 0)['v'] ?? 'interned', "\n";
echo 'attribute: ', xhprof_test_heap_text(xhprof_test_heap_at($heap, $shape, 'attributes', 'argument')), "\n";
$property = null;
foreach ($shape['e'] as $edge) {
    $to = $heap['nodes'][$edge[1]];
    if ($edge[0] === 'property' && xhprof_test_heap_at($heap, $to, 'doc comment') !== null) {
        $property = $to;
    }
}
echo "property:\n", references($heap, $property);
echo "method:\n", references($heap, xhprof_test_heap_at($heap, $shape, 'count()'));
echo "constant:\n", references($heap, xhprof_test_heap_at($heap, $shape, '::SIDES'));
$evaluated = xhprof_test_heap_at($heap, $shape, '::SELF', 'value') ?? [];
echo 'constant of constants: ', $evaluated['t'] ?? 'none', "\n";

echo "-- class that extends\n";
echo references($heap, xhprof_test_heap_at($heap, $classes, 'circle'));
echo xhprof_test_heap_at($heap, $classes, 'round')['c'], "\n";

echo "-- enum\n";
$suit = xhprof_test_heap_at($heap, $classes, 'suit');
echo references($heap, $suit);
echo xhprof_test_heap_text(xhprof_test_heap_at($heap, $suit, 'enum table')), "\n";
echo xhprof_test_heap_at($heap, $suit, '::Hearts', 'value')['t'], ' ', xhprof_test_heap_at($heap, $suit, '::Hearts', 'value')['c'], "\n";

echo "-- constants and files\n";
$constants = xhprof_test_heap_root($heap, 'global_constants');
echo xhprof_test_heap_at($heap, $constants, 'DEFINED', 'value')['v'], ' ', xhprof_test_heap_at($heap, $constants, 'OF_PROGRAM', 'value', 'a')['t'], "\n";
$files = array_map(static fn (array $edge): string => basename($heap['nodes'][$edge[1]]['v']), array_filter(xhprof_test_heap_root($heap, 'included_files')['e'], static fn (array $edge): bool => $edge[0] !== 'table'));
echo in_array('heap.inc', $files, true) && in_array('lib.inc', $files, true) ? 'included' : implode(' ', $files), "\n";
$internal = xhprof_test_heap_at($heap, $functions, 'strlen');
echo $internal['t'], ' ', $internal['c'], ' ', $internal['l'] ?? 'no line', ' ', $internal['b'] ?? 'no block', "\n";
$interned = array_filter(xhprof_test_heap_root($heap, 'interned_strings')['e'], static fn (array $edge): bool => ($heap['nodes'][$edge[1]]['v'] ?? '') === 'declares');
echo count($interned), " interned\n";
?>
--EXPECT--
sound
function declares, line 24, of eval
  arguments (part): function part
  declared function (part): function {closure}
  declared functions (part): function part
  doc comment (part): string
  literal (part): array
  live ranges (part): function part
  opcodes (part): opcodes
  refcount (part): function part
  runtime cache (part): runtime cache
  static variables (part): array
  static variables at first (part): array
  types (part): function part
  variables (part): function part
refcount 4, variables 24, doc comment 48, declared functions 8
two arguments
comments
kept key table: array n=2 r=1 {0, 1}
/** Of a function */
{closure} declares {closure}
-- class
class Shape, line 8
  ::$all: array
  ::$last: object
  ::$named: array
  ::SELF: constant Shape::SELF
  ::SIDES: constant Shape::SIDES
  ::UNIT (weak): constant HasArea::UNIT
  __construct(): function Shape::__construct
  area() (weak): function HasArea::area
  attributes (part): class part
  constants (part): class part
  count(): function Shape::count
  default (part): array
  default of $names (part): array
  default of $options (part): array
  default properties (part): class part
  default static members (part): class part
  doc comment (part): string
  interface (part): class Countable
  interface (part): class HasArea
  interfaces (part): class part
  methods (part): class part
  name(): function Shape::name
  other(): function Shape::other
  properties (part): class part
  properties by slot (part): class part
  property (part): class part
  renamed(): function Shape::renamed
  static members (part): class part
  trait alias (part): class part
  trait aliases (part): class part
  trait precedence (part): class part
  trait precedences (part): class part
  traits (part): class part
/** A comment that belongs to the class */
static: Circle, 1
default: red
attribute: string v="of" n=2 r=1
property:
  attributes (part): class part
  doc comment (part): string
method:
  arguments (part): function part
  class (weak): class Shape
  doc comment (part): string
  live ranges (part): function part
  opcodes (part): opcodes
  refcount (part): function part
  try/catch (part): function part
  variables (part): function part
constant:
  doc comment (part): string
  value: array
constant of constants: array
-- class that extends
  ::SELF (weak): constant Shape::SELF
  ::SIDES (weak): constant Shape::SIDES
  ::UNIT (weak): constant HasArea::UNIT
  __construct() (weak): function Shape::__construct
  area(): function Circle::area
  constants (part): class part
  count(): function Circle::count
  default of $names (part): array
  default of $options (part): array
  default properties (part): class part
  default static members (part): class part
  interface (part): class Countable
  interface (part): class HasArea
  interfaces (part): class part
  methods (part): class part
  name() (weak): function Shape::name
  other() (weak): function Shape::other
  parent (part): class Shape
  properties (part): class part
  properties by slot (part): class part
  property (weak): class part
  renamed() (weak): function Shape::renamed
  static members (part): class part
Circle
-- enum
  ::Hearts: constant Suit::Hearts
  ::Spades: constant Suit::Spades
  ::Wild: constant Suit::Wild
  cases(): function Suit::cases
  constants (part): class part
  default properties (part): class part
  enum table (part): array
  from(): function Suit::from
  interface (part): class BackedEnum
  interface (part): class UnitEnum
  interfaces (part): class part
  methods (part): class part
  properties (part): class part
  properties by slot (part): class part
  property (part): class part
  tryfrom(): function Suit::tryFrom
array n=2 r=1 {h, s}
enum case Suit
-- constants and files
dddddddddddddddddddddddddddddd array
included
function strlen no line no block
1 interned
