--TEST--
Signal handlers, asynchronous and by ticks, hang on the function they interrupt; they may stop the session
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('pcntl_async_signals()'); ?>
--FILE--
<?php
require __DIR__ . '/../lib.inc';

function handler(int $signal): void
{
    work();
}

function work(): void
{
    static $n;
    $n++;
}

function stopper(int $signal): void
{
    $GLOBALS['edges'] ??= xhprof_disable();
}

function waits(string $what): void
{
    for ($i = 0; $i < 20_000 && empty($GLOBALS[$what]); $i++) {
        usleep(100);
    }
}

$alarmed = false;
pcntl_async_signals(true);
pcntl_signal(SIGALRM, static function (): void {
    handler(SIGALRM);
    $GLOBALS['alarmed'] = true;
});
xhprof_enable(XHPROF_FLAGS_NO_BUILTINS);
pcntl_alarm(1);
waits('alarmed');
xhprof_test_profile(xhprof_disable());

$edges = null;
pcntl_signal(SIGALRM, 'stopper');
xhprof_enable(XHPROF_FLAGS_NO_BUILTINS);
pcntl_alarm(1);
waits('edges');
xhprof_test_edges($edges);
xhprof_test_check_invariants($edges, xhprof_call_tree());
?>
--EXPECT--
handler==>work: ct=1
main(): ct=1
main()==>waits: ct=1
waits==>{closure:calls/signal_handlers.php:29}: ct=1
{closure:calls/signal_handlers.php:29}==>handler: ct=1
invariants: ok
main(): ct=1
main()==>waits: ct=1
waits==>stopper: ct=1
invariants: ok
