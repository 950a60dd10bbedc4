--TEST--
Heap snapshot while a file is compiled: its text, its syntax tree, what has been declared so far
--SKIPIF--
<?php
require __DIR__ . '/../needs.inc';
xhprof_test_needs("PHP's heap");
PHP_VERSION_ID >= 80500 && die('skip since PHP 8.5 the compiler reports its errors when it is done: nothing of the program runs meanwhile');
xhprof_test_other_figures() && die('skip with the address sanitizer what is in an arena has blocks of its own');
?>
--INI--
opcache.enable_cli=0
--FILE--
<?php
require __DIR__ . '/../heap.inc';

$source = "<?php\nnamespace Being\\Compiled;\nuse Some\\Thing, Other\\Thing as Alias;\nuse function some\\call;\n";
for ($i = 0; $i < 300; $i++) {
    $source .= <<<PHP
        /** Before $i */
        class Before$i { const LIST = ['a$i' => ['deep $i']]; public \$property = 'default $i'; function method() { return fn (\$x) => [\$x, 'literal $i']; } }
        function before$i(array|string \$list = ['of $i']) { try { return \$list['index $i']; } finally { echo 'end $i'; } }

        PHP;
}
// A parameter without a default behind one with it: the compiler reports it in the midst of its work.
$source .= "function between(\$a) { \$local = ['in the midst' => \$a]; return function (\$optional = 1, \$required) { return 'inner'; }; }\n"
    . str_replace(['Before', 'before'], ['After', 'after'], substr($source, strpos($source, '/**')));
$file = xhprof_test_folder() . '/source.inc';
file_put_contents($file, $source);

$heap = null;
set_error_handler(static function (int $level, string $message) use (&$heap): bool {
    if ($heap === null && str_contains($message, '$required')) {
        $heap = true;
        $heap = xhprof_test_heap();
    }
    return true;
});
include $file;
restore_error_handler();

xhprof_test_heap_check($heap);
xhprof_test_between('typed', (int) $heap['summary']['typed_percent'], 98, 100);
echo $heap['summary']['unreadable'], ' unreadable, ', $heap['summary']['unreachable']['blocks'], " unreachable\n";
$engine = xhprof_test_heap_root($heap, 'engine');
$text = xhprof_test_heap_at($heap, $engine, 'source text');
echo $text['t'], ' ', $text['s'] >= strlen($source) ? 'with all of the text' : "{$text['s']} of " . strlen($source), "\n";
$strings = [];
foreach ($engine['e'] as $edge) {
    if ($edge[0] === 'syntax tree') {
        $strings[$heap['nodes'][$edge[1]]['v'] ?? $heap['nodes'][$edge[1]]['t']] = true;
    }
}
foreach (['arena', 'deep 1', 'literal 299', '/** After 7 */'] as $expected) {
    echo $expected, ': ', isset($strings[$expected]) ? 'in the tree' : 'not in the tree', "\n";
}
$functions = xhprof_test_heap_root($heap, 'function_table');
echo xhprof_test_heap_at($heap, $functions, 'being\compiled\before7')['c'], ', ', xhprof_test_heap_at($heap, $functions, 'being\compiled\after7')['c'] ?? 'the others not yet', "\n";
$function = xhprof_test_heap_at($heap, $engine, 'function');
echo str_contains($function['c'], '{closure') ? 'in the closure' : $function['c'], "\n";
// Nothing of it afterwards.
$heap = null;
$heap = xhprof_test_heap();
xhprof_test_heap_check($heap);
$names = array_column(xhprof_test_heap_root($heap, 'engine')['e'], 0);
echo implode(', ', array_intersect(['syntax tree', 'function', 'imports', 'seen symbols'], $names)), "none left\n";
?>
--EXPECT--
sound
typed: ok
0 unreadable, 0 unreachable
engine with all of the text
arena: in the tree
deep 1: in the tree
literal 299: in the tree
/** After 7 */: in the tree
Being\Compiled\before7, the others not yet
in the closure
sound
none left
