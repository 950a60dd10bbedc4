--TEST--
Sampling: intervals at the end that no tick has seen go with the last sample, not with the function that stops it
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('proc_open()', 'sampling'); ?>
--FILE--
<?php
require __DIR__ . '/../lib.inc';

function work(int $ms): void
{
    for ($end = hrtime(true) + $ms * 1_000_000; hrtime(true) < $end;) {
        md5('x');
    }
}

// Others have the cores: the timer's thread comes late, and is waited for at the stop.
$folder = xhprof_test_folder();
file_put_contents("$folder/busy.php", '<?php for ($end = time() + 20; time() < $end && getenv("XHPROF_TEST_PARENT") == posix_or_0();); '
    . 'function posix_or_0() { return (int) explode(" ", file_get_contents("/proc/self/stat"))[3]; }');
$others = [];
if (is_readable('/proc/self/stat')) {
    for ($i = 0; $i < 3; $i++) {
        $others[] = proc_open([PHP_BINARY, '-n', "$folder/busy.php"], [], $pipes, null, ['XHPROF_TEST_PARENT' => (string) getmypid()]);
    }
}
$work = $rest = 0;
for ($i = 0; $i < 150; $i++) {
    xhprof_sample_enable(['interval' => 1000]);
    work(5);
    $samples = xhprof_sample_disable();
    $seen = count(preg_grep('/==>work\b/', $samples));
    if ($seen > 0) {
        $work += $seen;
        $rest += count($samples) - $seen;
    }
}
foreach ($others as $other) {
    proc_terminate($other, 9);
    proc_close($other);
}
xhprof_test_between('share of the function that stops it', $rest / max(1, $work + $rest), 0, 0.1);
?>
--EXPECT--
share of the function that stops it: ok
