--TEST--
Sessions that start and end at different depths: frames of an old session never disturb the next
--FILE--
<?php
require __DIR__ . '/../lib.inc';

function work(): void
{
    static $n;
    $n++;
}

function starts(): void
{
    work();
    xhprof_enable(XHPROF_FLAGS_NO_BUILTINS);
    work();
}

function stops(): void
{
    work();
    $GLOBALS['all'][] = [xhprof_disable(), xhprof_call_tree()];
    work();
}

function restarts(int $n): void
{
    stops();
    starts();
    if ($n > 0) {
        restarts($n - 1);
    }
    work();
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
    work();
}
stops();
xhprof_enable(XHPROF_FLAGS_NO_BUILTINS);
array_map(function (int $i): void {
    stops();
    starts();
    work();
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
-- session 0
main(): ct=1
main()==>restarts: ct=1
main()==>work: ct=1
restarts==>stops: ct=1
stops==>work: ct=1
invariants: ok
-- session 1: as session 0
-- session 2: as session 0
-- session 3
main(): ct=1
main()==>stops: ct=1
main()==>work: ct=4
stops==>work: ct=1
invariants: ok
-- session 4
main(): ct=1
main()==>stops: ct=1
main()==>work: ct=1
stops==>work: ct=1
invariants: ok
-- session 5
main(): ct=1
main()==>stops: ct=1
main()==>work: ct=2
stops==>work: ct=1
invariants: ok
-- session 6
main(): ct=1
main()==>{closure:session/sessions_overlap_frames.php:55}: ct=1
stops==>work: ct=1
{closure:session/sessions_overlap_frames.php:55}==>stops: ct=1
invariants: ok
-- session 7
main(): ct=1
main()==>work: ct=2
main()==>{closure:session/sessions_overlap_frames.php:55}: ct=1
stops==>work: ct=1
{closure:session/sessions_overlap_frames.php:55}==>stops: ct=1
invariants: ok
-- session 8: as session 5
