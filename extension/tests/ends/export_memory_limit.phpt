--TEST--
memory_limit or a fatal error while a profile becomes arrays or files: the profiler's own pages are given back, and the profile stays
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('/proc/self/statm'); ?>
--FILE--
<?php
require __DIR__ . '/../lib.inc';

$folder = xhprof_test_folder();
file_put_contents("$folder/program.php", "<?php\nrequire " . var_export(dirname(__DIR__) . '/run_files.inc', true) . ";\n" . <<<'PHP'
for ($i = 0; $i < 320; $i++) {
    eval("function function_number_$i(\$names) { foreach (\$names as \$name) { \$name([]); } }");
    $names[] = "function_number_$i";
}

/** What the process has mapped besides the Zend heap, in bytes. */
function others(): int { return (int) file_get_contents('/proc/self/statm') * 4096 - memory_get_usage(true); }

final class Fatal implements JsonSerializable
{
    public function jsonSerialize(): mixed { trigger_error('fatal', E_USER_ERROR); }
}

final class Hungry implements JsonSerializable
{
    public function jsonSerialize(): mixed { return str_repeat('x', 100_000_000); }
}

function profile(array $names): void
{
    xhprof_enable(XHPROF_FLAGS_CPU | XHPROF_FLAGS_MEMORY);
    foreach ($names as $name) {
        $name($names);
    }
}

ini_set('xhprof.output_dir', __DIR__);
ini_set('memory_limit', '512M');
for ($i = 0; $i < 2; $i++) { // the pages for work of a moment, XHPROF_SCRATCH_MOST, are there from now on
    profile($names);
    $edges = xhprof_disable();
    unset($edges);
}
profile($names);
register_shutdown_function(static function () use (&$before): void {
    echo 'kept: ', json_encode(others() - $before > 400_000), "\n"; // a column of the tree has 819,200
    ini_set('memory_limit', '512M');
    $id = xhprof_save();
    $edges = xhprof_test_run_edges(__DIR__, "$id.xhprof");
    echo count($edges) > 100_000 && count(xhprof_call_tree()['ct']) > 100_000 ? "whole\n" : "lost\n";
    // The read of others() is an operation where it is profiled.
    echo implode(' ', xhprof_test_run_parts(__DIR__, "$id.xhprof")), ': ', xhprof_test_run_list(__DIR__), "\n";
});
if ($argv[1] !== 'disable') {
    ini_set('memory_limit', '512M');
    $edges = xhprof_disable();
    unset($edges);
}
gc_mem_caches();
ini_set('memory_limit', memory_get_usage(true) + 4_000_000);
$before = others();
match ($argv[1]) {
    'disable' => xhprof_disable(),
    'save' => xhprof_save('xhprof', [new Hungry()]),
    'fatal' => xhprof_save('xhprof', [new Fatal()]),
    'tree' => xhprof_call_tree(),
};
PHP);

foreach (['disable', 'save', 'fatal', 'tree'] as $what) {
    $child = xhprof_test_child("$folder/program.php", [$what], ['display_errors' => '0', 'log_errors' => '0']);
    echo "-- $what\n";
    xhprof_test_show($child, 255);
    array_map('unlink', glob("$folder/*.xhprof.*"));
}
?>
--EXPECT--
-- disable
kept: false
whole
meta operations tree: 1 runs program.php
-- save
kept: false
whole
meta tree: 1 runs program.php
-- fatal
kept: false
whole
meta tree: 1 runs program.php
-- tree
kept: false
whole
meta tree: 1 runs program.php
