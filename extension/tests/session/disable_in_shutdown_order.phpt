--TEST--
A session started in one shutdown function and stopped in a later one, or in a destructor at the very end
--FILE--
<?php
require __DIR__ . '/../lib.inc';

function leaf(): void { static $n; $n++; }
function first(): void { xhprof_enable(XHPROF_FLAGS_NO_BUILTINS); leaf(); }

function second(): void
{
    leaf();
    xhprof_test_profile(xhprof_disable());
    xhprof_enable(XHPROF_FLAGS_NO_BUILTINS);
}

class Last
{
    public function __destruct() { leaf(); xhprof_test_profile(xhprof_disable()); }
}

$last = new Last();
register_shutdown_function('first');
register_shutdown_function('second');
?>
--EXPECT--
main(): ct=1
main()==>leaf: ct=1
main()==>second: ct=1
second==>leaf: ct=1
invariants: ok
Last::__destruct==>leaf: ct=1
main(): ct=1
main()==>Last::__destruct: ct=1
invariants: ok
