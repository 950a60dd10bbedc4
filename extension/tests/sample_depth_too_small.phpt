--TEST--
xhprof.sampling_depth of 0 or less never gives empty samples
--INI--
xhprof.sampling_interval=1000
--FILE--
<?php
foreach (['1', '0', '-1'] as $depth) {
    ini_set('xhprof.sampling_depth', $depth);
    xhprof_sample_enable();
    for ($i = 0; $i < 100; $i++) {
        usleep(500);
    }
    $samples = xhprof_sample_disable();
    echo $depth, ': ', count($samples) > 5 ? 'samples' : count($samples), ', ',
        json_encode(in_array('', $samples, true) ? 'empty ones' : 'none empty'), "\n";
}
?>
--EXPECT--
1: samples, "none empty"
0: samples, "none empty"
-1: samples, "none empty"
