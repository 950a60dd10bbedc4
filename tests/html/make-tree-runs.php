<?php

/**
 * php tests/html/make-tree-runs.php FOLDER < RUNS: saves runs given as JSON, [{"id", "source", "tree"}, {"id", "source",
 * "samples"}, {"id", "source", "documents": {"tree", "timeline"...}}...], for the browser tests of pictures.
 */

declare(strict_types=1);

use XHProf\Profile\CallTree;
use XHProf\Store\RunFolder;
use XHProf\Tests\Lib\Support\RunFiles;

require __DIR__ . '/../../xhprof_lib/autoload.php';
require __DIR__ . '/../lib/Support/RunFiles.php';

ini_set('memory_limit', '2G');
$folder = $argv[1] ?? '';
$store = new RunFolder($folder);
foreach (json_decode((string) stream_get_contents(STDIN), true, 16, JSON_THROW_ON_ERROR) as $run) {
    if (isset($run['samples'])) {
        $store->saveSamples($run['samples'], $run['source'], $run['id']);
        continue;
    }
    if (isset($run['documents'])) {
        RunFiles::write($folder, "$run[id].$run[source]", $run['documents']);
        continue;
    }
    $tree = CallTree::fromArray($run['tree']);
    $store->save($tree->toEdges(), $run['source'], $run['id'], ['sapi' => 'cli', 'command' => 'php shop.php'], $tree);
}
