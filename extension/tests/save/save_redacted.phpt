--TEST--
xhprof_save(): secrets of the command line and of the URL are not shown, as xhprof.redact says
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('loopback'); ?>
--FILE--
<?php
require __DIR__ . '/../auto.inc';

if (isset($argv[1])) {
    ini_set('xhprof.output_dir', $argv[1]);
    xhprof_enable();
    xhprof_disable();
    $id = xhprof_save();
    $meta = xhprof_test_run_part($argv[1], "$id.xhprof", 'meta');
    echo strstr($meta['command'], '--'), "\n";
    exit(0);
}
$folder = xhprof_test_folder();
$arguments = [__FILE__, $folder, '--name=x', '--password=it\'s', '--token', 'abc', 'API_KEY=d/e?f', 'https://ann:g@example.org/?sid=h&i=j', 'open-sesame'];
foreach ([[], ['xhprof.trigger_value' => 'open-sesame'], ['xhprof.redact' => 'NAME,i']] as $settings) {
    $process = proc_open([...xhprof_test_command($settings), ...$arguments], [1 => ['pipe', 'w']], $pipes);
    echo stream_get_contents($pipes[1]);
    proc_close($process);
}

$server = new XhprofTestServer(<<<PHP
    <?php
    ini_set('xhprof.output_dir', '$folder');
    xhprof_enable();
    xhprof_disable();
    echo xhprof_save();
    PHP, ['start_with_request' => 'no', 'trigger_value' => 'open-sesame']);
$targets = ['/a?b=c&d=e', '/a?user[Password]=b&c=d&%74oken=e;sid=f', '/a?XHPROF_TRIGGER=open%2dsesame&b=c', '/a?next=%2Fb%3Ftoken%3Dc&d'];
foreach ($targets as $target) {
    $id = $server->request($target)['body'];
    echo xhprof_test_run_part($folder, "$id.xhprof", 'meta')['url'] ?? "no run: $id", "\n";
}
$server->stop();
?>
--EXPECT--
--name=x '--password=REDACTED' --token REDACTED 'API_KEY=REDACTED' 'https://ann:REDACTED@example.org/?sid=REDACTED&i=j' open-sesame
--name=x '--password=REDACTED' --token REDACTED 'API_KEY=REDACTED' 'https://ann:REDACTED@example.org/?sid=REDACTED&i=j' REDACTED
--name=REDACTED '--password=it'\''s' --token abc 'API_KEY=REDACTED' 'https://ann:REDACTED@example.org/?sid=REDACTED&i=REDACTED' open-sesame
/a?b=c&d=e
/a?user[Password]=REDACTED&c=d&%74oken=REDACTED
/a?XHPROF_TRIGGER=REDACTED&b=c
/a?next=REDACTED&d
