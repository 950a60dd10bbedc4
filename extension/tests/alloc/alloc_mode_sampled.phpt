--TEST--
xhprof.mode=alloc with alloc_sample_bytes: paths are read at sampled allocations; no call is followed, no time recorded
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('fork beside a thread', 'pcntl_fork()'); ?>
--FILE--
<?php
require __DIR__ . '/../auto.inc';

const MB = 1 << 20;

$code = <<<'PHP'
    <?php
    function block() { return str_repeat('x', 1 << 20); }
    function idle($n) { return $n + 1; }
    function numbers() { for ($i = 0; $i < 3; $i++) { yield block(); } }
    class Cache { public $all = []; function fill() { for ($i = 0; $i < 5; $i++) { $this->all[] = block(); xhprof_alloc_mark(); } } }
    for ($i = 0, $n = 0; $i < 1000; $i++) { $n = idle($n); }
    $cache = new Cache;
    $cache->fill();
    foreach (numbers() as $number) { }
    $fiber = new Fiber(function () { $a = block(); Fiber::suspend(); $b = block(); });
    $fiber->start();
    $fiber->resume();
    $more
    PHP;

/** @return array<string, array<string, int>> path below main() => figures of the node */
function figures(array $tree): array
{
    $path = $figures = [];
    foreach ($tree['fn'] as $node => $fn) {
        $path[$tree['depth'][$node]] = preg_replace('/\{closure.*\}/', '{closure}', $tree['names'][$fn]);
        $name = implode('>', array_slice($path, 0, $tree['depth'][$node] + 1));
        $figures[$name] = ['ct' => $tree['ct'][$node]] + array_map(static fn (array $column): int => $column[$node], $tree['self']);
    }
    return $figures;
}

function show(array $result): void
{
    echo $result['out'], preg_replace('/^.*(?=no profile)/', '', $result['err']);
    foreach ($result['runs'] as $run) {
        $read = static fn (string $part): array => xhprof_test_run_part($result['folder'], "$run[id].$run[source]", $part);
        [$meta, $tree, $memory, $edges] = [$read('meta'), $read('tree'), $read('memory'), $run['edges']];
        $all = figures($tree);
        echo "$meta[mode], flags $meta[flags] ", implode(' ', $meta['flag_names']), ', part: ', $meta['ended_by'] ?? 'no', "\n";
        echo 'metrics: ', implode(' ', array_keys($tree['self'])), '; edges: ', implode(' ', array_keys($edges['main()'])), "\n";
        echo 'sampled: ', json_encode($tree['sampled']), ' ', json_encode(array_keys($meta['sampling'])), "\n";
        $samples = array_sum($tree['ct']);
        $same = [$meta['samples'], $meta['sampling']['taken'], array_sum($tree['self']['samples']), $edges['main()']['samples']];
        echo 'samples agree: ', array_unique($same) === [$samples] && $samples >= 10 ? 'yes' : json_encode([$samples, $same]), "\n";
        $bytes = [$memory['allocators']['zend_mm']['allocated_bytes'], array_sum($tree['self']['allocated_bytes'])];
        echo 'bytes agree: ', array_unique($bytes) === [$edges['main()']['allocated_bytes']] ? 'yes' : json_encode($bytes), "\n";
        echo 'wall time of the whole: ', $meta['totals']['wt'] === $meta['duration_us'] && $meta['duration_us'] > 0 ? 'yes' : 'no', "\n";
        echo 'idle() was seen: ', preg_grep('/idle/', array_keys($all + $edges)) ? 'yes' : 'no', "\n";
        foreach ($all as $path => $figure) {
            if (str_ends_with($path, 'str_repeat')) {
                // With this distance each is taken, for certain, and stands for itself alone; the heap rounds it.
                printf("%s: %d, %s, live %d\n", $path, $figure['ct'], $figure['allocated_bytes'] >= $figure['ct'] * MB
                    && $figure['allocated_bytes'] <= $figure['ct'] * 2 * MB ? 'ok' : $figure['allocated_bytes'], $figure['allocated_blocks'] - $figure['freed_blocks']);
            }
        }
    }
}

