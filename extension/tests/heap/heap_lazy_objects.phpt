--TEST--
Heap snapshot: lazy objects, initialised or not, are not initialised by it
--SKIPIF--
<?php
require __DIR__ . '/../heap.inc';
xhprof_test_heap_skip();
PHP_VERSION_ID >= 80400 || die('skip needs PHP 8.4');
?>
--FILE--
<?php
require __DIR__ . '/../lib.inc';
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
$heap = xhprof_test_heap();
xhprof_test_heap_check($heap);
foreach (['ghost', 'proxy', 'awake', 'behind', 'partly'] as $variable) {
    echo "$variable: ", xhprof_test_heap_text(xhprof_test_heap_global($heap, $variable)), ' ',
        $class->isUninitializedLazyObject($$variable) ? 'lazy' : 'there', "\n";
}
echo $heap['footer']['summary']['classes']['Entity']['count'], "\n";
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
6
