--TEST--
A profile of all there is, its tree and its saving within a fiber with a small stack
--FILE--
<?php
require __DIR__ . '/../run_files.inc';

ini_set('fiber.stack_size', PHP_VERSION_ID < 80300 ? '32K' : '96K'); // newer versions keep some of it for themselves
$folder = sys_get_temp_dir() . '/xhprof-small-' . getmypid();
mkdir($folder);
ini_set('xhprof.output_dir', $folder);

$fiber = new Fiber(static function (): string {
    xhprof_enable(XHPROF_FLAGS_CPU | XHPROF_FLAGS_MEMORY | XHPROF_FLAGS_ALLOC);
    $kept = array_map(static fn (int $i): string => str_repeat('x', $i), range(1, 300));
    $edges = xhprof_disable();
    echo $edges['main()==>array_map']['ct'], ' ', count($kept), ' ', count(xhprof_call_tree()['self']), " figures\n";

    return xhprof_save('small');
});
$fiber->start();
$name = "{$fiber->getReturn()}.small";
foreach (['tree', 'memory', 'meta'] as $part) {
    echo $part, xhprof_test_run_part($folder, $name, $part) ? "\n" : " is empty\n";
}
echo count(xhprof_test_run_edges($folder, $name)) > 1 ? "edges\n" : "no edges\n";
foreach (xhprof_test_run_files($folder, $name) as $file) {
    unlink("$folder/$file");
}
rmdir($folder);
?>
--EXPECT--
1 300 10 figures
tree
memory
meta
edges
