<?php

/*
 * runtime.php FOLDER NAME all|asked|aggregate: checks what runtime.inc has left in FOLDER, and the runs in FOLDER/NAME: one for
 * each request, with what is its own. Output is TAP.
 */

declare(strict_types=1);

namespace XHProf\Tools\Zts;

use XHProf\Store\RunFolder;

require __DIR__ . '/../../xhprof_lib/autoload.php';

const REQUESTS = 60;

[, $folder, $name, $which] = $argv;
$number = 0;
$failed = false;
$report = static function (bool $ok, string $text) use (&$number, &$failed, $name): void {
    $failed = $failed || !$ok;
    printf("%s %d - %s: %s\n", $ok ? 'ok' : 'not ok', ++$number, $name, $text);
};

/* Each request: whether it asked for a profile, the function of its thread. */
$requests = [];
foreach (glob("$folder/served.*") ?: [] as $file) {
    foreach (file($file, FILE_IGNORE_NEW_LINES) ?: [] as $line) {
        [$of, $asked, $own] = explode(' ', $line);
        $requests[(int) $of] = [$asked === 'asked', $own];
    }
}
ksort($requests);
echo "1..3\n";
$report(array_keys($requests) === range(0, REQUESTS - 1), 'each request is served once: ' . count($requests));

$store = new RunFolder("$folder/$name");
$wrong = $runs = $routes = [];
foreach ($store->list() as $summary) {
    $run = $store->open($summary->id);
    $meta = $run->meta();
    foreach ($meta->window?->routes() ?? [] as $route) {
        $routes[$route] = ($routes[$route] ?? 0) + ($meta->window?->routeStats($route)->requests ?? 0);
    }
    if ($meta->recording->start !== 'span') {
        continue;
    }
    $of = (int) substr((string) strrchr((string) $meta->origin->url, '='), 1);
    preg_match_all('/^own_\d+$/m', implode("\n", $run->profile()->symbols()), $functions);
    $path = '/route' . $of % 2;
    $expected = ['GET', "GET $path", "$path?number=$of", 'workers.test', $of % 7 === 3 ? 500 : 200, null];
    $origin = $meta->origin;
    $is = [$origin->method, $origin->route, $origin->url, $origin->host, $origin->status, $origin->name];
    if ($is !== $expected || $functions[0] !== [$requests[$of][1] ?? null]) {
        $wrong[] = "$of: " . json_encode($is) . ' ' . implode(', ', $functions[0]);
    }
    $runs[] = $of;
}
sort($runs);
$report($wrong === [], 'each run is of one request: ' . implode('; ', $wrong));
$asked = array_keys(array_filter($requests, static fn(array $request): bool => $which === 'all' || $request[0]));
if ($which === 'aggregate') {
    $counted = ($routes['GET /route0'] ?? 0) + ($routes['GET /route1'] ?? 0) + count($runs);
    $all = $runs === $asked && $counted === REQUESTS;
    $report($all, "all requests are in the windows, or were asked for: $counted, " . json_encode($routes));
} else {
    $report($runs === $asked, 'a run for each request that should have one: ' . implode(' ', $runs));
}
exit($failed ? 1 : 0);
