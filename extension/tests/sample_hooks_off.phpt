--TEST--
xhprof.hooks=off: exact profiling warns and does nothing, sampling works, before and after
--INI--
xhprof.hooks=off
xhprof.sampling_interval=1000
--FILE--
<?php
function naps(): void
{
    usleep(200_000);
}

xhprof_sample_enable();
xhprof_enable(); // is ignored while sampling runs
naps();
echo in_array('main()==>naps==>usleep', xhprof_sample_disable(), true) ? "samples\n" : "none\n";
xhprof_enable();
naps();
var_dump(xhprof_disable(), xhprof_call_tree());
xhprof_sample_enable();
naps();
echo in_array('main()==>naps==>usleep', xhprof_sample_disable(), true) ? "samples\n" : "none\n";
?>
--EXPECTF--
samples

Warning: xhprof.hooks is off: only sampling is possible in %s on line %d
NULL
NULL
samples
