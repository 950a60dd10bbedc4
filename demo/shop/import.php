<?php

/*
 * import.php JOBS: a worker that imports a list of prices per job, of SQLite's file $SHOP_SQLITE. Where the extension is loaded, it
 * marks the end of each job. With $SHOP_SNAPSHOT, a path, it writes heap snapshots after half of the jobs (-half.heap.jsonl) and at
 * the end (.heap.jsonl).
 */

declare(strict_types=1);

namespace Shop;

require __DIR__ . '/src/autoload.php';

function importPrices(Products $products, int $job): int
{
    $changed = 0;
    foreach ($products->list(100) as $product) {
        $cents = ((int) $product['cents'] * 31 + $job * 7919) % 100_000;
        if ($cents !== (int) $product['cents']) {
            History::record($product, $cents);
            $changed++;
        }
    }

    return $changed;
}

$jobs = (int) ($argv[1] ?? 40);
$snapshot = (string) getenv('SHOP_SNAPSHOT');
$hasProfiler = extension_loaded('xhprof');
$products = new Products((string) getenv('SHOP_SQLITE'));
for ($job = 1; $job <= $jobs; $job++) {
    importPrices($products, $job);
    if ($hasProfiler) {
        xhprof_alloc_mark();
        if ($snapshot !== '' && ($job === intdiv($jobs, 2) || $job === $jobs)) {
            xhprof_heap_snapshot($snapshot . ($job === $jobs ? '' : '-half') . '.heap.jsonl');
        }
    }
}
echo History::count(), " changes\n";
