--TEST--
The measuring of the profiler's own cost leaves nothing in the program
--FILE--
<?php
require __DIR__ . '/../lib.inc';

if (!isset($argv[1])) {
    xhprof_test_every_way(__FILE__);
    // It calls a function of PHP: one that is not there is no reason to fail.
    xhprof_test_show(xhprof_test_child(__FILE__, ['child'], ['disable_functions' => 'abs']));
    exit(0);
}

function state(): array
{
    return [
        get_included_files(), get_defined_functions()['user'], count(get_declared_classes()), get_defined_constants(true)['user'] ?? [],
        spl_object_id(new stdClass()), error_get_last(), count(spl_autoload_functions()),
    ];
}

set_error_handler(static function (int $level, string $message): bool {
    echo "$message\n";
    return true;
});
spl_autoload_register(static function (string $class): void {
    echo "autoload $class\n";
});
$before = state();
for ($flags = 0; $flags < 8; $flags++) {
    xhprof_enable($flags);
    xhprof_disable();
    xhprof_test_tree(xhprof_call_tree());
}
foreach (state() as $i => $value) {
    echo $value === $before[$i] ? '' : json_encode([$before[$i], $value]) . "\n";
}
?>
--EXPECT--
main() ct=1
  xhprof_disable ct=1
main() ct=1
main() ct=1
  xhprof_disable ct=1
main() ct=1
main() ct=1
  xhprof_disable ct=1
main() ct=1
main() ct=1
  xhprof_disable ct=1
main() ct=1
the same every way
main() ct=1
  xhprof_disable ct=1
main() ct=1
main() ct=1
  xhprof_disable ct=1
main() ct=1
main() ct=1
  xhprof_disable ct=1
main() ct=1
main() ct=1
  xhprof_disable ct=1
main() ct=1
