<?php

/*
 * Instructions per call, and per round of the workload "allocations", engine included, without XHProf and in its modes:
 * `make build && php benchmarks/instructions.php`, with `--only=calls` or `--only=rounds` one of them. After
 * tools/bench-reference.sh also with the reference, which shows the engine's own part. It takes a minute or two, and other work
 * on the machine does not change the figures. CPU time is interpolated under callgrind (docs/reference.md, xhprof.cpu_clock): now
 * and then it asks the system, which is a few instructions more or less.
 */

declare(strict_types=1);

namespace XHProf\Bench;

require __DIR__ . '/src/autoload.php';

const COUNTED = [
    'bare', 'idle', 'flags 0', 'TIMELINE', 'CPU', 'CPU|TIMELINE', 'MEMORY', 'MEMORY|TIMELINE', 'CPU|MEMORY', 'CPU|MEMORY|TIMELINE',
    'no operations',
];
/** Of one round: the reference forwards what handlers on the heap get, or is called around every call, and does nothing. */
const COUNTED_ROUNDS = [
    'bare', 'hooks=off', 'forward', 'memory sampled', 'idle', 'empty observers', 'memory exact', 'ALLOC',
];
const ROUNDS = 2_000;
const UNITS = ['empty function' => 20_000, 'internal function' => 20_000, 'SQL statement' => 2_000];

try {
    if (Instructions::missing() !== null) {
        throw new Failure(Instructions::missing());
    }
    $php = new Php(pin: false);
    $modes = (new Modes($php, dirname(__DIR__), []))->all;
    $instructions = new Instructions($php);
    $only = array_values(preg_filter('/^--only=/', '', array_slice($argv, 1)));
    if (array_diff($only, ['calls', 'rounds']) !== [] || count($only) < count($argv) - 1) {
        throw new Failure('there is only --only=calls and --only=rounds');
    }
    echo Machine::line(), ".\n";
    if ($only === [] || in_array('calls', $only, true)) {
        $rows = [];
        foreach (COUNTED as $mode) {
            $row = [str_replace('|', '\\|', $mode)];
            foreach (UNITS as $name => $units) {
                fwrite(STDERR, "$mode, $name\n");
                $workload = Workloads::all()[$name];
                $missing = array_filter($workload->extensions, static fn(string $name): bool => $php->extension($name) === null);
                $row[] = $missing === [] ? sprintf('%.0f', $instructions->perCall($modes[$mode], $workload, $units)) : '-';
            }
            $rows[] = $row;
        }
        echo "\n", Tables::table(['instructions per call', ...array_keys(UNITS)], $rows);
    }
    if ($only === [] || in_array('rounds', $only, true)) {
        $rows = [];
        $bare = null;
        foreach (array_intersect(COUNTED_ROUNDS, array_keys($modes)) as $mode) {
            fwrite(STDERR, "$mode, allocations\n");
            $counted = $instructions->perUnit($modes[$mode], Workloads::all()['allocations'], ROUNDS);
            $bare ??= $counted;
            $rows[] = [$mode, sprintf('%.0f', $counted), sprintf('x%.3f', $counted / $bare)];
        }
        echo "\n", Tables::table(['a round of allocations', 'instructions', 'of bare'], $rows);
    }
} catch (Failure $failure) {
    fwrite(STDERR, "benchmarks/instructions.php: {$failure->getMessage()}\n");
    exit(1);
}
