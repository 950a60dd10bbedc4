--TEST--
Random programs: sessions that start and end anywhere among calls, exceptions, generators, fibers and callbacks
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('slow tests'); ?>
--FILE--
<?php
require __DIR__ . '/../lib.inc';

/** The stack of one fiber, as far as it belongs to the running session. */
final class Stack
{
    public int $session = 0;
    /** @var list<string> with recursion levels */
    public array $labels = [];
    /** @var list<string> */
    public array $names = [];
    /** How many of them are of the stack that has started or resumed the fiber. */
    public int $base = 0;
}

/** What the profiler ought to record. Nobody calls a method of it: it would be in the profile. */
final class Model
{
    public static int $session = 0;
    public static int $sessions = 0;
    public static int $budget = 0;
    public static Stack $current;
    /** @var array<string, int> calls by edge; 0 for edges with resumes only */
    public static array $edges = [];
    /** @var list<array{Fiber, Stack}> */
    public static array $fibers = [];
    /** @var list<Generator> */
    public static array $generators = [];
    public static int $inFiber = 0;
    /** @var list<array{array, array, array}> finished sessions: profile, tree, model */
    public static array $finished = [];
    /** @var list<string> */
    public static array $ignored = [];
}

$enter = '
    $stack = Model::$current;
    $pushed = 0;
    if (Model::$session) {
        if ($stack->session !== Model::$session) {
            $stack->session = Model::$session;
            $stack->labels = $stack->names = [];
            $stack->base = 0;
        }
        if (!in_array("NAME", Model::$ignored)) {
            $level = count(array_keys($stack->names, "NAME"));
            $label = $level ? "NAME@$level" : "NAME";
            $edge = ($stack->labels ? end($stack->labels) : "main()") . "==>" . $label;
            Model::$edges[$edge] = (Model::$edges[$edge] ?? 0) + START;
            $stack->labels[] = $label;
            $stack->names[] = "NAME";
            $pushed = Model::$session;
        }
    }
    try {';
$leave = '
    } finally {
        if ($pushed && $pushed === Model::$session) {
            array_pop($stack->labels);
            array_pop($stack->names);
        }
    }';
// Every action is code in the function itself, so that the helpers of this test are in no profile.
$act = '
        $turns = mt_rand(0, 4);
        for ($turn = 0; $turn < $turns && $depth < 12 && Model::$budget-- > 0; $turn++) {
            $f = "f" . mt_rand(0, 5);
            switch (mt_rand(0, 15)) {
                case 0:
                case 1:
                case 2:
                    $f($depth + 1);
                    break;
                case 3:
                    try {
                        $f($depth + 1);
                    } catch (RuntimeException) {
                    }
                    break;
                case 4:
                    if (mt_rand(0, 2) === 0) {
                        throw new RuntimeException();
                    }
                    break;
                case 5:
                    array_map($f, [$depth + 1, $depth + 2]);
                    break;
                case 6:
                    foreach (gen($depth + 1) as $x) {
                        if (mt_rand(0, 3) === 0) {
                            break;
                        }
                    }
                    break;
                case 7:
                    $g = gen($depth + 1);
                    $g->current();
                    Model::$generators[] = $g;
                    unset($g);
                    break;
                case 8:
                    $g = Model::$generators[array_rand(Model::$generators ?: [0])] ?? null;
                    try {
                        $g?->next();
                    } catch (RuntimeException | Error) {
                    }
                    unset($g);
                    break;
                case 9:
                    $before = Model::$current;
                    $base = new Stack();
                    $base->session = $before->session;
                    $base->labels = $before->labels;
                    $base->names = $before->names;
                    $base->base = count($base->names);
                    $fiber = new Fiber($f);
                    Model::$fibers[] = [$fiber, $base];
                    Model::$current = $base;
                    Model::$inFiber++;
                    try {
                        $fiber->start($depth + 1);
                    } catch (RuntimeException) {
                    }
                    Model::$inFiber--;
                    Model::$current = $before;
                    unset($fiber, $base);
                    break;
                case 10:
                    $i = array_rand(Model::$fibers ?: [0]);
                    $fiber = Model::$fibers[$i][0] ?? null;
                    if ($fiber?->isSuspended()) {
                        $before = Model::$current;
                        Model::$current = $moved = Model::$fibers[$i][1];
                        if (Model::$session) {
                            $own = $moved->session === Model::$session ? array_slice($moved->names, $moved->base) : [];
                            $goes = $before->session === Model::$session;
                            $moved->session = Model::$session;
                            $moved->names = $goes ? $before->names : [];
                            $moved->labels = $goes ? $before->labels : [];
                            $moved->base = count($moved->names);
                            foreach ($own as $name) {
                                $level = count(array_keys($moved->names, $name));
                                $label = $level ? "$name@$level" : $name;
                                $edge = ($moved->labels ? end($moved->labels) : "main()") . "==>" . $label;
                                Model::$edges[$edge] ??= 0;
                                $moved->labels[] = $label;
                                $moved->names[] = $name;
                            }
                        }
                        unset($moved);
                        Model::$inFiber++;
                        try {
                            $fiber->resume();
                        } catch (RuntimeException) {
                        }
                        Model::$inFiber--;
                        Model::$current = $before;
                    }
                    unset($fiber);
                    break;
                case 11:
                    if (Model::$inFiber > 0 && Fiber::getCurrent()) {
                        $inFiber = Model::$inFiber;
                        $mine = Model::$current;
                        Fiber::suspend();
                    }
                    break;
                case 12:
                    if (!Model::$session && mt_rand(0, 1)) {
                        Model::$ignored = mt_rand(0, 3) ? [] : ["f" . mt_rand(0, 5), mt_rand(0, 1) ? "gen" : "f0"];
                        Model::$edges = [];
                        Model::$session = ++Model::$sessions;
                        xhprof_enable(7, ["ignored_functions" => Model::$ignored]);
                    }
                    break;
                case 13:
                    if (Model::$session && mt_rand(0, 3) === 0) {
                        $edges = xhprof_disable();
                        Model::$session = 0;
                        Model::$finished[] = [$edges, xhprof_call_tree(), Model::$edges];
                    }
                    break;
                case 14:
                    eval("$f($depth + 1);");
                    break;
                case 15:
                    $n = array_rand(Model::$generators ?: [0]);
                    unset(Model::$generators[$n]);
                    break;
            }
        }';
