--TEST--
What a block holds: lazy objects and proxies (PHP 8.4), which looking at them does not initialize
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('PHP 8.4'); ?>
--INI--
opcache.enable_cli=0
--FILE--
<?php
require __DIR__ . '/../alloc_types.inc';

class Point
{
    public ?string $label = null;
    public array $list;
}

function text(int $i): string
{
    return str_repeat('x', 20 + $i);
}

$class = new ReflectionClass(Point::class);
$only = ['object:Point', 'string'];
$ghost = static fn (bool $initialize): Closure => static function () use ($class, $initialize): Point {
    $point = $class->newLazyGhost(static function (Point $point): void {
        $point->label = text(1);
        $point->list = [text(2)];
        alloc_types_show('  within the initializer', alloc_types_of('alloc_types_call'), ['object:Point', 'string']);
    });
    $initialize && $point->label;
    return $point;
};
$proxy = static fn (bool $initialize): Closure => static function () use ($class, $initialize): Point {
    $point = $class->newLazyProxy(static function (Point $proxy): Point {
        $point = new Point();
        $point->label = text(1);
        return $point;
    });
    $initialize && $point->label;
    return $point;
};
alloc_types_print('ghost', $ghost(false), $only);
alloc_types_print('ghost, initialized', $ghost(true), $only);
alloc_types_print('proxy', $proxy(false), $only);
alloc_types_print('proxy, initialized', $proxy(true), $only);
$point = $ghost(false)();
xhprof_enable(XHPROF_FLAGS_ALLOC);
alloc_types_of('nothing');
xhprof_disable();
var_dump($class->isUninitializedLazyObject($point));
?>
--EXPECT--
ghost: 2 object:Point
  within the initializer: 1 object:Point, 2 string
ghost, initialized: 1 object:Point, 2 string
proxy: 2 object:Point
proxy, initialized: 3 object:Point, 1 string
bool(true)
