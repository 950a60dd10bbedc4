--TEST--
The TypeError of a bad ignored_functions names the option
--FILE--
<?php
foreach ([5, ['a', 5]] as $value) {
    try {
        xhprof_enable(0, ['ignored_functions' => $value]);
    } catch (TypeError $e) {
        echo preg_match('/^xhprof_enable\(\).*ignored_functions/', $e->getMessage()) ? "named\n" : $e->getMessage() . "\n";
    }
}
?>
--EXPECT--
named
named
