<?php

declare(strict_types=1);

namespace XHProf\Tests\Golden;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use SebastianBergmann\Diff\Differ;
use SebastianBergmann\Diff\Output\UnifiedDiffOutputBuilder;
use XHProf\Tests\Html\PageServer;
use XHProf\Tests\Lib\Support\FiberRuns;
use XHProf\Tests\Lib\Support\KeptWindowRuns;

require_once __DIR__ . '/../html/Page.php';
require_once __DIR__ . '/../html/PageServer.php';
require_once __DIR__ . '/../lib/Support/FiberRuns.php';
require_once __DIR__ . '/../lib/Support/KeptWindowRuns.php';
require_once __DIR__ . '/GoldenRuns.php';
require_once __DIR__ . '/PageText.php';

/**
 * What users see, of all commands and pages over one folder of runs, against golden files. The cases are in cases.php, a line each.
 * XHPROF_GOLDEN=write writes the files anew: check the difference before you commit it.
 */
final class GoldenTest extends TestCase
{
    private const ROOT = __DIR__ . '/../..';

    /** Texts of a failure around the first line that differs. */
    private const BEFORE = 3;
    private const AFTER = 20;

    /** The secret of forms. */
    private const TOKEN = '0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef';

    private static string $folder;
    private static PageServer $server;
    private static ?PageServer $fibers = null;
    private static string $store;

    /** @var resource */
    private static $storeProcess;

    public static function setUpBeforeClass(): void
    {
        self::$folder = sys_get_temp_dir() . '/xhprof-golden-' . bin2hex(random_bytes(6));
        foreach (['cache', 'compiled', 'empty', 'fibers', 'imported', 'runs', 'workers'] as $name) {
            mkdir(self::$folder . "/$name", 0700, true);
        }
        GoldenRuns::build(self::$folder . '/runs');
        FiberRuns::build(self::$folder . '/fibers');
        KeptWindowRuns::build(self::$folder . '/workers');
        $answers = json_encode(require __DIR__ . '/store.php', JSON_THROW_ON_ERROR);
        $command = [PHP_BINARY, '-n', self::ROOT . '/tests/html/hostile-store.php', $answers];
        $process = proc_open($command, [1 => ['pipe', 'w']], $pipes);
        self::assertIsResource($process);
        self::$storeProcess = $process;
        self::$store = trim((string) fgets($pipes[1]));
        // Settings of who runs the test are not the pages'.
        $variables = self::environment() + array_fill_keys(preg_grep('/\AXHPROF_/', array_keys(getenv())) ?: [], '');
        $settings = ['date.timezone=UTC', 'memory_limit=512M'];
        self::$server = new PageServer(self::ROOT . '/xhprof_html', self::$folder . '/runs', $settings, $variables);
        // Indexes are there before a page could lose its patience with them.
        self::command(['list']);
        foreach (['worker-before', 'worker-after', 'hostile'] as $snapshot) {
            self::command(['heap', 'summary', "runs/$snapshot.heap.jsonl"]);
        }
    }

    public static function tearDownAfterClass(): void
    {
        proc_terminate(self::$storeProcess, 9);
        proc_close(self::$storeProcess);
        self::$fibers = null;
        exec('rm -rf ' . escapeshellarg(self::$folder));
    }

    #[DataProvider('commands')]
    public function testCommand(string $arguments, string $file): void
    {
        $columns = str_ends_with($file, '-narrow.txt') ? ['COLUMNS' => '60'] : [];
        $places = ['{root}' => (string) realpath(self::ROOT), '{folder}' => self::$folder];
        [$out, $end] = self::command(str_getcsv(strtr($arguments, $places), ' ', '"', ''), $columns);
        self::compare($file, "xhprof $arguments", (str_ends_with($file, '.json') ? self::json($out) : $out) . $end);
    }

    #[DataProvider('pages')]
    public function testPage(string $address, string $file): void
    {
        [$method, $url, $form] = explode(' ', $address) + ['', '', ''];
        $page = match (true) {
            $method === 'POST'
                => self::$server->post($url, $form . '&csrf=' . self::TOKEN, ['Cookie: xhprof_csrf=' . self::TOKEN]),
            str_starts_with($file, 'pages/fibers') => self::fibers()->get($address),
            default => self::$server->get($address),
        };
        $type = $page->headers['content-type'] ?? '';
        $head = "$page->status $type\n" . (isset($page->headers['location']) ? "Location: {$page->headers['location']}\n" : '');
        self::compare($file, $address, $head . match (strtok($type, ';')) {
            'text/html' => PageText::of($page->body),
            'application/json' => self::json($page->body),
            'text/plain', 'text/csv' => $page->body,
            default => self::columns($page->body),
        });
    }

