--TEST--
xhprof_disable() in the exception handler after an uncaught exception
--FILE--
<?php
require __DIR__ . '/../lib.inc';

function deep(): void
{
    throw new DomainException('x');
}

function handler(Throwable $e): void
{
    $edges = xhprof_disable();
    xhprof_test_edges($edges);
    xhprof_test_check_invariants($edges, xhprof_call_tree());
}

set_exception_handler('handler');
xhprof_enable(XHPROF_FLAGS_NO_BUILTINS);
deep();
?>
--EXPECT--
main(): ct=1
main()==>deep: ct=1
main()==>handler: ct=1
invariants: ok
