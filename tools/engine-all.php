<?php

/*
 * engine-all.php SOURCE [--engine]: runs all tests of the engine and its extensions, from the unpacked sources of this PHP, without
 * the profiler and then in each mode; a test with another outcome than without fails, unless tools/engine/differences.txt has it.
 * With --engine only the engine's own tests, those of make check-engine.
 * Results are kept in build/engine-all/: an interrupted run continues. Environment:
 *   MODES=exact,heap  only these modes; all: see EngineModes
 *   JOBS=n            tests at once (default: the number of processors)
 *   PART=i/n          the i-th of n parts of the tests
 *   TESTS=text        only tests whose path has this
 *   FRESH=1           drops the earlier results
 * Ends with "N passed, N failed". Exit code 0, 1 when something failed, 2 for a wrong call.
 */

declare(strict_types=1);

namespace XHProf\Tools\Check;

require __DIR__ . '/check/autoload.php';

/** @return never */
function wrong(string $what): void
{
    fwrite(STDERR, "check-engine-all: $what\n");
    exit(2);
}

$source = $argv[1] ?? '';
$options = array_slice($argv, 2);
is_file("$source/run-tests.php") && array_diff($options, ['--engine']) === [] || wrong('usage: engine-all.php SOURCE [--engine]');
$folders = $options === [] ? EngineRun::ALL : EngineRun::ENGINE;
$names = EngineModes::names();
$modes = getenv('MODES') ? explode(',', (string) getenv('MODES')) : $names;
if (($unknown = array_diff($modes, $names)) !== []) {
    wrong('MODES: no ' . implode(', ', $unknown) . '; there are: ' . implode(', ', $names));
}
$part = EngineRun::partNamed((string) getenv('PART')) ?? wrong('PART is i/n, with i from 1 to n');
$jobs = (int) (getenv('JOBS') ?: shell_exec('nproc'));
$jobs >= 1 || wrong('JOBS is a number from 1');
try {
    $differences = KnownDifferences::parse((string) file_get_contents(__DIR__ . '/engine/differences.txt'), $names);
} catch (\InvalidArgumentException $e) {
    wrong('tools/engine/differences.txt: ' . $e->getMessage());
}
$only = (string) getenv('TESTS');
$fresh = (bool) getenv('FRESH');
$all = new EngineAll(dirname(__DIR__), PHP_BINARY, $source, $folders, $modes, $jobs, $part, $only, $fresh);
$counts = $all->run($differences);
echo $counts->verdict(), "\n";
exit($counts->failed > 0 ? 1 : 0);
