<?php

/*
 * fleet.php [--seed=N] [--hosts=N] [--windows=N] [--serve] [--port=N]: simulates a fleet whose program is the demo shop, as
 * profiled now: 50 hosts for three hours, two releases. In the second one function of one route is slower, and on five hosts
 * everything is. Each host sends its run folder to a store by bin/xhprof ship. Prints what `fleet regressions` and `fleet hosts`
 * find. --serve serves the store and the pages until Ctrl-C, on this port or the first free one.
 *
 * Exit code 1 where something else is found than was planted.
 */

declare(strict_types=1);

namespace XHProf\Demo\Fleet;

use XHProf\Tools\Servers\ClickHouse;

require __DIR__ . '/fleet/autoload.php';

const ROUTE = 'GET /products/{id}';
const SLOWER = 'PDO::prepare';

/**
 * @param list<string>             $question
 * @param key-of<ClickHouse::USERS> $user
 */
function xhprof(ClickHouse $server, string $user, array $question): string
{
    $command = XhprofCommand::run(['fleet', ...$question], $user, ['XHPROF_FLEET' => $server->url()]);
    fwrite(STDERR, $command->err);
    if ($command->exitCode !== 0) {
        throw new \RuntimeException("xhprof fleet $question[0] fails: $command->out");
    }

    return $command->out;
}

/** @param int|null $port of the pages, 0: the first free one; null: they are not served */
function main(Plan $plan, ?int $port): bool
{
    echo "Profiling the demo shop ...\n";
    $real = RealProfile::record(1000);
    echo "Starting the engine of ClickHouse behind a small HTTP server, which is for tests and demos only ...\n";
    $server = new ClickHouse();
    echo xhprof($server, 'admin', ['init']);
    printf("Writing the runs of %d hosts x 2 releases x %d windows of %d s ...\n", $plan->hosts, $plan->windows, $plan->seconds);
    $hosts = new Hosts();
    $count = 0;
    foreach ((new Simulation($real, $plan))->runs() as $run) {
        $hosts->save($run);
        $count++;
    }
    echo "Sending them, each host's by a `bin/xhprof ship --once` of its own ...\n";
    $began = microtime(true);
    $sent = 0;
    foreach ($hosts->ship($server) as $runs) {
        $sent += $runs;
        if (stream_isatty(STDOUT)) {
            echo "\r$sent of $count runs";
        }
    }
    printf("%s%d runs in %.0f s\n", stream_isatty(STDOUT) ? "\r" : '', $sent, microtime(true) - $began);
    foreach ([['services'], ['regressions', '--service=shop'], ['hosts', '--service=shop', '--limit=8']] as $question) {
        echo "\n\$ xhprof fleet ", implode(' ', $question), "\n", xhprof($server, 'reader', $question);
    }
    $found = json_decode(xhprof($server, 'reader', ['regressions', '--service=shop', '--json']), true);
    $odd = json_decode(xhprof($server, 'reader', ['hosts', '--service=shop', '--json']), true);
    if (!is_array($found) || !is_array($odd)) {
        throw new \RuntimeException('bin/xhprof prints no JSON');
    }
    $slower = array_map(static fn (array $row): array => [$row['route'], $row['function']], $found['rows']);
    sort($odd['outliers']);
    $isFound = $slower === [[ROUTE, SLOWER]] && $odd['outliers'] === $plan->bad();
    printf("\nPlanted: %s in %s, and %s.\n", SLOWER, ROUTE, implode(', ', $plan->bad()));
    echo $isFound ? "All of it was found, and nothing else.\n" : "Something else was found.\n";
    if ($port !== null) {
        $pages = new Pages($server, $port);
        echo "\nThe pages are at $pages->site/index.php?view=fleet&last=7d&token=$pages->token\n";
        echo "\nThe store is at {$server->url()} until Ctrl-C:\n  export XHPROF_FLEET={$server->url()} XHPROF_SHIP_USER=reader"
            . ' XHPROF_SHIP_PASSWORD=' . escapeshellarg(ClickHouse::USERS['reader']) . "\n  bin/xhprof fleet\n";
        while (is_dir("/proc/{$server->pid()}")) {
            sleep(1);
        }
    }

    return $isFound;
}

$options = getopt('', ['seed:', 'hosts:', 'windows:', 'serve', 'port:']) ?: [];
$number = static fn (string $name, int $default): int
    => is_string($options[$name] ?? null) ? max(1, (int) $options[$name]) : $default;
try {
    $plan = new Plan(
        $number('seed', 1),
        hosts: $number('hosts', 50),
        windows: $number('windows', 9),
        route: ROUTE,
        function: SLOWER,
        badHosts: max(1, intdiv($number('hosts', 50), 10)),
    );
    $port = is_string($options['port'] ?? null) ? (int) $options['port'] : 0;
    exit(main($plan, isset($options['serve']) ? $port : null) ? 0 : 1);
} catch (\RuntimeException $e) {
    fwrite(STDERR, "{$e->getMessage()}\n");
    exit(1);
}
