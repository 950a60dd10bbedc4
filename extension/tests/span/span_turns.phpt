--TEST--
Spans of 2, 20 and 200 fibers that take turns: each has the calls, samples, CPU and wall time of its own turns, and for how long it was suspended, as the program itself has counted
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('test clock', 'sampling'); ?>
--FILE--
<?php
require __DIR__ . '/../spans.inc';

// Each job measures what its turns take, from the outside and from the inside, so that no scheduling of the machine changes the relation.
$program = <<<'PHP'
    $jobs = (int) $argv[1];
    $named = $argv[2];
    const ROUNDS = 4;
    function leaf(): void {}
    function spin(int $times): void { $text = str_repeat('x', 2000); for ($i = 0; $i < $times; $i++) { md5($text); } }
    for ($route = 0; $route < 5; $route++) {
        eval("function only$route(int \$leaves, int \$times): void { for (\$i = 0; \$i < \$leaves; \$i++) { leaf(); } spin(\$times); }");
    }
    function between(int $times): void { spin($times); }
    function job(int $i, string $name, int $times): void
    {
        $route = $i % 5;
        $only = "only$route";
        $begun = hrtime(true);
        $span = xhprof_span($name);
        $first = hrtime(true);
        $gaps = 0;
        for ($round = 0; $round < ROUNDS; $round++) {
            $only($i % 7 + 1, $route === 4 ? 3 * $times : $times);
            if ($round < ROUNDS - 1) {
                $at = hrtime(true);
                Fiber::suspend();
                $gaps += hrtime(true) - $at;
            }
        }
        $last = hrtime(true);
        $span->end();
        $sum = &$GLOBALS['truth'][$name];
        $sum = ['own' => ($sum['own'] ?? 0) + $last - $first - $gaps, 'all' => ($sum['all'] ?? 0) + hrtime(true) - $begun, 'gaps' => ($sum['gaps'] ?? 0) + $gaps];
    }
    $times = intdiv(60_000, $jobs * ROUNDS);
    $waiting = [];
    mt_srand(7);
    for ($i = 0; $i < $jobs; $i++) {
        $waiting[] = $fiber = new Fiber(job(...));
        $fiber->start($i, $named === 'route' ? 'route ' . $i % 5 : "job $i", $times);
    }
    while ($waiting) {
        $key = array_rand($waiting);
        $waiting[$key]->resume();
        if ($waiting[$key]->isTerminated()) { unset($waiting[$key]); }
        between(intdiv($times, 10));
    }
    $usage = getrusage();
    $cpu = ($usage['ru_utime.tv_sec'] + $usage['ru_stime.tv_sec']) * 1_000_000 + $usage['ru_utime.tv_usec'] + $usage['ru_stime.tv_usec'];
    echo json_encode(['truth' => $truth, 'cpu_us' => $cpu]);
    PHP;

/** Prints where a span's times are not what the program has measured around and within its turns. ns and us; clocks may differ by a little. */
function check_times(string $name, array $truth, int $wall, int $suspended, int $count): void
{
    $slack = 20_000 * $count + $truth['all'] * 0.002;
    $within = ['wall' => $wall * 1000 <= $truth['all'] + $slack, 'suspended' => $suspended * 1000 <= $truth['gaps'] + $slack, 'own' => ($wall - $suspended) * 1000 >= $truth['own'] - $slack];
    foreach (array_keys($within, false, true) as $wrong) {
        echo "$name, $wrong: wall $wall us, suspended $suspended us of ", json_encode($truth), "\n";
    }
}

