--TEST--
xhprof.keep_memory: a process keeps that much of a profile's memory for its next requests, and their profiles are the same
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('loopback', '/proc/self/smaps'); ?>
--FILE--
<?php
require __DIR__ . '/../auto.inc';

// f0() to f9() call each other, 4 deep: 11,111 call paths; each profile has the names of all.
$code = "<?php\nrequire_once " . var_export(__DIR__ . '/../lib.inc', true) . ";\n" . <<<'PHP'
@ini_set('opcache.jit', 'off'); // it would compile each request's functions anew, and keep them
if ($_GET['do'] === 'memory') {
    exit((string) xhprof_test_memory()[0]);
}
for ($i = 0; $i < 10; $i++) {
    $calls = implode(' ', array_map(fn (int $j): string => "f$j(\$n - 1);", range(0, 9)));
    eval("function f$i(int \$n): void { if (\$n) { $calls } }");
}
function paths(int $n): void
{
    for ($i = 0; $i < 4; $i++) {
        "f$i"($n);
    }
}
xhprof_enable(XHPROF_FLAGS_NO_BUILTINS);
paths($_GET['do'] === 'small' ? 1 : 4);
if ($_GET['do'] === 'left') {
    exit('left'); // the request's end drops it
}
$edges = xhprof_disable();
$tree = xhprof_call_tree();
echo count($tree['fn']), ' paths ', array_sum($tree['ct']), ' calls ', array_sum($tree['call_line']) > 0 ? 'with lines ' : '',
    md5(json_encode([$tree['names'], $tree['fn'], $tree['depth'], $tree['ct'], array_keys($edges)]));
PHP;

$answers = [];
foreach (['0', '1M', '64M'] as $keep) {
    $server = new XhprofTestServer($code, ['keep_memory' => $keep]);
    foreach (['before', 'after'] as $moment) {
        foreach (['large', 'left', 'small', 'large', 'left', 'small', 'large', 'left', 'large'] as $do) {
            $answers[$do][$server->request("/?do=$do")['body']] = true;
        }
        // PHP itself keeps up to 8 MB of its heap after "large", and gives them back over the next requests, which need less.
        for ($i = 0; $i < 8; $i++) {
            $$moment = (int) $server->request('/?do=memory')['body'];
        }
    }
    xhprof_test_between("$keep: growth", $after - $before, -32 << 20, 1 << 20);
    $first = $first ?? $after;
    xhprof_test_between("$keep: more than with none", $after - $first, $keep === '64M' ? 3 << 20 : -1 << 20, $keep === '1M' ? 2 << 20 : 16 << 20);
    $server->stop();
}
foreach ($answers as $do => $different) {
    echo "$do: ", implode(' | ', array_map(strval(...), array_keys($different))), "\n";
}
?>
--EXPECTF--
0: growth: ok
0: more than with none: ok
1M: growth: ok
1M: more than with none: ok
64M: growth: ok
64M: more than with none: ok
large: 44446 paths 44446 calls with lines %x
left: left
small: 46 paths 46 calls with lines %x
