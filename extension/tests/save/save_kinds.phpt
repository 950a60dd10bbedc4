--TEST--
A saved run says of each name what it is: code of the program, a function of PHP, or the compiling of code
--FILE--
<?php
require __DIR__ . '/../lib.inc';
require __DIR__ . '/../run_files.inc';

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
?>
--EXPECT--
0: main() run_init::eval run_init::part.php work {closure}
1: array_map implode strrev xhprof_disable
2: eval::eval load::part.php
0: main() run_init::eval run_init::part.php work {closure}
2: eval::eval load::part.php
