<?php

/*
 * Instructions per call, engine included, without XHProf and in its modes: `make build && php benchmarks/instructions.php`.
 * It takes a minute or two, and other work on the machine does not change the figures. CPU time is interpolated under callgrind
 * (docs/reference.md, xhprof.cpu_clock): now and then it asks the system, which is a few instructions more or less.
 */

declare(strict_types=1);

namespace XHProf\Bench;

require __DIR__ . '/src/autoload.php';

const COUNTED = [
    'bare', 'idle', 'flags 0', 'TIMELINE', 'CPU', 'CPU|TIMELINE', 'MEMORY', 'MEMORY|TIMELINE', 'CPU|MEMORY', 'CPU|MEMORY|TIMELINE',
    'no operations',
];
const UNITS = ['empty function' => 20_000, 'internal function' => 20_000, 'SQL statement' => 2_000];

try {
    if (Instructions::missing() !== null) {
        throw new Failure(Instructions::missing());
    }
    $php = new Php(pin: false);
    $modes = (new Modes($php, dirname(__DIR__), []))->all;
    $instructions = new Instructions($php);
    $rows = [];
    foreach (COUNTED as $mode) {
        $row = [str_replace('|', '\\|', $mode)];
        foreach (UNITS as $name => $units) {
            fwrite(STDERR, "$mode, $name\n");
            $workload = Workloads::all()[$name];
            $usable = array_filter($workload->extensions, static fn(string $name): bool => $php->extension($name) === null) === [];
            $row[] = $usable ? sprintf('%.0f', $instructions->perCall($modes[$mode], $workload, $units)) : '-';
        }
        $rows[] = $row;
    }
    echo Machine::line(), ".\n\n", Tables::table(['instructions per call', ...array_keys(UNITS)], $rows);
} catch (Failure $failure) {
    fwrite(STDERR, "benchmarks/instructions.php: {$failure->getMessage()}\n");
    exit(1);
}
