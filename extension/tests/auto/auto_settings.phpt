--TEST--
Settings of profiles that settings start: defaults, where they may be changed, what they may be
--FILE--
<?php
require __DIR__ . '/../lib.inc';

$all = ini_get_all('xhprof');
foreach (
    ['start_with_request', 'sample_rate', 'mode', 'flags', 'source', 'save_slower_than_ms', 'save_if', 'max_runs', 'max_bytes',
        'flush_seconds', 'redact', 'route_patterns', 'route_parameters', 'route_host', 'framework_routes', 'trigger_value',
        'sampling_interval', 'sampling_clock', 'sampling_lines', 'workers'] as $name
) {
    $setting = $all["xhprof.$name"];
    echo $name, ' "', $setting['global_value'], '" ', $setting['access'], "\n";
}
$values = [
    'start_with_request' => ['no', '0', 'yes', '1', 'trigger', 'sampled', 'never', 'YES', '2'],
    'sample_rate' => ['0', '1', '0.5', '1e-3', '.25', '-0.1', '1.1', 'half', '', 'nan', '1x'],
    'mode' => ['exact', 'sample', 'alloc', 'aggregate', '', 'exakt'],
    'flags' => ['', '0', '7', '15', 'cpu', '"cpu,memory"', '"no_builtins cpu|XHPROF_FLAGS_ALLOC"', '"CPU, Memory"', '32', '-1', 'cpus', '0x2', '99999999999999999999'],
    'source' => ['a', 'web-1_x', '', 'a.b', 'a/b', str_repeat('a', 64), str_repeat('a', 65)],
    'save_slower_than_ms' => ['0', '250', '-1'],
    'save_if' => ['', 'failed', '"slower=500@3, route=GET /a*&sql=10"', '"failed, quick"'],
    'max_runs' => ['0', '5', '-1', '2000000000'],
    'max_bytes' => ['0', '10M', '2G', '-5'],
    'flush_seconds' => ['1', '60', '0', '-1', '86401'],
    'route_host' => ['no', 'server', 'request', '', 'Host'],
    'sampling_interval' => ['100', '99', '0', '-1'],
    'sampling_clock' => ['wall', 'cpu', 'tsc', ''],
    'workers' => ['auto', '"off"', '1', '0', 'Auto', 'swoole'],
];
$script = xhprof_test_folder() . '/settings.php';
file_put_contents($script, '<?php echo ini_get("xhprof.$argv[1]");');
foreach ($values as $name => $each) {
    $accepted = $refused = [];
    foreach ($each as $value) {
        // The program itself must not be profiled.
        $child = xhprof_test_child($script, [$name], ["xhprof.$name" => $value, 'xhprof.output_dir' => '/nonexistent', 'log_errors' => 0]);
        $wanted = trim($value, '"');
        if ($child['out'] === ($wanted === 'no' ? '' : ($wanted === 'yes' ? '1' : $wanted)) || $child['out'] === $wanted) {
            $accepted[] = strlen($value) > 50 ? strlen($value) . ' letters' : $value;
        } else {
            $refused[] = strlen($value) > 50 ? strlen($value) . ' letters' : $value;
            $text = trim(preg_replace('/ in Unknown.*/s', '', $child['out']));
        }
    }
    echo "$name: ", json_encode($accepted, JSON_UNESCAPED_SLASHES), "\n  not ", json_encode($refused, JSON_UNESCAPED_SLASHES), ': ', $text, "\n";
}
var_dump(ini_set('xhprof.mode', 'sample'), ini_set('xhprof.start_with_request', 'yes'), ini_set('xhprof.save_slower_than_ms', '5'));
?>
--EXPECT--
start_with_request "no" 6
sample_rate "0.01" 6
mode "exact" 6
flags "" 6
source "auto" 4
save_slower_than_ms "0" 7
save_if "" 7
max_runs "10000" 4
max_bytes "1G" 4
flush_seconds "60" 4
redact "pass,pwd,secret,token,key,auth,sess,sid,sig,cred,code,jwt,csrf,xsrf,saml,bearer,hmac,nonce,cvv,email,phone,=pw,=pin,=otp,=totp,=ticket,=hash,=state,=pat,=cvc,=card,=ssn,=iban" 6
route_patterns "" 6
route_parameters "action,route,rest_route,page,p*,page_id*" 6
route_host "no" 6
framework_routes "1" 6
trigger_value "" 4
sampling_interval "0" 7
sampling_clock "wall" 7
sampling_lines "0" 7
workers "auto" 6
start_with_request: ["no","0","yes","1","trigger","sampled"]
  not ["never","YES","2"]: Warning: xhprof.start_with_request must be no, yes, trigger or sampled, not "2"
sample_rate: ["0","1","0.5","1e-3",".25"]
  not ["-0.1","1.1","half","","nan","1x"]: Warning: xhprof.sample_rate must be between 0 and 1
mode: ["exact","sample","alloc","aggregate"]
  not ["","exakt"]: Warning: xhprof.mode must be exact, sample, alloc or aggregate, not "exakt"
flags: ["","0","7","15","cpu","\"cpu,memory\"","\"no_builtins cpu|XHPROF_FLAGS_ALLOC\"","\"CPU, Memory\""]
  not ["32","-1","cpus","0x2","99999999999999999999"]: Warning: xhprof.flags must be a number from 0 to 31, or a list of no_builtins, cpu, memory, alloc, timeline
source: ["a","web-1_x","64 letters"]
  not ["","a.b","a/b","65 letters"]: Warning: xhprof.source must be 1 to 64 letters, digits, "_" or "-"
save_slower_than_ms: ["0","250"]
  not ["-1"]: Warning: xhprof.save_slower_than_ms must be between 0 and 1099511627776
save_if: ["","failed","\"slower=500@3, route=GET /a*&sql=10\""]
  not ["\"failed, quick\""]: Warning: xhprof.save_if: "quick" is no condition: a condition is slower, failed, peak, route, operations, or a kind of operation as sql
max_runs: ["0","5"]
  not ["-1","2000000000"]: Warning: xhprof.max_runs must be between 0 and 1000000000
max_bytes: ["0","10M","2G"]
  not ["-5"]: Warning: xhprof.max_bytes must be between 0 and 9223372036854775807
flush_seconds: ["1","60"]
  not ["0","-1","86401"]: Warning: xhprof.flush_seconds must be between 1 and 86400
route_host: ["no","server","request",""]
  not ["Host"]: Warning: xhprof.route_host must be no, server or request, not "Host"
sampling_interval: ["100","0"]
  not ["99","-1"]: Warning: xhprof.sampling_interval must be between 100 and 4294967295
sampling_clock: ["wall","cpu"]
  not ["tsc",""]: Warning: xhprof.sampling_clock must be wall or cpu, not ""
workers: ["auto","\"off\"","1","0"]
  not ["Auto","swoole"]: Warning: xhprof.workers must be auto or off, not "swoole"
bool(false)
bool(false)
string(1) "0"