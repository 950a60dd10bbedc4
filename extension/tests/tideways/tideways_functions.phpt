--TEST--
tideways_xhprof's functions, constants and module, where that extension is not loaded
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('own Tideways'); ?>
--FILE--
<?php
require __DIR__ . '/../lib.inc';

putenv('XHPROF_OUTPUT_DIR=' . xhprof_test_folder());

function leaf(): string { return str_repeat('x', 100_000); }

/** What an edge has. */
function figures(int $flags, string $edge = 'main()==>leaf'): string
{
    global $kept;
    tideways_xhprof_enable($flags);
    $kept = leaf();
    $edges = tideways_xhprof_disable();
    return isset($edges[$edge]) ? implode(' ', array_keys($edges[$edge])) : 'not there';
}

var_dump(extension_loaded('tideways_xhprof'), in_array('tideways_xhprof', get_loaded_extensions(), true));
foreach ((new ReflectionExtension('tideways_xhprof'))->getConstants() as $name => $value) {
    echo "$name=$value ", constant($name) === $value ? '' : 'is another', figures($value), "\n";
}
foreach (get_extension_funcs('tideways_xhprof') as $name) {
    $function = new ReflectionFunction($name);
    echo $name, '(', implode(', ', $function->getParameters()), '): ', $function->getReturnType(), "\n";
}
echo "-- flags\n";
echo 'none: ', figures(0), "\n";
echo 'all: ', figures(63, 'main()==>leaf'), "\n";
echo 'unknown: ', figures(1 << 20), "\n";
echo 'with builtins: ', figures(0, 'leaf==>str_repeat'), "\n";
echo 'without: ', figures(TIDEWAYS_XHPROF_FLAGS_NO_BUILTINS, 'leaf==>str_repeat'), "\n";
echo 'allocations: ';
figures(TIDEWAYS_XHPROF_FLAGS_MEMORY_ALLOC);
echo isset(xhprof_call_tree()['self']['live_bytes']) ? "in the tree\n" : "not there\n";
echo "-- of no profile\n";
var_dump(tideways_xhprof_disable());
echo "-- with xhprof's functions\n";
xhprof_enable();
tideways_xhprof_enable(TIDEWAYS_XHPROF_FLAGS_MEMORY_MU); // ignored
leaf();
echo implode(' ', array_keys(tideways_xhprof_disable()['main()==>leaf'])), "\n";
tideways_xhprof_enable(TIDEWAYS_XHPROF_FLAGS_MEMORY_MU);
leaf();
echo implode(' ', array_keys(xhprof_disable()['main()==>leaf'])), "\n";
xhprof_enable(XHPROF_FLAGS_MEMORY);
leaf();
echo implode(' ', array_keys(tideways_xhprof_disable()['main()==>leaf'])), "\n";
echo strlen(xhprof_save('tideways')), " digits\n";
memprof_enable();
tideways_xhprof_enable();
memprof_disable();
xhprof_test_throws(static fn () => tideways_xhprof_enable([]));
xhprof_test_throws(static fn () => tideways_xhprof_disable(1));
?>
--EXPECTF--
bool(true)
bool(true)
TIDEWAYS_XHPROF_FLAGS_CPU=1 ct wt cpu
TIDEWAYS_XHPROF_FLAGS_MEMORY_MU=2 ct wt mu
TIDEWAYS_XHPROF_FLAGS_MEMORY_PMU=4 ct wt pmu
TIDEWAYS_XHPROF_FLAGS_MEMORY=6 ct wt mu pmu
TIDEWAYS_XHPROF_FLAGS_NO_BUILTINS=8 ct wt
TIDEWAYS_XHPROF_FLAGS_MEMORY_ALLOC=16 ct wt mem.na mem.nf mem.aa
TIDEWAYS_XHPROF_FLAGS_MEMORY_ALLOC_AS_MU=48 ct wt mem.na mem.nf mem.aa mu
tideways_xhprof_enable(Parameter #0 [ <optional> int $flags = 0 ]): void
tideways_xhprof_disable(): array
-- flags
none: ct wt
all: ct wt cpu mu pmu mem.na mem.nf mem.aa
unknown: ct wt
with builtins: ct wt
without: not there
allocations: in the tree
-- of no profile
array(0) {
}
-- with xhprof's functions
ct wt
ct wt mu pmu
ct wt mu pmu
32 digits

Warning: tideways_xhprof_enable(): Cannot profile while memprof_enable() tracks memory in %s on line %d
TypeError: tideways_xhprof_enable(): Argument #1 ($flags) must be of type int, array given
ArgumentCountError: tideways_xhprof_disable() expects exactly 0 arguments, 1 given
