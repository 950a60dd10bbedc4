--TEST--
Heap snapshot: 300 classes that refer to one another, with and without opcache: 99 % of the heap has a type
--SKIPIF--
<?php
require __DIR__ . '/../needs.inc';
xhprof_test_needs("PHP's heap");
xhprof_test_other_figures() && die('skip with the address sanitizer what is in an arena has blocks of its own');
?>
--FILE--
<?php
require __DIR__ . '/../heap.inc';

if (($argv[1] ?? '') === 'child') {
    [, , $folder, $file] = $argv;
    spl_autoload_register(static fn (string $class) => require "$folder/" . strtr($class, '\\', '_') . '.php');
    $objects = [];
    for ($i = 0; $i < 300; $i++) {
        $class = "Many\\Class$i";
        $objects[] = $object = new $class();
        $object->call($i);
        $object::$own[] = $object;
        $objects[] = "Many\\Enum$i"::from($i);
    }
    $usage = memory_get_usage();
    $summary = xhprof_heap_snapshot($file);
    echo $usage === $summary['usage'] ? '' : "usage $usage {$summary['usage']}\n";
    echo xhprof_test_heap_typed($summary) >= 99 ? '' : "typed {$summary['typed_percent']} %\n";
    echo $summary['unreadable'], ' unreadable, ', $summary['unreachable']['blocks'], ' unreachable, ', count(array_filter(array_keys($summary['classes']), static fn (string $name): bool => str_starts_with($name, 'Many\\'))), " classes of objects\n";
    exit;
}
$folder = xhprof_test_folder();
for ($i = 0; $i < 300; $i++) {
    $parent = $i % 3 ? '\\Many\\Class' . ($i - 1) : '';
    $extends = $parent ? "extends $parent" : '';
    $next = '\\Many\\Class' . ($i + 1) % 300;
    $code = <<<PHP
        <?php
        declare(strict_types=1);
        namespace Many;
        /** Of class $i */
        #[\\Attribute]
        class Class$i $extends implements Interface$i
        {
            use Trait$i { shared as protected renamed; }
            const LIST$i = ['a' => [self::class, \\PHP_INT_MAX], 'b' => Enum$i::Closed];
            /** Of a property */
            public readonly ?$next \$next$i;
            protected array \$options$i = self::LIST$i;
            public static array \$own = [];
            #[Class$i]
            public function call(int|string \$n, null|\\Countable ...\$more): static|array|null
            {
                static \$calls = 0;
                try {
                    \$closures = [];
                    foreach (\$this->options$i as \$key => \$value) {
                        \$closures[\$key] = fn (string \$text = __CLASS__) => match (true) {
                            \$calls++ > 1 => [\$text, \$value],
                            default => \$this->shared(\$key) . "more \$n",
                        };
                    }
                    \$closures['a']();
                } catch (\\RuntimeException | \\LogicException \$exception) {
                    throw new \\Exception('of $i', \$i ?? 1, \$exception);
                } finally {
                    \$done = true;
                }
                return \$closures;
            }
        }
        PHP;
    file_put_contents("$folder/Many_Class$i.php", $code);
    file_put_contents("$folder/Many_Interface$i.php", "<?php namespace Many; interface Interface$i extends \\Countable, \\Stringable { const ONE$i = $i; }");
    file_put_contents("$folder/Many_Trait$i.php", "<?php namespace Many; trait Trait$i { private static \$of_trait$i = ['t' => [$i]]; public function shared(\$a) { static \$s$i = ['x']; return (string) \$a; } public function count(): int { return $i; } public function __toString(): string { return __METHOD__; } }");
    file_put_contents("$folder/Many_Enum$i.php", "<?php namespace Many; enum Enum$i: int { case Open = $i; case Closed = -1; const Default = self::Open; public function label(): string { return ucfirst(\$this->name); } }");
}
chmod($folder, 0755);
$opcache = ['opcache.enable_cli' => 1, 'opcache.file_update_protection' => 0];
$jit = $opcache + ['opcache.jit_buffer_size' => '32M', 'opcache.jit' => 'tracing', 'opcache.jit_hot_func' => 2];
$available = xhprof_test_available('opcache') || xhprof_test_available('Zend OPcache');
foreach (['the heap' => [], "opcache's memory" => $opcache, "opcache's memory, with JIT" => $jit] as $place => $ini) {
    echo "-- $place\n";
    if ($ini && !$available) {
        echo "0 unreadable, 0 unreachable, 600 classes of objects\nsound\n300 whole, 300 with opcodes there\n";
        continue;
    }
    $file = "$folder/heap";
    xhprof_test_show(xhprof_test_child(__FILE__, ['child', $folder, $file], $ini, $ini ? ['opcache'] : []));
    $heap = xhprof_test_heap_read($file);
    xhprof_test_heap_check($heap);
    $classes = xhprof_test_heap_root($heap, 'class_table');
    $whole = $there = 0;
    for ($i = 0; $i < 300; $i++) {
        $class = xhprof_test_heap_at($heap, $classes, "many\\class$i");
        $opcodes = xhprof_test_heap_at($heap, $class, 'call()', 'opcodes');
        $whole += $class['t'] === 'class' && $opcodes['t'] === 'opcodes'
            && (xhprof_test_heap_at($heap, $class, 'call()', 'runtime cache')['t'] ?? '') === 'runtime cache'
            && (xhprof_test_heap_at($heap, $class, 'shared()')['c'] ?? '') === "Many\\Class$i::shared"
            && (xhprof_test_heap_at($heap, $class, '::$own', 0)['t'] ?? '') === 'object'
            && (xhprof_test_heap_at($heap, $class, "::LIST$i", 'value')['t'] ?? '') === 'array';
        $there += $ini ? ($opcodes['m'] ?? false) && !isset($opcodes['b']) : ($opcodes['b'] ?? 0) >= $opcodes['s'];
    }
    echo "$whole whole, $there with opcodes there\n";
    unlink($file);
}
?>
--EXPECT--
-- the heap
0 unreadable, 0 unreachable, 600 classes of objects
sound
300 whole, 300 with opcodes there
-- opcache's memory
0 unreadable, 0 unreachable, 600 classes of objects
sound
300 whole, 300 with opcodes there
-- opcache's memory, with JIT
0 unreadable, 0 unreachable, 600 classes of objects
sound
300 whole, 300 with opcodes there
