--TEST--
xhprof_save(): names with any bytes give valid files
--FILE--
<?php
require __DIR__ . '/../lib.inc';
require __DIR__ . '/../run_files.inc';

eval("function raw\xff\x80() {} function na\xc3\xafve() {} function half\xe2\x82() {}");
$long = 'l' . str_repeat('o', 5000) . 'ng';
eval("function $long() {}");
$odd = xhprof_test_folder() . "/q\"u'o<b>\\te\n\t\x01.php";
file_put_contents($odd, '<?php (function () { })();');

$folder = xhprof_test_folder();
ini_set('xhprof.output_dir', $folder);
xhprof_enable(XHPROF_FLAGS_NO_BUILTINS, ['run_init' => true]); // as in what is saved
"raw\xff\x80"();
"na\xc3\xafve"();
"half\xe2\x82"();
$long();
include $odd;
$edges = xhprof_disable();
$tree = xhprof_call_tree();
$id = xhprof_save('names', ["k\xff" => "v\xff", 'quote' => "\"\\\n\x01"]);
$saved = array_combine(array_map(written(...), array_keys($edges)), $edges);
echo xhprof_test_run_edges($folder, "$id.names") === $saved ? 'the same array' : 'another array', "\n";
$json = xhprof_test_run_part($folder, "$id.names", 'tree');
$same = 0;
foreach ($tree['names'] as $i => $name) {
    if (mb_valid($name)) {
        $same += $json['names'][$i] === $name ? 1 : 0;
    } else {
        echo addcslashes($name, "\x80..\xff"), ' is ', $json['names'][$i], "\n";
    }
}
echo "$same names the same, ", count($json['names']), " in all\n";
$meta = xhprof_test_run_part($folder, "$id.names", 'meta');
echo $meta['meta']['quote'] === "\"\\\n\x01" ? 'ok' : json_encode($meta['meta']), "\n";

/** As a run file has it: none of the names has both. */
function written(string $key): string
{
    return implode('==>', array_map(static fn (string $name): string => mb_valid($name) ? $name
        : preg_replace_callback('/[\x80-\xff]/', static fn (array $byte): string => sprintf('\x%02X', ord($byte[0])), $name), explode('==>', $key)));
}

function mb_valid(string $s): bool
{
    return preg_match('//u', $s) === 1;
}
?>
--EXPECTF--
the same array
raw\377\200 is raw\xFF\x80
half\342\202 is half\xE2\x82
%d names the same, %d in all
ok
