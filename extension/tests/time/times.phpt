--TEST--
Wall and CPU time belong to the function that takes them; the profiler's own work to none
--FILE--
<?php
require __DIR__ . '/../lib.inc';
require __DIR__ . '/../run_files.inc';

echo "Wall and CPU time belong to the function that takes them:\n";

echo "Wall time: of usleep, of its callers, of the session:\n";

function inner(): void { usleep(40_000); }

function outer(): void
{
    inner();
    inner();
    usleep(20_000);
}

// The machine may stall at any moment: lower bounds hold always, upper ones for the best of some sessions.
$best = array_fill_keys(['inner', 'outer', 'own usleep', 'around'], PHP_INT_MAX);
$highest = ['inner' => 120_000, 'outer' => 150_000, 'own usleep' => 40_000, 'around' => 10_000];
for ($i = 0; $i < 5 || ($i < 50 && xhprof_test_above($best, $highest)); $i++) {
    $start = hrtime(true);
    xhprof_enable();
    outer();
    $edges = xhprof_disable();
    $whole = intdiv(hrtime(true) - $start, 1000);
    $best['inner'] = min($best['inner'], $edges['outer==>inner']['wt']);
    $best['outer'] = min($best['outer'], $edges['main()==>outer']['wt']);
    $best['own usleep'] = min($best['own usleep'], $edges['outer==>usleep']['wt']);
    $best['around'] = min($best['around'], $whole - $edges['main()']['wt']);
    $i < 5 && xhprof_test_check_invariants($edges, xhprof_call_tree());
}
xhprof_test_between('inner', $best['inner'], 80_000, $highest['inner']);
xhprof_test_between('outer', $best['outer'], 100_000, $highest['outer']);
xhprof_test_between('own usleep', $best['own usleep'], 20_000, $highest['own usleep']);
xhprof_test_between('the program\'s own measure is larger, but not by much', $best['around'], -100, $highest['around']);

echo "CPU time: a busy function has it, a sleeping one has not:\n";

function busy(): float
{
    // Measured by the process's own clock, not by turns: a loaded machine may give us less than we ask for.
    $x = 0.0;
    $start = xhprof_test_cpu();
    while (xhprof_test_cpu() - $start < 200_000) {
        for ($i = 0; $i < 10_000; $i++) {
            $x += sqrt($i);
        }
    }
    return $x;
}

function sleepy(): void { usleep(200_000); }

xhprof_enable(XHPROF_FLAGS_CPU | XHPROF_FLAGS_NO_BUILTINS);
$start = xhprof_test_cpu();
busy();
sleepy();
busy();
$whole = xhprof_test_cpu() - $start;
$edges = xhprof_disable();
xhprof_test_between('busy', $edges['main()==>busy']['cpu'], 380_000, 600_000);
xhprof_test_between('sleepy', $edges['main()==>sleepy']['cpu'], 0, 40_000);
xhprof_test_between('sleepy, wall', $edges['main()==>sleepy']['wt'], 200_000, 60_000_000);
xhprof_test_between('main() like the process', $edges['main()']['cpu'] - $whole, -20_000, 20_000);
xhprof_test_between('no more than wall', $edges['main()']['cpu'] - $edges['main()']['wt'], -PHP_INT_MAX, 1000);
xhprof_test_check_invariants($edges, xhprof_call_tree(), XHPROF_FLAGS_CPU);

echo "CPU time of fibers and generators goes to who runs:\n";

/** CPU time, in us, as its functions have measured it themselves. */
$own = [];

function spin(string $function, int $us): void
{
    $start = xhprof_test_cpu();
    do {
        for ($i = 0, $x = 0; $i < 50_000; $i++) { // long: the profiler takes its own looks at a slow clock off
            $x ^= $i;
        }
        $now = xhprof_test_cpu();
    } while ($now - $start < $us);
    $GLOBALS['own'][$function] = ($GLOBALS['own'][$function] ?? 0) + $now - $start;
}

function task(): void
{
    spin('task', 30_000);
    Fiber::suspend();
    spin('task', 30_000);
}

function gen(): Generator { yield 1; yield 2; }
function outside(): void { spin('outside', 250_000); }

xhprof_enable(XHPROF_FLAGS_CPU | XHPROF_FLAGS_NO_BUILTINS);
$f = new Fiber('task');
$f->start();
foreach (gen() as $x) {
    outside();
}
$f->resume();
$edges = xhprof_disable();
// What another one did would be several times as much, half of its own half as much.
foreach (['task', 'outside'] as $function) {
    xhprof_test_between($function, $edges["main()==>$function"]['cpu'] / $own[$function], 0.8, 1.5);
}
xhprof_test_between('gen', $edges['main()==>gen']['cpu'] / $own['outside'], 0, 0.05);
xhprof_test_check_invariants($edges, xhprof_call_tree(), XHPROF_FLAGS_CPU);

echo "The elapsed time has the profiler's own slow work too, which is in no function's time:\n";

$folder = xhprof_test_folder();
ini_set('xhprof.output_dir', $folder);

function metadata(): array
{
    global $folder;
    return xhprof_test_run_part($folder, xhprof_save() . '.xhprof', 'meta');
}

// The names of functions are found, and their nodes made, at their first calls.
for ($i = 0, $code = ''; $i < 20_000; $i++) {
    $code .= "function f$i() {} ";
}
eval($code);
foreach ([0, XHPROF_FLAGS_CPU | XHPROF_FLAGS_MEMORY, XHPROF_FLAGS_TIMELINE] as $flags) {
    $before = hrtime(true);
    xhprof_enable($flags);
    $begin = hrtime(true);
    for ($i = 0; $i < 20_000; $i++) {
        "f$i"();
    }
    $end = hrtime(true);
    $edges = xhprof_disable();
    $after = hrtime(true);
    $meta = metadata();
    $whole = ($after - $before) / 1000;
    $program = ($end - $begin) / 1000;
    echo $meta['duration_us'] === $edges['main()']['wt'] ? 'main() has the duration' : "$meta[duration_us] {$edges['main()']['wt']}",
        $meta['elapsed_us'] > $meta['duration_us'] ? ', more time elapsed' : ", $meta[elapsed_us] elapsed",
        // The clocks may differ by some parts of 10,000.
        $meta['elapsed_us'] > 0.99 * $program && $meta['elapsed_us'] < 1.01 * $whole ? ', as the clock says' : ", not $program to $whole", "\n";
}
?>
--EXPECT--
Wall and CPU time belong to the function that takes them:
Wall time: of usleep, of its callers, of the session:
invariants: ok
invariants: ok
invariants: ok
invariants: ok
invariants: ok
inner: ok
outer: ok
own usleep: ok
the program's own measure is larger, but not by much: ok
CPU time: a busy function has it, a sleeping one has not:
busy: ok
sleepy: ok
sleepy, wall: ok
main() like the process: ok
no more than wall: ok
invariants: ok
CPU time of fibers and generators goes to who runs:
task: ok
outside: ok
gen: ok
invariants: ok
The elapsed time has the profiler's own slow work too, which is in no function's time:
main() has the duration, more time elapsed, as the clock says
main() has the duration, more time elapsed, as the clock says
main() has the duration, more time elapsed, as the clock says
