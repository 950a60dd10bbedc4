--TEST--
xhprof.release: what it may be; it is in the metadata of runs, as it is when they are saved
--FILE--
<?php
require __DIR__ . '/../lib.inc';
require __DIR__ . '/../auto.inc';

$wrong = [
    'a b', 'a/b', 'a@b', "1\n", str_repeat('a', 65), '4111111111111111', 'AKIAIOSFODNN7EXAMPLE',
    'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N',
];
echo json_encode(ini_get('xhprof.release')), "\n";
foreach (['1.5.0', str_repeat('a', 64), 'v2_a+b~c-d', '20261128123456', sha1('x'), ''] as $release) {
    ini_set('xhprof.release', $release);
    echo ini_get('xhprof.release') === $release ? 'kept' : "refused: $release", "\n";
}
foreach ($wrong as $release) {
    $kept = @ini_set('xhprof.release', $release) !== false;
    echo $kept ? "kept: $release" : 'refused', "\n";
}
ini_set('xhprof.release', 'a b');

// xhprof_save()
$folder = xhprof_test_folder();
ini_set('xhprof.output_dir', $folder);
foreach (['1.5', ''] as $release) {
    xhprof_enable();
    xhprof_disable();
    ini_set('xhprof.release', $release);
    $meta = xhprof_test_run_part($folder, xhprof_save() . '.xhprof', 'meta');
    echo json_encode($meta['release'] ?? null), "\n";
}

// A run that settings start: of php.ini, and of the program.
foreach (['', 'ini_set("xhprof.release", "2.0-b");'] as $code) {
    $result = xhprof_test_auto("<?php $code", ['start_with_request' => 'yes', 'release' => '1.9']);
    echo json_encode(array_column($result['runs'], 'release')), $result['err'], "\n";
}
$result = xhprof_test_auto('<?php', ['start_with_request' => 'yes', 'release' => 'a/b']);
echo $result['out'], json_encode(array_column($result['runs'], 'release')), "\n";
?>
--EXPECTF--
""
kept
kept
kept
kept
kept
kept
refused
refused
refused
refused
refused
refused
refused
refused

Warning: xhprof.release must be up to 64 letters, digits, ".", "_", "+", "~" or "-", and no secret in %s on line %d
"1.5"
null
["1.9"]
["2.0-b"]
%A[]
