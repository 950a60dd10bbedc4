--TEST--
The first xhprof_enable() needs no more memory below many calls than below few
--FILE--
<?php

declare(strict_types=1);

function down(int $calls): void
{
    if ($calls > 0) {
        down($calls - 1);
        return;
    }
    ini_set('memory_limit', (string) (memory_get_usage(true) + 4 * 1024 * 1024));
    xhprof_enable();
    var_dump(isset(xhprof_disable()['main()']));
}

down(50000);
?>
--EXPECT--
bool(true)
