<?php

/*
 * visit.php [--no-databases] FOLDER: starts the databases that can be had, the shop and the service of exchange rates, visits the
 * shop with the profiler, and leaves the runs and heap snapshots in FOLDER. Prints a line for each step. The servers end with it.
 *
 * Exit code 1, with the reason, where the shop gives another answer than it should.
 */

declare(strict_types=1);

namespace XHProf\Demo;

use XHProf\Tools\Servers\Client;
use XHProf\Tools\Servers\Databases;
use XHProf\Tools\Servers\DevServer;
use XHProf\Tools\Servers\Programs;
use XHProf\Tools\Servers\Request;

const ROOT = __DIR__ . '/../..';
const JOBS = 40;

require ROOT . '/tools/servers/autoload.php';

function say(string $text): void
{
    echo "$text\n";
}

/** @param array<string, string>|null $form */
function visit(Client $shop, string $what, string $path, ?array $form = null): void
{
    say(sprintf('  %-4s %-38s %s', $form === null ? 'GET' : 'POST', $path, $what));
    $answer = $shop->send(new Request($path, $form));
    if ($answer->status !== 200) {
        throw new \RuntimeException("$path answers $answer->status: $answer->body");
    }
}

/**
 * Runs a program of PHP to its end.
 *
 * @param list<string> $command
 * @param array<string, string> $environment
 */
function run(array $command, array $environment): string
{
    // It has this one's stderr. The stream STDERR would be rewound first, and a log with it.
    $descriptors = [['file', '/dev/null', 'r'], ['pipe', 'w']];
    $process = proc_open($command, $descriptors, $pipes, ROOT, $environment + Programs::environment());
    if ($process === false) {
        throw new \RuntimeException("cannot start $command[0]");
    }
    $output = (string) stream_get_contents($pipes[1]);
    if (proc_close($process) !== 0) {
        throw new \RuntimeException(implode(' ', $command) . " fails: $output");
    }

    return trim($output);
}

function start(): Databases
{
    say('Starting the databases that can be had ...');
    foreach (Databases::missing() as $variable => $reason) {
        say("  without $variable: $reason");
    }

    return new Databases();
}

function main(string $folder, ?Databases $databases): void
{
    $rates = new DevServer([], script: __DIR__ . '/rates.php');
    $environment = ($databases?->variables() ?? []) + ['SHOP_HTTP' => $rates->client->base];
    $settings = [
        ...$databases?->settings() ?? [], 'extension=' . Programs::extension(), "xhprof.output_dir=$folder",
        'xhprof.start_with_request=yes', 'xhprof.source=shop',
    ];
    $lines = ['xhprof.mode=sample', 'xhprof.sampling_interval=500', 'xhprof.sampling_lines=1'];
    // Calls, with CPU time, memory and a timeline.
    $exact = new DevServer([...$settings, 'xhprof.flags=22'], environment: $environment);
    $sampled = new DevServer([...$settings, ...$lines], environment: $environment);
    $environment['SHOP_SQLITE'] = $exact->folder->path . '/data/shop.sqlite';
    $names = explode(' ', run([PHP_BINARY, ...$databases?->options() ?? [], __DIR__ . '/install.php'], $environment));

    say('Visiting the shop with the profiler ...');
    $shop = $exact->client;
    visit($shop, 'nothing planted', '/');
    visit($shop, 'nothing planted, all databases', '/checkout', ['customer' => 'ada', 'products' => '3,7,31', 'currency' => 'USD']);
    visit($shop, 'a query per product (N+1)', '/reviews');
    visit($shop, 'the same by one query', '/reviews?by=one-query');
    foreach ($names as $name) {
        visit($shop, 'a slow statement', "/bestsellers/$name");
    }
    visit($sampled->client, 'a slow line, sampled with lines', '/duplicates');
    $import = ['demo/shop/import.php', (string) JOBS];
    $command = 'php ' . implode(' ', $import);
    say(sprintf('  %-43s %s', $command, 'a leak, with all allocations and a timeline'));
    $profile = ['run', '--alloc', '--timeline', '-q', '--report-to=/dev/null', '--source=shop', "--output-dir=$folder", '--'];
    run([PHP_BINARY, ROOT . '/bin/xhprof', ...$profile, ...$import], $environment);
    say(sprintf('  %-43s %s', $command, 'the same, with heap snapshots'));
    $extension = ['-d', 'extension=' . Programs::extension()];
    run([PHP_BINARY, ...$extension, ...$import], ['SHOP_SNAPSHOT' => "$folder/import"] + $environment);
}

$isAlone = ($argv[1] ?? '') === '--no-databases';
$folder = realpath($argv[$isAlone ? 2 : 1] ?? '');
if ($folder === false || !is_dir($folder)) {
    fwrite(STDERR, "visit.php [--no-databases] FOLDER: there is no such folder\n");
    exit(2);
}
try {
    main($folder, $isAlone ? null : start());
} catch (\RuntimeException $e) {
    fwrite(STDERR, "{$e->getMessage()}\n");
    exit(1);
}
