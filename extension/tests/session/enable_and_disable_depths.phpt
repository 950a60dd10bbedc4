--TEST--
Sessions that begin and end at different depths
--FILE--
<?php
require __DIR__ . '/../lib.inc';

echo "Sessions that begin and end at different depths:\n";

echo "xhprof_enable() above, xhprof_disable() deep in the stack: the open frames are counted and timed:\n";

function top(): array { usleep(10_000); return mid(2); }
function mid(int $n): array { return $n > 0 ? mid($n - 1) : low(); }

function low(): array
{
    usleep(10_000);
    $edges = xhprof_disable();
    usleep(500_000);
    return $edges;
}

function after(): void { static $n; $n++; }

$start = hrtime(true);
xhprof_enable();
$edges = top();
$before = intdiv(hrtime(true) - $start, 1000) - 500_000; // at most, what had passed before xhprof_disable()
after();
xhprof_test_edges($edges);
xhprof_test_check_invariants($edges, xhprof_call_tree());
xhprof_test_between('top', $edges['main()==>top']['wt'], 20_000, $before);
xhprof_test_between('low', $edges['mid@2==>low']['wt'], 10_000, $before - 10_000);

xhprof_enable();
after();
$edges = xhprof_disable();
xhprof_test_edges($edges);

echo "xhprof_enable() deep in the stack, xhprof_disable() above: everything after it hangs on main():\n";

function work(): void { strrev($_SERVER['PHP_SELF']); }

function lower(): void
{
    work();
    xhprof_enable();
    work();
}

function between(): void { lower(); work(); }

function upper(): void
{
    between();
    work();
    mid2();
}

function mid2(): void { work(); }

upper();
work();
xhprof_test_profile(xhprof_disable());

function recursive(int $n): void
{
    if ($n === 2) {
        xhprof_enable();
    }
    if ($n > 0) {
        recursive($n - 1);
    }
    work();
}

recursive(4);
xhprof_test_profile(xhprof_disable());

echo "Sessions that start and end at different depths: frames of an old session never disturb the next:\n";

function overlapped(): void
{
    static $n;
    $n++;
}

function starts(): void
{
    overlapped();
    xhprof_enable(XHPROF_FLAGS_NO_BUILTINS);
    overlapped();
}

function stops(): void
{
    overlapped();
    $GLOBALS['all'][] = [xhprof_disable(), xhprof_call_tree()];
    overlapped();
}

function restarts(int $n): void
{
    stops();
    starts();
    if ($n > 0) {
        restarts($n - 1);
    }
    overlapped();
}

function throws(): void
{
    try {
        starts();
        throw new RuntimeException();
    } finally {
        stops();
        starts();
    }
}

starts();
restarts(2);
stops();
try {
    throws();
} catch (RuntimeException) {
    overlapped();
}
stops();
xhprof_enable(XHPROF_FLAGS_NO_BUILTINS);
array_map(function (int $i): void {
    stops();
    starts();
    overlapped();
}, [1, 2]);
stops();
foreach ($all as $i => $profile) {
    $profiles["session $i"] = $profile;
}
xhprof_test_alike($profiles, static function (array $profile): void {
    xhprof_test_edges($profile[0]);
    xhprof_test_check_invariants(...$profile);
});
?>
--EXPECT--
Sessions that begin and end at different depths:
xhprof_enable() above, xhprof_disable() deep in the stack: the open frames are counted and timed:
low==>usleep: ct=1
low==>xhprof_disable: ct=1
main(): ct=1
main()==>top: ct=1
mid==>mid@1: ct=1
mid@1==>mid@2: ct=1
mid@2==>low: ct=1
top==>mid: ct=1
top==>usleep: ct=1
invariants: ok
top: ok
low: ok
main(): ct=1
main()==>after: ct=1
main()==>xhprof_disable: ct=1
xhprof_enable() deep in the stack, xhprof_disable() above: everything after it hangs on main():
main(): ct=1
main()==>mid2: ct=1
main()==>work: ct=4
main()==>xhprof_disable: ct=1
mid2==>work: ct=1
work==>strrev: ct=5
invariants: ok
main(): ct=1
main()==>recursive: ct=1
main()==>work: ct=3
main()==>xhprof_disable: ct=1
recursive==>recursive@1: ct=1
recursive==>work: ct=1
recursive@1==>work: ct=1
work==>strrev: ct=5
invariants: ok
Sessions that start and end at different depths: frames of an old session never disturb the next:
-- session 0
main(): ct=1
main()==>overlapped: ct=1
main()==>restarts: ct=1
restarts==>stops: ct=1
stops==>overlapped: ct=1
invariants: ok
-- session 1: as session 0
-- session 2: as session 0
-- session 3
main(): ct=1
main()==>overlapped: ct=4
main()==>stops: ct=1
stops==>overlapped: ct=1
invariants: ok
-- session 4
main(): ct=1
main()==>overlapped: ct=1
main()==>stops: ct=1
stops==>overlapped: ct=1
invariants: ok
-- session 5
main(): ct=1
main()==>overlapped: ct=2
main()==>stops: ct=1
stops==>overlapped: ct=1
invariants: ok
-- session 6
main(): ct=1
main()==>{closure:session/enable_and_disable_depths.php:129}: ct=1
stops==>overlapped: ct=1
{closure:session/enable_and_disable_depths.php:129}==>stops: ct=1
invariants: ok
-- session 7
main(): ct=1
main()==>overlapped: ct=2
main()==>{closure:session/enable_and_disable_depths.php:129}: ct=1
stops==>overlapped: ct=1
{closure:session/enable_and_disable_depths.php:129}==>stops: ct=1
invariants: ok
-- session 8: as session 5
