--TEST--
What a block holds: objects by their class, their properties; anonymous classes, enums, names of all kinds
--INI--
opcache.enable_cli=0
--FILE--
<?php
require __DIR__ . '/../alloc_types.inc';

class Point
{
    public int $x; // not initialized
    public ?string $label = null;
    public array $tags = ['default', ['of' => 'the class']];
    public mixed $other;
}

class Point3D extends Point
{
    private array $z = [];

    public function __construct() { $this->z[] = random_int(1, 9); }
}

#[AllowDynamicProperties]
class Loose
{
}

class Magic
{
    private array $data = [];

    public function __get(string $name): array
    {
        alloc_types_show('  within __get', alloc_types_of('alloc_types_call'), ['object:Magic']);
        return $this->data[$name] = [$name];
    }
}

enum Suit: string
{
    case Hearts = 'h';
    case Spades = 's';
}

function text(int $i): string { return str_repeat('x', 20 + $i); }

alloc_types_print('declared properties', static function (): array {
    $points = [];
    for ($i = 0; $i < 3; $i++) {
        $points[] = $point = new Point();
        $point->label = text($i);
        $point->other = $point;
    }
    return $points;
});
alloc_types_print('inherited', static fn (): array => [new Point3D(), new Point3D()]);
alloc_types_print('dynamic properties', static function (): Loose {
    $object = new Loose();
    $object->{text(1)} = [random_int(1, 9)];
    return $object;
});
alloc_types_print('from an array', static fn (): object => (object) ['a' => text(1), 'b' => [random_int(1, 9)]]);
alloc_types_print('guards', static function (): Magic {
    $object = new Magic();
    $object->name;
    return $object;
}, ['object:Magic']);
// Made when they are first asked for, and never again.
$cases = alloc_types_kept_by(static fn (): array => [Suit::Hearts, Suit::from('s'), Suit::Spades]);
alloc_types_show('cases of enums', $cases, ['object:Suit']);
// Those of one kind are one type, wherever they are written.
alloc_types_print('anonymous', static fn (): array => [new class {
}, new class {
    public int $i = 1;
}, new class extends Point {
}, new class implements Countable {
    public function count(): int { return 0; }
}], ['object:class@anonymous', 'object:Point@anonymous', 'object:Countable@anonymous']);
alloc_types_print('clones', static fn (): array => [clone new Point3D(), clone new Loose()], ['object:Loose', 'object:Point3D']);
alloc_types_print('exception', static fn (): Throwable => new RuntimeException(text(5)), ['object:RuntimeException', 'string']);

echo "names\n";
$names = ["Caf\xe9", 'ünï\cödé', str_repeat('L', 3000), 'Deep\\' . str_repeat('n\\', 200) . 'Name'];
$code = '';
foreach ($names as $i => $name) {
    $parts = explode('\\', $name);
    $class = array_pop($parts);
    $code .= 'namespace ' . implode('\\', $parts) . " { class $class {} } ";
}
eval($code);
xhprof_enable(XHPROF_FLAGS_ALLOC);
$objects = array_map(static fn (string $name): object => new $name(), $names);
$types = xhprof_test_live_types(xhprof_test_dump(), 'blocks');
preg_match_all('/;\[object:(.*)\]$/m', implode("\n", array_keys($types, 1)), $found);
sort($found[1]);
foreach ($found[1] as $name) {
    if (!str_contains($name, 'Closure')) {
        echo strlen($name), ' ', substr(rawurlencode($name), 0, 40), "\n";
    }
}
?>
--EXPECT--
declared properties: 2 array, 3 object:Point, 3 string
inherited: 6 array, 2 object:Point3D
dynamic properties: 4 array, 1 object:Loose, 1 string
from an array: 4 array, 1 object:stdClass, 1 string
  within __get: 1 object:Magic
guards: 1 object:Magic
cases of enums: 2 object:Suit
anonymous: 1 object:Countable@anonymous, 1 object:Point@anonymous, 2 object:class@anonymous
clones: 1 object:Loose, 1 object:Point3D
exception: 1 object:RuntimeException, 2 string
names
7 Caf%5CxE9
409 Deep%5Cn%5Cn%5Cn%5Cn%5Cn%5Cn%5Cn%5Cn%5Cn
3000 LLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLL
12 %C3%BCn%C3%AF%5Cc%C3%B6d%C3%A9
