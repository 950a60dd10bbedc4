<?php

/**
 * php tests/html/make-fixtures.php FOLDER: fills an existing folder with the runs of Fixtures, for
 * the browser test and for looking at the pages by hand.
 */

declare(strict_types=1);

require __DIR__ . '/../../xhprof_lib/autoload.php';
require __DIR__ . '/Workload.php';
require __DIR__ . '/Fixtures.php';

$folder = $argv[1] ?? '';
if (!is_dir($folder)) {
    fwrite(STDERR, "Usage: php tests/html/make-fixtures.php FOLDER (an existing folder)\n");
    exit(1);
}
XHProf\Tests\Html\Fixtures::build($folder);
