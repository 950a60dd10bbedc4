--TEST--
Settings: names, defaults, where they may be changed, what they may be
--FILE--
<?php
require __DIR__ . '/../auto.inc';

echo "INI settings: names, defaults, where they may be changed:\n";

$settings = ini_get_all('xhprof');
foreach (
    ['xhprof.output_dir', 'xhprof.sampling_interval', 'xhprof.sampling_depth', 'xhprof.collect_additional_info',
        'xhprof.max_nodes', 'xhprof.clock'] as $name
) {
    echo $name, isset($settings[$name]) ? '' : ' is missing', "\n";
}
echo "max_nodes ", $settings['xhprof.max_nodes']['global_value'], ' access ', $settings['xhprof.max_nodes']['access'], "\n";
echo "clock ", $settings['xhprof.clock']['global_value'], ' access ', $settings['xhprof.clock']['access'], "\n";
echo "collect_additional_info ", json_encode((bool) $settings['xhprof.collect_additional_info']['global_value']), "\n";
echo "sampling_interval ", $settings['xhprof.sampling_interval']['global_value'], "\n";
echo "output_dir ", json_encode((string) $settings['xhprof.output_dir']['global_value']), "\n";
var_dump(ini_set('xhprof.clock', 'monotonic'));
var_dump(ini_set('xhprof.max_nodes', '5000'), ini_get('xhprof.max_nodes'));

echo "xhprof.max_nodes: nonsense and too small values never give less than 16 nodes; a running session keeps its limit:\n";

for ($i = 0; $i < 40; $i++) {
    eval("function f$i() { }");
}

foreach (['1', '0', '-5', 'many', ''] as $value) {
    @ini_set('xhprof.max_nodes', $value);
    xhprof_enable(XHPROF_FLAGS_NO_BUILTINS);
    for ($i = 0; $i < 12; $i++) {
        "f$i"();
    }
    $edges = xhprof_disable();
    echo json_encode($value), ': ', count($edges), ' edges, ', xhprof_test_calls($edges, '(truncated)'), " truncated\n";
}

ini_set('xhprof.max_nodes', '1000');
xhprof_enable(XHPROF_FLAGS_NO_BUILTINS);
ini_set('xhprof.max_nodes', '16');
for ($i = 0; $i < 40; $i++) {
    "f$i"();
}
ini_set('xhprof.max_nodes', '100000000');
$edges = xhprof_disable();
xhprof_test_check_invariants($edges, xhprof_call_tree());
echo array_sum(array_column($edges, 'ct')), "\n";

echo "xhprof.release: what it may be; it is in the metadata of runs, as it is when they are saved:\n";

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
INI settings: names, defaults, where they may be changed:
xhprof.output_dir
xhprof.sampling_interval
xhprof.sampling_depth
xhprof.collect_additional_info
xhprof.max_nodes
xhprof.clock
max_nodes 1000000 access 7
clock auto access 4
collect_additional_info true
sampling_interval 0
output_dir ""
bool(false)
string(7) "1000000"
string(4) "5000"
xhprof.max_nodes: nonsense and too small values never give less than 16 nodes; a running session keeps its limit:
"1": 13 edges, 0 truncated
"0": 13 edges, 0 truncated
"-5": 13 edges, 0 truncated
"many": 13 edges, 0 truncated
"": 13 edges, 0 truncated
invariants: ok
41
xhprof.release: what it may be; it is in the metadata of runs, as it is when they are saved:
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
