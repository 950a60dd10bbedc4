<?php

/*
 * CPU time of an empty request, beyond that of a PHP without XHProf: `php benchmarks/empty_requests.php [ROUNDS [REQUESTS]]`. Each
 * process of php-cgi serves many; in a round all modes in turn, each compared with the bare one of its round.
 */

declare(strict_types=1);

namespace XHProf\Bench;

require __DIR__ . '/src/autoload.php';

try {
    $root = dirname(__DIR__);
    $requests = new EmptyRequests("$root/extension/modules/xhprof.so", "$root/build/bench/debian");
    $median = $requests->measure((int) ($argv[1] ?? 9), (int) ($argv[2] ?? 20_000));
    $rows = [];
    foreach ($median as $mode => $microseconds) {
        $rows[] = [$mode, sprintf($mode === Modes::BARE ? '%.1f' : '%+.1f', $microseconds)];
    }
    echo Machine::line(), ".\n\n", Tables::table(['empty request, µs of CPU', ''], $rows);
} catch (Failure $failure) {
    fwrite(STDERR, "benchmarks/empty_requests.php: {$failure->getMessage()}\n");
    exit(1);
}
