--TEST--
xhprof.hooks: its values, and the hooks they give; a wrong one is reported at start-up and is auto
--FILE--
<?php
require __DIR__ . '/../lib.inc';

if (isset($argv[1])) {
    ob_start();
    phpinfo(INFO_MODULES);
    $info = (string) ob_get_clean();
    // Where the handle cannot be switched auto walks, too, and gives another reason.
    $walks = str_contains($info, "Why not switch => xhprof.hooks=walk\n");
    echo str_contains($info, "\nHooks => off\n") ? 'off' : ($walks ? 'walk' : 'auto'), "\n";
    exit(0);
}
$values = ['auto', '1', 'on', '"on"', '"yes"', 'true', 'walk', 'off', '"off"', '0', '"no"', 'false', '""', 'Walk',
    'switch', '2', '"auto "'];
foreach ($values as $value) {
    echo "-- $value\n";
    xhprof_test_show(xhprof_test_child(__FILE__, ['child'], ['xhprof.hooks' => $value]));
}
?>
--EXPECT--
-- auto
auto
-- 1
auto
-- on
auto
-- "on"
auto
-- "yes"
auto
-- true
auto
-- walk
walk
-- off
off
-- "off"
off
-- 0
off
-- "no"
off
-- false
off
-- ""
off
-- Walk

Warning: xhprof.hooks must be auto, walk or off, not "Walk" in Unknown on line 0
auto
-- switch

Warning: xhprof.hooks must be auto, walk or off, not "switch" in Unknown on line 0
auto
-- 2

Warning: xhprof.hooks must be auto, walk or off, not "2" in Unknown on line 0
auto
-- "auto "

Warning: xhprof.hooks must be auto, walk or off, not "auto " in Unknown on line 0
auto
