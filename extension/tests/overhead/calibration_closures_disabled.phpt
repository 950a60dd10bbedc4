--TEST--
Where no closure can be made, profiling works and says nothing
--SKIPIF--
<?php
if (PHP_VERSION_ID >= 80500) {
    die('skip disable_classes is gone');
}
?>
--INI--
disable_classes=Closure
--FILE--
<?php

declare(strict_types=1);

xhprof_enable();
strlen('x');
var_dump(isset(xhprof_disable()['main()==>xhprof_disable']));
?>
--EXPECT--
bool(true)
