<?php

/*
 * fuzz.php [TARGET [CASE]]: feeds nearly right input to the readers of files, images, texts and calls. Environment:
 *   SEED=n    of all random choices (default 1)
 *   ROUNDS=n  multiplies the cases (default 1)
 * Each target is a process of its own; one that dies is a failure of its last case, and another goes on after that.
 * Ends with "N passed, N failed"; each failure has the line that repeats it. Exit code 1 when something failed.
 */

declare(strict_types=1);

namespace XHProf\Tests\Fuzz;

require __DIR__ . '/Child.php';

/** Target => cases of a round. */
const CASES = [
    'RunFiles' => 150, 'ImportedFiles' => 300, 'HeapFiles' => 60, 'Redaction' => 25, 'Images' => 30, 'ApiCalls' => 150,
];

function remove(string $path): void
{
    if (is_dir($path) && !is_link($path)) {
        foreach (array_diff((array) scandir($path), ['.', '..']) as $name) {
            remove("$path/$name");
        }
        rmdir($path);
    } else {
        unlink($path);
    }
}

/**
 * @return array{int, list<string>} the first case that was not done; errors by case
 */
function cases(string $target, int $seed, int $from, int $to): array
{
    $folder = sys_get_temp_dir() . '/xhprof-fuzz-' . getmypid() . '-' . bin2hex(random_bytes(4));
    $settings = ['memory_limit=512M', 'display_errors=stderr', 'error_reporting=-1', 'log_errors=0'];
    foreach (['ctype', 'dom', 'iconv', 'mbstring', 'pdo', 'pdo_sqlite', 'posix', 'sqlite3', 'tokenizer'] as $name) {
        $library = dirname(__DIR__, 2) . "/build/php/ext/$name.so";
        if (is_file($library)) {
            $settings[] = "extension=$library";
        }
    }
    $library = dirname(__DIR__, 2) . '/extension/modules/xhprof.so';
    $command = [PHP_BINARY, '-n'];
    foreach ([...$settings, "extension=$library"] as $setting) {
        array_push($command, '-d', $setting);
    }
    array_push($command, __DIR__ . '/child.php', $target, (string) $seed, (string) $from, (string) $to);
    [$status, $output] = Child::run($command, ['XHPROF_FUZZ_FOLDER' => $folder], $to - $from + 1);
    is_dir($folder) && remove($folder);
    $case = 0;
    $wrong = [];
    foreach (explode("\n", $output) as $line) {
        if (preg_match('/^case (\d+)$/', $line, $match) === 1) {
            $case = (int) $match[1];
        } elseif (preg_match('/^wrong (\d+) (.*)$/', $line, $match) === 1) {
            $wrong[] = "$match[1]: $match[2]";
        }
    }
    if (!str_ends_with($output, "done\n")) {
        $wrong[] = "$case: the process ended with $status: " . strtr(substr($output, -500), "\n", ' ');
    }

    return [$case > 0 ? $case + 1 : $to + 1, $wrong]; // 0: it did not reach a case
}

$only = $argv[1] ?? null;
$seed = (int) (getenv('SEED') ?: 1);
$rounds = (int) (getenv('ROUNDS') ?: 1);
if (($only !== null && !isset(CASES[$only])) || $rounds < 1) {
    fwrite(STDERR, 'usage: fuzz.php [' . implode('|', array_keys(CASES)) . " [CASE]]\n");
    exit(2);
}
$done = $failed = 0;
foreach ($only === null ? CASES : [$only => CASES[$only]] as $target => $count) {
    [$first, $last] = isset($argv[2]) ? [(int) $argv[2], (int) $argv[2]] : [1, $count * $rounds];
    echo "# $target: ", $last - $first + 1, " cases\n";
    $bad = [];
    for ($next = $first; $next <= $last;) {
        [$next, $wrong] = cases($target, $seed, $next, $last);
        foreach ($wrong as $what) {
            $bad[(int) $what] = true;
            echo "FAIL $target $what (SEED=$seed tests/fuzz/fuzz.sh $target ", (int) $what, ")\n";
        }
    }
    $failed += count($bad);
    $done += $last - $first + 1 - count($bad);
}
echo "$done passed, $failed failed\n";
exit($failed > 0 ? 1 : 0);
