--TEST--
Sampling with exceptions, generators, fibers, recursion, and sessions that start deep in the stack
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('sampling'); ?>
--INI--
xhprof.sampling_interval=1000
--FILE--
<?php
require __DIR__ . '/../lib.inc';

function nap(): void { usleep(300); }

function throws(int $n): void
{
    nap();
    if ($n === 0) {
        throw new RuntimeException();
    }
    throws($n - 1);
}

function gen(): Generator
{
    for ($i = 0; $i < 3; $i++) {
        nap();
        yield $i;
    }
}

function task(): void
{
    nap();
    Fiber::suspend();
    nap();
}

function everything(): void
{
    for ($i = 0; $i < 100; $i++) {
        try {
            throws(3);
        } catch (RuntimeException) {
        }
        foreach (gen() as $x) {
            nap();
        }
        $f = new Fiber('task');
        $f->start();
        nap();
        $f->resume();
        array_map(static fn () => nap(), [1, 2]);
    }
}

function starts(): void { xhprof_sample_enable(); nap(); }
function stops(): array { nap(); return xhprof_sample_disable(); }

starts();
everything();
$samples = stops();
echo count($samples) >= 50 ? 'samples' : count($samples), "\n";
$paths = array_unique(array_map(
    static fn (string $path): string => preg_replace('/@\d+/', '', $path),
    $samples
));
foreach ($paths as $path) {
    $names = explode('==>', $path);
    if ($names[0] !== 'main()' || substr_count($path, 'everything') > 1 || count($names) > 9) {
        echo "path $path\n";
    }
    // Who may call whom.
    foreach ($names as $i => $name) {
        $above = $names[$i - 1] ?? '';
        $ok = match (true) {
            $name === 'main()' => $i === 0,
            $name === 'nap' => !in_array($above, ['nap', 'usleep']),
            $name === 'usleep' => $above === 'nap',
            $name === 'throws' => in_array($above, ['everything', 'throws']),
            $name === 'gen', $name === 'array_map', $name === 'Fiber::__construct', $name === 'Fiber::start' => $above === 'everything',
            $name === 'task' => in_array($above, ['Fiber::start', 'Fiber::resume']),
            $name === 'everything' => $above === 'main()',
            default => true,
        };
        if (!$ok) {
            echo "$name below $above\n";
        }
    }
}
?>
--EXPECT--
samples
