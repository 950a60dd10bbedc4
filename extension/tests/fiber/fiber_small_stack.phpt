--TEST--
A profile of all there is, its tree and its saving within a fiber with a small stack
--FILE--
<?php
require __DIR__ . '/../lib.inc';

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
foreach (['xhprof', 'tree.json', 'memory.json', 'meta.json'] as $suffix) {
    $file = "$folder/{$fiber->getReturn()}.small.$suffix";
    echo $suffix, filesize($file) > 0 ? "\n" : " is empty\n";
    unlink($file);
}
rmdir($folder);
?>
--EXPECT--
1 300 10 figures
xhprof
tree.json
memory.json
meta.json
