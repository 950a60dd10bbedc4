--TEST--
Signals while the profiler's own cost is measured: handlers that start and stop profiles do no harm
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('pcntl_fork()', '+posix'); ?>
--FILE--
<?php
require __DIR__ . '/../lib.inc';

function leaf(): int { static $n; return ++$n; }

/** Sends a hundred signals to its parent whenever that asks for them, until it is gone: without an end a slow machine would handle nothing else. */
function sender(int $parent): never
{
    pcntl_signal(SIGUSR1, SIG_DFL);
    while (posix_getppid() === $parent) {
        if (pcntl_sigtimedwait([SIGUSR2], seconds: 1) === SIGUSR2) {
            for ($i = 0; $i < 100 && posix_kill($parent, SIGUSR1); $i++) {
                usleep(20);
            }
        }
    }
    exit(0);
}

if (isset($argv[1])) {
    $throws = false;
    $handled = 0;
    pcntl_sigprocmask(SIG_BLOCK, [SIGUSR2]); // for the child
    pcntl_async_signals(true);
    pcntl_signal(SIGUSR1, static function () use (&$throws, &$handled, $argv): void {
        $handled++;
        if ($throws) {
            $throws = false;
            throw new DomainException();
        }
        match ($argv[1]) {
            'disable' => xhprof_disable(),
            'enable' => xhprof_enable(XHPROF_FLAGS_MEMORY),
            'both' => [xhprof_enable(), leaf(), xhprof_disable(), xhprof_call_tree()],
            'sample' => [xhprof_sample_enable(), leaf(), xhprof_sample_disable()],
            'throw' => leaf(),
        };
    });
    $parent = getmypid();
    $child = pcntl_fork();
    if ($child === 0) {
        sender($parent);
    }
    for ($flags = 0; $flags < 8; $flags++) {
        $before = $handled;
        posix_kill($child, SIGUSR2);
        while ($handled === $before) {
            usleep(20);
        }
        try {
            $throws = $argv[1] === 'throw';
            xhprof_enable($flags);
            for ($i = 0; $i < 100; $i++) {
                leaf();
            }
            xhprof_disable();
            xhprof_call_tree();
            $throws = false;
        } catch (DomainException) {
        }
    }
    pcntl_async_signals(false);
    posix_kill($child, SIGKILL);
    pcntl_waitpid($child, $status);
    pcntl_signal(SIGUSR1, SIG_IGN);
    xhprof_disable();
    xhprof_sample_disable();
    xhprof_enable(XHPROF_FLAGS_CPU);
    leaf();
    xhprof_test_edges(xhprof_disable());
    exit(0);
}
foreach (['disable', 'enable', 'both', 'sample', 'throw'] as $what) {
    $outcomes = [];
    for ($i = 0; $i < 5; $i++) {
        $outcomes[] = xhprof_test_child(__FILE__, [$what], [], ['pcntl', 'posix']);
    }
    echo "-- $what\n";
    foreach (array_unique($outcomes, SORT_REGULAR) as $outcome) {
        xhprof_test_show($outcome);
    }
}
?>
--EXPECT--
-- disable
main(): ct=1
main()==>leaf: ct=1
main()==>xhprof_disable: ct=1
-- enable
main(): ct=1
main()==>leaf: ct=1
main()==>xhprof_disable: ct=1
-- both
main(): ct=1
main()==>leaf: ct=1
main()==>xhprof_disable: ct=1
-- sample
main(): ct=1
main()==>leaf: ct=1
main()==>xhprof_disable: ct=1
-- throw
main(): ct=1
main()==>leaf: ct=1
main()==>xhprof_disable: ct=1
