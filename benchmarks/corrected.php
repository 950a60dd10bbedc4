<?php

/**
 * Costs of tiny calls against the same work inlined: the true ratio, timed with the profiler off, and the ratios in
 * a profile, raw and corrected. Needs only the extension:
 *
 *   php -n -d extension=/path/to/xhprof.so benchmarks/corrected.php [CALLS] [ROUNDS] [PROCESSES]
 *
 * Prints JSON: per workload "true", "raw" and "corrected" ratios (corrected is null if the call tree has no such column), the
 * nanoseconds per call behind them, and how far the corrected ratio is from the true one: medians of some processes, each of
 * which measures all of it, the profiler's cost too. Exits with 1 if a corrected ratio is not within TOLERANCE of the true
 * one, or not nearer to it than the raw one. One process in some twenty is not, on a machine that does other work; half of
 * them are not only where the profiler is wrong.
 */

declare(strict_types=1);

namespace XHProf\Bench\Corrected;

/** As a share of the true ratio. */
const TOLERANCE = 0.25;

function mix(int $sum, int $i): int
{
    return ($sum ^ $i) & 0xffffff;
}

function shift(int $sum): int
{
    return ($sum << 1) & 0xffffff;
}

function twice(int $sum, int $i): int
{
    return shift(mix($sum, $i));
}

final class Sum
{
    public int $sum = 0;

    public function add(int $i): void
    {
        $this->sum = ($this->sum ^ $i) & 0xffffff;
    }
}

function functionsCalled(int $calls): int
{
    $sum = 0;
    for ($i = 0; $i < $calls; $i += 2) {
        $sum = mix($sum, $i);
        $sum = shift($sum);
    }

    return $sum;
}

function functionsInlined(int $calls): int
{
    $sum = 0;
    for ($i = 0; $i < $calls; $i += 2) {
        $sum = ($sum ^ $i) & 0xffffff;
        $sum = ($sum << 1) & 0xffffff;
    }

    return $sum;
}

function nestedCalled(int $calls): int
{
    $sum = 0;
    for ($i = 0; $i < $calls; $i += 3) {
        $sum = twice($sum, $i);
    }

    return $sum;
}

function nestedInlined(int $calls): int
{
    $sum = 0;
    for ($i = 0; $i < $calls; $i += 3) {
        $sum = ((($sum ^ $i) & 0xffffff) << 1) & 0xffffff;
    }

    return $sum;
}

function methodsCalled(int $calls): int
{
    $sum = new Sum();
    for ($i = 0; $i < $calls; $i++) {
        $sum->add($i);
    }

    return $sum->sum;
}

function methodsInlined(int $calls): int
{
    $sum = new Sum();
    for ($i = 0; $i < $calls; $i++) {
        $sum->sum = ($sum->sum ^ $i) & 0xffffff;
    }

    return $sum->sum;
}

function internalCalled(int $calls): int
{
    $sum = 0;
    for ($i = 0; $i < $calls; $i++) {
        $sum = \abs($sum - $i);
    }

    return $sum;
}

function internalInlined(int $calls): int
{
    $sum = 0;
    for ($i = 0; $i < $calls; $i++) {
        $sum -= $i;
        $sum = $sum < 0 ? -$sum : $sum;
    }

    return $sum;
}

/**
 * @param array<string, float> $best
 * @param-out array<string, float> $best
 */
function keepLeast(array &$best, string $what, ?float $value): void
{
    if ($value !== null) {
        $best[$what] = min($best[$what] ?? $value, $value);
    }
}

/**
 * @param array<mixed> $tree of xhprof_call_tree()
 *
 * @return float|null nanoseconds of the function and all below it
 */
function inclusive(array $tree, string $column, string $function): ?float
{
    if (!isset($tree[$column]['wt'])) {
        return null;
    }
    $sum = 0.0;
    $within = null;
    foreach ($tree['fn'] as $node => $name) {
        if ($within !== null && $tree['depth'][$node] <= $within) {
            $within = null;
        }
        if ($within === null && $tree['names'][$name] === $function) {
            $within = $tree['depth'][$node];
        }
        $sum += $within === null ? 0 : $tree[$column]['wt'][$node];
    }

    return $sum;
}

/**
 * @return array<string, \Closure(int): int>
 */
function variants(string $workload): array
{
    return match ($workload) {
        'functions' => ['called' => functionsCalled(...), 'inlined' => functionsInlined(...)],
        'nested' => ['called' => nestedCalled(...), 'inlined' => nestedInlined(...)],
        'methods' => ['called' => methodsCalled(...), 'inlined' => methodsInlined(...)],
        default => ['called' => internalCalled(...), 'inlined' => internalInlined(...)],
    };
}

/**
 * @return array<string, float> the least of each, ns
 */
