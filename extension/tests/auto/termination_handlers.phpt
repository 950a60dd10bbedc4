--TEST--
Signals that the program handles, ignores or blocks are its own; a second signal, and a call that does not end, end it unsaved
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('pcntl_signal()'); ?>
--FILE--
<?php
require __DIR__ . '/../auto.inc';

/* One call that works for minutes without ever coming to a safe place. */
$stuck = 'hash_pbkdf2("sha256", "a", "b", 1_000_000_000);';
$programs = [
    'default' => ['sleep(100);', [[30, 15]]],
    'handler' => ['pcntl_async_signals(true); pcntl_signal(SIGTERM, function () { echo "handled\n"; exit(3); }); READY; sleep(100); echo "woken\n";', [[30, 15]]],
    'handler, loop' => ['pcntl_async_signals(true); $go = true; pcntl_signal(SIGTERM, function () use (&$go) { $go = false; }); READY; while ($go) { } echo "left\n";', [[30, 15]]],
    'handler by dispatch' => ['pcntl_signal(SIGTERM, function () { echo "handled\n"; }); READY; sleep(100); pcntl_signal_dispatch(); exit(4);', [[30, 15]]],
    'handler before' => ['pcntl_signal(SIGTERM, function () { echo "handled\n"; }); xhprof_begin_span("x"); READY; sleep(100); pcntl_signal_dispatch(); xhprof_end_span(); exit(4);', [[30, 15]]],
    'handler taken off again' => ['pcntl_signal(SIGTERM, function () {}); pcntl_signal(SIGTERM, SIG_DFL); READY; sleep(100);', [[30, 15]]],
    'ignored' => ['pcntl_signal(SIGTERM, SIG_IGN); READY; usleep(300_000); echo "lives\n";', [[30, 15]]],
    'blocked' => ['pcntl_sigprocmask(SIG_BLOCK, [SIGTERM]); READY; usleep(300_000); echo "lives\n"; pcntl_sigprocmask(SIG_UNBLOCK, [SIGTERM]); sleep(100);', [[30, 15]]],
    'SIGTERM handled, SIGINT not' => ['pcntl_signal(SIGTERM, function () {}); READY; while (true) { sleep(100); }', [[30, 15], [200, 2]]],
    'SIGUSR1' => ['READY; sleep(100);', [[30, 10]]],
    'SIGKILL' => ['READY; sleep(100);', [[30, 9]]],
    'stuck' => ["READY; $stuck", [[100, 15]]],
    'stuck, twice' => ["READY; $stuck", [[100, 15], [50, 15]]],
    'two at once' => ['READY; while (true) { usleep(1000); }', [[30, 15], [0, 2]]],
    'the same again and again' => ['READY; while (true) { usleep(1000); }', [[30, 15], [0, 15], [1, 15], [1, 15]]],
    'after the profile' => ['xhprof_enable(); xhprof_disable(); READY; sleep(100);', [[30, 15]]],
    'between spans' => ['xhprof_begin_span("x"); xhprof_end_span(); READY; sleep(100);', [[30, 15]]],
    'handler of a span, taken off' => ['xhprof_begin_span("x"); pcntl_signal(SIGTERM, function () {}); pcntl_signal(SIGTERM, SIG_DFL); xhprof_end_span(); xhprof_begin_span("y"); READY; sleep(100);', [[30, 15]]],
    'handler of a span, kept' => ['xhprof_begin_span("x"); pcntl_signal(SIGTERM, function () { exit(6); }); xhprof_end_span(); pcntl_async_signals(true); xhprof_begin_span("y"); READY; sleep(100);', [[30, 15]]],
    'within a span' => ['xhprof_begin_span("x"); READY; sleep(100);', [[30, 15]]],
    'system calls are broken off' => ['pcntl_signal(SIGUSR1, function () {}, false); READY; var_dump(sleep(100) > 90); exit(5);', [[30, 10]]],
    'while a child is started' => ['READY; while (true) { shell_exec("true"); }', [[100, 15]]],
];
foreach ($programs as $label => [$code, $signals]) {
    $code = '<?php ' . (str_contains($code, 'READY;') ? str_replace('READY;', 'echo "ready\n";', $code) : "echo \"ready\\n\"; $code");
    $child = xhprof_test_signal($code, $signals, ['source' => 'auto']);
    echo "$label: ", str_replace("\n", ' ', substr($child['out'], 6)), $child['signal'] ? "signal $child[signal]" : "exit code $child[code]";
    foreach ($child['runs'] as $run) {
        echo ', ', $run['name'] ?? 'run', ' ', $run['ended_by'] ?? '-';
    }
    if ($label === 'stuck') {
        echo $child['ms'] >= 800 && $child['ms'] < 20_000 ? ', after a second' : ", after $child[ms] ms";
    }
    echo "\n";
}
?>
--EXPECTF--
default: signal 15, run SIGTERM
handler: handled exit code 3, run -
handler, loop: left exit code 0, run -
handler by dispatch: handled exit code 4, run -
handler before: handled exit code 4, run span, x -
handler taken off again: signal 15
ignored: lives exit code 0, run -
blocked: lives signal 15, run SIGTERM
SIGTERM handled, SIGINT not: signal 2, run SIGINT
SIGUSR1: signal 10
SIGKILL: signal 9
stuck: signal 15, after a second
stuck, twice: signal 15
two at once: signal %d, run SIG%s
the same again and again: signal 15, run SIGTERM
after the profile: signal 15, run xhprof_enable
between spans: signal 15, run span, x -
handler of a span, taken off: signal 15, run span, x -, y SIGTERM
handler of a span, kept: exit code 6, run span, x -, y shutdown
within a span: signal 15, run span, x SIGTERM
system calls are broken off: bool(true) exit code 5, run -
while a child is started: signal 15, run SIGTERM
