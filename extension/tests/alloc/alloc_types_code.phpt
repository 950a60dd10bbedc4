--TEST--
What a block holds: the code of functions, methods, closures and files, what classes are made of, and their comments
--INI--
opcache.enable_cli=0
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('usual figures'); ?>
--FILE--
<?php
declare(strict_types=1);

require __DIR__ . '/../lib.inc';
require __DIR__ . '/../alloc.inc';

/** @return array<string, int> type => bytes held by what `eval` compiled */
function held(string $source): array
{
    xhprof_enable(XHPROF_FLAGS_ALLOC);
    $value = eval($source);
    xhprof_disable();
    $types = [];
    foreach (xhprof_test_live_types(xhprof_test_dump()) as $path => $bytes) {
        if (preg_match('/^main\(\);eval::.*;\[(.+)\]$/', $path, $match) === 1) {
            $types[$match[1]] = ($types[$match[1]] ?? 0) + $bytes;
        }
    }

    return $types;
}

/** @param array<string, int> $types */
function tell(string $what, array $types, int $code): void
{
    $sum = array_sum($types);
    $unknown = ($types['(unknown)'] ?? 0) / max(1, $sum);
    printf("%s: %s, %s\n", $what, ($types['compiled code'] ?? 0) >= $code ? 'code' : 'no code: ' . json_encode($types),
        $unknown < 0.15 ? 'little unknown' : sprintf('%d %% unknown: %s', $unknown * 100, json_encode($types)));
}

$lines = str_repeat('$a = strlen((string) $a) + 1; ', 200);
tell('function', held("function f1(int \$a = 0): int { $lines return \$a; }"), 8000);
tell('closure', held("return [static function (int \$a) { $lines }, fn (int \$x) => \$x + 1];"), 8000);
$methods = '';
for ($i = 0; $i < 50; $i++) {
    $methods .= "/** Comment of method $i. */ #[Deprecated] public function m$i(array \$x, string ...\$rest): ?string "
        . "{ static \$calls = 0; try { foreach (\$x as \$v) { \$calls += \$v; } } finally { \$calls--; } return \$rest[0] ?? null; }\n";
}
tell('class', held("interface I1 {} trait T1 { public int \$p = 1; } /** Comment. */ class C1 implements I1 { use T1; "
    . "public const A = [1, 2], B = self::A[0] + 1; public static array \$s = [1]; public ?int \$q = self::B; $methods }"), 30000);
$types = held('/** ' . str_repeat('a long comment ', 1000) . ' */ class C2 { /** ' . str_repeat('another ', 1000) . '*/ public $p; }');
echo 'comments: ', ($types['string'] ?? 0) > 20000 ? 'strings' : json_encode($types), "\n";
?>
--EXPECT--
function: code, little unknown
closure: code, little unknown
class: code, little unknown
comments: strings
