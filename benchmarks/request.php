<?php

/*
 * Requests of `php -S`, for the memory that a profile leaves behind in a long-lived process:
 * /rss prints the process's memory, /run?SIZE works without a profile, /profile?SIZE with one that the request's end drops.
 */

declare(strict_types=1);

namespace XHProf\Bench;

require __DIR__ . '/src/autoload.php';

$what = (string) parse_url((string) ($_SERVER['REQUEST_URI'] ?? ''), PHP_URL_PATH);
$size = (int) parse_url((string) ($_SERVER['REQUEST_URI'] ?? ''), PHP_URL_QUERY);
if ($what !== '/rss') {
    $grid = new Grid($size);
    if ($what === '/profile') {
        xhprof_enable();
    }
    $grid->run();
}
echo ResidentMemory::read();
