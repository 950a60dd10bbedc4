--TEST--
xhprof_heap_snapshot() and xhprof.heap_on_limit keep to open_basedir
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs("PHP's heap"); ?>
--FILE--
<?php
require __DIR__ . '/../heap.inc';

$folder = xhprof_test_folder();
mkdir("$folder/inside");
mkdir("$folder/outside");
symlink("$folder/outside", "$folder/inside/link");
file_put_contents("$folder/inside/script.php", '<?php
foreach (["inside", "outside", "inside/../outside", "inside/link"] as $where) {
    echo "$where: ", str_replace($argv[1], "", @xhprof_heap_snapshot("$argv[1]/$where/a") ? "written" : error_get_last()["message"]), "\n";
}');
xhprof_test_show(xhprof_test_child("$folder/inside/script.php", [$folder], ['open_basedir' => "$folder/inside/"]));
echo count(xhprof_test_list("$folder/inside")), ' ', count(xhprof_test_list("$folder/outside")), "\n";

file_put_contents("$folder/inside/limit.php", '<?php $all = []; while (true) { $all[] = str_repeat("x", 1000); }');
foreach (['inside', 'outside', 'inside/../outside', 'inside/link'] as $where) {
    $child = xhprof_test_child(
        "$folder/inside/limit.php",
        [],
        ['open_basedir' => "$folder/inside/", 'memory_limit' => '8M', 'xhprof.heap_on_limit' => "$folder/$where/limit"]
    );
    echo "$where: {$child['code']} ", str_contains($child['out'], 'Allowed memory size') ? '' : $child['out'],
        str_replace($folder, '', $child['err']);
}
echo count(xhprof_test_list("$folder/inside")), ' ', count(xhprof_test_list("$folder/outside")), "\n";
?>
--EXPECT--
inside: written
outside: xhprof_heap_snapshot(): No snapshot to /outside/a: it is not within open_basedir
inside/../outside: xhprof_heap_snapshot(): No snapshot to /inside/../outside/a: it is not within open_basedir
inside/link: xhprof_heap_snapshot(): No snapshot to /inside/link/a: it is not within open_basedir
3 0
inside: 255 xhprof: the heap snapshot at memory_limit is /inside/limit
outside: 255 xhprof: xhprof.heap_on_limit: /outside/limit is not within open_basedir
inside/../outside: 255 xhprof: xhprof.heap_on_limit: /inside/../outside/limit is not within open_basedir
inside/link: 255 xhprof: xhprof.heap_on_limit: /inside/link/limit is not within open_basedir
5 0
