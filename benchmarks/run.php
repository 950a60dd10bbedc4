<?php

/**
 * What profiling costs: nanoseconds per call over the bare engine.
 *
 *     php benchmarks/run.php [--rounds=7] [--json=FILE] [--only=WORKLOAD]
 *
 * Every figure is a fresh process pinned to one core; in a round all modes of a workload run in turn, so that they meet
 * the same state of the machine; the table shows medians over the rounds of (mode - bare of that round) / calls.
 */

declare(strict_types=1);

const MODES = [
    'bare' => 'bare',
    'idle' => 'bare',
    'flags 0' => '0',
    'NO_BUILTINS' => '1',
    'CPU' => '2',
    'MEMORY' => '4',
    'CPU|MEMORY' => '6',
];

$options = getopt('', ['rounds:', 'json:', 'only:']);
$rounds = max(1, (int) ($options['rounds'] ?? 7));
$extension = dirname(__DIR__) . '/extension/modules/xhprof.so';
if (!is_file($extension)) {
    fwrite(STDERR, "extension/modules/xhprof.so is missing: run make build first\n");
    exit(1);
}

/** @return array{ns: int, calls: int} */
function bench_run(string $workload, string $mode, string $extension): array
{
    $command = [PHP_BINARY, '-n', '-d', 'memory_limit=-1'];
    if ($mode !== 'bare') {
        array_push($command, '-d', "extension=$extension");
    }
    array_push($command, __DIR__ . '/workloads.php', $workload, MODES[$mode]);
    if (is_executable('/usr/bin/taskset')) {
        array_unshift($command, '/usr/bin/taskset', '-c', '0');
    }
    $process = proc_open($command, [1 => ['pipe', 'w']], $pipes);
    $output = $process === false ? '' : (string) stream_get_contents($pipes[1]);
    if ($process === false || proc_close($process) !== 0) {
        fwrite(STDERR, "\n$workload, $mode: the benchmark process failed\n");
        exit(1);
    }

    return json_decode($output, true, 4, JSON_THROW_ON_ERROR);
}

/** @param non-empty-list<float> $values */
function bench_median(array $values): float
{
    sort($values);
    $middle = intdiv(count($values), 2);

    return count($values) % 2 ? $values[$middle] : ($values[$middle - 1] + $values[$middle]) / 2;
}

function bench_machine(): string
{
    preg_match('/^model name\s*:\s*(.+)$/m', (string) @file_get_contents('/proc/cpuinfo'), $match);

    return sprintf('PHP %s, %s, %s', PHP_VERSION, $match[1] ?? php_uname('m'), date('Y-m-d'));
}

$list = shell_exec(escapeshellarg(PHP_BINARY) . ' -n ' . escapeshellarg(__DIR__ . '/workloads.php'));
/** @var list<string> $workloads */
$workloads = json_decode((string) $list, true, 2, JSON_THROW_ON_ERROR);
if (isset($options['only'])) {
    $workloads = array_values(array_filter($workloads, static fn(string $name): bool => $name === $options['only']));
}
$figures = [];
foreach ($workloads as $workload) {
    $samples = [];
    for ($round = 1; $round <= $rounds; $round++) {
        if (stream_isatty(STDERR)) {
            fprintf(STDERR, "\r\e[K%s: round %d of %d", $workload, $round, $rounds);
        }
        $bare = 0.0;
        foreach (array_keys(MODES) as $mode) {
            $result = bench_run($workload, $mode, $extension);
            $perCall = $result['ns'] / $result['calls'];
            $bare = $mode === 'bare' ? $perCall : $bare;
            $samples[$mode][] = $mode === 'bare' ? $perCall : $perCall - $bare;
        }
    }
    $figures[$workload] = array_map(bench_median(...), $samples);
}
if (stream_isatty(STDERR)) {
    fwrite(STDERR, "\r\e[K");
}

echo 'Added ns per call (bare: ns per call), medians of ', $rounds, ' rounds. ', bench_machine(), "\n\n";
printf('| %-17s |', 'workload');
foreach (array_keys(MODES) as $mode) {
    printf(' %11s |', $mode);
}
echo "\n|", str_repeat('-', 19), '|', str_repeat(str_repeat('-', 12) . ':|', count(MODES)), "\n";
foreach ($figures as $workload => $row) {
    printf('| %-17s |', $workload);
    foreach ($row as $value) {
        printf(' %11.1f |', $value);
    }
    echo "\n";
}
if (is_string($options['json'] ?? null)) {
    $json = ['machine' => bench_machine(), 'rounds' => $rounds, 'ns' => $figures];
    file_put_contents($options['json'], json_encode($json, JSON_THROW_ON_ERROR | JSON_PRETTY_PRINT) . "\n");
}
