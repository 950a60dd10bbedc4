<?php

declare(strict_types=1);

namespace XHProf\Tests\Server;

use PHPUnit\Framework\Attributes\DataProvider;
use XHProf\Operations\OperationCaller;
use XHProf\Operations\OperationReport;
use XHProf\Operations\OperationRow;
use XHProf\Run\RunId;
use XHProf\Store\RunFolder;
use XHProf\Tools\Servers\Daemon;
use XHProf\Tools\Servers\Database;
use XHProf\Tools\Servers\DevServer;
use XHProf\Tools\Servers\Extensions;
use XHProf\Tools\Servers\Folder;
use XHProf\Tools\Servers\MariaDb;
use XHProf\Tools\Servers\Memcached;
use XHProf\Tools\Servers\PostgreSql;
use XHProf\Tools\Servers\Redis;

require_once __DIR__ . '/ServerTestCase.php';

/** The programs in operations/ with real servers: what their runs say of each call, and that no value stands in any file. */
final class OperationsTest extends ServerTestCase
{
    /** What programs put into all their values, ids of keys and URLs, and passwords. */
    private const PLANTED = ['hunter2', '8675309', 'c0ffee'];
    /** Those of PHP itself depend on its version and settings. */
    private const OTHER_KINDS = ['compile', 'gc', 'file'];

    /** Versions of the extension either have these or not; what else methods are called differs only in case. */
    private const OTHER_METHODS = '/^Redis::(evaluate|evaluateSha|sendEcho)\b/i';

    /** @var array<class-string<Database>, Database> those that programs leave running */
    private static array $databases = [];
    private Folder $folder;
    private ?Database $database = null;
    private ?DevServer $web = null;

    public static function tearDownAfterClass(): void
    {
        self::$databases = [];
    }

    protected function setUp(): void
    {
        self::needExtension();
        $this->folder = new Folder();
    }

    /** @return iterable<string, array{string, class-string<Database>|null, string}> a program, its server and its extension */
    public static function programs(): iterable
    {
        yield 'PDO with MariaDB' => ['pdo_mysql', MariaDb::class, 'pdo_mysql'];
        yield 'mysqli' => ['mysqli', MariaDb::class, 'mysqli'];
        yield 'PDO with PostgreSQL' => ['pdo_pgsql', PostgreSql::class, 'pdo_pgsql'];
        yield 'pgsql' => ['pgsql', PostgreSql::class, 'pgsql'];
        yield 'SQLite3' => ['sqlite3', null, 'sqlite3'];
        yield 'Redis' => ['redis', Redis::class, 'redis'];
        yield 'Memcached' => ['memcached', Memcached::class, 'memcached'];
        yield 'HTTP' => ['http', null, 'curl'];
    }

    /** @param class-string<Database>|null $server */
    #[DataProvider('programs')]
    public function testEachCallAndNoValue(string $program, ?string $server, string $extension): void
    {
        $output = $this->runProgram($program, $server, $extension, ['xhprof.mode=exact', 'xhprof.timeline_threshold=0']);
        $report = $this->report();
        self::assertSame(0, $report->operations->lost);
        self::assertStringEqualsFile(__DIR__ . "/operations/$program.txt", $this->shown($report, $output));
        $this->assertNoValue();
    }

    /** @param class-string<Database>|null $server */
    #[DataProvider('programs')]
    public function testSamplesHaveNoValue(string $program, ?string $server, string $extension): void
    {
        $this->runProgram($program, $server, $extension, ['xhprof.mode=sample', 'xhprof.sampling_interval=1000']);
        self::assertCount(1, self::wholeRuns("{$this->folder->path}/runs"));
        $this->assertNoValue();
    }

    /** The command line has what the library reads, and no value either. */
    public function testTheCommandShowsThem(): void
    {
        $this->runProgram('sqlite3', null, 'sqlite3', ['xhprof.mode=exact']);
        $report = $this->report();
        $folder = "{$this->folder->path}/runs";
        $log = "{$this->folder->path}/command.out";
        $command = [PHP_BINARY, __DIR__ . '/../../bin/xhprof', 'operations', '--json', '--kind=sql', '--limit=1000'];
        $daemon = new Daemon([...$command, "--output-dir=$folder"], $log);
        self::assertSame(0, $daemon->finish(), $daemon->output());
        $data = json_decode($daemon->output(), true, 64, JSON_THROW_ON_ERROR);
        $row = static fn(OperationRow $row): array => [$row->text, $row->ct, $row->total, $row->duplicates];
        $rows = array_map($row, $report->rows('sql'));
        $shown = static fn(array $row): array => [$row['text'], $row['ct'], $row['total_ns'], $row['duplicates']];
        self::assertSame($rows, array_map($shown, $data['operations']));
        self::assertContains('SELECT name FROM author WHERE id = ? AND name <> ?', array_column($rows, 0));
        self::assertDoesNotMatchRegularExpression('/' . implode('|', self::PLANTED) . '/', $daemon->output());
    }

