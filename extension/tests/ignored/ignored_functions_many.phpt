--TEST--
ignored_functions: lists of 0, 1, 300 and 5000 names, long ones and near misses among them
--FILE--
<?php
require __DIR__ . '/../lib.inc';

$long = 'long_' . str_repeat('n', 3000);
eval("function {$long}x() { leaf(); } function {$long}y() { leaf(); }");
for ($i = 0; $i < 60; $i++) {
    eval("function f$i() { leaf(); }");
}

function leaf(): void
{
    static $n;
    $n++;
}

/** @return list<string> */
function names(int $n, string ...$last): array
{
    $names = [];
    for ($i = count($last); $i < $n; $i++) {
        $names[] = $i % 7 === 0 ? "no_$i" . str_repeat('z', 2000) : ($i % 3 === 0 ? "No::method$i" : "no_$i");
    }
    return [...$names, ...$last];
}

$sets = [
    names(0),
    names(1, 'f1'),
    names(300, 'f1', 'f59', "{$long}x"),
    names(5000, 'f1', 'f59', "{$long}y"),
    array_map(static fn (int $i): string => "f$i", range(0, 59)),
    ['f', 'f1 ', ' f1', 'f1()', 'f6', "f1\0", substr($long, 0, 511), 'long_'],
];
foreach ($sets as $set) {
    xhprof_enable(0, ['ignored_functions' => $set]);
    for ($i = 0; $i < 60; $i++) {
        "f$i"();
    }
    "{$long}x"();
    "{$long}y"();
    $edges = xhprof_disable();
    $absent = [];
    for ($i = 0; $i < 60; $i++) {
        isset($edges["main()==>f$i"]) || $absent[] = "f$i";
    }
    isset($edges["main()==>{$long}x"]) || $absent[] = 'long x';
    isset($edges["main()==>{$long}y"]) || $absent[] = 'long y';
    printf("%d names: %d edges, absent %s, leaf of main() %d\n", count($set), count($edges),
        count($absent) > 10 ? count($absent) : implode(' ', $absent), $edges['main()==>leaf']['ct'] ?? 0);
    xhprof_test_check_invariants($edges, xhprof_call_tree());
}
?>
--EXPECT--
0 names: 126 edges, absent , leaf of main() 0
invariants: ok
1 names: 125 edges, absent f1, leaf of main() 1
invariants: ok
300 names: 121 edges, absent f1 f59 long x, leaf of main() 3
invariants: ok
5000 names: 121 edges, absent f1 f59 long y, leaf of main() 3
invariants: ok
60 names: 7 edges, absent 60, leaf of main() 60
invariants: ok
8 names: 125 edges, absent f6, leaf of main() 1
invariants: ok
