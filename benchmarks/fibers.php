<?php

/**
 * What switches of fibers cost, with and without spans, and what an open span needs: `make build && php benchmarks/fibers.php`.
 *
 *   php benchmarks/fibers.php [--quick] [NAME=PATH...]
 *
 * measures other builds too, in turn with this one. Times are ns, the least of many short stretches in a process, and of those the
 * median over processes: what else the machine does falls out. Memory is the private memory (RssAnon) by which a process
 * grows where 9,900 fibers, of which each has had a span before, begin one each.
 */

declare(strict_types=1);

namespace XHProf\Bench;

require __DIR__ . '/src/autoload.php';

const WORKER = __DIR__ . '/src/fiber-worker.php';
const OF_SPANS = ['xhprof.start_with_request=no', 'xhprof.mode=aggregate'];
const OF_RUNS = ['xhprof.start_with_request=yes', 'xhprof.mode=exact'];
/** What is measured: the name of the row => [what the worker does, its settings; null: without XHProf] */
const ROWS = [
    'a switch, bare' => ['switch', null],
    'a switch, hooks=off' => ['switch', ['xhprof.hooks=off']],
    'a switch, idle' => ['switch', []],
    'a switch, aggregate, no span' => ['switch', OF_SPANS],
    'a switch, aggregate, a span each' => ['switch spans', OF_SPANS],
    'a switch, exact, no span' => ['switch exact', []],
    'a switch, exact, a span each' => ['switch spans', [...OF_RUNS, 'xhprof.save_if=failed']],
    'enter() and leave(), aggregate' => ['enter', OF_SPANS],
    'enter() and leave(), exact' => ['enter', [...OF_RUNS, 'xhprof.save_if=failed']],
    'a span, aggregate, alone' => ['span', OF_SPANS],
    'a span, aggregate, beside another' => ['span beside', OF_SPANS],
    'bytes of an open span, aggregate' => ['memory', OF_SPANS],
    'bytes of an open span, exact' => ['memory', [...OF_RUNS, 'xhprof.save_if=failed']],
];

/** @param list<float> $values */
function median(array $values): float
{
    sort($values);

    return $values[intdiv(count($values), 2)];
}

$builds = ['now' => dirname(__DIR__) . '/extension/modules/xhprof.so'];
$rounds = 9;
foreach (array_slice($argv, 1) as $argument) {
    if ($argument === '--quick') {
        $rounds = 1;
    } elseif (preg_match('/^([a-z]\w*)=(.+)$/', $argument, $match) === 1) {
        $builds[$match[1]] = $match[2];
    } else {
        fwrite(STDERR, "benchmarks/fibers.php: there is only --quick, and NAME=PATH, not $argument\n");
        exit(2);
    }
}
$folder = sys_get_temp_dir() . '/xhprof-bench-' . bin2hex(random_bytes(5));
mkdir($folder, 0o700);
try {
    $php = new Php();
    $measured = [];
    for ($round = 0; $round < $rounds; $round++) {
        foreach (ROWS as $row => [$what, $settings]) {
            foreach ($builds as $name => $build) {
                $loads = $settings === null ? [] : [
                    "extension=$build", "xhprof.output_dir=$folder", 'xhprof.flush_seconds=86400', ...$settings,
                ];
                try {
                    $value = $php->json($loads, [WORKER, $what]);
                } catch (Failure $failure) {
                    if ($name === 'now') {
                        throw $failure;
                    }
                    $value = null; // an older build has no such thing
                }
                $measured[$row][$name][] = $value;
            }
        }
    }
    $rows = [];
    foreach ($measured as $row => $values) {
        $cells = [$row];
        foreach ($values as $each) {
            $each = array_values(array_filter($each, static fn(mixed $value): bool => is_int($value) || is_float($value)));
            $cells[] = $each === [] ? '-' : sprintf('%.0f', median($each));
        }
        $rows[] = $cells;
    }
    echo Machine::line(), ", opcache off, medians of $rounds.\n\n", Tables::table(['ns', ...array_keys($builds)], $rows);
} catch (Failure $failure) {
    fwrite(STDERR, "benchmarks/fibers.php: {$failure->getMessage()}\n");
    exit(1);
} finally {
    foreach (array_diff(scandir($folder) ?: [], ['.', '..']) as $name) {
        unlink("$folder/$name");
    }
    rmdir($folder);
}