    /** A case that is renamed or removed takes its file along. */
    public function testEachFileHasACase(): void
    {
        $wanted = [...array_column(self::commands(), 1), ...array_column(self::pages(), 1)];
        $files = array_map(static fn (string $file): string => substr($file, strlen(__DIR__) + 1), glob(__DIR__ . '/*/*') ?: []);
        $left = array_diff($files, $wanted);
        if (getenv('XHPROF_GOLDEN') === 'write') {
            array_map(static fn (string $file): bool => unlink(__DIR__ . "/$file"), $left);
            $left = [];
        }
        self::assertSame([], array_values($left));
    }

    /** @return array<string, array{string, string}> arguments, file */
    public static function commands(): array
    {
        $cases = [];
        foreach (self::cases()['texts'] as $name => $arguments) {
            $cases[$name] = [$arguments, "commands/$name.txt"];
        }
        foreach (self::cases()['commands'] as $name => $arguments) {
            $cases[$name] = [$arguments, "commands/$name.txt"];
            $cases["$name --json"] = ["$arguments --json", "commands/$name.json"];
        }

        return $cases;
    }

    /** @return array<string, array{string, string}> address, file */
    public static function pages(): array
    {
        $cases = [];
        foreach (self::cases()['pages'] as $name => $address) {
            $cases[$name] = [$address, "pages/$name.txt"];
        }

        return $cases;
    }

    /** The pages over the runs of FiberRuns. */
    private static function fibers(): PageServer
    {
        $settings = ['date.timezone=UTC', 'memory_limit=512M'];
        $own = array_diff_key(self::environment(), ['XHPROF_OUTPUT_DIR' => 0])
            + array_fill_keys(preg_grep('/\AXHPROF_/', array_keys(getenv())) ?: [], '');
        if (self::$fibers === null) {
            self::command(['list', '--output-dir=fibers']);
        }

        return self::$fibers ??= new PageServer(self::ROOT . '/xhprof_html', self::$folder . '/fibers', $settings, $own);
    }

    /** @return array{texts: array<string, string>, commands: array<string, string>, pages: array<string, string>} */
    private static function cases(): array
    {
        return require __DIR__ . '/cases.php';
    }

    /**
     * @param list<string|null> $arguments
     * @param array<string, string> $variables
     * @return array{string, string} its output; its errors and exit code as text, '' for a success without a word
     */
    private static function command(array $arguments, array $variables = []): array
    {
        // Compiled code is kept for the next process, which takes a quarter of the time off.
        $settings = [
            'date.timezone=UTC', 'memory_limit=512M', 'serialize_precision=-1', 'opcache.enable_cli=1', 'opcache.file_cache_only=1',
            'opcache.file_cache=' . self::$folder . '/compiled',
        ];
        $options = array_map(static fn (string $setting): string => "-d$setting", $settings);
        $command = [PHP_BINARY, ...$options, self::ROOT . '/bin/xhprof', ...array_map(strval(...), $arguments)];
        $files = [['file', '/dev/null', 'r'], ['file', self::$folder . '/out', 'w'], ['file', self::$folder . '/err', 'w']];
        $process = proc_open($command, $files, $pipes, self::$folder, $variables + self::environment());
        self::assertIsResource($process);
        $code = proc_close($process);
        $errors = (string) file_get_contents(self::$folder . '/err');
        $end = ($errors === '' ? '' : "--- errors\n$errors") . ($code === 0 ? '' : "--- exit code $code\n");

        return [(string) file_get_contents(self::$folder . '/out'), $end];
    }

