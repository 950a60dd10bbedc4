--TEST--
xhprof.hooks=off: exact profiling warns and does nothing, sampling works, before and after
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('sampling'); ?>
--INI--
xhprof.hooks=off
xhprof.sampling_interval=1000
--FILE--
<?php
function naps(): void { usleep(200_000); }

/** A machine may be too busy to let the sampler look within one nap. */
function samples(): string
{
    for ($i = 0; $i < 10; $i++) {
        xhprof_sample_enable();
        xhprof_enable(); // is ignored while sampling runs
        naps();
        if (in_array('main()==>samples==>naps==>usleep', xhprof_sample_disable(), true)) {
            return 'samples';
        }
    }
    return 'none';
}

echo samples(), "\n";
xhprof_enable();
naps();
var_dump(xhprof_disable(), array_keys(xhprof_call_tree()["self"])); // of the samples
echo samples(), "\n";
?>
--EXPECTF--
samples

Warning: xhprof.hooks is off: only sampling is possible in %s on line %d
NULL
array(1) {
  [0]=>
  string(2) "wt"
}
samples
