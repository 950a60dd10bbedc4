--TEST--
xhprof.mode=aggregate: folders, and requests that end in every way
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('test clock', 'proc_open()'); ?>
--FILE--
<?php
require __DIR__ . '/../aggregate.inc';

echo "xhprof.mode=aggregate: a folder that is missing, or files of others in it, hurt no program, and are reported once:\n";

$spans = '$spans = static function (int $count) { for ($i = 0; $i < $count; $i++) { xhprof_begin_span("job"); work(20); xhprof_end_span(); } };';
$settings = ['log_errors' => 1, 'error_log' => '', 'display_errors' => 0];
$show = static function (string $label, array $result): void {
    $error = preg_replace(['~ to /.*?: ~', '~ for /\S* ~', '~\n~'], [' to FOLDER: ', ' for FOLDER ', ', '], preg_replace('/^(\[.*\] |PHP .*?: *)/m', '', trim($result['err'])));
    echo "$label: ", trim($result['out']), "; log: ", $error === '' ? 'nothing' : $error, '; requests: ';
    $routes = xhprof_test_routes($result['runs'], $result['folder']);
    echo json_encode(array_map(static fn (array $route): int => $route['requests'], $routes)), "\n";
};
$no = ['start_with_request' => 'no'];

$show('missing', xhprof_test_aggregate("$spans ini_set('xhprof.output_dir', ini_get('xhprof.output_dir') . '/missing');"
    . ' $spans(70); echo "whole";', $no, $settings));
$show('made later', xhprof_test_aggregate("$spans" . <<<'PHP'
    $folder = ini_get('xhprof.output_dir');
    rename($folder, "$folder.away");
    $spans(60);
    rename("$folder.away", $folder);
    $spans(20);
    echo "whole";
    PHP, $no, $settings));
$show('removed', xhprof_test_aggregate("$spans" . <<<'PHP'
    $folder = ini_get('xhprof.output_dir');
    $spans(5);
    array_map(unlink(...), glob("$folder/.xhprof-aggregate*"));
    $spans(5);
    array_map(unlink(...), glob("$folder/.xhprof-aggregate*"));
    echo "whole";
    PHP, ['flush_seconds' => 3600] + $no, $settings));
$spool = 'sprintf("%s/.xhprof-aggregate.auto.%d.%d-1000-wall.spool", ini_get("xhprof.output_dir"), fileowner(ini_get("xhprof.output_dir")), ini_get("xhprof.flush_seconds"))';
$result = xhprof_test_aggregate("$spans file_put_contents($spool, random_bytes(5000)); \$spans(5); echo 'whole';", ['flush_seconds' => 3600] + $no, $settings);
foreach ($result['runs'] as $i => $run) {
    echo 'noise is ', $run['aggregate']['damaged'] > 0 ? 'reported' : 'gone', "\n";
    $result['runs'][$i]['aggregate']['damaged'] = 0;
}
$show('noise', $result);
$show('link', xhprof_test_aggregate("$spans file_put_contents(\$other = ini_get('xhprof.output_dir') . '/other', 'x');"
    . "symlink(\$other, $spool); \$spans(5); echo 'whole ', file_get_contents(\$other);", $no, $settings));
// Who may write into the folder plants what has the spool's name: another one is used.
$show('folder', xhprof_test_aggregate("$spans mkdir($spool); \$spans(5); echo 'whole';", $no, $settings));
$show('hard link', xhprof_test_aggregate("$spans file_put_contents(\$other = ini_get('xhprof.output_dir') . '/other', 'x');"
    . "link(\$other, $spool); \$spans(5); echo 'whole ', file_get_contents(\$other);", $no, $settings));
$show('fifo', xhprof_test_aggregate("$spans exec('mkfifo ' . escapeshellarg($spool)); \$spans(5); echo 'whole';", $no, $settings));

echo "xhprof.mode=aggregate: requests that end by exit, an exception, a fatal error or memory_limit count, with what they did:\n";

