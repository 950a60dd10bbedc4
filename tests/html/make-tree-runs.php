<?php

/**
 * php tests/html/make-tree-runs.php FOLDER < RUNS: saves runs given as JSON, [{"id", "source", "tree"}, {"id", "source",
 * "samples"}...], for the browser tests of pictures.
 */

declare(strict_types=1);

use XHProf\Profile\CallTree;
use XHProf\Store\RunStore;

require __DIR__ . '/../../xhprof_lib/autoload.php';

ini_set('memory_limit', '2G');
$folder = $argv[1] ?? '';
$store = new RunStore($folder);
foreach (json_decode((string) stream_get_contents(STDIN), true, 16, JSON_THROW_ON_ERROR) as $run) {
    if (isset($run['samples'])) {
        $store->saveSamples($run['samples'], $run['source'], $run['id'], ['sapi' => 'cli', 'command' => 'php worker.php']);
        continue;
    }
    $tree = CallTree::fromArray($run['tree']);
    $store->save($tree->toEdges(), $run['source'], $run['id'], ['sapi' => 'cli', 'command' => 'php shop.php'], $tree);
}
