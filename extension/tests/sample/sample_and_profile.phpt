--TEST--
A sampling session and a profile exclude each other: each is stopped by its own function
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('sampling'); ?>
--INI--
xhprof.sampling_interval=5000
--FILE--
<?php
require __DIR__ . '/../lib.inc';

function work(): void
{
    for ($i = 0; $i < 100; $i++) {
        usleep(1000);
    }
}

xhprof_sample_enable();
work();
var_dump(xhprof_disable());
xhprof_enable();
xhprof_sample_enable();
for ($i = 0; $i < 10; $i++) { // a busy machine may not let the sampler look for a while
    work();
}
var_dump(xhprof_disable());
$samples = xhprof_sample_disable();
echo count($samples) >= 5 ? 'samples' : count($samples), "\n";
var_dump(xhprof_disable());

xhprof_enable(XHPROF_FLAGS_NO_BUILTINS);
work();
var_dump(xhprof_sample_disable());
xhprof_sample_enable();
work();
var_dump(xhprof_sample_disable());
xhprof_test_profile(xhprof_disable());
var_dump(xhprof_sample_disable());

// None at all, and one nobody stops.
for ($i = 0; $i < 100; $i++) { // the machine may stall right here
    xhprof_sample_enable();
    $samples = xhprof_sample_disable();
    if (is_array($samples) && count($samples) <= 1) {
        break;
    }
}
echo $i < 100 ? 'ok' : json_encode($samples), "\n";
xhprof_sample_enable();
work();
?>
--EXPECT--
NULL
NULL
samples
NULL
NULL
NULL
main(): ct=1
main()==>work: ct=2
invariants: ok
NULL
ok
