--TEST--
A dump asks opcache for its size: where that meets memory_limit, the request ends as any other does
--SKIPIF--
<?php
require __DIR__ . '/../lib.inc';
if (!xhprof_test_available('opcache') && !xhprof_test_available('Zend OPcache')) {
    die('skip needs opcache');
}
?>
--FILE--
<?php
require __DIR__ . '/../lib.inc';

if (isset($argv[1])) {
    set_error_handler(static function (int $type, string $message): bool {
        echo "the handler is there: $message\n";
        return true;
    });
    register_shutdown_function(static function (): void {
        global $state, $reserve;
        $reserve = null;
        if ($state === 'dumps') {
            ini_set('memory_limit', -1);
            echo error_get_last()['type'] === E_ERROR ? "a fatal error\n" : "no error\n";
            echo error_reporting() === E_ALL ? "all are reported\n" : error_reporting() . "\n";
            echo $undefined;
            strrev((string) getmypid());
            echo str_contains(implode(',', array_keys(xhprof_disable())), '==>strrev') ? "calls are seen\n" : "calls go unseen\n";
        }
    });
    $stream = fopen('/dev/null', 'w');
    $reserve = str_repeat('x', 100000);
    $blocks = new SplFixedArray(20000);
    xhprof_enable(XHPROF_FLAGS_ALLOC);
    ini_set('memory_limit', memory_get_usage(true));
    for ($i = 0; $i < (int) $argv[1]; $i++) {
        $blocks[$i] = str_repeat('x', 285 + $i % 5); // in a block of 320 bytes, as the elements of a small array
    }
    $state = 'dumps';
    xhprof_alloc_dump($stream, 'chrome');
    $state = 'done';
    exit(0);
}
/* A file that has just been written is compiled into the heap instead of opcache's memory: not so here. */
$ini = ['opcache.enable_cli' => 1, 'opcache.file_update_protection' => 0, 'display_errors' => 'stderr'];
$run = static fn (int $blocks): array => xhprof_test_child(__FILE__, [(string) $blocks], $ini, ['opcache']);
/* As many blocks as there is room for: after these no array has any. */
for ($least = 0, $most = 20000; $most - $least > 1;) {
    $blocks = intdiv($least + $most, 2);
    $child = $run($blocks);
    if (str_contains($child['err'], 'exhausted') && $child['out'] === '') {
        $most = $blocks;
    } else {
        $least = $blocks;
    }
}
$child = $run($least);
echo $child['out'], preg_replace('/\d+/', 'N', str_replace(__FILE__, 'FILE', trim($child['err']))), "\n{$child['code']}\n";
?>
--EXPECT--
a fatal error
all are reported
the handler is there: Undefined variable $undefined
calls are seen
Fatal error: Allowed memory size of N bytes exhausted (tried to allocate N bytes) in FILE on line N
255
