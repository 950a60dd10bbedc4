--TEST--
Names in formats of lines: separators, control bytes, what looks like the format's own
--FILE--
<?php
require __DIR__ . '/../lib.inc';
require __DIR__ . '/../alloc.inc';

$folder = xhprof_test_folder();
$program = "$folder/a;b\n(3) 7\x01.php";
file_put_contents($program, '<?php $GLOBALS["kept"][] = pack("x3000"); $GLOBALS["kept"][] = (static fn () => pack("x4000"))();');
xhprof_enable(XHPROF_FLAGS_ALLOC, ['run_init' => true]);
include $program;
xhprof_disable();

$lines = static fn (string $text, string $having): array
    => array_filter(explode("\n", $text), static fn (string $line): bool => str_contains($line, $having));
foreach ($lines(xhprof_test_dump(['types' => false], 'folded'), 'pack') as $line) {
    echo preg_replace('/ \d+$/', '', str_replace(basename($folder), 'FOLDER', $line)), "\n";
}
foreach ($lines(xhprof_test_dump([], 'callgrind'), '.php') as $line) {
    echo str_replace(basename($folder), 'FOLDER', preg_replace('/\(\d+\) /', '(N) ', $line, 1)), "\n";
}
echo count(array_filter(explode("\n", xhprof_test_dump([], 'callgrind')), static fn (string $line): bool
    => preg_match('/^(# callgrind format|(version|creator|pid|cmd|part|positions|events|summary|totals): .*|fl=.*'
        . '|c?fn=\(\d+\)( .*)?|calls=\d+ 1|1 \d+ \d+|)$/', $line) !== 1)), " lines of callgrind's that it does not know\n";
?>
--EXPECT--
main();run_init::FOLDER/a\x3bb\x0a(3) 7\x01.php;pack
main();run_init::FOLDER/a\x3bb\x0a(3) 7\x01.php;{closure:FOLDER/a\x3bb\x0a(3) 7\x01.php:1};pack
cfn=(N) run_init::FOLDER/a;b\x0a(3) 7\x01.php
cfn=(N) load::FOLDER/a;b\x0a(3) 7\x01.php
cfn=(N) {closure:FOLDER/a;b\x0a(3) 7\x01.php:1}
0 lines of callgrind's that it does not know
