--TEST--
Dumps within a fiber whose stack is small, also at memory_limit
--FILE--
<?php
require __DIR__ . '/../lib.inc';

function eats(): void
{
    $all = [];
    while (true) {
        $all[] = str_repeat('x', 1000);
    }
}

if (isset($argv[1])) {
    ini_set('fiber.stack_size', PHP_VERSION_ID < 80300 ? '40K' : '96K'); // newer versions keep some of it for themselves
    $fiber = new Fiber(static function () use ($argv): void {
        if ($argv[1] === 'limit') {
            eats();
        }
        foreach (['xhprof_alloc_dump', 'memprof_dump_callgrind', 'memprof_dump_pprof'] as $function) {
            $stream = fopen('php://memory', 'w+');
            $function($stream);
            echo $function, ftell($stream) > 100 ? '' : ' has written nothing', "\n";
        }
        echo count(memprof_dump_array()), "\n";
    });
    $fiber->start();
    exit(0);
}
$folder = xhprof_test_folder();
$env = ['MEMPROF_PROFILE' => 'dump_on_limit'] + getenv();
$ini = ['memory_limit' => '16M', 'memprof.output_dir' => $folder, 'log_errors' => 0];
xhprof_test_show(xhprof_test_child(__FILE__, ['dumps'], $ini, [], null, $env));
foreach (['callgrind', 'pprof'] as $format) {
    $child = xhprof_test_child(__FILE__, ['limit'], $ini + ['memprof.output_format' => $format], [], null, $env);
    echo "exit code $child[code], ", str_contains($child['out'], 'Allowed memory size') ? 'the limit' : $child['out'], ', ',
        count(glob("$folder/memprof.$format.*")), " file\n";
}
?>
--EXPECT--
xhprof_alloc_dump
memprof_dump_callgrind
memprof_dump_pprof
6
exit code 255, the limit, 1 file
exit code 255, the limit, 1 file
