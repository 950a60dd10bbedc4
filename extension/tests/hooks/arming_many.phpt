--TEST--
Two hundred profiles in one request, and more functions with each
--FILE--
<?php
require __DIR__ . '/../lib.inc';

isset($argv[1]) || exit(xhprof_test_every_way(__FILE__));

function leaf(): int { static $n; return ++$n; }

function work(callable ...$more): void
{
    leaf();
    str_contains($GLOBALS['text'], 'x');
    foreach ($more as $function) {
        $function();
    }
}

$text = 'text';
$more = [];
$wrong = 0;
for ($i = 1; $i <= 200; $i++) {
    eval("function f$i() { leaf(); }");
    $more[] = "f$i";
    if ($i % 2) {
        work(...$more);
    }
    $internal = $i % 3 !== 0;
    xhprof_enable($internal ? $i % 4 << 1 & 6 : XHPROF_FLAGS_NO_BUILTINS);
    work(...$more);
    $edges = xhprof_disable();
    $wanted = ['main()' => 1, 'main()==>work' => 1, 'work==>leaf' => 1];
    foreach ($more as $function) {
        $wanted += ["$function==>leaf" => 1, "work==>$function" => 1];
    }
    if ($internal) {
        $wanted += ['main()==>xhprof_disable' => 1, 'work==>str_contains' => 1];
    }
    unset($edges['work==>call_user_func']);
    $counts = array_map(static fn (array $values): int => $values['ct'], $edges);
    ksort($counts);
    ksort($wanted);
    if ($counts !== $wanted && $wrong++ === 0) {
        echo "profile $i: ", json_encode(array_diff_assoc($wanted, $counts)), ' missing, ',
            json_encode(array_diff_assoc($counts, $wanted)), " too much\n";
    }
}
echo "$wrong wrong\n";
xhprof_test_check_invariants($edges, xhprof_call_tree(), 0);
?>
--EXPECT--
0 wrong
invariants: ok
the same every way
