--TEST--
URLs, command lines and routes of saved runs have no secrets: every case of redaction.tsv
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('loopback'); ?>
--FILE--
<?php
require __DIR__ . '/../auto.inc';

$cases = ['url' => [], 'argv' => [], 'route' => []];
foreach (file(__DIR__ . '/../redaction.tsv', FILE_IGNORE_NEW_LINES) as $line) {
    [$kind, $input, $expected] = explode("\t", $line);
    $cases[$kind][] = [$input, $expected];
}
$same = static function (string $kind, string $input, string $expected, ?string $got): void {
    echo $got === $expected ? '' : "$kind $input\n  expected $expected\n  got      " . ($got ?? 'none') . "\n";
};
$save = "<?php\nrequire " . var_export(dirname(__DIR__) . '/run_files.inc', true) . ";\n" . <<<'PHP'
function saved(string $member): string
{
    xhprof_enable();
    xhprof_disable();
    $id = xhprof_save();
    $run = xhprof_test_run_part(ini_get('xhprof.output_dir'), "$id.xhprof", 'meta');
    return $run[$member];
}
PHP;
$trigger = ['trigger_value' => 'open-sesame'];

// What the program says the URL is.
$code = $save . '
    $answers = [];
    foreach (json_decode($_POST["urls"]) as $url) {
        $_SERVER["REQUEST_URI"] = $url;
        $answers[] = saved("url");
    }
    echo json_encode($answers);';
$server = new XhprofTestServer($code, $trigger + ['start_with_request' => 'no']);
$urls = array_column($cases['url'], 0);
$answer = $server->request('/', [], 'urls=' . urlencode(json_encode($urls, JSON_THROW_ON_ERROR)));
$server->stop();
$got = json_decode($answer['body'], true) ?? [];
foreach ($cases['url'] as $i => [$input, $expected]) {
    $same('url', $input, $expected, $got[$i] ?? null);
}

$server = new XhprofTestServer('<?php', $trigger);
$seen = [];
foreach ($cases['route'] as $i => [$input, $expected]) {
    $server->request($input);
    $runs = array_column($server->runs($i + 1), null, 'id');
    $same('route', $input, $expected, current(array_diff_key($runs, $seen))['route'] ?? null);
    $seen = $runs;
}
$server->stop();

$folder = xhprof_test_folder();
foreach ($cases['argv'] as [$input, $expected]) {
    $arguments = json_decode($input, true, 512, JSON_THROW_ON_ERROR);
    @mkdir(dirname("$folder/$arguments[0]"), 0777, true);
    file_put_contents("$folder/$arguments[0]", "$save echo saved('command');");
    $settings = ['xhprof.output_dir' => $folder, 'xhprof.trigger_value' => 'open-sesame'];
    $process = proc_open([...xhprof_test_command($settings), ...$arguments], [1 => ['pipe', 'w']], $pipes, $folder);
    $got = stream_get_contents($pipes[1]);
    proc_close($process);
    $same('argv', $input, $expected, $got);
}
echo count($cases['url']) > 80 && count($cases['argv']) > 30 && count($cases['route']) > 5 ? 'done' : 'few cases', "\n";
?>
--EXPECT--
done
