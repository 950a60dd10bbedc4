--TEST--
xhprof_heap_snapshot() without PHP's own heap: a warning, and no file
--FILE--
<?php
require __DIR__ . '/../lib.inc';

$folder = xhprof_test_folder();
file_put_contents("$folder/script.php", '<?php echo json_encode(xhprof_heap_snapshot($argv[1])), "\n", count(scandir(dirname($argv[1]))), "\n";');
$env = ['USE_ZEND_ALLOC' => '0'] + getenv();
mkdir("$folder/to");
$child = xhprof_test_child("$folder/script.php", ["$folder/to/a"], [], [], null, $env);
echo str_replace($folder, '', preg_replace('/ in \S+ on line/', ' in FILE on line', $child['out']));
$child = xhprof_test_child("$folder/script.php", ["$folder/to/a"], ['memory_limit' => '-1'], [], null, ['USE_ZEND_ALLOC' => '1'] + getenv());
echo strlen($child['out']) > 1000 ? "a snapshot\n" : $child['out'];
?>
--EXPECT--

Warning: xhprof_heap_snapshot(): No snapshot to /to/a: PHP has no Zend heap: it runs without its memory manager (USE_ZEND_ALLOC=0?) in FILE on line 1
[]
2
a snapshot
