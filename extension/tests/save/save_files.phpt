--TEST--
xhprof_save() writes ID.SOURCE.run, whatever the source, the names and the folder
--FILE--
<?php
require __DIR__ . '/../run_files.inc';

echo "xhprof_save() writes ID.SOURCE.run, the last stopped profile:\n";

function f(int $n): void
{
    strrev("abc$n");
    if ($n > 0) {
        f($n - 1);
    }
}

$folder = xhprof_test_folder();
ini_set('xhprof.output_dir', $folder);
foreach ([0, XHPROF_FLAGS_CPU | XHPROF_FLAGS_MEMORY] as $flags) {
    xhprof_enable($flags);
    f(3);
    $edges = xhprof_disable();
    $tree = xhprof_call_tree();
    $id = xhprof_save('phpt_1-A');
    echo preg_match('/^[0-9a-f]{32}$/', $id) ? 'an id' : $id, "\n";
    echo implode(' ', str_replace($id, 'ID', xhprof_test_list($folder))), "\n";

    echo xhprof_test_run_edges($folder, "$id.phpt_1-A") === $edges ? 'the same array' : 'another array', "\n";

    $json = xhprof_test_run_part($folder, "$id.phpt_1-A", 'tree');
    $n = count($tree['fn']);
    echo json_encode([xhprof_test_run_parts($folder, "$id.phpt_1-A"), $json['order'], $json['mode'], $json['n'] === $n, $json['unit']['wt']]), "\n";
    foreach (['names', 'files', 'file', 'line', 'last_line', 'fn', 'depth', 'ct', 'call_line', 'self'] as $column) {
        echo $column, $json[$column] === $tree[$column] ? ' ok' : ' differs', "\n";
    }
    $again = xhprof_save();
    echo $again !== $id ? 'another id' : 'the same id', ' ', xhprof_test_run_list($folder), "\n";
    array_map('unlink', glob("$folder/*"));
}

echo "A saved run says of each name what it is: code of the program, a function of PHP, or the compiling of code:\n";

function work(): string
{
    return implode(array_map(static fn (string $letter): string => strrev($letter), ['a', 'b']));
}

$folder = xhprof_test_folder();
file_put_contents("$folder/part.php", '<?php work();');
mkdir("$folder/runs");
ini_set('xhprof.output_dir', "$folder/runs");
foreach ([0, XHPROF_FLAGS_NO_BUILTINS] as $flags) {
    xhprof_enable($flags);
    work();
    include "$folder/part.php";
    eval('work();');
    xhprof_disable();
    $tree = xhprof_test_run_part("$folder/runs", xhprof_save() . '.xhprof', 'tree');
    $kinds = [];
    foreach (array_unique($tree['fn']) as $fn) {
        $name = preg_replace(['/\{closure.*\}/', '~::.*/~', '/::.*eval.*|(?<=^eval)::.*/'], ['{closure}', '::', '::eval'], $tree['names'][$fn]);
        $kinds[$tree['function_kind'][$fn]][$name] = true;
    }
    ksort($kinds);
    foreach ($kinds as $kind => $names) {
        ksort($names);
        echo "$kind: ", implode(' ', array_keys($names)), "\n";
    }
    echo count($tree['function_kind']) === count($tree['names']) ? '' : "not one for each name\n";
}

echo "xhprof_save(): names with any bytes give valid files:\n";

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

/** As a run file has it: no name has both. */
function written(string $key): string
{
    return implode('==>', array_map(static fn (string $name): string => mb_valid($name) ? $name
        : preg_replace_callback('/[\x80-\xff]/', static fn (array $byte): string => sprintf('\x%02X', ord($byte[0])), $name), explode('==>', $key)));
}

function mb_valid(string $s): bool
{
    return preg_match('//u', $s) === 1;
}

echo "xhprof_save() with a relative output_dir, after the program changed its folder:\n";

$folder = xhprof_test_folder();
mkdir("$folder/runs");
mkdir("$folder/runs/runs");
chdir($folder);
ini_set('xhprof.output_dir', 'runs');
xhprof_enable();
xhprof_disable();
$one = xhprof_save();
chdir('runs');
$two = xhprof_save();
// Wherever it decides to write: a whole run for each of them, and nothing else.
$found = [];
foreach (["$folder/runs", "$folder/runs/runs"] as $dir) {
    array_push($found, ...xhprof_test_run_names($dir), ...array_diff(xhprof_test_run_others($dir), ['runs']));
}
sort($found);
$expected = ["$one.xhprof", "$two.xhprof"];
sort($expected);
echo $found === $expected ? 'both' : implode(' ', $found), "\n";
chdir('/');
?>
--EXPECTF--
xhprof_save() writes ID.SOURCE.run, the last stopped profile:
an id
ID.phpt_1-A.run
the same array
[["meta","tree"],"preorder","merged",true,"ns"]
names ok
files ok
file ok
line ok
last_line ok
fn ok
depth ok
ct ok
call_line ok
self ok
another id 2 runs
an id
ID.phpt_1-A.run
the same array
[["meta","tree"],"preorder","merged",true,"ns"]
names ok
files ok
file ok
line ok
last_line ok
fn ok
depth ok
ct ok
call_line ok
self ok
another id 2 runs
A saved run says of each name what it is: code of the program, a function of PHP, or the compiling of code:
0: main() run_init::eval run_init::part.php work {closure}
1: array_map implode strrev xhprof_disable
2: eval::eval load::part.php
0: main() run_init::eval run_init::part.php work {closure}
2: eval::eval load::part.php
xhprof_save(): names with any bytes give valid files:
the same array
raw\377\200 is raw\xFF\x80
half\342\202 is half\xE2\x82
%d names the same, %d in all
ok
xhprof_save() with a relative output_dir, after the program changed its folder:
both