for ($i = 0; $i < 6; $i++) {
    eval("function f$i(int \$depth): void {" . strtr($enter . $act . $leave, ['NAME' => "f$i", 'START' => '1']) . '}');
}
eval('function gen(int $depth): Generator {
    for ($n = mt_rand(0, 3), $first = 1; $n >= 0; $n--) {'
    . strtr($enter, ['NAME' => 'gen', 'START' => '$first']) . '
        $first = 0;
        if ($depth < 12 && Model::$budget-- > 0) {
            $f = "f" . mt_rand(0, 5);
            $f($depth + 1);
        }' . $leave . '
        if ($n > 0) {
            yield $n;
        }
    }
}');

function compare(int $seed, array $edges, array $tree, array $model): int
{
    $bad = 0;
    foreach (array_keys($edges) as $key) {
        if (str_contains($key, '==>eval::')) {
            unset($edges[$key]);
        }
    }
    foreach ($model as $key => $ct) {
        $got = $edges[$key]['ct'] ?? 0;
        if ($got !== $ct) {
            $bad++;
            $bad < 5 && print "seed $seed: $key ct=$got, not $ct\n";
        }
    }
    foreach (array_diff_key($edges, $model, ['main()' => 0]) as $key => $values) {
        $bad++;
        $bad < 5 && print "seed $seed: $key ct={$values['ct']}, not 0\n";
    }
    return $bad;
}

[$from, $to] = explode('-', getenv('XHPROF_TEST_SEEDS') ?: '1-40');
$sessions = $bad = $calls = 0;
for ($seed = (int) $from; $seed <= (int) $to; $seed++) {
    mt_srand($seed);
    Model::$budget = 3000;
    Model::$fibers = Model::$generators = Model::$finished = [];
    for ($round = 0; $round < 50 && Model::$budget > 0; $round++) {
        Model::$current = new Stack();
        Model::$inFiber = 0;
        if (!Model::$session && $round % 2) {
            Model::$ignored = Model::$edges = [];
            Model::$session = ++Model::$sessions;
            xhprof_enable(XHPROF_FLAGS_NO_BUILTINS | XHPROF_FLAGS_CPU | XHPROF_FLAGS_MEMORY);
        }
        try {
            f0(0);
        } catch (RuntimeException) {
        }
        if (Model::$session && $round % 5 === 0) {
            $edges = xhprof_disable();
            Model::$session = 0;
            Model::$finished[] = [$edges, xhprof_call_tree(), Model::$edges];
        }
    }
    if (Model::$session) {
        $edges = xhprof_disable();
        Model::$session = 0;
        Model::$finished[] = [$edges, xhprof_call_tree(), Model::$edges];
    }
    foreach (Model::$finished as [$edges, $tree, $model]) {
        $sessions++;
        $calls += array_sum($model);
        $bad += compare($seed, $edges, $tree, $model);
        ob_start();
        xhprof_test_check_invariants($edges, $tree, 6);
        $result = ob_get_clean();
        if ($result !== "invariants: ok\n") {
            $bad++;
            echo "seed $seed: $result";
        }
    }
}
echo $sessions > 100 && $calls > 10_000 ? 'many sessions' : "$sessions sessions, $calls calls", ", $bad differences\n";
getenv('XHPROF_TEST_SEEDS') && print "$sessions sessions, $calls calls\n";
?>
--EXPECT--
many sessions, 0 differences
