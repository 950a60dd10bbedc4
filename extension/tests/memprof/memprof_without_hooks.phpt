--TEST--
Without hooks, or loaded by dl(): what of allocations can be tracked, and a warning for the rest
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('dl()'); ?>
--FILE--
<?php
require __DIR__ . '/../lib.inc';

if (isset($argv[1])) {
    $argv[1] === 'dl' && var_dump(dl('xhprof.so'));
    function kept(): string
    {
        return str_repeat('x', 5000);
    }
    foreach (['0', '1'] as $bytes) {
        echo "-- alloc_sample_bytes=$bytes\n";
        ini_set('xhprof.alloc_sample_bytes', $bytes);
        xhprof_enable(XHPROF_FLAGS_ALLOC);
        $kept = kept();
        var_dump(xhprof_disable());
        if (!function_exists('memprof_enable')) {
            echo "no memprof_enable()\n";
            continue;
        }
        var_dump(memprof_enable(), memprof_enabled());
        $kept = kept();
        if (memprof_enabled()) {
            echo memprof_dump_array()['called_functions']['kept']['memory_size_inclusive'], "\n";
            var_dump(memprof_disable());
        }
        var_dump(xhprof_alloc_dump(STDERR, 'json'));
    }
    echo "alive\n";
    exit(0);
}
$library = xhprof_test_library();
echo "-- xhprof.hooks=off\n";
xhprof_test_show(xhprof_test_child(__FILE__, ['off'], ['xhprof.hooks' => 'off']));
echo "-- dl()\n";
xhprof_test_show(xhprof_test_child(__FILE__, ['dl'], ['extension_dir' => dirname($library), 'enable_dl' => 1], profiler: false));
?>
--EXPECTF--
-- xhprof.hooks=off
-- alloc_sample_bytes=0

Warning: xhprof.hooks is off: only sampling is possible in %smemprof_without_hooks.php on line 13
NULL

Warning: xhprof.hooks is off: only sampling is possible in %smemprof_without_hooks.php on line 20
bool(false)
bool(false)

Warning: xhprof_alloc_dump(): No allocations are tracked, and the last profile tracked none in %smemprof_without_hooks.php on line 26
bool(false)
-- alloc_sample_bytes=1

Warning: xhprof.hooks is off: only sampling is possible in %smemprof_without_hooks.php on line 13
NULL
bool(true)
bool(true)
8192
bool(true)

Warning: xhprof_alloc_dump(): No allocations are tracked, and the last profile tracked none in %smemprof_without_hooks.php on line 26
bool(false)
alive
-- dl()
bool(true)
-- alloc_sample_bytes=0

Warning: xhprof was loaded by dl() and cannot profile: put "extension=xhprof" into php.ini in %smemprof_without_hooks.php on line 13
NULL

Warning: xhprof was loaded by dl() and cannot profile: put "extension=xhprof" into php.ini in %smemprof_without_hooks.php on line 20
bool(false)
bool(false)

Warning: xhprof_alloc_dump(): No allocations are tracked, and the last profile tracked none in %smemprof_without_hooks.php on line 26
bool(false)
-- alloc_sample_bytes=1

Warning: xhprof was loaded by dl() and cannot profile: put "extension=xhprof" into php.ini in %smemprof_without_hooks.php on line 13
NULL

Warning: xhprof was loaded by dl() and cannot profile: put "extension=xhprof" into php.ini in %smemprof_without_hooks.php on line 20
bool(false)
bool(false)

Warning: xhprof_alloc_dump(): No allocations are tracked, and the last profile tracked none in %smemprof_without_hooks.php on line 26
bool(false)
alive
