--TEST--
Heap snapshot: closures in constant expressions, before they are evaluated and afterwards
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs("PHP's heap", 'PHP 8.5'); ?>
--INI--
opcache.enable_cli=0
--FILE--
<?php
require __DIR__ . '/../heap.inc';

eval(<<<'PHP'
#[Attribute]
class Check { public function __construct(public ?Closure $by = null) {} }
class Model
{
    const FILTER = static function (string $text): array { static $seen = []; $seen[] = $text; return $seen; };
    const ALL = [1, [static function (): array { return ['nested']; }], 'inner' => strrev(...)];
    #[Check(static function (): array { return ['attribute']; })]
    public Closure $default = static function (): array { return ['default']; };
    public static ?Closure $shared = static function (): array { return ['shared']; };
    public function takes(Closure $by = static function (): array { return ['parameter']; }): Closure { return $by; }
}
const TOP = static function (): array { return ['top']; };
PHP);

/** The node at the end of these names; of a constant expression and of an array, what is in it. */
function there(array $heap, ?array $node): string
{
    if ($node === null) {
        return 'nothing';
    }
    if ($node['t'] === 'function') {
        $opcodes = xhprof_test_heap_at($heap, $node, 'opcodes');
        return "function of line $node[l]" . ($opcodes['b'] ?? 0 ? '' : ' without opcodes');
    }
    if ($node['t'] !== 'constant expression' && $node['t'] !== 'array') {
        return $node['t'];
    }
    $parts = [];
    foreach ($node['e'] ?? [] as $edge) {
        if (($edge[2] ?? '') !== 'p' && $heap['nodes'][$edge[1]]['t'] !== 'string') {
            $parts[] = there($heap, $heap['nodes'][$edge[1]]);
        }
    }
    return "$node[t] (" . implode(', ', $parts) . ')';
}

function show(): void
{
    $heap = xhprof_test_heap();
    xhprof_test_heap_check($heap);
    $class = xhprof_test_heap_at($heap, xhprof_test_heap_root($heap, 'class_table'), 'model');
    foreach ([['::FILTER', 'value'], ['::ALL', 'value'], ['default of $default'], ['::$shared'], ['default'], ['takes()', 'literal']] as $names) {
        echo implode(' ', $names), ': ', there($heap, xhprof_test_heap_at($heap, $class, ...$names)), "\n";
    }
    foreach ($class['e'] as $edge) {
        $attributes = $edge[0] === 'property' ? xhprof_test_heap_at($heap, $edge[1], 'attributes') : null;
        echo $attributes === null ? '' : 'attribute: ' . there($heap, xhprof_test_heap_at($heap, $attributes, 'argument')) . "\n";
    }
    echo 'TOP: ', there($heap, xhprof_test_heap_at($heap, xhprof_test_heap_root($heap, 'global_constants'), 'TOP', 'value')), "\n";
}

show();
$model = new Model();
$seen = (Model::FILTER)(str_repeat('s', 30));
$made = [Model::ALL, $model->takes(), Model::$shared, (new ReflectionProperty(Model::class, 'default'))->getAttributes()[0]->newInstance()];
echo "-- evaluated\n";
show();
$heap = xhprof_test_heap();
$closure = xhprof_test_heap_at($heap, xhprof_test_heap_root($heap, 'class_table'), 'model', '::FILTER', 'value');
echo xhprof_test_heap_text($closure), "\n";
echo xhprof_test_heap_text(xhprof_test_heap_at($heap, $closure, 'static variables', 'seen', 'value')), "\n";
echo xhprof_test_heap_text(xhprof_test_heap_global($heap, 'model', 'default')), "\n";
?>
--EXPECT--
sound
::FILTER value: constant expression (function of line 5)
::ALL value: constant expression (function of line 6)
default of $default: constant expression (function of line 8)
::$shared: nothing
default: constant expression (function of line 9)
takes() literal: constant expression (function of line 10)
attribute: constant expression (function of line 7)
TOP: closure
-- evaluated
sound
::FILTER value: closure
::ALL value: array (array (closure), closure)
default of $default: closure
::$shared: closure
default: constant expression (function of line 9)
takes() literal: constant expression (function of line 10)
attribute: constant expression (function of line 7)
TOP: closure
closure Closure r=1 {class/w}
array n=1 r=2 {0}
closure Closure r=2 {class/w}
