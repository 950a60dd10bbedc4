--TEST--
Functions whose names look like others' edges, levels or metrics stay apart
--FILE--
<?php
require __DIR__ . '/../lib.inc';

function ct(): void
{
    wt();
}

function wt(): void
{
    static $n;
    $n++;
}

function main(): void
{
    ct();
}

function load(): void
{
    main();
}

xhprof_enable(XHPROF_FLAGS_NO_BUILTINS);
load();
main();
xhprof_test_profile(xhprof_disable());
?>
--EXPECT--
ct==>wt: ct=2
load==>main: ct=1
main(): ct=1
main()==>load: ct=1
main()==>main: ct=1
main==>ct: ct=2
invariants: ok
