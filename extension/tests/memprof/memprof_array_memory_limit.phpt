--TEST--
memory_limit while memprof's array is made: a fatal error as any other, the profiler's own pages are given back
--SKIPIF--
<?php
require __DIR__ . '/../needs.inc';
xhprof_test_needs('/proc/self/statm');
if (getenv('SKIP_ASAN') || getenv('USE_ZEND_ALLOC') === '0') {
    die('skip without PHP\'s heap there is no memory_limit');
}
?>
--FILE--
<?php
require __DIR__ . '/../lib.inc';

$folder = xhprof_test_folder();
file_put_contents("$folder/program.php", <<<'PHP'
<?php
for ($i = 0; $i < 300; $i++) {
    eval("function function_number_$i(\$names) { foreach (\$names as \$name) { \$name([]); } }");
    $names[] = "function_number_$i";
}

/** What the process has mapped besides the Zend heap, in bytes. */
function others(): int { return (int) file_get_contents('/proc/self/statm') * 4096 - memory_get_usage(true); }

memprof_enable();
foreach ($names as $name) {
    $name($names);
}
register_shutdown_function(static function () use (&$before): void {
    echo 'mapped since: ', others() - $before < 4_000_000 ? 'little' : others() - $before, "\n";
    ini_set('memory_limit', '512M');
    $array = memprof_dump_array();
    echo 'after: ', count($array['called_functions']) > 300 ? 'whole' : 'not whole', "\n";
    unset($array);
    echo 'disabled: ', json_encode(memprof_disable()), "\n";
});
ini_set('memory_limit', memory_get_usage() + $argv[1] * 1_000_000);
$before = others();
memprof_dump_array();
echo "not reached\n";
PHP);
xhprof_test_alike(['3', '5', '12', '20'], static function (string $room) use ($folder): void {
    $child = xhprof_test_child("$folder/program.php", [$room], ['memory_limit' => '512M']);
    echo preg_replace('/Allowed .*/', 'Allowed memory size', trim($child['out'])), "\n";
});
?>
--EXPECT--
-- 3
Fatal error: Allowed memory size
mapped since: little
after: whole
disabled: true
-- 5: as 3
-- 12: as 3
-- 20: as 3
