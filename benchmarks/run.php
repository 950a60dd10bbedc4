<?php

/*
 * Costs of profiling, in one run: XHProf in all its modes beside the bare engine, the least cost of observing calls,
 * and other profilers. `make bench` builds and fetches what it needs; `php benchmarks/run.php --help` lists the options.
 */

declare(strict_types=1);

namespace XHProf\Bench;

require __DIR__ . '/src/autoload.php';

try {
    exit((new Command(dirname(__DIR__)))->run(array_slice($argv, 1), (string) getenv('PEER_SO')));
} catch (Failure $failure) {
    fwrite(STDERR, "benchmarks/run.php: {$failure->getMessage()}\n");
    exit($failure instanceof UsageError ? 2 : 1);
}
