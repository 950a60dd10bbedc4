<?php

/*
 * check.php [GROUP|SUITE...]: runs the suites that Suites::wanted() finds for these words, and ends with their summary. Exit code
 * 0 when nothing failed, 1 when something did, 2 for a wrong call.
 * The word "turn" is make check and what has its turn (see check/Rotation.php). Environment:
 *   LANES=1    one suite after the other
 *   MINUTES=n  what make check does not have begins in the first n minutes only; BEGAN=SECONDS of the epoch, since when they count
 *   SLOWER=n   limits of time are n times as long
 *   TURN=n     this turn, not that of the commit
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
foreach (glob("$logs/*.xml") ?: [] as $old) {
    unlink($old);
}

$words = array_slice($argv, 1);
$plan = [];
try {
    if (in_array('turn', $words, true)) {
        $rotation = new Rotation(Turn::of($root, (string) getenv('TURN')));
        $words = [...array_diff($words, ['turn']), ...Suites::DEFAULT, ...$rotation->suites()];
        $plan = $rotation->plan();
    }
    $suites = (new Suites($root, PHP_BINARY))->wanted($words);
} catch (\InvalidArgumentException $e) {
    fwrite(STDERR, $e->getMessage() . "\n");
    exit(2);
}

// Suites that wait for a server or a browser leave the processors to the others.
$lanes = max(1, (int) (getenv('LANES') ?: min(2, (int) shell_exec('nproc'))));
$minutes = getenv('MINUTES') ?: INF;
$slower = getenv('SLOWER') ?: 1;
$began = getenv('BEGAN') ?: time();
foreach (['MINUTES' => $minutes, 'SLOWER' => $slower, 'BEGAN' => $began] as $name => $value) {
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
    'BEGAN' => null,
    'TURN' => null,
    // Some tests start a hundred processes, which takes longer than the usual minute on a busy machine.
    'TEST_TIMEOUT' => (string) ceil(300 * (float) $slower),
], $lanes, (float) $minutes, (float) $slower, time() - (float) $began);
echo $plan === [] ? '' : implode("\n", $plan) . "\n\n";
$counts = $runner->run($suites);
echo $plan === [] ? '' : implode("\n", $plan) . "\n";
echo $counts->verdict(), "\n";
exit($counts->failed > 0 ? 1 : 0);
