--TEST--
Heap snapshot: lazy objects, initialised or not, are not initialised by it
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs("PHP's heap", 'PHP 8.4'); ?>
--FILE--
<?php
require __DIR__ . '/../heap.inc';

class Entity
{
    public string $name;
    public array $rows = [];
    public string $hooked {
        get {
            echo "hook\n";
            return 'x';
        }
    }
    public function __construct(string $name)
    {
        $this->name = $name;
        $this->rows = [str_repeat('r', 3)];
    }
}
final class Factory
{
    public function __construct(public string $text)
    {
    }
    public function make(): Entity
    {
        return new Entity($this->text);
    }
}
$class = new ReflectionClass(Entity::class);
$initializer = static function (Entity $entity): void {
    echo "initialised\n";
    $entity->__construct(str_repeat('i', 3));
};
$factory = static function (): Entity {
    echo "made\n";
    return new Entity(str_repeat('p', 3));
};
$ghost = $class->newLazyGhost($initializer);
$proxy = $class->newLazyProxy($factory);
$awake = $class->newLazyGhost($initializer);
$awake->name;
$behind = $class->newLazyProxy($factory);
$behind->name;
$partly = $class->newLazyGhost($initializer);
$class->getProperty('rows')->setRawValueWithoutLazyInitialization($partly, [str_repeat('q', 3)]);
$held = str_repeat('h', 40);
$holds = $class->newLazyGhost(static function (Entity $entity) use ($held): void {
    echo "initialised\n";
});
$method = $class->newLazyProxy([new Factory(str_repeat('f', 40)), 'make']);
unset($held);
$heap = xhprof_test_heap();
xhprof_test_heap_check($heap);
foreach (['ghost', 'proxy', 'awake', 'behind', 'partly'] as $variable) {
    echo "$variable: ", xhprof_test_heap_text(xhprof_test_heap_global($heap, $variable)), ' ',
        $class->isUninitializedLazyObject($$variable) ? 'lazy' : 'there', "\n";
}
echo $heap['footer']['summary']['classes']['Entity']['count'], "\n";
$closure = xhprof_test_heap_global($heap, 'holds', 'initializer');
echo xhprof_test_heap_text($closure), ': ', xhprof_test_heap_text(xhprof_test_heap_at($heap, $closure, 'static variables', 'held')), "\n";
$factory = xhprof_test_heap_global($heap, 'method', 'initializer', 0);
echo xhprof_test_heap_text($factory), ': ', xhprof_test_heap_text(xhprof_test_heap_at($heap, $factory, 'text')), "\n";
$instance = xhprof_test_heap_global($heap, 'behind', 'instance');
echo xhprof_test_heap_text($instance), ': ', xhprof_test_heap_text(xhprof_test_heap_at($heap, $instance, 'name')), "\n";
?>
--EXPECT--
initialised
made
sound
ghost: object Entity r=1 lazy
proxy: object Entity r=1 lazy
awake: object Entity r=1 {name, rows} there
behind: object Entity r=1 there
partly: object Entity r=1 {rows} lazy
8
closure Closure r=2: string v="hhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhh" n=40 r=1
object Factory r=2 {text}: string v="ffffffffffffffffffffffffffffffffffffffff" n=40 r=1
object Entity r=1 {name, rows}: string v="ppp" n=3 r=1
