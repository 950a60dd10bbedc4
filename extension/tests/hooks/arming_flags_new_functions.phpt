--TEST--
Functions first called in a profile without internal ones are in the next profile, internal ones too
--FILE--
<?php
require __DIR__ . '/../lib.inc';

isset($argv[1]) || exit(xhprof_test_every_way(__FILE__));

function leaf(): int { static $n; return ++$n; }

function work(): void
{
    leaf();
    usleep(0);
    (new ArrayObject())->getFlags();
    array_map('leaf', [1]);
}

foreach ([XHPROF_FLAGS_NO_BUILTINS, 0, XHPROF_FLAGS_NO_BUILTINS, 0] as $flags) {
    xhprof_enable($flags);
    work();
    xhprof_test_edges(xhprof_disable(), ['==>xhprof_disable']);
}
?>
--EXPECT--
main(): ct=1
main()==>work: ct=1
work==>leaf: ct=2
array_map==>leaf: ct=1
main(): ct=1
main()==>work: ct=1
work==>ArrayObject::__construct: ct=1
work==>ArrayObject::getFlags: ct=1
work==>array_map: ct=1
work==>leaf: ct=1
work==>usleep: ct=1
main(): ct=1
main()==>work: ct=1
work==>leaf: ct=2
array_map==>leaf: ct=1
main(): ct=1
main()==>work: ct=1
work==>ArrayObject::__construct: ct=1
work==>ArrayObject::getFlags: ct=1
work==>array_map: ct=1
work==>leaf: ct=1
work==>usleep: ct=1
the same every way