foreach (['auto', 'off', 'walk'] as $hooks) {
    echo "-- hooks=$hooks\n";
    $ini = ['mode' => 'alloc', 'alloc_sample_bytes' => 4096, 'hooks' => $hooks, 'flags' => 'cpu,memory,timeline'];
    ob_start();
    show(xhprof_test_auto(str_replace('$more', '', $code), $ini));
    $shown = (string) ob_get_clean();
    $first ??= $shown;
    echo $shown !== $first || $hooks === 'auto' ? $shown : "the same\n";
}
echo "-- the program starts a profile of its own\n";
show(xhprof_test_auto(str_replace('$more', 'xhprof_enable(); idle(1); echo count(xhprof_disable()), " edges\n";', $code), $ini));
echo "-- spans, and a process that forks\n";
$spans = '<?php function work() { return str_repeat("x", 1 << 20); } foreach ([1, 2] as $job) { xhprof_begin_span("job $job"); work(); xhprof_end_span(); }';
$fork = '<?php function work($n) { return str_repeat("x", $n << 20); } work(1); $pid = pcntl_fork(); if ($pid === 0) { work(2); exit; } work(4); pcntl_waitpid($pid, $s);';
foreach (['spans' => $spans, 'fork' => $fork] as $program) {
    $result = xhprof_test_auto($program, $ini);
    echo $result['out'], $result['err'];
    $lines = [];
    foreach ($result['runs'] as $run) {
        $mb = intdiv($run['edges']['work==>str_repeat']['allocated_bytes'] ?? 0, MB);
        $lines[] = ($run['name'] ?? (isset($run['parent']) ? 'child' : 'process')) . ": $mb MB in work()";
    }
    sort($lines);
    echo implode("\n", $lines), "\n";
}
echo "-- without samples calls are followed\n";
show(xhprof_test_auto(str_replace('$more', '', $code), ['alloc_sample_bytes' => 0, 'hooks' => 'off'] + $ini));
$result = xhprof_test_auto(str_replace('$more', '', $code), ['alloc_sample_bytes' => 0, 'hooks' => 'auto', 'flags' => ''] + $ini);
$run = $result['runs'][0];
$tree = xhprof_test_run_part($result['folder'], "$run[id].$run[source]", 'tree');
echo implode(' ', array_keys($tree['self'])), ', sampled: ', isset($tree['sampled']) ? 'yes' : 'no', "\n";
echo 'calls of idle(): ', figures($tree)['main()>idle']['ct'], "\n";
?>
--EXPECT--
-- hooks=auto
alloc, flags 8 ALLOC, part: no
metrics: samples allocated_bytes allocated_blocks freed_bytes freed_blocks; edges: ct allocated_bytes samples
sampled: {"interval_bytes":4096} ["interval_bytes","taken","dropped"]
samples agree: yes
bytes agree: yes
wall time of the whole: yes
idle() was seen: no
main()>Cache::fill>block>str_repeat: 5, ok, live 0
main()>numbers>block>str_repeat: 3, ok, live 1
main()>Fiber::start>{closure}>block>str_repeat: 1, ok, live 0
main()>Fiber::resume>{closure}>block>str_repeat: 1, ok, live 0
-- hooks=off
the same
-- hooks=walk
the same
-- the program starts a profile of its own
3 edges
alloc, flags 8 ALLOC, part: xhprof_enable
metrics: samples allocated_bytes allocated_blocks freed_bytes freed_blocks; edges: ct allocated_bytes samples
sampled: {"interval_bytes":4096} ["interval_bytes","taken","dropped"]
samples agree: yes
bytes agree: yes
wall time of the whole: yes
idle() was seen: no
main()>Cache::fill>block>str_repeat: 5, ok, live 5
main()>numbers>block>str_repeat: 3, ok, live 1
main()>Fiber::start>{closure}>block>str_repeat: 1, ok, live 0
main()>Fiber::resume>{closure}>block>str_repeat: 1, ok, live 0
-- spans, and a process that forks
job 1: 1 MB in work()
job 2: 1 MB in work()
process: 0 MB in work()
child: 3 MB in work()
process: 5 MB in work()
-- without samples calls are followed
no profile: xhprof.hooks is off: only sampling is possible
wt allocated_bytes allocated_blocks freed_bytes freed_blocks, sampled: no
calls of idle(): 1000
