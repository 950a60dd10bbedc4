--TEST--
phpinfo() shows the hooks in use, and why they are not switched
--FILE--
<?php
require __DIR__ . '/../lib.inc';

if (isset($argv[1])) {
    ob_start();
    phpinfo(INFO_MODULES);
    $info = (string) ob_get_clean();
    $rows = [];
    foreach (['Hooks', 'Why not switch'] as $row) {
        $rows[$row] = preg_match("/^$row => (.+)$/m", $info, $m) ? $m[1] : null;
    }
    if ($argv[1] === 'auto') {
        echo match ($rows['Hooks']) {
            'switch' => $rows['Why not switch'] === null,
            'walk' => in_array($rows['Why not switch'], [
                'the handle belongs to all threads', 'not proved on PHP 8.3', 'another extension observes calls',
                'the JIT compiles the handle in',
            ], true),
            default => false,
        } ? "as it must be\n" : json_encode($rows) . "\n";
    } else {
        echo json_encode($rows), "\n";
    }
    // On the PHP that is known to allow it, with nothing else loaded.
    if ($argv[1] === 'auto' && !PHP_ZTS && in_array(PHP_MINOR_VERSION, [2, 4], true) && get_loaded_extensions(true) === []) {
        echo $rows['Hooks'] === 'switch' ? '' : "it does not switch: {$rows['Why not switch']}\n";
    }
    exit(0);
}
foreach (xhprof_test_ways() as $label => [$ini, $extensions]) {
    if (str_starts_with($label, 'auto')) {
        $child = xhprof_test_child(__FILE__, ['auto'], $ini, $extensions);
        if ($child['out'] !== "as it must be\n" || $child['code'] !== 0 || $child['err'] !== '') {
            echo "$label: ";
            xhprof_test_show($child);
        }
    }
}
foreach (['walk', 'off'] as $hooks) {
    xhprof_test_show(xhprof_test_child(__FILE__, [$hooks], ['xhprof.hooks' => $hooks]));
}
?>
--EXPECT--
{"Hooks":"walk","Why not switch":"xhprof.hooks=walk"}
{"Hooks":"off","Why not switch":null}
