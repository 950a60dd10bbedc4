<?php

/**
 * php tests/html/make-fixtures.php FOLDER [compare]: fills an existing folder with the runs of Fixtures, or CompareFixtures,
 * for the browser tests and for looking at the pages by hand.
 */

declare(strict_types=1);

require __DIR__ . '/../../xhprof_lib/autoload.php';
require __DIR__ . '/Workload.php';
require __DIR__ . '/Fixtures.php';
require __DIR__ . '/CompareFixtures.php';

$folder = $argv[1] ?? '';
if (!is_dir($folder)) {
    fwrite(STDERR, "Usage: php tests/html/make-fixtures.php FOLDER [compare] (an existing folder)\n");
    exit(1);
}
($argv[2] ?? '') === 'compare'
    ? XHProf\Tests\Html\CompareFixtures::build($folder)
    : XHProf\Tests\Html\Fixtures::build($folder);
