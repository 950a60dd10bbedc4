--TEST--
Internal functions appear once each, also those PHP 8.4 calls without a frame
--FILE--
<?php
require __DIR__ . '/../lib.inc';

function all(string $s, array $a): void
{
    in_array($s, $a);
    implode($s, $a);
    trim($s);
    strpos($s, 'a');
    str_contains($s, 'a');
    substr($s, 1);
    str_replace('a', 'b', $s);
    min($a);
    max(1, strlen($s) + 1);
    preg_match('/a/', $s);
    is_numeric($s);
    abs(strlen($s));
    for ($i = 0; $i < 5; $i++) {
        ucfirst($s);
    }
}

all('warm', ['up']);
xhprof_enable();
all('abc', ['x', 'y']);
xhprof_test_profile(xhprof_disable());
?>
--EXPECT--
all==>abs: ct=1
all==>implode: ct=1
all==>in_array: ct=1
all==>is_numeric: ct=1
all==>max: ct=1
all==>min: ct=1
all==>preg_match: ct=1
all==>str_contains: ct=1
all==>str_replace: ct=1
all==>strpos: ct=1
all==>substr: ct=1
all==>trim: ct=1
all==>ucfirst: ct=5
main(): ct=1
main()==>all: ct=1
main()==>xhprof_disable: ct=1
invariants: ok
