--TEST--
pcntl_fork() while allocations are tracked: parent and child go on, each with its own books
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('pcntl_fork()'); ?>
--FILE--
<?php
require __DIR__ . '/../alloc.inc';

class Keep
{
    public static array $all = ['before' => null, 'common' => null, 'child' => null, 'parent' => null];
}

function kept(string $key, int $size): void { Keep::$all[$key] = str_repeat('x', $size); }

function child(): void
{
    kept('child', 50_000);
    Keep::$all['common'] = null;
    Keep::$all['before'] = null;
}

function parents(): void { kept('parent', 20_000); }

$file = xhprof_test_folder() . '/child';
foreach (['exact', 'sampled', 'profile'] as $way) {
    ini_set('xhprof.alloc_sample_bytes', $way === 'sampled' ? '1' : '0');
    kept('before', 30_000);
    $way === 'profile' ? xhprof_enable(XHPROF_FLAGS_ALLOC) : memprof_enable();
    kept('common', 10_000);
    $pid = pcntl_fork();
    if ($pid === 0) {
        child();
        ob_start();
        xhprof_test_print_live(xhprof_test_dump(['types' => false]), 'kept');
        $way === 'profile' ? xhprof_disable() : memprof_disable();
        $way === 'profile' ? memprof_enable() : xhprof_enable(XHPROF_FLAGS_ALLOC);
        kept('child', 1000);
        xhprof_test_print_live(xhprof_test_dump(['types' => false]), 'kept');
        file_put_contents($file, ob_get_clean());
        exit(0);
    }
    parents();
    pcntl_waitpid($pid, $status);
    echo "-- $way, parent, child's exit code ", pcntl_wifexited($status) ? pcntl_wexitstatus($status) : 999, "\n";
    xhprof_test_print_live(xhprof_test_dump(['types' => false]), 'kept');
    $way === 'profile' ? xhprof_disable() : memprof_disable();
    echo "-- child\n", file_get_contents($file);
    Keep::$all['parent'] = Keep::$all['common'] = null;
}
?>
--EXPECT--
-- exact, parent, child's exit code 0
main();kept;str_repeat: 12288 B in 1
main();parents;kept;str_repeat: 20480 B in 1
-- child
main();child;kept;str_repeat: 53248 B in 1
main();kept;str_repeat: 1280 B in 1
-- sampled, parent, child's exit code 0
main();kept;str_repeat: 12288 B in 1
main();parents;kept;str_repeat: 20480 B in 1
-- child
main();child;kept;str_repeat: 53248 B in 1
main();kept;str_repeat: 1280 B in 1
-- profile, parent, child's exit code 0
main();kept;str_repeat: 12288 B in 1
main();parents;kept;str_repeat: 20480 B in 1
-- child
main();child;kept;str_repeat: 53248 B in 1
main();kept;str_repeat: 1280 B in 1
