--TEST--
Sampling and pcntl_fork(): the child goes on sampling with a timer of its own, or ends, or starts anew
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('fork beside a thread', 'pcntl_fork()', 'sampling'); ?>
--INI--
xhprof.sampling_interval=1000
--FILE--
<?php
require __DIR__ . '/../lib.inc';

function works(): void
{
    $end = xhprof_test_cpu() + 100_000;
    while (xhprof_test_cpu() < $end) {
        for ($i = 0, $x = 0; $i < 5000; $i++) {
            $x ^= $i;
        }
    }
}

function before(): void { works(); }
function only_child(): void { works(); }
function only_parent(): void { works(); }

/** @param array<string, string> $samples */
function summary(array $samples): string
{
    $counts = [];
    foreach (preg_grep('/==>works/', $samples) as $path) {
        $function = explode('==>', $path)[1];
        $counts[$function] = ($counts[$function] ?? 0) + 1;
    }
    $many = array_keys(array_filter($counts, static fn (int $n): bool => $n >= 10));
    sort($many);
    return implode(' ', $many);
}

function wait_for(int $pid): string
{
    pcntl_waitpid($pid, $status);
    return pcntl_wifexited($status) ? 'exit code ' . pcntl_wexitstatus($status) : 'killed by ' . pcntl_wtermsig($status);
}

$file = xhprof_test_folder() . '/child';
xhprof_sample_enable();
before();
$children = [];
foreach (['goes on', 'ends', 'is left alone', 'stops at once', 'starts anew'] as $what) {
    $pid = pcntl_fork();
    if ($pid > 0) {
        $children[$what] = $pid;
        continue;
    }
    if ($what === 'goes on') {
        only_child();
        file_put_contents("$file.$what", summary(xhprof_sample_disable()));
    } elseif ($what === 'is left alone') {
        only_child();
    } elseif ($what === 'stops at once') {
        file_put_contents("$file.$what", summary(xhprof_sample_disable()));
    } elseif ($what === 'starts anew') {
        xhprof_sample_disable();
        xhprof_sample_enable();
        only_child();
        $samples = xhprof_sample_disable();
        xhprof_enable();
        only_child();
        $edges = xhprof_disable();
        file_put_contents("$file.$what", summary($samples) . ' ' . $edges['main()==>only_child']['ct']);
    }
    exit(7);
}
only_parent();
$samples = summary(xhprof_sample_disable());
foreach ($children as $what => $pid) {
    echo "$what: ", wait_for($pid), ': ', @file_get_contents("$file.$what") ?: '-', "\n";
}
echo "parent: $samples\n";
?>
--EXPECT--
goes on: exit code 7: before only_child
ends: exit code 7: -
is left alone: exit code 7: -
stops at once: exit code 7: before
starts anew: exit code 7: only_child 1
parent: before only_parent