function timeUnprofiled(string $workload, int $calls, int $rounds): array
{
    $best = [];
    for ($round = 0; $round < $rounds; $round++) {
        foreach (variants($workload) as $variant => $function) {
            $start = hrtime(true);
            $function($calls);
            keepLeast($best, "true $variant", (float) (hrtime(true) - $start));
        }
    }

    return $best;
}

/**
 * @return array<string, float> the least of each, ns
 */
function profile(string $workload, int $calls, int $rounds): array
{
    $best = [];
    for ($round = 0; $round < $rounds; $round++) {
        $functions = variants($workload);
        \xhprof_enable();
        foreach ($functions as $function) {
            $function($calls);
        }
        \xhprof_disable();
        $tree = \xhprof_call_tree() ?? [];
        foreach (['called', 'inlined'] as $variant) {
            $name = __NAMESPACE__ . "\\$workload" . ucfirst($variant);
            keepLeast($best, "raw $variant", inclusive($tree, 'self', $name));
            keepLeast($best, "corrected $variant", inclusive($tree, 'corrected', $name));
        }
    }

    return $best;
}

/**
 * @return array<string, array<string, float|null>> workload => ratios, and nanoseconds per call
 */
function measure(int $calls, int $rounds): array
{
    $bests = [];
    // The true ratio first: after a profile a call may cost a trace more than in a program that was never profiled.
    foreach (['functions', 'nested', 'methods', 'internal'] as $workload) {
        $bests[$workload] = timeUnprofiled($workload, $calls, $rounds);
    }
    $results = [];
    foreach ($bests as $workload => $best) {
        $best += profile($workload, $calls, $rounds);
        foreach (['true', 'raw', 'corrected'] as $figure) {
            $called = $best["$figure called"] ?? 0.0;
            $inlined = $best["$figure inlined"] ?? 0.0;
            $results[$workload][$figure] = $inlined > 0 ? $called / $inlined : null;
            $results[$workload]["{$figure}_ns"] = $inlined > 0 ? ($called - $inlined) / $calls : null;
        }
    }

    return $results;
}

/**
 * A process of its own measures, with the options of this one.
 *
 * @return array<string, array<string, float|null>>
 */
function measureElsewhere(int $calls, int $rounds): array
{
    $command = explode("\0", rtrim((string) file_get_contents('/proc/self/cmdline'), "\0"));
    $options = array_slice($command, 1, (int) array_search($_SERVER['argv'][0], $command, true) - 1);
    $process = proc_open([PHP_BINARY, ...$options, __FILE__, "$calls", "$rounds", '1'], [1 => ['pipe', 'w']], $pipes);
    if (!is_resource($process)) {
        throw new \RuntimeException('no process can be started');
    }
    $json = (string) stream_get_contents($pipes[1]);
    $code = proc_close($process);
    if ($code > 1) {
        throw new \RuntimeException("a process that measures ended with $code");
    }

    return json_decode($json, true, flags: JSON_THROW_ON_ERROR);
}

/**
 * @param list<float|null> $values
 *
 * @return float|null null if one is
 */
function median(array $values): ?float
{
    if ($values === [] || in_array(null, $values, true)) {
        return null;
    }
    sort($values);

    return ($values[intdiv(count($values) - 1, 2)] + $values[intdiv(count($values), 2)]) / 2;
}

/** @param array<string, float|null> $figures of one process */
function error(array $figures, string $figure): ?float
{
    return ($figures['true'] ?? null) === null || ($figures[$figure] ?? null) === null
        ? null
        : abs($figures[$figure] / $figures['true'] - 1);
}

$calls = (int) ($argv[1] ?? 5000); // a fraction of a time slice: on a busy machine most longer ones are interrupted
$rounds = (int) ($argv[2] ?? 600);
$processes = max(1, (int) ($argv[3] ?? 9));
$all = [];
for ($i = 0; $i < $processes; $i++) {
    $all[] = $processes === 1 ? measure($calls, $rounds) : measureElsewhere($calls, $rounds);
}
$results = $far = [];
foreach (array_keys($all[0]) as $workload) {
    $found = array_column($all, $workload);
    foreach (array_keys($found[0]) as $figure) {
        $median = median(array_column($found, $figure));
        $results[$workload][$figure] = $median === null ? null : round($median, str_ends_with($figure, '_ns') ? 1 : 3);
    }
    // Each process compares its own figures: what else the machine does meets all of them.
    $error = median(array_map(static fn (array $figures): ?float => error($figures, 'corrected'), $found));
    $raw = median(array_map(static fn (array $figures): ?float => error($figures, 'raw'), $found));
    $results[$workload]['corrected_error'] = $error === null ? null : round($error, 3);
    if ($error === null || $error > TOLERANCE || $error >= $raw) {
        $far[] = $workload;
    }
}
echo json_encode($results, JSON_PRETTY_PRINT | JSON_THROW_ON_ERROR), "\n";
if ($far !== []) {
    if ($processes > 1) {
        fwrite(STDERR, 'Corrected times are not near the true ones: ' . implode(', ', $far) . "\n");
    }
    exit(1);
}
