--TEST--
xhprof_save(): the git revision, from a branch, packed refs, a detached HEAD; none outside of a repository
--FILE--
<?php
require __DIR__ . '/../run_files.inc';

$folder = xhprof_test_folder();
$runs = xhprof_test_folder();
$a = str_repeat('a1', 20);
$b = str_repeat('b2', 20);
mkdir("$folder/.git/refs/heads/topic", 0700, true);
mkdir("$folder/src/deep", 0700, true);
$script = "$folder/src/deep/script.php";
file_put_contents($script, '<?php ini_set("xhprof.output_dir", $argv[1]); xhprof_enable(); xhprof_disable(); echo xhprof_save();');

function revision(string $script, string $runs, string $cwd): string
{
    $child = xhprof_test_child($script, [$runs], [], [], $cwd);
    $id = trim($child['out']);
    $meta = xhprof_test_run_part($runs, "$id.xhprof", 'meta');
    return is_array($meta) ? ($meta['git'] ?? 'none') : "no meta: {$child['out']}{$child['err']}";
}

function show(string $label, string $revision): void
{
    global $a, $b;
    echo $label, ': ', strtr($revision, [$a => 'A', $b => 'B']), "\n";
}

file_put_contents("$folder/.git/HEAD", "ref: refs/heads/topic/one\n");
file_put_contents("$folder/.git/refs/heads/topic/one", "$a\n");
show('branch', revision($script, $runs, "$folder/src/deep"));
file_put_contents("$folder/.git/HEAD", "$b\n");
show('detached', revision($script, $runs, "$folder/src/deep"));
file_put_contents("$folder/.git/HEAD", "ref: refs/heads/packed\n");
file_put_contents("$folder/.git/packed-refs", "# pack-refs with: peeled fully-peeled sorted \n$a refs/heads/other\n$b refs/heads/packed\n^$a\n");
show('packed', revision($script, $runs, "$folder/src/deep"));
file_put_contents("$folder/.git/HEAD", "ref: refs/heads/unborn\n");
show('unborn', revision($script, $runs, "$folder/src/deep"));
file_put_contents("$folder/.git/HEAD", "nonsense\n");
show('damaged', revision($script, $runs, "$folder/src/deep"));
file_put_contents("$folder/.git/HEAD", "ref: ../../../../../../etc/hostname\n");
show('a ref outside', revision($script, $runs, "$folder/src/deep"));
file_put_contents("$folder/.git/HEAD", '');
show('empty', revision($script, $runs, "$folder/src/deep"));
rename("$folder/.git", "$folder/main.git");
file_put_contents("$folder/main.git/HEAD", "$b\n");
file_put_contents("$folder/.git", "gitdir: $folder/main.git\n");
show('worktree file', revision($script, $runs, "$folder/src/deep"));
unlink("$folder/.git");
show('no repository', revision($script, $runs, "$folder/src/deep"));
?>
--EXPECT--
branch: A
detached: B
packed: B
unborn: none
damaged: none
a ref outside: none
empty: none
worktree file: B
no repository: none
