--TEST--
xhprof_disable() in the exception handler after an uncaught exception
--FILE--
<?php
require __DIR__ . '/../lib.inc';

function deep(): void { throw new DomainException('x'); }
function handler(Throwable $e): void { xhprof_test_profile(xhprof_disable()); }

set_exception_handler('handler');
xhprof_enable(XHPROF_FLAGS_NO_BUILTINS);
deep();
?>
--EXPECT--
main(): ct=1
main()==>deep: ct=1
main()==>handler: ct=1
invariants: ok
