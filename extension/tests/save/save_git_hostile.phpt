--TEST--
The git revision: a .git that another user may have put there, or that is no repository, is not followed; open_basedir holds
--SKIPIF--
<?php
if (!is_link('/proc/self/exe') || !file_exists('/dev/zero')) {
    die('skip needs /dev/zero');
}
?>
--FILE--
<?php
require __DIR__ . '/../run_files.inc';

$folder = xhprof_test_folder();
$a = str_repeat('a1', 20);
mkdir("$folder/in/runs", 0700, true);
mkdir("$folder/in/.git/refs/heads", 0700, true);
mkdir("$folder/in/.git/objects");
mkdir("$folder/out");
$script = "$folder/in/script.php";
file_put_contents($script, '<?php ini_set("xhprof.output_dir", __DIR__ . "/runs"); xhprof_enable(); xhprof_disable(); echo xhprof_save();');
file_put_contents("$folder/out/apikey", $a);

function show(string $label, array $ini = []): void
{
    global $folder, $script, $a;
    $child = xhprof_test_child($script, [], $ini);
    $meta = xhprof_test_run_part("$folder/in/runs", trim($child['out']) . '.xhprof', 'meta');
    $git = is_array($meta) ? $meta['git'] ?? 'none' : "no meta: $child[out]$child[err]";
    echo "$label: ", $git === $a ? 'A' : $git, "\n";
}

// An endless file, a pipe that nobody writes, a link out of the folder.
file_put_contents("$folder/in/.git/HEAD", "ref: refs/heads/x\n");
symlink('/dev/zero', "$folder/in/.git/packed-refs");
show('endless');
unlink("$folder/in/.git/packed-refs");
file_put_contents("$folder/in/.git/packed-refs", str_repeat(str_repeat('#', 999) . "\n", 1100) . "$a refs/heads/x\n");
show('after a megabyte');
file_put_contents("$folder/in/.git/packed-refs", str_repeat('#', 5000) . "\n$a refs/heads/x");
show('no end of line');
file_put_contents("$folder/in/.git/packed-refs", str_repeat('#', 5000) . "\n$a refs/heads/x\n");
show('after a long line');
unlink("$folder/in/.git/packed-refs");
symlink("$folder/out/apikey", "$folder/in/.git/refs/heads/x");
show('a link');
unlink("$folder/in/.git/refs/heads/x");

// A file of another program.
file_put_contents("$folder/in/.git/HEAD", "ref: apikey\n");
file_put_contents("$folder/in/.git/commondir", "$folder/out\n");
show('commondir');
file_put_contents("$folder/in/.git/HEAD", "ref: refs/heads/x\n");
mkdir("$folder/out/refs/heads", 0700, true);
file_put_contents("$folder/out/refs/heads/x", $a);
show('no repository');
mkdir("$folder/out/objects");
show('a repository');
show('a repository, open_basedir', ['open_basedir' => "$folder/in"]);
unlink("$folder/in/.git/commondir");
file_put_contents("$folder/in/.git/refs/heads/x", $a);
show('within open_basedir', ['open_basedir' => "$folder/in"]);
rename("$folder/in/.git", "$folder/.git");
show('above');
show('above open_basedir', ['open_basedir' => "$folder/in"]);
if (function_exists('posix_geteuid') && posix_geteuid() === 0) {
    chown("$folder/.git", 65534);
    show("another user's");
    chown($script, 65534);
    show("the script's owner's");
} else {
    echo "another user's: none\nthe script's owner's: A\n";
}
?>
--EXPECT--
endless: none
after a megabyte: none
no end of line: none
after a long line: A
a link: none
commondir: none
no repository: none
a repository: A
a repository, open_basedir: none
within open_basedir: A
above: A
above open_basedir: none
another user's: none
the script's owner's: A
