<?php

/**
 * Costs of tiny calls against the same work inlined: the true ratio, timed with the profiler off, and the ratios in
 * a profile, raw and corrected. Needs only the extension:
 *
 *   php -n -d extension=/path/to/xhprof.so benchmarks/corrected.php [CALLS] [ROUNDS]
 *
 * Prints JSON: per workload "true", "raw" and "corrected" ratios (corrected is null if the call tree has no such column),
 * and the nanoseconds per call behind them. Exits with 1 if a corrected ratio is not within TOLERANCE of the true one, or
 * not nearer to it than the raw one: run it on an idle machine.
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

$calls = (int) ($argv[1] ?? 5000); // a fraction of a time slice: on a busy machine most longer ones are interrupted
$rounds = (int) ($argv[2] ?? 600);
$bests = [];
// The true ratio first: after a profile a call may cost a trace more than in a program that was never profiled.
foreach (['functions', 'nested', 'methods', 'internal'] as $workload) {
    $bests[$workload] = timeUnprofiled($workload, $calls, $rounds);
}
foreach ($bests as $workload => $best) {
    $bests[$workload] += profile($workload, $calls, $rounds);
}
$results = [];
foreach ($bests as $workload => $best) {
    foreach (['true', 'raw', 'corrected'] as $figure) {
        $called = $best["$figure called"] ?? 0.0;
        $inlined = $best["$figure inlined"] ?? 0.0;
        $results[$workload][$figure] = $inlined > 0 ? round($called / $inlined, 3) : null;
        $results[$workload]["{$figure}_ns"] = $inlined > 0 ? round(($called - $inlined) / $calls, 1) : null;
    }
}
echo json_encode($results, JSON_PRETTY_PRINT | JSON_THROW_ON_ERROR), "\n";
$far = [];
foreach ($results as $workload => $figures) {
    [$true, $raw, $corrected] = [$figures['true'] ?? null, $figures['raw'] ?? 0, $figures['corrected'] ?? null];
    $error = $true === null || $corrected === null ? INF : abs($corrected / $true - 1);
    if ($error > TOLERANCE || $error >= abs($raw / $true - 1)) {
        $far[] = $workload;
    }
}
if ($far !== []) {
    fwrite(STDERR, 'Corrected times are not near the true ones: ' . implode(', ', $far) . "\n");
    exit(1);
}
