--TEST--
xhprof.clock: every clock gives sane wall times; pinned threads get their CPUs back
--FILE--
<?php
require __DIR__ . '/../run_files.inc';

/** The CPUs this thread may run on, "0-3"; "" where the system does not say. */
function cpus(): string
{
    preg_match('/^Cpus_allowed_list:\s*(\S+)/m', (string) @file_get_contents('/proc/thread-self/status'), $m);
    return $m[1] ?? '';
}

function sleeps(): void { usleep(20_000); }

function child(string $clock, string $folder): void
{
    $before = cpus();
    $usleep = $around = PHP_INT_MAX;
    for ($i = 0; $i < 5 || ($i < 50 && ($usleep > 60_000 || $around > 10_000)); $i++) {
        $start = hrtime(true);
        xhprof_enable(XHPROF_FLAGS_CPU);
        sleeps();
        $edges = xhprof_disable();
        $whole = intdiv(hrtime(true) - $start, 1000);
        $usleep = min($usleep, $edges['sleeps==>usleep']['wt']);
        $around = min($around, $whole - $edges['main()']['wt']);
        $i < 5 && xhprof_test_check_invariants($edges, xhprof_call_tree(), XHPROF_FLAGS_CPU);
    }
    xhprof_test_between('usleep', $usleep, 19_990, 60_000);
    xhprof_test_between('main() and the program\'s measure', $around, -100, 10_000);
    echo 'CPUs: ', cpus() === $before ? 'as before' : "$before, then " . cpus(), "\n";
    ini_set('xhprof.output_dir', $folder);
    $id = xhprof_save();
    $meta = xhprof_test_run_part($folder, "$id.xhprof", 'meta');
    $wall = $meta['clock']['wall'];
    $fits = match ($clock) {
        'monotonic' => !str_contains($wall, 'tsc'),
        'tsc', 'tsc-pinned' => str_contains($wall, 'tsc') || php_uname('m') !== 'x86_64',
        default => $wall !== '',
    };
    echo 'clock in use: ', $fits ? 'ok' : $wall, "\n";
    xhprof_enable();
    $during = cpus();
    xhprof_disable();
    $pinned = $clock === 'tsc-pinned' && str_contains($wall, 'tsc') && $before !== '';
    echo $pinned ? (preg_match('/^\d+$/', $during) ? 'as asked' : "not pinned: $during")
        : ($during === $before || $clock === 'auto' ? 'as asked' : "pinned to $during"), "\n";
    // A session nobody stops.
    xhprof_enable();
}

if (isset($argv[2])) {
    child($argv[1], $argv[2]);
    exit(0);
}
$folder = xhprof_test_folder();
xhprof_test_alike(['auto', 'tsc', 'tsc-pinned', 'monotonic'],
    static fn (string $clock) => xhprof_test_show(xhprof_test_child(__FILE__, [$clock, $folder], ['xhprof.clock' => $clock])));
?>
--EXPECT--
-- auto
invariants: ok
invariants: ok
invariants: ok
invariants: ok
invariants: ok
usleep: ok
main() and the program's measure: ok
CPUs: as before
clock in use: ok
as asked
-- tsc: as auto
-- tsc-pinned: as auto
-- monotonic: as auto
