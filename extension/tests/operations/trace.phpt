--TEST--
A run has the ids of its trace, of a W3C traceparent
--FILE--
<?php
require __DIR__ . '/../run_files.inc';

if (isset($argv[1])) {
    ini_set('xhprof.output_dir', $folder = xhprof_test_folder());
    xhprof_enable();
    xhprof_disable();
    $meta = xhprof_test_run_part($folder, xhprof_save('test') . '.test', 'meta');
    echo json_encode([$meta['trace_id'] ?? null, $meta['span_id'] ?? null]), "\n";
    exit(0);
}
foreach (['00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01', '00-<b>', ''] as $header) {
    xhprof_test_show(xhprof_test_child(__FILE__, ['child'], [], [], null, ['TRACEPARENT' => $header]));
}
?>
--EXPECT--
["4bf92f3577b34da6a3ce929d0e0e4736","00f067aa0ba902b7"]
[null,null]
[null,null]
