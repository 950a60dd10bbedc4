--TEST--
exit() deep in the stack: shutdown functions run in the session and may end it
--FILE--
<?php
require __DIR__ . '/../lib.inc';

function leaf(): void { static $n; $n++; }

function deep(int $n): void
{
    try {
        if ($n === 0) {
            exit("bye\n");
        }
        deep($n - 1);
    } finally {
        echo "finally blocks do not run\n";
    }
}

function first_shutdown(): void { leaf(); }
function last_shutdown(): void { leaf(); xhprof_test_profile(xhprof_disable()); }

register_shutdown_function('first_shutdown');
register_shutdown_function('last_shutdown');
xhprof_enable(XHPROF_FLAGS_NO_BUILTINS);
deep(2);
?>
--EXPECT--
bye
deep==>deep@1: ct=1
deep@1==>deep@2: ct=1
first_shutdown==>leaf: ct=1
last_shutdown==>leaf: ct=1
main(): ct=1
main()==>deep: ct=1
main()==>first_shutdown: ct=1
main()==>last_shutdown: ct=1
invariants: ok
