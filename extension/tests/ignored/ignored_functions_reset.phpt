--TEST--
ignored_functions belong to one session: the next one has its own list, or none
--FILE--
<?php
require __DIR__ . '/../lib.inc';

function a(): void { b(); }
function b(): void { c(); }
function c(): void { static $n; $n++; }

function outer(array $lists): void
{
    foreach ($lists as $list) {
        xhprof_enable(XHPROF_FLAGS_NO_BUILTINS, $list === null ? null : ['ignored_functions' => $list]);
        a();
        $edges = xhprof_disable();
        ksort($edges);
        echo json_encode($list), ': ', implode(' ', array_keys($edges)), "\n";
    }
}

outer([['a'], null, ['b'], ['c'], ['a', 'b', 'c'], null]);

// The list is copied: what happens to the caller's array later does not matter.
$list = [];
foreach (['a', 'c'] as $name) {
    $list[] = str_repeat($name, strlen($name));
}
$options = ['ignored_functions' => $list];
xhprof_enable(XHPROF_FLAGS_NO_BUILTINS, $options);
$options['ignored_functions'][0] = 'b';
unset($options, $list);
gc_collect_cycles();
$noise = str_repeat('b', 100);
a();
xhprof_test_edges(xhprof_disable());
?>
--EXPECT--
["a"]: b==>c main() main()==>b
null: a==>b b==>c main() main()==>a
["b"]: a==>c main() main()==>a
["c"]: a==>b main() main()==>a
["a","b","c"]: main()
null: a==>b b==>c main() main()==>a
main(): ct=1
main()==>b: ct=1
