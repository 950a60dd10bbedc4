--TEST--
Heap snapshot where the system gives no memory, or files may not grow: a warning, no file, and the program goes on
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs("PHP's heap"); ?>
--FILE--
<?php
require __DIR__ . '/../heap.inc';

if (isset($argv[1])) {
    $all = [];
    for ($i = 0; $i < 80_000; $i++) {
        $all[] = ["x$i"];
    }
    foreach (['summary', 'jsonl'] as $format) {
        $summary = @xhprof_heap_snapshot($argv[1], ['format' => $format]);
        $whole = $summary && $summary['usage'] === $summary['typed']['bytes'] + $summary['native']['bytes'] + $summary['unreachable']['bytes'];
        // One that lacks something says so.
        echo "$format: ", $summary ? ($whole ? 'a snapshot' : 'sums') . ($summary['incomplete'] ? ', incomplete' : '') : substr(error_get_last()['message'], strrpos(error_get_last()['message'], ': ') + 2), "\n";
    }
    echo count($all), " at the end\n";
    exit;
}
$folder = xhprof_test_folder();
$command = implode(' ', array_map('escapeshellarg', [...xhprof_test_command(['memory_limit' => '1G']), __FILE__, "$folder/a"]));
echo shell_exec("ulimit -f 100; exec $command 2>&1");
echo implode(' ', xhprof_test_list($folder)), "\n"; // the summary is small
$size = static fn (string $key): int => (int) preg_replace("/.*$key:\\s+(\\d+).*/s", '$1', file_get_contents('/proc/self/status'));
$seen = [];
foreach ([21, 22, 23, 24, 25, 26, 28, 32, 38, 44, 50, 56] as $more) {
    $limit = $size('VmSize') + $more * 1024;
    $lines = explode("\n", trim((string) shell_exec("ulimit -v $limit; $command 2>&1; echo $?")));
    $code = (int) array_pop($lines);
    $code > 128 && $code < 160 && preg_grep('/mmap\(\) failed|Out of memory/', $lines) === [] && !xhprof_test_other_figures() && print('killed by signal ' . ($code - 128) . "\n");
    // Too little for the program itself proves nothing.
    if (end($lines) === '80000 at the end') {
        foreach ($lines as $line) {
            $seen[preg_replace('/^\w+: /', '', $line)] = true;
        }
    }
}
unset($seen['a snapshot'], $seen['a snapshot, incomplete'], $seen['Cannot allocate memory'], $seen['Out of memory'], $seen['80000 at the end'], $seen['not enough memory for the walk'], $seen['not enough memory for the map of the Zend heap']);
echo implode("\n", array_keys($seen)), $seen ? "\n" : "nothing else\n", implode(' ', xhprof_test_list($folder)), "\n";
?>
--EXPECT--
summary: a snapshot
jsonl: File too large
80000 at the end
a
nothing else
a
