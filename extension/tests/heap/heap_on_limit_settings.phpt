--TEST--
xhprof.heap_on_limit: which patterns it takes; a folder that is not there is reported in the log
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs("PHP's heap"); ?>
--FILE--
<?php
require __DIR__ . '/../lib.inc';

$folder = xhprof_test_folder();
file_put_contents("$folder/show.php", '<?php var_dump(ini_get("xhprof.heap_on_limit"), ini_set("xhprof.heap_on_limit", "/x"));');
file_put_contents("$folder/limit.php", '<?php $all = []; while (true) { $all[] = str_repeat("x", 1000); }');
foreach (['', '/a', 'a', './a', '/a-%p-%t-%u-%%', '/a%', '/a%x', '/%%p', '/%%%', '/' . str_repeat('a', 5000)] as $pattern) {
    $child = xhprof_test_child("$folder/show.php", [], ['xhprof.heap_on_limit' => $pattern, 'display_startup_errors' => 1]);
    echo strlen($pattern) > 100 ? 'long' : $pattern, ': ', trim(preg_replace('/\s+/', ' ', str_replace(['in Unknown on line 0', str_repeat('a', 199)], ['', '...'], $child['out']))), "\n";
}
foreach (["$folder/none/a", "$folder", "$folder/" . str_repeat('b', 300), '/dev/null'] as $pattern) {
    $child = xhprof_test_child("$folder/limit.php", [], ['xhprof.heap_on_limit' => $pattern, 'memory_limit' => '8M', 'log_errors' => 0]);
    echo $child['code'], ' ', str_contains($child['out'], 'Allowed memory size of 8388608 bytes exhausted') ? 'the fatal error' : $child['out'],
        ' ', preg_replace('/b{300}/', 'bbb', str_replace([$folder, 'Filename'], ['', 'File name'], $child['err'])); // musl's words
}
echo implode(' ', xhprof_test_list($folder)), "\n";
?>
--EXPECT--
: string(0) "" bool(false)
/a: string(2) "/a" bool(false)
a: Warning: xhprof.heap_on_limit must be an absolute path; it may have %p, %t, %u and %%, not "a" string(0) "" bool(false)
./a: Warning: xhprof.heap_on_limit must be an absolute path; it may have %p, %t, %u and %%, not "./a" string(0) "" bool(false)
/a-%p-%t-%u-%%: string(14) "/a-%p-%t-%u-%%" bool(false)
/a%: Warning: xhprof.heap_on_limit must be an absolute path; it may have %p, %t, %u and %%, not "/a%" string(0) "" bool(false)
/a%x: Warning: xhprof.heap_on_limit must be an absolute path; it may have %p, %t, %u and %%, not "/a%x" string(0) "" bool(false)
/%%p: string(4) "/%%p" bool(false)
/%%%: Warning: xhprof.heap_on_limit must be an absolute path; it may have %p, %t, %u and %%, not "/%%%" string(0) "" bool(false)
long: Warning: xhprof.heap_on_limit must be an absolute path; it may have %p, %t, %u and %%, not "/..." string(0) "" bool(false)
255 the fatal error xhprof: no heap snapshot at memory_limit: /none/a: No such file or directory
255 the fatal error xhprof: no heap snapshot at memory_limit: : Is a directory
255 the fatal error xhprof: no heap snapshot at memory_limit: /bbb: File name too long
255 the fatal error xhprof: the heap snapshot at memory_limit is /dev/null
limit.php show.php
