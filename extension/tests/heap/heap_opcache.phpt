--TEST--
Heap snapshot with opcache: its memory has types for it, with and without JIT, file cache, preloading
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs("PHP's heap", 'opcache'); ?>
--FILE--
<?php
require __DIR__ . '/../heap.inc';

if (($argv[1] ?? '') === 'child') {
    require __DIR__ . '/../include/fixture_functions.inc';
    class WithOpcache
    {
        const LIST = ['a' => [1, 2, 3]];
        public array $list = self::LIST;
        public static array $all = [];
        /** Comment */
        public function fill(int $n): int
        {
            static $calls = 0;
            $calls++;
            for ($i = 0; $i < $n; $i++) {
                self::$all[] = [$i, "text $i", new static()];
            }
            return $calls;
        }
    }
    $object = new WithOpcache();
    for ($i = 0; $i < 20; $i++) {
        $object->fill(100);
    }
    $closure = static fn (array $a = WithOpcache::LIST): int => count($a) + $i;
    $closure();
    $usage = memory_get_usage();
    $summary = xhprof_heap_snapshot($argv[2]);
    echo $usage === $summary['usage'] ? '' : "usage $usage {$summary['usage']}\n";
    echo xhprof_test_heap_typed($summary) >= 99 || isset($argv[3]) ? '' : "typed {$summary['typed_percent']} %\n";
    echo $summary['unreadable'] === 0 ? '' : "unreadable: {$summary['unreadable']}\n";
    echo $summary['unreachable']['blocks'] === 0 ? '' : "unreachable: {$summary['unreachable']['blocks']}\n";
    echo $summary['classes']['WithOpcache']['count'], ' objects, ';
    $status = function_exists('opcache_get_status') ? opcache_get_status(false) : false;
    echo $status && $summary['shared_bytes'] > 10_000 && $summary['shared_bytes'] <= $status['memory_usage']['used_memory'] ? 'shared' : "{$summary['shared_bytes']} shared", "\n";
    exit;
}
$folder = xhprof_test_folder();
$opcache = ['opcache.enable_cli' => 1, 'opcache.file_update_protection' => 0];
$jit = $opcache + ['opcache.jit_buffer_size' => '16M', 'opcache.jit_hot_func' => 2, 'opcache.jit_hot_loop' => 2];
mkdir("$folder/cache");
file_put_contents("$folder/preload.php", '<?php class Preloaded { const A = [1, [2]]; public array $a = self::A; static $s = ["x"]; function f() { static $n = [1]; return fn () => $n; } } function preloaded() {}');
$ways = [
    'off' => [[], []],
    'on' => [$opcache, ['opcache']],
    'unoptimised' => [$opcache + ['opcache.optimization_level' => 0], ['opcache']],
    'tracing JIT' => [$jit + ['opcache.jit' => 'tracing'], ['opcache']],
    'function JIT' => [$jit + ['opcache.jit' => 'function'], ['opcache']],
    'no comments' => [$opcache + ['opcache.save_comments' => 0], ['opcache']],
    'preloading' => [$opcache + ['opcache.preload' => "$folder/preload.php"] + (posix_id() === 0 ? ['opcache.preload_user' => 'nobody'] : []), ['opcache']],
    'file cache, cold' => [$opcache + ['opcache.file_cache' => "$folder/cache", 'opcache.file_cache_only' => 1], ['opcache']],
    'file cache, warm' => [$opcache + ['opcache.file_cache' => "$folder/cache", 'opcache.file_cache_only' => 1], ['opcache']],
];
function posix_id(): int { return fileowner('/proc/self') ?: 0; }
chmod($folder, 0755);
foreach ($ways as $label => [$ini, $extensions]) {
    $child = xhprof_test_child(__FILE__, ['child', "$folder/heap", ...(xhprof_test_other_figures() ? ['asan'] : [])], $ini, $extensions);
    echo "$label: ";
    xhprof_test_show($child);
    if (is_file("$folder/heap")) {
        xhprof_test_heap_check(xhprof_test_heap_read("$folder/heap"));
        unlink("$folder/heap");
    }
}
?>
--EXPECT--
off: 2001 objects, 0 shared
sound
on: 2001 objects, shared
sound
unoptimised: 2001 objects, shared
sound
tracing JIT: 2001 objects, shared
sound
function JIT: 2001 objects, shared
sound
no comments: 2001 objects, shared
sound
preloading: 2001 objects, shared
sound
file cache, cold: 2001 objects, 0 shared
sound
file cache, warm: 2001 objects, 0 shared
sound
