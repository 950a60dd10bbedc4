<?php

/*
 * One request of the load on PHP-FPM: Twig renders pages and nikic/php-parser reads PHP; the query has the number of units.
 */

declare(strict_types=1);

namespace XHProf\Bench;

use XHProf\Bench\Workload\PhpParserProgram;
use XHProf\Bench\Workload\TwigProgram;

require __DIR__ . '/src/autoload.php';

$units = (int) ($_SERVER['QUERY_STRING'] ?? 0);
(new TwigProgram())->run($units);
(new PhpParserProgram())->run(8 * $units);
echo 'done';
