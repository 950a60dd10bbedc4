<?php

/*
 * check.php [GROUP|SUITE...]: runs the suites that Suites::wanted() finds for these words, and ends with their summary. Exit code
 * 0 when nothing failed, 1 when something did, 2 for a wrong call.
 * Run `tools/deps.sh check` first.
 */

declare(strict_types=1);

namespace XHProf\Tools\Check;

require __DIR__ . '/check/autoload.php';

$root = dirname(__DIR__);
$logs = "$root/build/log";
if (!is_dir($logs) && !mkdir($logs, recursive: true)) {
    exit(2);
}
$lock = Lock::take("$root/build/.check-lock");
if ($lock === null) {
    fwrite(STDERR, "Another make check runs in this folder\n");
    exit(2);
}
foreach (glob("$logs/*.{results,xml}", GLOB_BRACE) ?: [] as $old) {
    unlink($old);
}

try {
    $suites = (new Suites($root, PHP_BINARY))->wanted(array_slice($argv, 1));
} catch (\InvalidArgumentException $e) {
    fwrite(STDERR, $e->getMessage() . "\n");
    exit(2);
}

// Suites that wait for a server or a browser leave the processors to the others.
$lanes = max(1, (int) (getenv('LANES') ?: min(2, (int) shell_exec('nproc'))));
$minutes = getenv('MINUTES') ?: INF;
$slower = getenv('SLOWER') ?: 1;
foreach (['MINUTES' => $minutes, 'SLOWER' => $slower] as $name => $value) {
    if (!is_numeric($value)) {
        fwrite(STDERR, "$name=$value is no number\n");
        exit(2);
    }
}
$runner = new Runner($root, $logs, [
    'PHP_INI_SCAN_DIR' => "$root/build/php/conf.d",
    'PATH' => "$root/build/php/bin:" . getenv('PATH'),
    'LC_ALL' => 'C.UTF-8',
    'XDEBUG_MODE' => null,
    'XHPROF_OUTPUT_DIR' => null,
    'LANES' => null,
    'MINUTES' => null,
    'SLOWER' => null,
    // Some tests start a hundred processes, which takes longer than the usual minute on a busy machine.
    'TEST_TIMEOUT' => (string) ceil(300 * (float) $slower),
], $lanes, (float) $minutes, (float) $slower);
$counts = $runner->run($suites);
echo $counts->verdict(), "\n";
exit($counts->failed > 0 ? 1 : 0);
