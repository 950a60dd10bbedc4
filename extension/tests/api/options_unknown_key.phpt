--TEST--
An unknown option key raises a warning that names it; the session starts
--FILE--
<?php
require __DIR__ . '/../lib.inc';

function kept(): void
{
    static $n;
    $n++;
}

function skipped(): void
{
    kept();
}

xhprof_enable(0, ['ignored_function' => ['kept'], 'ignored_functions' => ['skipped']]);
skipped();
xhprof_test_edges(xhprof_disable());

xhprof_enable(0, ['kept']);
kept();
xhprof_test_edges(xhprof_disable());
?>
--EXPECTF--
Warning: xhprof_enable(): %Signored_function%S in %soptions_unknown_key.php on line 15
main(): ct=1
main()==>kept: ct=1
main()==>xhprof_disable: ct=1

Warning: xhprof_enable(): %s in %soptions_unknown_key.php on line 19
main(): ct=1
main()==>kept: ct=1
main()==>xhprof_disable: ct=1
