--TEST--
xhprof.sampling_depth below 1 is refused with a warning, samples are never empty
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('sampling'); ?>
--INI--
xhprof.sampling_interval=1000
--FILE--
<?php
foreach (['1', '0', '-1'] as $depth) {
    ini_set('xhprof.sampling_depth', $depth);
    xhprof_sample_enable();
    for ($i = 0; $i < 1000; $i++) { // long: a busy machine may not let the sampler look for a while
        usleep(500);
    }
    $samples = xhprof_sample_disable();
    echo $depth, ': ', count($samples) > 5 ? 'samples' : count($samples), ', ',
        json_encode(in_array('', $samples, true) ? 'empty ones' : 'none empty'), "\n";
}
?>
--EXPECTF--
1: samples, "none empty"

Warning: xhprof.sampling_depth must be between 1 and %d in %s on line 3
0: samples, "none empty"

Warning: xhprof.sampling_depth must be between 1 and %d in %s on line 3
-1: samples, "none empty"
