<?php

/**
 * Prints the functions of a run whose names contain the parameter "q", one per line. The page that includes this file has set
 * $xhprof_runs_impl.
 */

declare(strict_types=1);

require_once __DIR__ . '/../utils/xhprof_runs.php';

(static function (mixed $impl): void {
    xhprof_param_init([
        'q' => [XHPROF_STRING_PARAM, ''],
        'run' => [XHPROF_STRING_PARAM, ''],
        'run1' => [XHPROF_STRING_PARAM, ''],
        'run2' => [XHPROF_STRING_PARAM, ''],
        'source' => [XHPROF_STRING_PARAM, 'xhprof'],
    ]);
    // Names are not HTML: a browser must not interpret them.
    if (!headers_sent()) {
        header('Content-Type: text/plain; charset=utf-8');
        header('X-Content-Type-Options: nosniff');
    }
    $impl = $impl instanceof iXHProfRuns ? $impl : new XHProfRuns_Default();
    $found = [];
    foreach ([$GLOBALS['run'], $GLOBALS['run1'], $GLOBALS['run2']] as $ids) {
        foreach (array_filter(explode(',', (string) $ids)) as $id) {
            $description = '';
            $names = xhprof_get_matching_functions($GLOBALS['q'], $impl->get_run($id, $GLOBALS['source'], $description) ?? []);
            $found += array_fill_keys($names, true);
        }
    }
    ksort($found, SORT_STRING);
    foreach (array_keys($found) as $name) {
        echo \XHProf\Format\Text::printable($name), "\n";
    }
})($xhprof_runs_impl ?? $GLOBALS['xhprof_runs_impl'] ?? null);