    /** @return array<string, string> */
    private static function environment(): array
    {
        $own = [
            'HOME' => self::$folder,
            'LC_ALL' => 'C.UTF-8',
            // Without Graphviz, whose pictures differ.
            'PATH' => self::$folder,
            'TZ' => 'UTC',
            'XDEBUG_MODE' => 'off',
            'XDG_CACHE_HOME' => self::$folder . '/cache',
            'XHPROF_FLEET' => 'clickhouse://' . self::$store . '/fleet',
            'XHPROF_OUTPUT_DIR' => self::$folder . '/runs',
        ];

        return $own + array_intersect_key(getenv(), ['PHPRC' => 0, 'PHP_INI_SCAN_DIR' => 0, 'LD_LIBRARY_PATH' => 0]);
    }

    /** Members of a document and their elements have a line each, with all that is within them. */
    private static function json(string $text): string
    {
        $value = json_decode($text, false, 512, JSON_BIGINT_AS_STRING);

        return json_last_error() === JSON_ERROR_NONE ? self::lines($value, 2, "\n") . "\n" : $text;
    }

    private static function lines(mixed $value, int $depth, string $break): string
    {
        $flags = JSON_THROW_ON_ERROR | JSON_PRESERVE_ZERO_FRACTION | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE;
        $json = static fn (mixed $value): string => json_encode($value, $flags);
        if ($depth === 0 || is_scalar($value) || (array) $value === []) {
            return $json($value);
        }
        [$open, $close] = is_array($value) ? ['[', ']'] : ['{', '}'];
        $lines = [];
        foreach ((array) $value as $name => $element) {
            $lines[] = (is_array($value) ? '' : $json((string) $name) . ': ') . self::lines($element, $depth - 1, "$break    ");
        }

        return "$open$break    " . implode(",$break    ", $lines) . "$break$close";
    }

    /** The head of a run file, and what stands for its columns. */
    private static function columns(string $bytes): string
    {
        $end = (int) (explode(' ', substr($bytes, 0, 64))[2] ?? 0);
        $rest = substr($bytes, $end);

        return substr($bytes, 0, $end) . strlen($rest) . ' bytes, SHA-256 ' . hash('sha256', $rest) . "\n";
    }

    /** Compares with a golden file what a case shows, without what each machine has for itself. */
    private static function compare(string $file, string $case, string $shown): void
    {
        $version = trim((string) file_get_contents(self::ROOT . '/extension/VERSION'));
        $root = (string) realpath(self::ROOT);
        $url = rtrim(self::$server->url, '/');
        // Versions are of a file's time and number, ids of new runs are random.
        $php = preg_quote(PHP_VERSION, '/');
        $random = [
            '/("version": ?")[0-9a-f]{16}"/' => '$1{version}"', '/^[0-9a-f]{32}(?=$| \(imported\))/m' => '{id}',
            "/(\"version\": ?\")$php\"/" => '$1{php}"',
        ];
        $shown = "$case\n" . strtr((string) preg_replace(array_keys($random), $random, $shown), [
            self::$folder => '{folder}', $root => '{root}', self::$store => '{store}', $url => '{server}',
            substr($url, strlen('http://')) => '{server}', "xhprof $version\n" => "xhprof {version}\n",
            'PHP ' . PHP_VERSION . ', no php.ini' => 'PHP {php}, no php.ini',
        ]);
        if (getenv('XHPROF_GOLDEN') === 'write') {
            is_dir(dirname(__DIR__ . "/$file")) || mkdir(dirname(__DIR__ . "/$file"));
            file_put_contents(__DIR__ . "/$file", $shown);
        }
        $golden = is_file(__DIR__ . "/$file") ? (string) file_get_contents(__DIR__ . "/$file") : '';
        self::assertTrue($golden === $shown, $golden === $shown ? '' : "$case is not as in tests/golden/$file:\n"
            . self::difference(explode("\n", $golden), explode("\n", $shown)));
    }

    /**
     * @param list<string> $golden
     * @param list<string> $shown
     */
    private static function difference(array $golden, array $shown): string
    {
        $at = 0;
        while (isset($golden[$at], $shown[$at]) && $golden[$at] === $shown[$at]) {
            $at++;
        }
        $from = max(0, $at - self::BEFORE);
        $part = static fn (array $lines): string => implode("\n", array_slice($lines, $from, self::BEFORE + self::AFTER)) . "\n";
        $differ = new Differ(new UnifiedDiffOutputBuilder("--- golden, line " . ($from + 1) . "\n+++ shown\n", false));

        return $differ->diff($part($golden), $part($shown));
    }
}
