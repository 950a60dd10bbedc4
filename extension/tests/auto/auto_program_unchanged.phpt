--TEST--
A program that settings profile is the program that it was: with opcache, its JIT, other observers, tight memory, a full heap
--FILE--
<?php
require __DIR__ . '/../auto.inc';

$program = <<<'PHP'
<?php
namespace App;
interface Shape { public function area(): float; }
final class Square implements Shape { public function __construct(private float $side) {} public function area(): float { return $this->side ** 2; } }
function numbers(int $n): \Generator { for ($i = 0; $i < $n; $i++) { yield $i => sqrt($i); } }
function deep(int $n): int { return $n === 0 ? 0 : 1 + deep($n - 1); }
function caught(): string { try { throw new \LogicException('x'); } catch (\LogicException $e) { return $e->getMessage() . count($e->getTrace()); } finally { deep(3); } }
$sum = 0.0;
foreach (numbers(500) as $x) { $sum += (new Square($x))->area(); }
$fiber = new \Fiber(static function (int $x): int { $y = \Fiber::suspend($x + 1); return $y + deep(10); });
echo round($sum), ' ', $fiber->start(1), ' ', $fiber->resume(5) ?? $fiber->getReturn(), ' ', caught(), ' ', deep(200), "\n";
echo implode(',', array_map(fn (int $x): int => $x * 2, [1, 2, 3])), ' ', json_encode(array_keys($GLOBALS)), ' ', mt_srand(3), mt_rand(), "\n";
echo json_encode([error_get_last(), ini_get('xhprof.mode') !== '', headers_list(), get_included_files() === [__FILE__], ob_get_level()]), "\n";
ob_start(static fn (string $s): string => strtoupper($s));
echo "shouted\n";
ob_end_flush();
register_shutdown_function(static function (): void { echo "shut down\n"; });
$object = new class () { public function __destruct() { echo "destructed\n"; } };
PHP;
// A heap that is full to the brim when the program ends, and stays so.
$full = <<<'PHP'
<?php
function fill(): void { static $all = []; for ($size = 1 << 20; $size >= 8; $size >>= 1) { while (memory_get_usage() + 2 * $size < (int) $GLOBALS['argv'][1]) { $all[] = str_repeat('x', $size); } } }
fill();
echo "full\n";
PHP;
$modes = ['exact' => ['flags' => 'cpu,memory'], 'sample' => ['sampling_interval' => 1000], 'alloc' => [], 'aggregate' => ['sampling_interval' => 1000]];
foreach (xhprof_test_ways() + ['off' => [['xhprof.hooks' => 'off'], []]] as $label => [$more, $extensions]) {
    $plain = xhprof_test_auto($program, ['start_with_request' => 'no'], [], $more, $extensions);
    $refused = xhprof_test_sampling_refusal($more, $extensions) !== null ? ['sample'] : [];
    if ($label === 'off') {
        $refused = [...$refused, 'exact', 'alloc'];
    }
    foreach ($modes as $mode => $ini) {
        $child = xhprof_test_auto($program, $ini + ['mode' => $mode], [], $more + ['error_log' => '/dev/null'], $extensions);
        [$child['out'], $child['code'], $child['err']] === [$plain['out'], $plain['code'], $plain['err']]
            || print("$label, $mode: exit code $child[code]\n$child[err]$child[out]\n--- without: exit code $plain[code]\n$plain[err]$plain[out]\n");
        count($child['runs']) === (in_array($mode, $refused, true) ? 0 : 1) || print("$label, $mode: " . count($child['runs']) . " runs\n");
    }
}
foreach ($modes as $mode => $ini) {
    foreach ([2, 3, 4, 8] as $limit) {
        foreach ([$program, $full] as $i => $code) {
            $args = [(string) (($limit << 20) - ($mode === 'alloc' ? 4096 : 1024))];
            $more = ['memory_limit' => "{$limit}M", 'error_log' => '/dev/null'];
            $plain = xhprof_test_auto($code, ['start_with_request' => 'no'], [], $more, [], $args);
            $child = xhprof_test_auto($code, $ini + ['mode' => $mode], [], $more, [], $args);
            $text = static fn (array $c): string => preg_replace('~tried to allocate \d+|/[^ ]*program~', '', $c['code'] . $c['out'] . $c['err']);
            $text($child) === $text($plain) || print("$mode, {$limit} MB, $i: {$text($child)}\n--- without:\n{$text($plain)}\n");
            count($child['runs']) === 1 || print("$mode, {$limit} MB, $i: " . count($child['runs']) . " runs\n");
        }
    }
}
echo "done\n";
?>
--EXPECT--
done
