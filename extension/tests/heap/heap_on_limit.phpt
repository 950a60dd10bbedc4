--TEST--
xhprof.heap_on_limit: a snapshot of what has reached memory_limit, the fatal error as without it
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs("PHP's heap"); ?>
--FILE--
<?php
if (isset($argv[1])) {
    final class Leaf
    {
        public string $text = '';
        public array $more = [];
        public function __destruct()
        {
        }
    }
    function fills(string $how): array
    {
        $kept = [];
        while (true) {
            switch ($how) {
                case 'objects':
                    $leaf = new Leaf();
                    $leaf->text = str_repeat('t', 100);
                    $kept[] = $leaf;
                    break;
                case 'strings':
                    $kept[] = str_repeat('x', 10);
                    break;
                case 'huge':
                    $kept[] = str_repeat('x', 3_000_000);
                    break;
                case 'large':
                    $kept[] = str_repeat('x', 30_000);
                    break;
                case 'packed':
                    $kept[] = 1;
                    break;
                case 'hash':
                    $kept['key ' . count($kept)] = [count($kept)];
                    break;
                case 'deep':
                    $kept = [[$kept], fills($how)];
                    break;
                case 'generator':
                    foreach ((static function () {
                        yield from [[fills('strings')]];
                    })() as $all) {
                    }
                    break;
                case 'fiber':
                    (new Fiber(static fn () => fills('objects')))->start();
                    break;
                case 'callback':
                    array_map(static fn (int $n): array => fills('objects'), [1]);
                    break;
                case 'sort':
                    $list = range(1, 1000);
                    usort($list, static fn (): int => count(fills('strings')));
                    break;
                case 'output':
                    ob_start();
                    echo str_repeat('x', 1 << 20);
                    break;
                case 'one':
                    return [str_repeat('x', 1 << 40 >> 8)];
            }
        }
    }
    register_shutdown_function(static function (): void {
        $error = error_get_last();
        echo 'shutdown: ', $error ? $error['message'] : 'no error', "\n";
        echo memory_get_usage(), ' ', memory_get_peak_usage(), ' ', memory_get_usage(true), "\n";
        ini_set('memory_limit', '64M');
        if ($GLOBALS['argv'][1] === 'twice') {
            fills('strings');
        }
    });
    fills($argv[1] === 'twice' ? 'objects' : $argv[1]);
    exit(0);
}
require __DIR__ . '/../lib.inc';
require __DIR__ . '/../heap.inc';

$folder = xhprof_test_folder();
$log = "$folder/log";
ini_set('memory_limit', '1G');
$hows = ['objects', 'strings', 'huge', 'large', 'packed', 'hash', 'deep', 'generator', 'fiber', 'callback', 'sort', 'output', 'one', 'twice'];
foreach ($hows as $how) {
    $ini = ['memory_limit' => '8M', 'xhprof.heap_on_limit' => '', 'log_errors' => 0];
    $without = xhprof_test_child(__FILE__, [$how], $ini);
    $with = xhprof_test_child(__FILE__, [$how], ['xhprof.heap_on_limit' => "$folder/%%-%p-%t-%u.heap.jsonl", 'error_log' => $log] + $ini);
    foreach ([&$without, &$with] as &$child) {
        // The same but for the log's line. Whether a huge block can grow where it is depends on what is mapped behind it.
        unset($child['err']);
        $child['out'] = in_array($how, ['packed', 'hash'], true) ? preg_replace('/\d+/', 'N', $child['out']) : $child['out'];
    }
    unset($child);
    echo "$how: ", $without === $with ? '' : json_encode([$without, $with]);
    $files = glob("$folder/*.heap.jsonl");
    if (count($files) !== 1 || preg_match('~/%-\d+-\d{10}-[0-9a-f]{32}\.heap\.jsonl$~', $files[0]) !== 1) {
        echo implode(' ', $files);
    }
    foreach ($files as $file) {
        echo decoct(fileperms($file) & 0777), ' ';
        $text = (string) file_get_contents($log);
        echo substr_count($text, "xhprof: the heap snapshot at memory_limit is $file") === 1 ? '' : $text;
        $header = json_decode(fgets(fopen($file, 'r')), true);
        echo $header['limit'] === 8 << 20 ? '' : "limit {$header['limit']} ";
        if ($how === 'strings' || $how === 'deep') {
            $lines = explode("\n", trim((string) shell_exec('tail -n 1 ' . escapeshellarg($file))));
            $summary = json_decode(end($lines), true)['summary'];
        } else {
            $heap = xhprof_test_heap_read($file);
            $summary = $heap['footer']['summary'];
            $frames = array_map(static fn (array $edge): string => $heap['nodes'][$edge[1]]['c'] ?? '', xhprof_test_heap_root($heap, 'call_frames')['e']);
            echo in_array('fills', $frames, true) && in_array('{main}', $frames, true) ? '' : 'frames: ' . implode(' ', $frames) . ' ';
            unset($heap);
        }
        $all = $summary['typed']['bytes'] + $summary['native']['bytes'] + $summary['unreachable']['bytes'];
        echo abs($all - $summary['usage']) <= 4096 ? 'sums ' : "sums: $all of {$summary['usage']} ";
        echo xhprof_test_heap_typed($summary) > ($how === 'output' || xhprof_test_other_figures() ? 50 : 97) ? 'typed' : "{$summary['typed_percent']} %", ' ', $summary['incomplete'] ? 'incomplete' : '';
        in_array($how, ['objects', 'fiber', 'callback', 'twice'], true) && print($summary['classes']['Leaf']['count'] > 10_000 ? 'objects' : "{$summary['classes']['Leaf']['count']} objects");
        unlink($file);
    }
    echo "\n";
    @unlink($log);
}
?>
--EXPECT--
objects: 600 sums typed objects
strings: 600 sums typed 
huge: 600 sums typed 
large: 600 sums typed 
packed: 600 sums typed 
hash: 600 sums typed 
deep: 600 sums typed 
generator: 600 sums typed 
fiber: 600 sums typed objects
callback: 600 sums typed objects
sort: 600 sums typed 
output: 600 sums typed 
one: 600 sums typed 
twice: 600 sums typed objects
