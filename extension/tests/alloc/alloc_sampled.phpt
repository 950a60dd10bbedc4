--TEST--
Sampled allocations: totals without bias, freed blocks leave, paths are right, also read from the stack
--FILE--
<?php
require __DIR__ . '/../alloc.inc';

const MEAN = 20_000; // bytes from one sample to the next
const ROUNDS = 10;

/** Length of strings => how many of them. */
const KINDS = [20 => 40_000, 100 => 30_000, 1000 => 5000, 5000 => 1000, 25_000 => 200];

foreach (KINDS as $length => $times) {
    eval("function kind$length(): array {
        \$kind = array_fill(0, $times, null);
        for (\$i = 0; \$i < $times; \$i++) {
            \$kind[\$i] = str_repeat('x', $length);
        }
        return \$kind;
    }");
}

function temporary(): void
{
    for ($i = 0; $i < 20_000; $i++) {
        str_repeat('t', 1000);
    }
}

function numbers(): Generator
{
    $kept = array_fill(0, 1000, null);
    for ($i = 0; $i < 1000; $i++) {
        $kept[$i] = str_repeat('g', 5000);
        yield $i;
    }
    yield $kept;
}

function in_fiber(): array
{
    $kept = array_fill(0, 1000, null);
    for ($i = 0; $i < 1000; $i++) {
        $kept[$i] = str_repeat('f', 5000);
        $i % 100 || Fiber::suspend();
    }
    return $kept;
}

function callbacks(): array { return array_map('in_callback', range(1, 1000)); }
function in_callback(): string { return str_repeat('c', 5000); }

function grows(): array
{
    $all = array_fill(0, 1000, '');
    for ($i = 0; $i < 1000; $i++) {
        $all[$i] .= 'abc';
        for ($j = 0; $j < 5; $j++) {
            $all[$i] .= '                                                                                              ';
        }
    }
    return $all;
}

function program(): array
{
    $kept = [];
    foreach (KINDS as $length => $unused) {
        $kept[] = ("kind$length")();
    }
    temporary();
    foreach (numbers() as $last) {
    }
    $kept[] = $last;
    $fiber = new Fiber(in_fiber(...));
    for ($fiber->start(); !$fiber->isTerminated(); $fiber->resume());
    $kept[] = $fiber->getReturn();
    $kept[] = callbacks();
    $kept[] = grows();
    return $kept;
}

$way = $argv[1] ?? '';
if ($way !== '') {
    ini_set('xhprof.alloc_sample_bytes', (string) MEAN);
    $sizes = array_fill_keys(array_keys(KINDS), 0);
    $kept = array_fill_keys(array_keys(KINDS), '');
    foreach (KINDS as $length => $unused) {
        $before = memory_get_usage();
        $kept[$length] = str_repeat('x', $length);
        $sizes[$length] = memory_get_usage() - $before;
    }
    $sums = [];
    $totals = [];
    for ($round = 0; $round < ROUNDS; $round++) {
        $way === 'profile' ? xhprof_enable(XHPROF_FLAGS_ALLOC) : memprof_enable();
        $kept = program();
        $live = xhprof_test_live(xhprof_test_dump(['types' => false]));
        $kept = null;
        $after = xhprof_test_live(xhprof_test_dump(['types' => false]));
        $way === 'profile' ? xhprof_disable() : memprof_disable();
        foreach ($live as $path => [$bytes, $blocks]) {
            // Which way the fiber was entered is another matter.
            $path = preg_replace('/Fiber::\w+;/', '', $path);
            $sums[$path][0] = ($sums[$path][0] ?? 0) + $bytes;
            $sums[$path][1] = ($sums[$path][1] ?? 0) + $blocks;
            str_ends_with($path, 'kind20;str_repeat') && $totals[] = $bytes;
        }
        foreach ($after as $path => [$bytes]) {
            if (preg_match('/program.*str_repeat|program;grows/', $path)) {
                echo "round $round: $bytes B left in $path\n";
            }
        }
    }
    echo count(array_unique($totals)) > 1 ? 'rounds differ' : 'all rounds are the same', "\n";
    $expected = [
        'main();program;numbers;str_repeat' => [1000, 8192],
        'main();program;in_fiber;str_repeat' => [1000, 8192],
        'main();program;callbacks;array_map;in_callback;str_repeat' => [1000, 8192],
        'main();program;grows' => [1000, 512],
    ];
    foreach (KINDS as $length => $times) {
        $expected["main();program;kind$length;str_repeat"] = [$times, $sizes[$length]];
    }
    foreach ($expected as $path => [$times, $size]) {
        // A block is taken with this probability, and stands then for 1 / $taken of them.
        $taken = 1 - exp(-$size / MEAN);
        $deviation = sqrt($times * (1 - $taken) / $taken / ROUNDS);
        [$bytes, $blocks] = $sums[$path] ?? [0, 0];
        unset($sums[$path]);
        xhprof_test_between("$path, blocks", ($blocks / ROUNDS - $times) / $deviation, -5, 5);
        if ($path !== 'main();program;grows') {
            xhprof_test_between("$path, bytes", ($bytes / ROUNDS / $size - $times) / $deviation, -5, 5);
        }
    }
    $others = array_filter(array_keys($sums), static fn (string $path): bool => str_ends_with($path, 'str_repeat'));
    echo implode("\n", $others), count($others), " other strings\n";
    exit(0);
}
foreach (['memprof' => [], 'profile' => [], 'stack' => ['xhprof.hooks' => 'off']] as $way => $ini) {
    $child = xhprof_test_child(__FILE__, [$way], $ini);
    $first ??= $child;
    echo "-- $way", $child === $first && isset($shown) ? ": the same\n" : "\n";
    isset($shown) && $child === $first || xhprof_test_show($child);
    $shown = true;
}
?>
--EXPECT--
-- memprof
rounds differ
main();program;numbers;str_repeat, blocks: ok
main();program;numbers;str_repeat, bytes: ok
main();program;in_fiber;str_repeat, blocks: ok
main();program;in_fiber;str_repeat, bytes: ok
main();program;callbacks;array_map;in_callback;str_repeat, blocks: ok
main();program;callbacks;array_map;in_callback;str_repeat, bytes: ok
main();program;grows, blocks: ok
main();program;kind20;str_repeat, blocks: ok
main();program;kind20;str_repeat, bytes: ok
main();program;kind100;str_repeat, blocks: ok
main();program;kind100;str_repeat, bytes: ok
main();program;kind1000;str_repeat, blocks: ok
main();program;kind1000;str_repeat, bytes: ok
main();program;kind5000;str_repeat, blocks: ok
main();program;kind5000;str_repeat, bytes: ok
main();program;kind25000;str_repeat, blocks: ok
main();program;kind25000;str_repeat, bytes: ok
0 other strings
-- profile: the same
-- stack: the same
