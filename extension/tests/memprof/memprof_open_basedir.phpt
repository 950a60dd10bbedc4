--TEST--
memprof.output_dir keeps to open_basedir: when it is set, when a request begins, and when the profile is written
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs("PHP's heap"); ?>
--FILE--
<?php
require __DIR__ . '/../lib.inc';

$folder = xhprof_test_folder();
mkdir("$folder/in");
mkdir("$folder/out");
file_put_contents("$folder/in/eats.php", '<?php
if (isset($argv[1])) { var_dump(@ini_set("memprof.output_dir", $argv[1])); }
if (isset($argv[2])) { ini_set("open_basedir", $argv[2]); }
function eats() { $all = []; while (true) { $all[] = str_repeat("x", 10000); } }
eats();');
$environment = ['MEMPROF_PROFILE' => 'dump_on_limit'] + getenv();
$eats = static function (string $label, array $arguments, array $ini) use ($folder, $environment): void {
    $ini += ['memory_limit' => '16M', 'log_errors' => 0, 'display_errors' => 0];
    $child = xhprof_test_child("$folder/in/eats.php", $arguments, $ini, [], null, $environment);
    echo "$label: ", trim(str_replace($folder, '', $child['out'])), ' in ', count(xhprof_test_list("$folder/in")) - 1,
        ', out ', count(xhprof_test_list("$folder/out")), "\n",
        preg_replace('~memprof\.callgrind\.\d+~', 'FILE', str_replace($folder, '', $child['err']));
    array_map(unlink(...), glob("$folder/*/memprof.*"));
};
$within = ['open_basedir' => "$folder/in"];
$eats('set by the program', ["$folder/out"], $within + ['memprof.output_dir' => "$folder/in"]);
$eats('set inside', ["$folder/in"], $within + ['memprof.output_dir' => "$folder/out"]);
$eats('set in php.ini', [], $within + ['memprof.output_dir' => "$folder/out"]);
$eats('open_basedir later', ["$folder/out", "$folder/in"], []);
$eats('without open_basedir', ["$folder/out"], []);
?>
--EXPECTF--
set by the program: bool(false) in 1, out 0
xhprof: the memory profile at memory_limit is /in/FILE
set inside: string(%d) "/out" in 1, out 0
xhprof: no memory profile can be written at memory_limit: memprof.output_dir is /out: it is not within open_basedir
xhprof: the memory profile at memory_limit is /in/FILE
set in php.ini:  in 0, out 0
xhprof: no memory profile can be written at memory_limit: memprof.output_dir is /out: it is not within open_basedir
xhprof: no memory profile at memory_limit: /out: it is not within open_basedir
open_basedir later: string(4) "/tmp" in 0, out 0
xhprof: no memory profile at memory_limit: /out: it is not within open_basedir
without open_basedir: string(4) "/tmp" in 0, out 1
xhprof: the memory profile at memory_limit is /out/FILE
