<?php

/*
 * automatic.php FOLDER NAME: checks the runs of automatic.inc's requests in a run folder: every run is whole and has nothing of
 * another thread. Output is TAP.
 */

declare(strict_types=1);

namespace XHProf\Tools\Zts;

use XHProf\Exception\XHProfException;
use XHProf\Store\RunFolder;

require __DIR__ . '/../../xhprof_lib/autoload.php';

const THREADS = 6;
const REQUESTS = 4;
/* The route of the last request. */
const NEXT = 'Standard input code';

[, $folder, $name] = $argv;
$number = 0;
$failed = false;
$report = static function (bool $ok, string $text) use (&$number, &$failed, $name): void {
    $failed = $failed || !$ok;
    printf("%s %d - %s: %s\n", $ok ? 'ok' : 'not ok', ++$number, $name, $text);
};

$store = new RunFolder($folder);
$owners = [];
$requests = 0;
$mixed = $damaged = [];
foreach ($store->list() as $summary) {
    try {
        $meta = $store->open($summary->id)->meta();
        $symbols = $store->open($summary->id)->profile()->symbols();
        $store->open($summary->id)->tree();
    } catch (XHProfException $e) {
        $damaged[] = $e->getMessage();
        continue;
    }
    preg_match_all('/^own_(\d)_(\d)(?=$|_callee$)/m', implode("\n", $symbols), $matches);
    $found = array_values(array_unique($matches[0]));
    if ($meta->window !== null) {
        $requests += $meta->window->requests - ($meta->window->routeStats(NEXT)->requests ?? 0);
    } elseif (count($found) > 1) {
        $mixed[] = "$summary->id: " . implode(', ', $found);
    }
    array_push($owners, ...$found);
}
$all = [];
for ($i = 0; $i < THREADS * REQUESTS; $i++) {
    $all[] = sprintf('own_%d_%d', intdiv($i, REQUESTS), $i % REQUESTS);
}
sort($owners);
$known = '/^([0-9a-f]{32}\.auto\.run|\.xhprof-(folder|aggregate)\.auto[a-z0-9.-]*)$/';
$left = array_filter(
    array_diff(scandir($folder) ?: [], ['.', '..']),
    static fn(string $file): bool => preg_match($known, $file) !== 1,
);
echo "1..4\n";
$report($damaged === [], 'every run is whole' . rtrim(': ' . implode('; ', $damaged), ': '));
$report($mixed === [], 'no thread is in the run of another' . rtrim(': ' . implode('; ', $mixed), ': '));
if ($name === 'aggregate') {
    $missing = array_diff($all, $owners);
    $report(
        $missing === [] && $requests === THREADS * REQUESTS + 2, // the embedding program's own at its begin and its end
        "all requests are in the windows: $requests, without " . implode(', ', $missing),
    );
} else {
    $report($owners === $all, 'a run for every request: ' . count($owners));
}
$report($left === [], 'nothing else in the folder' . rtrim(': ' . implode(', ', $left), ': '));
exit($failed ? 1 : 0);
