--TEST--
xhprof.hooks and xhprof.cpu_clock cannot be changed by the program
--FILE--
<?php
foreach (['xhprof.hooks' => ['walk', 'off', 'sundial'], 'xhprof.cpu_clock' => ['syscall', 'sundial']] as $name => $values) {
    $entry = ini_get_all('xhprof')[$name];
    echo $name, $entry['access'] === INI_SYSTEM ? ' is for php.ini' : " has access {$entry['access']}", "\n";
    $before = ini_get($name);
    foreach ($values as $value) {
        var_dump(ini_set($name, $value));
    }
    ini_restore($name);
    var_dump(ini_get($name) === $before);
}
?>
--EXPECT--
xhprof.hooks is for php.ini
bool(false)
bool(false)
bool(false)
bool(true)
xhprof.cpu_clock is for php.ini
bool(false)
bool(false)
bool(true)
