--TEST--
INI settings: names, defaults, where they may be changed
--FILE--
<?php
$settings = ini_get_all('xhprof');
foreach (
    ['xhprof.output_dir', 'xhprof.sampling_interval', 'xhprof.sampling_depth', 'xhprof.collect_additional_info',
        'xhprof.max_nodes', 'xhprof.clock'] as $name
) {
    echo $name, isset($settings[$name]) ? '' : ' is missing', "\n";
}
echo "max_nodes ", $settings['xhprof.max_nodes']['global_value'], ' access ', $settings['xhprof.max_nodes']['access'], "\n";
echo "clock ", $settings['xhprof.clock']['global_value'], ' access ', $settings['xhprof.clock']['access'], "\n";
echo "collect_additional_info ", json_encode((bool) $settings['xhprof.collect_additional_info']['global_value']), "\n";
echo "sampling_interval ", $settings['xhprof.sampling_interval']['global_value'], "\n";
echo "output_dir ", json_encode((string) $settings['xhprof.output_dir']['global_value']), "\n";
var_dump(ini_set('xhprof.clock', 'monotonic'));
var_dump(ini_set('xhprof.max_nodes', '5000'), ini_get('xhprof.max_nodes'));
?>
--EXPECT--
xhprof.output_dir
xhprof.sampling_interval
xhprof.sampling_depth
xhprof.collect_additional_info
xhprof.max_nodes
xhprof.clock
max_nodes 1000000 access 7
clock auto access 4
collect_additional_info true
sampling_interval 0
output_dir ""
bool(false)
string(7) "1000000"
string(4) "5000"
