<?php

/*
 * engine.php NAME SOURCE [--alloc] [--once] [SETTING...]: runs the engine's own tests, from the unpacked sources of this PHP,
 * with every test profiled, and lists those that only fail then. NAME is that of the log folder build/log/NAME, SETTING an INI
 * setting.
 *
 * Two runs: with an auto_prepend_file that starts the profiler with all that it can record, which the end of the request has to
 * stop; and with one whose shutdown function stops it and checks that the figures of the profile add up. --alloc tracks
 * allocations to the end instead: every block in the first run, samples in the second. With --once each test is in one of the
 * two. PART=i/n in the environment takes the i-th of n parts of the tests.
 * Ends with "N passed, N failed, N skipped": one for each test; skipped are those that do not pass without the profiler.
 */

declare(strict_types=1);

namespace XHProf\Tools\Check;

require __DIR__ . '/check/autoload.php';

$options = array_slice($argv, 3);
$alloc = in_array('--alloc', $options, true);
$once = in_array('--once', $options, true);
$settings = array_values(array_diff($options, ['--alloc', '--once']));
if ($argc < 3 || !is_file("$argv[2]/run-tests.php")) {
    fwrite(STDERR, "usage: engine.php NAME SOURCE [--alloc] [--once] [SETTING...]\n");
    exit(2);
}
$part = EngineRun::partNamed((string) getenv('PART'));
if ($part === null) {
    fwrite(STDERR, "PART is i/n, with i from 1 to n\n");
    exit(2);
}
$counts = (new EngineTests(dirname(__DIR__), PHP_BINARY, $argv[1], $argv[2], $settings, $alloc, $once, $part))->run();
echo "$counts\n";
exit($counts->failed > 0 ? 1 : 0);