$ends = [
    'end' => '',
    'exit' => 'exit(3);',
    'exception' => 'throw new Exception("x");',
    'fatal error' => 'undefined();',
    'memory_limit' => '$x = str_repeat("x", 1 << 30);',
    'memory_limit, little by little' => '$x = []; while (true) { $x[] = [1, 2, 3, count($x)]; }',
    'max_execution_time' => 'set_time_limit(1); while (true) { inner(); }',
    'span is open' => 'xhprof_begin_span("open"); work(30);',
    'span, exit' => 'xhprof_begin_span("open"); work(30); exit(3);',
    'span, memory_limit' => 'xhprof_begin_span("open"); work(30); $x = []; while (true) { $x[] = [1, 2, 3, count($x)]; }',
    'shutdown function' => 'register_shutdown_function(function () { later(); }); function later() { work(60); }',
    'in a fiber' => '$f = new Fiber(function () { work(40); exit(3); }); $f->start();',
    // From 8.3 on the engine keeps a reserve of each stack for itself.
    'in a small fiber' => 'ini_set("fiber.stack_size", ini_get("zend.reserved_stack_size") === false ? 40960 : 65536); $f = new Fiber(function () { xhprof_begin_span("fiber"); '
        . 'work(1500); xhprof_end_span(); echo "whole"; }); $f->start();',
];
foreach ($ends as $label => $end) {
    // One window for all of it, but where a fiber with little room is to see one end.
    $seconds = $label === 'in a small fiber' ? 1 : 3600;
    $paths = preg_match('/"open"|later\(\)/', $end) ? 2 : 1;
    for ($try = 0; $try < 5; $try++) { // on a busy machine the timer's thread may not run for as long
        $result = xhprof_test_aggregate("function request() { work(40); } request(); $end", ['flush_seconds' => $seconds], ['memory_limit' => '32M', 'display_errors' => 0]);
        $routes = xhprof_test_routes($result['runs'], $result['folder']);
        $line = "$label: code $result[code]";
        foreach ($routes as $name => $route) {
            $name = preg_replace('~^xhprof.*/(?=program)~', '', $name);
            $line .= ', ' . basename($name) . " $route[requests] " . ($route['samples'] >= 20 && $route['wall_us'] >= 20_000 ? 'ok' : json_encode($route)) . ($route['failed'] ? ' failed' : '');
        }
        $edges = xhprof_test_all_edges($result['runs']);
        $seen = array_filter(['request==>work', 'later==>work', 'open==>work', 'fiber==>{closure'], static fn (string $edge): bool =>
            preg_grep('/^' . preg_quote($edge) . '/', array_keys($edges)) !== []);
        if (count($seen) >= $paths && !str_contains($line, '{')) {
            break;
        }
    }
    echo $line, ', ', implode(' ', $seen), $result['out'] === '' ? '' : " $result[out]", "\n";
}
?>
--EXPECT--
xhprof.mode=aggregate: a folder that is missing, or files of others in it, hurt no program, and are reported once:
missing: whole; log: xhprof: cannot write a run to FOLDER: No such file or directory, xhprof: a window for FOLDER is lost: 70 requests; requests: []
made later: whole; log: xhprof: cannot write a run to FOLDER: No such file or directory; requests: {"job":80}
removed: whole; log: nothing; requests: {"job":10}
noise is reported
noise: whole; log: nothing; requests: {"job":5}
link: whole x; log: nothing; requests: {"job":5}
folder: whole; log: nothing; requests: {"job":5}
hard link: whole x; log: nothing; requests: {"job":5}
fifo: whole; log: nothing; requests: {"job":5}
xhprof.mode=aggregate: requests that end by exit, an exception, a fatal error or memory_limit count, with what they did:
end: code 0, program.php 1 ok, request==>work
exit: code 3, program.php 1 ok, request==>work
exception: code 255, program.php 1 ok failed, request==>work
fatal error: code 255, program.php 1 ok failed, request==>work
memory_limit: code 255, program.php 1 ok failed, request==>work
memory_limit, little by little: code 255, program.php 1 ok failed, request==>work
max_execution_time: code 255, program.php 1 ok failed, request==>work
span is open: code 0, open 1 ok, program.php 1 ok, request==>work open==>work
span, exit: code 3, open 1 ok, program.php 1 ok, request==>work open==>work
span, memory_limit: code 255, open 1 ok failed, program.php 1 ok failed, request==>work open==>work
shutdown function: code 0, program.php 1 ok, request==>work later==>work
in a fiber: code 3, program.php 1 ok, request==>work
in a small fiber: code 0, fiber 1 ok, program.php 1 ok, request==>work fiber==>{closure whole