    /** Values are found in the files where the setting asks for them: the search above can fail. */
    public function testTheSettingKeepsValues(): void
    {
        $this->runProgram('sqlite3', null, 'sqlite3', ['xhprof.mode=exact', 'xhprof.operation_values=1']);
        self::assertCount(1, self::wholeRuns("{$this->folder->path}/runs"));
        self::assertSame(['hunter2', '8675309'], $this->found());
    }

    /**
     * Starts what the program needs, and runs it.
     *
     * @param class-string<Database>|null $server
     * @param list<string> $settings
     * @return string what the program has printed
     */
    private function runProgram(string $program, ?string $server, string $extension, array $settings): string
    {
        $missing = Extensions::missing($extension) ?? ($server === null ? null : $server::missing());
        if ($missing !== null) {
            self::markTestSkipped($missing);
        }
        $variables = ['TMPDIR' => "{$this->folder->path}/data"];
        if ($server !== null) {
            $this->database = $this->database($server);
            $variables[$server::variable()] = $this->database->address();
        }
        if ($program === 'http') {
            $this->web = new DevServer([]);
            $variables['SHOP_HTTP'] = $this->web->client->base;
        }
        $all = self::loaded([
            ...Extensions::settings([$extension]), 'xhprof.start_with_request=yes', 'xhprof.source=' . self::SOURCE,
            "xhprof.output_dir={$this->folder->path}/runs", 'error_reporting=' . (E_ALL & ~E_DEPRECATED), 'display_errors=1',
            'log_errors=0', ...$settings,
        ]);
        $options = array_merge(...array_map(static fn(string $setting): array => ['-d', $setting], $all));
        $log = "{$this->folder->path}/program.out";
        $daemon = new Daemon([PHP_BINARY, ...$options, __DIR__ . "/operations/$program.php"], $log, $variables);
        self::assertSame(0, $daemon->finish(120.0), $daemon->output());

        return $daemon->output();
    }

    /** What the run, the only one, says of its operations. */
    private function report(): OperationReport
    {
        $folder = "{$this->folder->path}/runs";
        $runs = self::wholeRuns($folder);
        self::assertCount(1, $runs);
        $report = (new RunFolder($folder))->open(RunId::fromStrings((string) $runs[0]->id, self::SOURCE))->operations();
        self::assertNotNull($report);

        return $report;
    }

    /**
     * A server that is as new: programs end those of caches, and databases are emptied.
     *
     * @param class-string<Database> $class
     */
    private function database(string $class): Database
    {
        return match ($class) {
            Redis::class => new Redis(['--requirepass', 'hunter2 password']),
            Memcached::class => new Memcached(['-A']),
            default => self::$databases[$class] ??= new $class(),
        };
    }

    /** One line for each text: its kind, calls, duplicates and who does it in which function; then what the program has printed. */
    private function shown(OperationReport $report, string $output): string
    {
        $lines = [];
        foreach ($report->rows(sort: 'text') as $row) {
            $other = in_array($row->kind, self::OTHER_KINDS, true) || preg_match(self::OTHER_METHODS, $row->text) === 1;
            if (!$other) {
                $lines[] = self::line($row);
            }
        }
        sort($lines);
        $lower = static fn(array $match): string => strtolower($match[0]);
        $text = preg_replace_callback('/\b(Redis|Memcached)::\w+/', $lower, implode('', $lines)) . $output;

        $port = $this->web === null ? null : parse_url($this->web->client->base, PHP_URL_PORT);

        return $port === null ? $text : str_replace(":$port/", ':PORT/', $text);
    }

    private static function line(OperationRow $row): string
    {
        $name = static fn(OperationCaller $caller): string => "{$caller->path[0]} < {$caller->path[1]}";
        $callers = array_map($name, $row->callers);
        sort($callers);
        // How often curl_multi is asked depends on the time that answers take.
        $isAny = str_starts_with($row->text, 'curl_multi_');
        $loop = $isAny ? null : $row->repeated();
        $calls = $isAny ? 'calls' : $row->ct . ($row->ct === 1 ? ' call' : ' calls');

        return "$row->kind: $row->text\n  $calls" . ($row->duplicates > 0 ? ", $row->duplicates duplicates" : '')
            . ($loop === null ? '' : ", in a loop of $loop->loop") . ': ' . implode(', ', array_unique($callers)) . "\n";
    }

    private function assertNoValue(): void
    {
        self::assertSame([], $this->found(), 'planted values are in the files of the run');
    }

    /** @return list<string> what was planted and is in any file of the runs */
    private function found(): array
    {
        $bytes = '';
        foreach (glob("{$this->folder->path}/runs/{,.}*", GLOB_BRACE) ?: [] as $file) {
            $content = is_file($file) ? (string) file_get_contents($file) : '';
            $bytes .= basename($file) . "\n" . (str_starts_with($content, "\x1f\x8b") ? gzdecode($content) : $content) . "\n";
        }

        return array_values(array_filter(self::PLANTED, static fn(string $text): bool => str_contains($bytes, $text)));
    }
}
