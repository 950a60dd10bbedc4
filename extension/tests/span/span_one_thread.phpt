--TEST--
Spans that are sampled share one thread, which waits between them; what needs a process without threads gets one; a forked child has its own
--EXTENSIONS--
pcntl
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('/proc/self/task', 'pcntl_unshare()', 'one thread', 'sampling'); ?>
--INI--
xhprof.mode=sample
xhprof.start_with_request=yes
xhprof.save_slower_than_ms=1000000
--FILE--
<?php
require __DIR__ . '/../lib.inc';

function threads(): array
{
    // Not /proc/self: the engine remembers for a child which process that was.
    return array_values(array_diff(scandir('/proc/' . getmypid() . '/task'), ['.', '..', (string) getmypid()]));
}

/** @return int how many threads there were in all */
function spans(int $count, int $ms = 0): int
{
    $seen = [];
    for ($i = 0; $i < $count; $i++) {
        xhprof_begin_span("job $i");
        $end = hrtime(true) + $ms * 1_000_000;
        do {
            $seen += array_flip(threads());
        } while (hrtime(true) < $end);
        xhprof_end_span();
        $seen += array_flip(threads());
    }
    return count($seen);
}

echo 'before: ', count(threads()), "\n";
foreach (['wall', 'cpu'] as $clock) {
    ini_set('xhprof.sampling_clock', $clock);
    echo "$clock: ", spans(1000), ' ', spans(3, 40), "\n";
}
$child = pcntl_fork();
if ($child === 0) {
    echo 'child: ', count(threads()), ' ', spans(100), ' ', spans(2, 40), "\n";
    exit(0);
}
pcntl_waitpid($child, $status);
echo 'child ended: ', $status, "\n";
@pcntl_unshare(CLONE_NEWUSER); // which may be forbidden
echo 'alone: ', count(threads()), "\n";
echo 'again: ', spans(100), "\n";
xhprof_begin_span('around a fork');
$child = pcntl_fork();
if ($child === 0) {
    $threads = spans(100);
    xhprof_end_span();
    echo 'child: ', $threads, ' ', spans(100), "\n";
    exit(0);
}
pcntl_waitpid($child, $status);
xhprof_end_span();
echo 'child ended: ', $status, "\n";
?>
--EXPECT--
before: 1
wall: 1 1
cpu: 1 1
child: 0 1 1
child ended: 0
alone: 0
again: 1
child: 1 1
child ended: 0