foreach ([2, 20, 200] as $jobs) {
    $child = xhprof_test_auto(XHPROF_TEST_WORK . $program, ['mode' => 'exact'], [], [], [], [(string) $jobs, 'job']);
    $answer = json_decode($child['out'], true);
    $wrong = [];
    foreach ($child['runs'] as $run) {
        if (!isset($run['name'])) {
            continue;
        }
        $i = (int) substr($run['name'], 4);
        $expected = ['main()==>only' . $i % 5 => 4, 'only' . $i % 5 . '==>leaf' => 4 * ($i % 7 + 1), 'only' . $i % 5 . '==>spin' => 4, 'main()==>Fiber::suspend' => 3];
        $found = array_map(static fn (array $figures): int => $figures['ct'], array_filter($run['edges'], static fn (string $edge): bool => preg_match('/only|leaf|==>spin|between|suspend|job/', $edge) === 1, ARRAY_FILTER_USE_KEY));
        ksort($expected);
        ksort($found);
        if ($found !== $expected || isset($run['ended_by']) || isset($run['other_fibers'])) {
            $wrong[] = "$run[name]: " . json_encode($found);
        }
        // Its functions' times add up to its own; what was measured is within the span, but for the profiler's own work.
        if ($run['edges']['main()']['wt'] > $run['elapsed_us'] - $run['suspended_us'] + 1) {
            $wrong[] = "$run[name]: " . json_encode(array_intersect_key($run, ['elapsed_us' => 0, 'suspended_us' => 0, 'duration_us' => 0])) . ', main() ' . $run['edges']['main()']['wt'];
        }
        check_times($run['name'], $answer['truth'][$run['name']], $run['elapsed_us'], $run['suspended_us'], 1);
    }
    echo "$jobs, exact: ", count(array_filter(array_column($child['runs'], 'name'))), " runs\n", implode('', array_map(static fn (string $line): string => "$line\n", array_slice($wrong, 0, 5)));

    $child = xhprof_test_auto(XHPROF_TEST_WORK . $program, ['mode' => 'sample', 'sampling_interval' => 1000], [], [], [], [(string) $jobs, 'job']);
    $answer = json_decode($child['out'], true);
    $samples = 0;
    foreach ($child['runs'] as $run) {
        if (!isset($run['name'])) {
            continue;
        }
        $samples += $run['samples'];
        foreach (array_keys($run['edges']) as $edge) {
            if (preg_match('/only(\d)|(between)/', $edge, $match) === 1 && ($match[1] === '' || (int) $match[1] !== (int) substr($run['name'], 4) % 5)) {
                echo "$run[name]: $edge\n";
            }
        }
        check_times($run['name'], $answer['truth'][$run['name']], max($run['elapsed_us'], $run['duration_us']), $run['suspended_us'], 1);
    }
    echo "$jobs, sample: ", count(array_filter(array_column($child['runs'], 'name'))), ' runs, ', $samples > 0 ? 'with samples' : 'without a sample', "\n";

    $child = xhprof_test_auto(XHPROF_TEST_WORK . $program, ['mode' => 'aggregate', 'start_with_request' => 'no', 'flush_seconds' => 86400, 'sampling_interval' => 1000], xhprof_test_clock(), [], [], [(string) $jobs, 'route']);
    $answer = json_decode($child['out'], true);
    $lines = xhprof_test_span_routes($child);
    echo "$jobs, aggregate:\n", implode("\n", $lines), "\n";
    $cpu = [];
    foreach ($child['runs'] as $run) {
        foreach ($run['aggregate']['routes'] as $name => $route) {
            $cpu[$name] = ($cpu[$name] ?? 0) + $route['cpu_us'];
            isset($answer['truth'][$name]) && check_times($name, $answer['truth'][$name], $route['wall_us'], $route['suspended']['us'], $route['requests']);
        }
        foreach (array_keys($run['edges']) as $edge) {
            if (preg_match('/^route (\d)==>only(\d)/', $edge, $match) === 1 ? $match[1] !== $match[2] : preg_match('/^(?:route \d==>between|\(between requests\)==>only)/', $edge) === 1) {
                echo "$edge\n";
            }
        }
    }
    echo isset($cpu['(between requests)']) ? '' : "nothing between requests\n";
    // The routes' CPU time is the process's, except for its start and the profiler's own work. One route has three times the work of
    // each other one.
    if (array_sum($cpu) > $answer['cpu_us'] || array_sum($cpu) < $answer['cpu_us'] * 0.5) {
        echo "CPU time of the process: $answer[cpu_us] us, of routes: ", json_encode($cpu), "\n";
    }
    for ($route = 0; $jobs > 2 && $route < 4; $route++) {
        if ($cpu['route 4'] < 2 * $cpu["route $route"] || $cpu['route 4'] > 4.5 * $cpu["route $route"]) {
            echo "CPU time of routes: ", json_encode($cpu), "\n";
        }
    }
}
?>
--EXPECT--
2, exact: 2 runs
2, sample: 2 runs, with samples
2, aggregate:
route 0: requests 1, suspended 1
route 1: requests 1, suspended 1
20, exact: 20 runs
20, sample: 20 runs, with samples
20, aggregate:
route 0: requests 4, suspended 4
route 1: requests 4, suspended 4
route 2: requests 4, suspended 4
route 3: requests 4, suspended 4
route 4: requests 4, suspended 4
200, exact: 200 runs
200, sample: 200 runs, with samples
200, aggregate:
route 0: requests 40, suspended 40
route 1: requests 40, suspended 40
route 2: requests 40, suspended 40
route 3: requests 40, suspended 40
route 4: requests 40, suspended 40
