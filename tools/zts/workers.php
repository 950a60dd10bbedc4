<?php

/*
 * workers.php FOLDER NAME all|asked|sampled|aggregate: checks what workers.inc has left in FOLDER, and the runs in FOLDER/NAME:
 * whose run belongs to which request. Output is TAP.
 */

declare(strict_types=1);

namespace XHProf\Tools\Zts;

use XHProf\Run\RunId;
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

/* Each request: whether it asked for a profile, the function of its thread, the id of its run, "-", or "?" if it left it open. */
$requests = [];
foreach (glob("$folder/served.*") ?: [] as $file) {
    foreach (file($file, FILE_IGNORE_NEW_LINES) ?: [] as $line) {
        [$of, $asked, $own, $id] = explode(' ', $line);
        $requests[(int) $of] = [$asked === 'asked', $own, $id];
    }
}
ksort($requests);
echo "1..4\n";
$report(array_keys($requests) === range(0, REQUESTS - 1), 'each request is served once: ' . count($requests));

$store = new RunFolder("$folder/$name");
$owners = static function (RunId $id) use ($store): array {
    preg_match_all('/^own_\d+$/m', implode("\n", $store->open($id)->profile()->symbols()), $functions);

    return $functions[0];
};
$wrong = $spans = $routes = $seen = [];
foreach ($store->list() as $summary) {
    $meta = $store->open($summary->id)->meta();
    foreach ($meta->window?->routes() ?? [] as $route) {
        $routes[$route] = ($routes[$route] ?? 0) + ($meta->window?->routeStats($route)->requests ?? 0);
    }
    $functions = $owners($summary->id);
    $seen += array_flip($functions);
    if ($meta->recording->start !== 'span') {
        continue;
    }
    $of = $meta->meta['number'] ?? null;
    [$asked, $own, $id] = $requests[$of] ?? [null, null, null];
    $url = '/route' . $of % 2 . "?number=$of";
    $same = $functions === [$own] || ($which === 'sampled' && $functions === []);
    if (($meta->id !== $id && $id !== '?') || $meta->origin->url !== $url || !$same || ($meta->meta['own'] ?? null) !== $own) {
        $wrong[] = "$meta->id of $of: " . implode(', ', $functions) . " {$meta->origin->url}";
    }
    $spans[] = $of;
}
sort($spans);
$expected = array_keys(array_filter($requests, static fn(array $request): bool => $which !== 'asked' || $request[0]));
$report($wrong === [], 'no run is of another request or thread' . rtrim(': ' . implode('; ', $wrong), ': '));
if ($which === 'aggregate') {
    $counted = ($routes['GET /route0'] ?? 0) + ($routes['GET /route1'] ?? 0) + count($spans);
    $report($counted === REQUESTS, "all requests are in the windows: $counted, " . json_encode($routes));
} else {
    $report($spans === $expected, 'a run for each request that should have one: ' . implode(' ', $spans));
}
$missing = array_diff(array_column(array_intersect_key($requests, array_flip($expected)), 1), array_keys($seen));
$report($missing === [], 'every thread is in its runs' . rtrim(': ' . implode(', ', array_unique($missing)), ': '));
exit($failed ? 1 : 0);
