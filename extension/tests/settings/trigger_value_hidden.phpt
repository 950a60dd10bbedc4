--TEST--
The value of xhprof.trigger_value is nowhere to be seen, and counts all the same: of php.ini, of -d, of a folder of the server
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('loopback'); ?>
--FILE--
<?php
require __DIR__ . '/../auto.inc';

$show = <<<'PHP'
<?php
ob_start();
phpinfo(INFO_GENERAL | INFO_CONFIGURATION | INFO_MODULES);
$seen = ob_get_clean() . serialize([ini_get('xhprof.trigger_value'), ini_get_all('xhprof'), ini_get_all(), ini_get_all('xhprof', false),
    get_cfg_var('xhprof.trigger_value'), (new ReflectionExtension('xhprof'))->getINIEntries()]);
ob_start();
echo new ReflectionExtension('xhprof');
$seen .= ob_get_clean();
echo str_contains($seen, 's3cr' . '3t') ? 'seen' : 'not seen', ' ', ini_get('xhprof.trigger_value'), ' ',
    var_export(ini_set('xhprof.trigger_value', 'x'), true), ' ', ini_get('xhprof.trigger_value'), "\n";
PHP;
$folder = xhprof_test_folder();
file_put_contents("$folder/show.php", $show);
xhprof_test_show(xhprof_test_child("$folder/show.php", [], ['xhprof.trigger_value' => 's3cr3t']));
xhprof_test_show(xhprof_test_child("$folder/show.php", []));

// php --ri shows the same.
$process = proc_open([...xhprof_test_command(['xhprof.trigger_value' => 's3cr3t']), '--ri', 'xhprof'], [1 => ['pipe', 'w']], $pipes);
$information = stream_get_contents($pipes[1]);
proc_close($process);
preg_match('/^xhprof\.trigger_value.*$/m', $information, $line);
echo $line[0] ?? 'no line', str_contains($information, 's3cr3t') ? ' seen' : '', "\n";

$server = new XhprofTestServer($show, ['start_with_request' => 'trigger', 'trigger_value' => 's3cr3t']);
foreach (['s3cr3t', '(set)', 'x', '', 's3cr3t'] as $value) {
    $answer = $server->request("/?XHPROF_TRIGGER=$value");
    echo "'$value': ", trim($answer['body']), ', ', $server->idOf($answer) === null ? 'no run' : 'a run', "\n";
}
$server->stop();
?>
--EXPECT--
not seen (set) false (set)
not seen  false 
xhprof.trigger_value => (set) => (set)
's3cr3t': not seen (set) false (set), a run
'(set)': not seen (set) false (set), no run
'x': not seen (set) false (set), no run
'': not seen (set) false (set), no run
's3cr3t': not seen (set) false (set), a run
