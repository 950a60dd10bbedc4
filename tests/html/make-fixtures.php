<?php

/**
 * php tests/html/make-fixtures.php FOLDER [compare|automatic|heap|fibers|kept]: fills an existing folder with the runs of
 * Fixtures, CompareFixtures, AutomaticRuns, FiberRuns or KeptWindowRuns, or the snapshots of HeapFixtures,
 * for the browser tests and for looking at the pages by hand.
 */

declare(strict_types=1);

require __DIR__ . '/../../xhprof_lib/autoload.php';
require __DIR__ . '/Workload.php';
require __DIR__ . '/Fixtures.php';
require __DIR__ . '/CompareFixtures.php';
require __DIR__ . '/HeapFixtures.php';
require __DIR__ . '/../lib/Support/AutomaticRuns.php';
require __DIR__ . '/../lib/Support/FiberRuns.php';
require __DIR__ . '/../lib/Support/KeptWindowRuns.php';

$folder = $argv[1] ?? '';
if (!is_dir($folder)) {
    fwrite(STDERR, "Usage: php tests/html/make-fixtures.php FOLDER [compare|automatic|heap|fibers|kept] (an existing folder)\n");
    exit(1);
}
match ($argv[2] ?? '') {
    'compare' => XHProf\Tests\Html\CompareFixtures::build($folder),
    'automatic' => XHProf\Tests\Lib\Support\AutomaticRuns::build($folder),
    'heap' => XHProf\Tests\Html\HeapFixtures::build($folder),
    'fibers' => XHProf\Tests\Lib\Support\FiberRuns::build($folder),
    'kept' => XHProf\Tests\Lib\Support\KeptWindowRuns::build($folder),
    default => XHProf\Tests\Html\Fixtures::build($folder),
};
