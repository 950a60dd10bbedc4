--TEST--
xhprof_save(): flags, their names and the totals follow the session's flags
--FILE--
<?php
require __DIR__ . '/../lib.inc';
require __DIR__ . '/../run_files.inc';

$folder = xhprof_test_folder();
ini_set('xhprof.output_dir', $folder);
foreach ([0, 1, 2, 4, 6] as $flags) {
    xhprof_enable($flags);
    $edges = xhprof_disable();
    $id = xhprof_save();
    $m = xhprof_test_run_part($folder, "$id.xhprof", 'meta');
    unset($edges['main()']['ct']);
    printf("%d %s %s %s\n", $m['flags'], json_encode($m['flag_names']), json_encode(array_keys($m['totals'])),
        $m['totals'] === $edges['main()'] ? 'as main()' : json_encode($m['totals']));
    echo isset($m['meta']) ? json_encode($m['meta']) : '[]', "\n";
}
?>
--EXPECT--
0 [] ["wt"] as main()
[]
1 ["NO_BUILTINS"] ["wt"] as main()
[]
2 ["CPU"] ["wt","cpu"] as main()
[]
4 ["MEMORY"] ["wt","mu","pmu"] as main()
[]
6 ["CPU","MEMORY"] ["wt","cpu","mu","pmu"] as main()
[]
