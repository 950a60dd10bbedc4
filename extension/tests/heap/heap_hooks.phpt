--TEST--
Heap snapshot: hooks of properties, and what is shared of them
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs("PHP's heap", 'PHP 8.4'); ?>
--FILE--
<?php
require __DIR__ . '/../heap.inc';

eval(<<<'PHP'
class Hooked
{
    private array $parts = [];
    public string $name {
        get => implode(' ', $this->parts);
        set (string|array $value) {
            static $times = ['none'];
            $times[] = str_repeat('t', 30);
            $this->parts = (array) $value;
        }
    }
    public private(set) string $other = 'o' { get { return $this->other; } }
}
class More extends Hooked
{
    public string $name { get => strtoupper(parent::$name::get()); }
    const string TYPED = 'typed';
}
PHP);
$object = new More();
$object->name = [str_repeat('a', 3), 'b'];
$read = $object->name . $object->other;
$heap = xhprof_test_heap();
xhprof_test_heap_check($heap);
function hooks(array $heap, string $class): void
{
    foreach (xhprof_test_heap_at($heap, xhprof_test_heap_root($heap, 'class_table'), $class)['e'] as $edge) {
        $info = $heap['nodes'][$edge[1]];
        if ($edge[0] !== 'property') {
            continue;
        }
        $hooks = [];
        foreach ($info['e'] ?? [] as [$name, $to]) {
            if (str_ends_with($name, ' hook')) {
                $function = $heap['nodes'][$to];
                $statics = xhprof_test_heap_at($heap, $function, 'static variables');
                $hooks[] = "$name {$function['t']} {$function['c']} line {$function['l']}" . ($statics ? " with {$statics['e'][0][0]}" : '');
            }
        }
        echo $class, ' ', $edge[2], ': ', implode(', ', $hooks), "\n";
    }
}
hooks($heap, 'hooked');
hooks($heap, 'more');
echo xhprof_test_heap_text(xhprof_test_heap_at($heap, xhprof_test_heap_root($heap, 'class_table'), 'more', '::TYPED')), "\n";
?>
--EXPECT--
sound
hooked p: 
hooked p: get hook function Hooked::$name::get line 5, set hook function Hooked::$name::set line 6 with times
hooked p: get hook function Hooked::$other::get line 12
more p: get hook function More::$name::get line 16, set hook function Hooked::$name::set line 6 with times
more w: 
more w: get hook function Hooked::$other::get line 12
constant More::TYPED {value}
