--TEST--
The elapsed time has the profiler's own slow work too, which is in no function's time
--FILE--
<?php
require __DIR__ . '/../run_files.inc';

$folder = xhprof_test_folder();
ini_set('xhprof.output_dir', $folder);

function metadata(): array
{
    global $folder;
    return xhprof_test_run_part($folder, xhprof_save() . '.xhprof', 'meta');
}

// The names of functions are found, and their nodes made, at their first calls.
for ($i = 0, $code = ''; $i < 20_000; $i++) {
    $code .= "function f$i() {} ";
}
eval($code);
foreach ([0, XHPROF_FLAGS_CPU | XHPROF_FLAGS_MEMORY, XHPROF_FLAGS_TIMELINE] as $flags) {
    $before = hrtime(true);
    xhprof_enable($flags);
    $begin = hrtime(true);
    for ($i = 0; $i < 20_000; $i++) {
        "f$i"();
    }
    $end = hrtime(true);
    $edges = xhprof_disable();
    $after = hrtime(true);
    $meta = metadata();
    $whole = ($after - $before) / 1000;
    $program = ($end - $begin) / 1000;
    echo $meta['duration_us'] === $edges['main()']['wt'] ? 'main() has the duration' : "$meta[duration_us] {$edges['main()']['wt']}",
        $meta['elapsed_us'] > $meta['duration_us'] ? ', more time elapsed' : ", $meta[elapsed_us] elapsed",
        // The clocks may differ by some parts of 10,000.
        $meta['elapsed_us'] > 0.99 * $program && $meta['elapsed_us'] < 1.01 * $whole ? ', as the clock says' : ", not $program to $whole", "\n";
}
?>
--EXPECT--
main() has the duration, more time elapsed, as the clock says
main() has the duration, more time elapsed, as the clock says
main() has the duration, more time elapsed, as the clock says
