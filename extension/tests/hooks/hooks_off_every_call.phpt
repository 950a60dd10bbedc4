--TEST--
xhprof.hooks=off: every xhprof_enable() warns, whatever its flags; there is nothing to stop, read or save
--INI--
xhprof.hooks=off
--FILE--
<?php
require __DIR__ . '/../lib.inc';

function work(): void { strrev('work'); }

foreach ([0, XHPROF_FLAGS_NO_BUILTINS, XHPROF_FLAGS_CPU | XHPROF_FLAGS_MEMORY] as $flags) {
    xhprof_enable($flags, ['ignored_functions' => ['work'], 'run_init' => true]);
    work();
    var_dump(xhprof_disable(), xhprof_call_tree());
}
xhprof_test_throws(static fn () => xhprof_save());
xhprof_test_throws(static fn () => xhprof_enable(0, ['run_init' => 1]));
// A warning that an error handler makes an exception of.
set_error_handler(static fn (int $level, string $message) => throw new ErrorException($message));
xhprof_test_throws(static fn () => xhprof_enable());
restore_error_handler();
var_dump(@xhprof_enable(), xhprof_disable());
?>
--EXPECTF--
Warning: xhprof.hooks is off: only sampling is possible in %s on line %d
NULL
NULL

Warning: xhprof.hooks is off: only sampling is possible in %s on line %d
NULL
NULL

Warning: xhprof.hooks is off: only sampling is possible in %s on line %d
NULL
NULL
RuntimeException: xhprof_save(): There is no stopped profile to save
TypeError: xhprof_enable(): Option "run_init" must be of type bool, int given
ErrorException: xhprof.hooks is off: only sampling is possible
NULL
NULL
