--TEST--
A program cannot tell that its allocations are tracked: its figures of memory, its output
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs("PHP's heap"); ?>
--FILE--
<?php
require __DIR__ . '/../alloc.inc';

function figures(string $what): void
{
    static $n = 0;
    printf(
        "%d %s: %d %d %d %d\n",
        ++$n,
        $what,
        memory_get_usage(),
        memory_get_usage(true),
        memory_get_peak_usage(),
        memory_get_peak_usage(true)
    );
}

function numbers(int $to): Generator
{
    for ($i = 0; $i < $to; $i++) {
        yield str_repeat((string) $i, 10) => $i;
    }
}

class Node
{
    public ?Node $next = null;
    public array $data = [];

    public function __destruct() { static $n = 0; ++$n % 1000 === 0 && figures('destructor'); }
}

function program(): void
{
    figures('start');
    $strings = [];
    for ($i = 0; $i < 5000; $i++) {
        $strings[] = str_repeat('x', $i % 3000);
    }
    figures('strings');
    $strings = array_filter($strings, fn (string $s): bool => strlen($s) % 3 === 0);
    figures('filtered');
    sort($strings);
    $joined = implode(',', $strings);
    figures('joined');
    $all = iterator_to_array(numbers(2000));
    figures('generator');
    unset($strings, $joined);
    gc_mem_caches() > 0 && print("pages collected\n");
    figures('freed');
    for ($i = 0; $i < 3000; $i++) {
        $node = new Node();
        $node->data = [$i, $node]; // a cycle
    }
    unset($node);
    figures('cycles');
    gc_collect_cycles();
    figures('collected');
    $fibers = [];
    for ($i = 0; $i < 20; $i++) {
        $fiber = new Fiber(static function (int $i): string {
            $text = str_repeat('f', $i * 1000);
            Fiber::suspend();
            return $text;
        });
        $fiber->start($i);
        $fibers[] = $fiber;
    }
    figures('fibers');
    foreach ($fibers as $fiber) {
        $fiber->resume();
    }
    unset($fibers, $fiber);
    figures('fibers ended');
    try {
        array_map(static fn (int $i): int => $i < 100 ? $i : throw new LogicException("at $i"), range(1, 200));
    } catch (LogicException $e) {
        figures($e->getMessage());
    }
    eval('function late(int $n): array { return range(1, $n); }');
    $huge = late(400_000);
    figures('huge');
    $huge[] = 1;
    $huge = array_slice($huge, 0, 10);
    figures('less');
    $copy = unserialize(serialize(array_fill(0, 20_000, 'abc')));
    figures('unserialized');
    $text = '';
    for ($i = 0; $i < 100_000; $i++) {
        $text .= 'abcdefghij';
    }
    figures('appended');
    preg_replace_callback('/a(b)/', static fn (array $m): string => strtoupper($m[0]), $text);
    figures('replaced');
    function_exists('memory_reset_peak_usage') && memory_reset_peak_usage();
    figures('peak reset');
}

if (isset($argv[1])) {
    error_reporting(E_ALL);
    register_shutdown_function('figures', 'shutdown');
    program();
    ini_set('memory_limit', '20M');
    figures('limit');
    exit(0);
}
$lines = explode("\n", xhprof_test_same_tracked(__FILE__, ['child']));
echo preg_replace('/\d+ .*?(\w+): .*/', '$1', implode("\n", [$lines[0], ...array_slice($lines, -3)]));
echo count($lines), " lines\n";
?>
--EXPECT--
start
limit
shutdown
24 lines
