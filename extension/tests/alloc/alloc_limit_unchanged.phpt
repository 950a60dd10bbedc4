--TEST--
memory_limit is reached as without tracking: the same error, shutdown functions, figures, exit code
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs("PHP's heap"); ?>
--FILE--
<?php
require __DIR__ . '/../alloc.inc';
class AtEnd
{
    public string $text = '';
    public function __destruct()
    {
        echo "destructor\n";
        $this->text = str_repeat('d', 1 << 30);
    }
}
function deep(int $n): int
{
    return deep($n + 1) + strlen(str_repeat('x', 100));
}
function fills(int $size): array
{
    $all = [];
    while (true) {
        $all[] = str_repeat('x', $size);
    }
}
function numbers(): Generator
{
    $all = [];
    while (true) {
        $all[] = yield str_repeat('x', 1000);
    }
}
function eats(string $how): mixed
{
    switch ($how) {
        case 'small':
            return fills(10);
        case 'pages':
            return fills(20_000);
        case 'huge':
            return fills(3_000_000);
        case '40 MB':
            return str_repeat('x', 40 << 20);
        case '100 MB':
            return [str_repeat('x', 1 << 20), str_repeat('x', 100 << 20)];
        case 'array':
            $a = [];
            while (true) {
                $a[] = 1;
            }
        case 'hash':
            $a = [];
            for ($i = 0; ; $i++) {
                $a["key $i"] = $i;
            }
        case 'append':
            $s = '';
            while (true) {
                $s .= 'xxxxxxxxxxxxxxxx';
            }
        case 'range':
            return range(1, 100_000_000);
        case 'deep':
            return deep(0);
        case 'objects':
            $all = [];
            while (true) {
                $all[] = (object) ['some' => count($all)];
            }
        case 'destructor':
            new AtEnd();
            return null;
        case 'generator':
            $g = numbers();
            foreach ($g as $s) {
                $g->send($s . 'x');
            }
            return null;
        case 'fiber':
            $fiber = new Fiber(static fn () => fills(5000));
            $fiber->start();
            return null;
        case 'callback':
            return array_map(static fn (int $n): array => fills($n), [1000]);
        case 'sort':
            $a = range(1, 100_000);
            usort($a, static fn (int $a, int $b): int => strlen(str_repeat('x', 50_000_000)));
            return null;
        case 'handler':
            set_error_handler(static fn () => fills(100));
            return $undefined;
        case 'output':
            ob_start(static fn (string $s): string => str_repeat($s, 50_000_000));
            echo 'x';
            ob_end_flush();
            return null;
        case 'buffer':
            ob_start();
            while (true) {
                echo str_repeat('x', 10_000);
            }
        case 'finally':
            try {
                fills(500);
            } finally {
                echo "never\n";
            }
        case 'shutdown':
            register_shutdown_function(static fn () => fills(7));
            return null;
        case 'twice':
            register_shutdown_function(static fn () => fills(70));
            return fills(7);
        case 'compile':
            eval('return [' . str_repeat('[1, $how],', 20_000) . '];');
            return null;
        case 'implode':
            return implode(',', array_fill(0, 1000, str_repeat('x', 100_000)));
        case 'collector':
            for ($i = 0; $i < 100_000; $i++) {
                $o = new stdClass();
                $o->o = $o;
                $o->s = str_repeat('x', 500);
            }
            return null;
        case 'free pages':
            for ($i = 0; $i < 3; $i++) {
                $all = [];
                for ($j = 0; $j < 40_000; $j++) {
                    $all[] = str_repeat('x', 100 + $i * 50);
                }
                unset($all); // small blocks all: their pages are the heap's again when it has searched for them
                echo memory_get_usage(true), ' ', strlen(str_repeat('x', 11 << 20)), "\n";
            }
            return null;
        case 'lowered':
            $s = str_repeat('x', 5 << 20);
            var_dump(@ini_set('memory_limit', '3M'));
            ini_set('memory_limit', '8M');
            return fills(1000);
    }
    throw new Exception($how);
}
if (isset($argv[1])) {
    register_shutdown_function(static function (): void {
        $error = error_get_last();
        // The message names another file in a debug build, and is kept.
        $figures = [memory_get_usage(), memory_get_usage(true), memory_get_peak_usage()];
        echo 'shutdown: ', PHP_DEBUG ? '' : implode(' ', $figures), "\n";
        echo $error ? $error['message'] . ' ' . $error['line'] : 'no error', "\n";
        ini_set('memory_limit', '64M');
        echo strlen(str_repeat('y', 20 << 20)), ' ', PHP_DEBUG ? '' : memory_get_usage(), "\n";
    });
    eats($argv[1]);
    exit(0);
}
$seen = 0;
foreach (['small', 'pages', 'huge', '40 MB', '100 MB', 'array', 'hash', 'append', 'range', 'deep', 'objects', 'destructor',
    'generator', 'fiber', 'callback', 'sort', 'handler', 'output', 'buffer', 'finally', 'shutdown', 'twice', 'compile',
    'implode', 'collector', 'lowered', 'free pages'] as $how) {
    $limit = match ($how) {
        'compile' => '10M',
        // Too little for a third chunk: with more, the addresses of other mappings decide whether the text grows in place.
        'append', 'buffer' => '5M',
        default => '16M',
    };
    $output = xhprof_test_same_tracked(__FILE__, [$how], ['memory_limit' => $limit]);
    $fatal = str_contains($output, 'Allowed memory size of ') && str_contains($output, "exit code 255\n");
    $survives = in_array($how, ['collector', 'free pages'], true);
    // What is left may be too little for the shutdown function too; 8.4 allows less in an output callback.
    $ends = $how === 'deep' || $how === 'output' || str_contains($output, 'shutdown: ');
    if (!$ends || ($survives === $fatal && $how !== 'output')) {
        echo "$how: $output";
    }
    $seen++;
}
echo "$seen programs\n";
?>
--EXPECT--
27 programs
