<?php

/*
 * engine.php NAME SOURCE [--alloc] [SETTING...]: runs the engine's own tests, from the unpacked sources of this PHP, with
 * every test profiled, and lists those that only fail then. NAME is that of the log folder build/log/NAME, SETTING an INI
 * setting.
 *
 * Three runs: without the extension and with an empty auto_prepend_file; with one that starts the profiler, which the end of
 * the request has to stop; and with one whose shutdown function stops it and checks that the figures of the profile add up.
 * With --alloc it is allocations that are tracked to the end: every block in the second run, samples in the third.
 * Closes with "N passed, N failed, N skipped": one for each test that passes without the profiler.
 */

declare(strict_types=1);

namespace XHProf\Tools\Check;

require __DIR__ . '/check/autoload.php';

if ($argc < 3 || !is_file("$argv[2]/run-tests.php")) {
    fwrite(STDERR, "usage: engine.php NAME SOURCE [--alloc] [SETTING...]\n");
    exit(2);
}
$root = dirname(__DIR__);
$alloc = ($argv[3] ?? '') === '--alloc';
$settings = array_slice($argv, $alloc ? 4 : 3);
$counts = (new EngineTests($root, PHP_BINARY, $argv[1], $argv[2], $settings, $alloc))->run();
echo "$counts\n";
exit($counts->failed > 0 ? 1 : 0);
