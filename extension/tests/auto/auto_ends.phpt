--TEST--
A profile that settings started is saved however the program ends, exact and sampled
--FILE--
<?php
require __DIR__ . '/../lib.inc';
require __DIR__ . '/../auto.inc';
require __DIR__ . '/ends.inc';

echo "A profile that settings started is saved however the program ends, and the program runs, prints and ends as it does without:\n";

xhprof_test_ends(['exact' => ['flags' => 'cpu,memory'], 'alloc' => []]);

echo "A sampled profile that settings started is saved however the program ends, and the program runs, prints and ends as it does without:\n";

xhprof_test_ends(['sample' => ['sampling_interval' => 200], 'sampled allocations' => ['mode' => 'alloc', 'alloc_sample_bytes' => 4096]]);
?>
--EXPECT--
A profile that settings started is saved however the program ends, and the program runs, prints and ends as it does without:
return
exit
exit in a callback
exception
exception handler
error
fatal
compile error
redeclared
memory_limit
memory_limit, small blocks
memory_limit in a shutdown function
max_execution_time
shutdown functions
exit in a shutdown function
destructor
output callback
fiber left
exit in a fiber
generator left
within frames
A sampled profile that settings started is saved however the program ends, and the program runs, prints and ends as it does without:
return
exit
exit in a callback
exception
exception handler
error
fatal
compile error
redeclared
memory_limit
memory_limit, small blocks
memory_limit in a shutdown function
max_execution_time
shutdown functions
exit in a shutdown function
destructor
output callback
fiber left
exit in a fiber
generator left
within frames
