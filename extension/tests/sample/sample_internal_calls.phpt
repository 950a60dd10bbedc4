--TEST--
Sampling: one long internal call gets its time, and is counted as delayed; neither what ran before nor after it
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('sampling'); ?>
--FILE--
<?php
require __DIR__ . '/../lib.inc';

function sorts(array $numbers): void
{
    strlen('before');
    sort($numbers);
    strlen('after');
}

function matches(string $text): void
{
    strlen('before');
    preg_match_all('/(a|b)+c/', $text);
    strlen('after');
}

function hashes(string $text): void
{
    strlen('before');
    hash('sha512', $text);
    strlen('after');
}

function sleeps(): void
{
    strlen('before');
    usleep(50_000);
    strlen('after');
}

mt_srand(1);
$numbers = [];
for ($i = 0; $i < 300_000; $i++) {
    $numbers[] = mt_rand();
}
$text = str_repeat('abababxabacab', 100_000);
$long = str_repeat($text, 12);
ini_set('pcre.backtrack_limit', '10000000');
$paths = ['sorts==>sort', 'matches==>preg_match_all', 'hashes==>hash', 'sleeps==>usleep'];
foreach (['wall', 'cpu'] as $clock) {
    for ($try = 0; $try < 10; $try++) {
        xhprof_sample_enable(['interval' => 200, 'clock' => $clock]);
        sorts($numbers);
        matches($text);
        hashes($long);
        sleeps();
        $counts = array_count_values(xhprof_sample_disable());
        $samples = xhprof_call_tree()['samples'];
        $right = 0;
        $few = [];
        foreach ($paths as $path) {
            $count = $counts["main()==>$path"] ?? 0;
            $right += $count;
            if ($path === 'sleeps==>usleep' && $clock === 'cpu' ? $count > 5 : $count < 25) {
                $few[$path] = $count;
            }
        }
        $share = $right / array_sum($counts);
        if ($few === [] && $share > 0.9 && $samples['delayed'] >= 3) {
            break;
        }
    }
    echo $clock, ': ', $few === [] ? 'samples' : json_encode($counts), ', ', $share > 0.9 ? 'theirs' : json_encode($counts), ', ',
        $samples['delayed'] >= 3 && $samples['overruns'] >= 50 ? 'delayed' : json_encode(array_slice($samples, -4)), "\n";
}
?>
--EXPECT--
wall: samples, theirs, delayed
cpu: samples, theirs, delayed
