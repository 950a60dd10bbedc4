--TEST--
A fatal error that prints a stack trace (PHP 8.5) ends a profiled program as any other, and its profile is saved
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('PHP 8.5'); ?>
--FILE--
<?php
require __DIR__ . '/../auto.inc';

$program = <<<'PHP'
<?php
final class Held { public function __construct(public string $text) {} public function __destruct() { echo "destructed\n"; } }
function fails(Held $held, array $list, Closure $closure, #[SensitiveParameter] string $secret): void
{
    match ($GLOBALS['argv'][1]) {
        'redeclared' => eval('function fails() {}'),
        'memory' => str_repeat('x', 1 << 27),
        'deep' => deep(20_000, $held),
        'time' => (static function () { set_time_limit(1); while (true) { strlen('x'); } })(),
        'user' => trigger_error('by the program', E_USER_ERROR),
    };
}
function deep(int $n, Held $held): int { return $n === 0 ? strlen(str_repeat('x', 1 << 27)) : 1 + deep($n - 1, $held); }
function starts(): void { fails(new Held('h'), ['a' => [1, 2]], static fn (int $x): int => $x + 1, 'secret'); }
register_shutdown_function(static function (): void {
    $error = error_get_last();
    echo json_encode([array_column($error['trace'] ?? [], 'function') === [] ? 'no trace' : array_slice(array_column($error['trace'], 'function'), -2),
        strtok($error['message'] ?? 'none', '(')]), "\n";
});
starts();
PHP;
$modes = ['exact' => ['flags' => 'cpu,memory'], 'sample' => ['sampling_interval' => 1000], 'alloc' => [],
    // A program that is in two windows has two runs.
    'aggregate' => ['sampling_interval' => 1000, 'flush_seconds' => 86400]];
foreach (['redeclared', 'memory', 'deep', 'time', 'user'] as $end) {
    $more = ['fatal_error_backtraces' => 1, 'memory_limit' => $end === 'deep' ? '64M' : '8M', 'error_reporting' => E_ALL & ~E_DEPRECATED,
        'error_log' => '/dev/null'];
    $text = static fn (array $c): string => preg_replace('~/[^ ]*/program\.php~', 'program.php', "$c[code] $c[out]$c[err]");
    $plain = xhprof_test_auto($program, ['start_with_request' => 'no'], [], $more, [], [$end]);
    echo $end, ': ', $plain['code'], ', ', substr_count($plain['out'], "\n#"), ' frames, ', trim(strrchr(trim($plain['out']), "\n")), "\n";
    str_contains($plain['out'], "'secret'") && print("the secret is in the trace\n");
    foreach ($modes as $mode => $ini) {
        $child = xhprof_test_auto($program, $ini + ['mode' => $mode], [], $more, [], [$end]);
        $text($child) === $text($plain) || print("$mode: " . substr($text($child), 0, 2000) . "\n--- without:\n" . substr($text($plain), 0, 2000) . "\n");
        count($child['runs']) === 1 || print("$mode: " . count($child['runs']) . " runs\n");
        if ($mode === 'exact') {
            echo '  ', implode(' ', preg_replace(['/eval::.*/', '/\{closure:[^}]*\}/'], ['eval', '{closure}'], array_keys(array_filter($child['runs'][0]['edges'] ?? [], static fn (string $edge): bool
                => preg_match('/^(starts|fails)==>/', $edge) === 1, ARRAY_FILTER_USE_KEY)))), "\n";
        }
    }
}
?>
--EXPECT--
redeclared: 255, 3 frames, [["fails","starts"],"Cannot redeclare function fails"]
  starts==>Held::__construct fails==>eval starts==>fails
memory: 255, 4 frames, [["fails","starts"],"Allowed memory size of 8388608 bytes exhausted "]
  starts==>Held::__construct fails==>str_repeat starts==>fails
deep: 255, 20005 frames, [["fails","starts"],"Allowed memory size of 67108864 bytes exhausted "]
  starts==>Held::__construct fails==>deep starts==>fails
time: 255, 4 frames, [["fails","starts"],"Maximum execution time of 1 second exceeded"]
  starts==>Held::__construct fails==>{closure} starts==>fails
user: 255, 4 frames, [["fails","starts"],"by the program"]
  starts==>Held::__construct fails==>trigger_error starts==>fails
