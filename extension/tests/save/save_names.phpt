--TEST--
xhprof_save(): names with any bytes give valid files
--FILE--
<?php
require __DIR__ . '/../lib.inc';

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
echo unserialize(file_get_contents("$folder/$id.names.xhprof")) === $edges ? 'the same array' : 'another array', "\n";
$json = json_decode(file_get_contents("$folder/$id.names.tree.json"), true, 512, JSON_THROW_ON_ERROR);
$same = 0;
foreach ($tree['names'] as $i => $name) {
    if (mb_valid($name)) {
        $same += $json['names'][$i] === $name ? 1 : 0;
    } else {
        echo addcslashes($name, "\x80..\xff"), ' ', is_string($json['names'][$i]) && $json['names'][$i] !== '' ? 'is a string' : 'is none', "\n";
    }
}
echo "$same names the same, ", count($json['names']), " in all\n";
$meta = json_decode(file_get_contents("$folder/$id.names.meta.json"), true, 512, JSON_THROW_ON_ERROR);
echo $meta['meta']['quote'] === "\"\\\n\x01" ? 'ok' : json_encode($meta['meta']), "\n";

function mb_valid(string $s): bool
{
    return preg_match('//u', $s) === 1;
}
?>
--EXPECTF--
the same array
raw\377\200 is a string
half\342\202 is a string
%d names the same, %d in all
ok
