--TEST--
The peaks of a profile and of the process are the program's, however often it calls memory_reset_peak_usage()
--FILE--
<?php
require __DIR__ . '/../run_files.inc';

const MB = 1 << 20;

function work(int $mb): int { $x = str_repeat('x', $mb * MB); return strlen($x); }

/** Nothing that is called shows how large it was. */
function works_alone(string $part): void
{
    $x = [];
    for ($i = 0; $i < 8 * 64; $i++) {
        $x[] = "$part$i$part";
    }
    unset($x);
    memory_reset_peak_usage();
}

function repeats(): void
{
    for ($i = 0; $i < 5; $i++) {
        work(8);
        memory_reset_peak_usage();
    }
}

function in_fiber(): void
{
    work(8);
    memory_reset_peak_usage();
    Fiber::suspend();
    work(8);
    memory_reset_peak_usage();
}

function in_generator(): Generator
{
    work(8);
    memory_reset_peak_usage();
    yield 1;
    work(9);
}

$folder = xhprof_test_folder();
ini_set('xhprof.output_dir', $folder);

/** Peak growth of main() and of some functions, and the process's peak, in MB. */
function show(string $label, callable $program, int $flags, array $edges = ['main()'], int $process = 8): void
{
    global $folder;
    xhprof_enable($flags);
    $program();
    $found = xhprof_disable();
    $run = xhprof_save();
    $meta = xhprof_test_run_part($folder, "$run.xhprof", 'meta');
    echo "$label: ";
    foreach ($edges as $edge) {
        printf('%s +%.0f, ', $edge, ($found[$edge]['pmu'] ?? NAN) / MB);
    }
    // Besides, there is the code, and what it has noted.
    $rest = $meta['peak_memory'] / MB - $process;
    echo 'process ', $rest > 0 && $rest < 6 ? "over $process" : $meta['peak_memory'] / MB, "\n";
}

$part = str_repeat('x', 8192);
foreach ([XHPROF_FLAGS_MEMORY, XHPROF_FLAGS_MEMORY | XHPROF_FLAGS_CPU | XHPROF_FLAGS_ALLOC,
    XHPROF_FLAGS_MEMORY | XHPROF_FLAGS_TIMELINE] as $flags) {
    echo "-- flags $flags\n";
    show('again and again', repeats(...), $flags, ['main()', 'main()==>repeats', 'repeats==>work']);
    show('in a fiber', static function (): void {
        $fiber = new Fiber('in_fiber');
        $fiber->start();
        $fiber->resume();
    }, $flags);
    show('in a generator', static function (): void {
        foreach (in_generator() as $value) {
        }
    }, $flags);
}
echo "-- without built-in functions\n";
show('nothing is called', static fn () => works_alone($GLOBALS['part']), XHPROF_FLAGS_MEMORY | XHPROF_FLAGS_NO_BUILTINS);

echo "-- the process\n";
work(20);
memory_reset_peak_usage();
show('before the profile', repeats(...), XHPROF_FLAGS_MEMORY, ['main()'], 20);
show('without memory figures', static function (): void {
    work(30);
    memory_reset_peak_usage();
}, 0, [], 30);
// More than a megabyte in a thread-safe debug PHP.
$used = memory_get_usage();
xhprof_enable(XHPROF_FLAGS_MEMORY);
work(10);
memory_reset_peak_usage();
xhprof_disable();
printf("what the program itself is shown afterwards: %.0f\n", floor((memory_get_peak_usage() - $used) / MB));
work(12);
xhprof_enable(XHPROF_FLAGS_MEMORY);
work(10);
xhprof_disable();
printf("and if it has not reset it: %.0f\n", floor((memory_get_peak_usage() - $used) / MB));
?>
--EXPECT--
-- flags 4
again and again: main() +8, main()==>repeats +8, repeats==>work +8, process over 8
in a fiber: main() +8, process over 8
in a generator: main() +9, process over 8
-- flags 14
again and again: main() +8, main()==>repeats +8, repeats==>work +8, process over 8
in a fiber: main() +8, process over 8
in a generator: main() +9, process over 8
-- flags 20
again and again: main() +8, main()==>repeats +8, repeats==>work +8, process over 8
in a fiber: main() +8, process over 8
in a generator: main() +9, process over 8
-- without built-in functions
nothing is called: main() +10, process over 8
-- the process
before the profile: main() +8, process over 20
without memory figures: process over 30
what the program itself is shown afterwards: 0
and if it has not reset it: 12
