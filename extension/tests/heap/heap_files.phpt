--TEST--
A heap snapshot's file: its owner's alone, whole or not at all; links, pipes, folders, devices
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs("PHP's heap"); ?>
--FILE--
<?php
require __DIR__ . '/../heap.inc';

$folder = xhprof_test_folder();
/** What is there afterwards: names, modes, sizes. */
$show = static function (string $label, array $summary) use ($folder): void {
    clearstatcache();
    echo "$label: ", $summary === [] ? 'nothing' : 'a summary', "\n";
    foreach (xhprof_test_list($folder) as $name) {
        $path = "$folder/$name";
        echo "  $name ", is_link($path) ? 'link' : filetype($path), ' ', decoct(fileperms($path) & 0777),
            is_file($path) ? (filesize($path) > 10000 ? ' large' : ' small') : '', "\n";
    }
};
foreach ([0000, 0022, 0077] as $umask) {
    umask($umask);
    $show('umask ' . decoct($umask), xhprof_heap_snapshot("$folder/a"));
    unlink("$folder/a");
}
umask(0);
file_put_contents("$folder/a", 'before');
chmod("$folder/a", 0666);
$show('replaced', xhprof_heap_snapshot("$folder/a"));
unlink("$folder/a");

file_put_contents("$folder/other", 'of others');
symlink("$folder/other", "$folder/a");
$show('link', xhprof_heap_snapshot("$folder/a"));
unlink("$folder/a");
unlink("$folder/other");

mkdir("$folder/a", 0755);
$show('folder', xhprof_heap_snapshot("$folder/a"));
rmdir("$folder/a");
shell_exec('mkfifo -m 0600 ' . escapeshellarg("$folder/a"));
$show('pipe', xhprof_heap_snapshot("$folder/a"));
unlink("$folder/a");

chdir($folder);
$show('relative', xhprof_heap_snapshot('a'));
unlink("$folder/a");
$show('no folder', xhprof_heap_snapshot("$folder/none/a"));
$show('below a file', xhprof_heap_snapshot(__FILE__ . '/a'));
$show('long', xhprof_heap_snapshot("$folder/" . str_repeat('a', 300)));
$show('longer', xhprof_heap_snapshot("$folder/" . str_repeat('a/', 4000)));
$summary = xhprof_heap_snapshot('/dev/null');
$show('device', $summary);
echo filetype('/dev/null'), ' ', $summary['written'] > 10000 ? 'written' : 'not written', "\n";
is_writable('/dev/full') && $show('full', xhprof_heap_snapshot('/dev/full'));
?>
--EXPECTF--
umask 0: a summary
  a file 600 large
umask 22: a summary
  a file 600 large
umask 77: a summary
  a file 600 large
replaced: a summary
  a file 600 large
link: a summary
  a file 600 large
  other file 666 small

Warning: xhprof_heap_snapshot(): No snapshot to %s/a: Is a directory in %s on line %d
folder: nothing
  a dir 755

Warning: xhprof_heap_snapshot(): No snapshot to %s/a: Operation not permitted in %s on line %d
pipe: nothing
  a fifo 600
relative: a summary
  a file 600 large

Warning: xhprof_heap_snapshot(): No snapshot to %s/none/a: No such file or directory in %s on line %d
no folder: nothing

Warning: xhprof_heap_snapshot(): No snapshot to %s/a: Not a directory in %s on line %d
below a file: nothing

Warning: xhprof_heap_snapshot(): No snapshot to %s: File%wname too long in %s on line %d
long: nothing

Warning: xhprof_heap_snapshot(): No snapshot to %s: File%wname too long in %s on line %d
longer: nothing
device: a summary
char written

Warning: xhprof_heap_snapshot(): No snapshot to /dev/full: No space left on device in %s on line %d
full: nothing
