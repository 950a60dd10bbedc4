--TEST--
Sampling: functions that the engine calls without a frame (8.4) have one in samples, as before
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('sampling'); ?>
--FILE--
<?php
require __DIR__ . '/../lib.inc';

function finds(array $numbers): void
{
    for ($i = 0; $i < 10; $i++) { // so long that the timer's thread has begun
        in_array(-1, $numbers, true);
    }
}

function replaces(string $text): void { str_replace(['ab', 'x'], ['c', 'y'], $text); }
function loads(): bool { return class_exists('Missing' . mt_rand()); }

function autoload(string $class): void
{
    for ($i = 0; $i < 3_000_000; $i++) {
    }
}

function joins(array $slow): void { implode(',', $slow); }

class Slow
{
    public function __toString(): string
    {
        for ($i = 0; $i < 3_000_000; $i++) {
        }
        return '';
    }
}

function counts(string $text): int
{
    $position = strpos($text, 'x');
    for ($i = 0; $i < 3_000_000; $i++) {
    }
    return $position;
}

// Where calls are observed, the first one of a function has a frame. A JIT has compiled these before the first sampling.
for ($i = 0; $i < 300; $i++) {
    finds([]);
    replaces('');
    joins([]);
    loads();
}
counts('x');
spl_autoload_register('autoload');
$numbers = range(0, 2_000_000);
$text = str_repeat('abababxabacab', 300_000);
$slow = [new Slow(), new Slow()];
$paths = ['finds==>in_array', 'replaces==>str_replace', 'loads==>class_exists==>autoload', 'joins==>implode==>Slow::__toString', 'counts'];
// Nothing of these functions is charged to their callers, nor what their callers do afterwards to them.
$wrong = ['finds', 'replaces', 'loads==>autoload', 'joins==>Slow::__toString', 'counts==>strpos'];
foreach (['wall', 'cpu'] as $clock) {
    $counts = [];
    // On a busy machine the timer's thread may not run for as long as one call, and the program may wait within its caller.
    for ($try = 0; $try < 20; $try++) {
        xhprof_sample_enable(['interval' => 200, 'clock' => $clock]);
        finds($numbers);
        replaces($text);
        loads();
        joins($slow);
        counts($text);
        foreach (xhprof_sample_disable() as $path) {
            $counts[$path] = ($counts[$path] ?? 0) + 1;
        }
        $few = array_filter($paths, static fn (string $path): bool => ($counts["main()==>$path"] ?? 0) < 20);
        $misplaced = array_sum(array_map(static fn (string $path): int => $counts["main()==>$path"] ?? 0, $wrong));
        $right = !$few && $misplaced <= array_sum($counts) / 20;
        if ($right) {
            break;
        }
    }
    echo $clock, ': ', $right ? 'as they ran' : json_encode($counts), "\n";
}
?>
--EXPECT--
wall: as they ran
cpu: as they ran
