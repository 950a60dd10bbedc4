<?php

declare(strict_types=1);

namespace XHProf\Tests\Bin;

use PHPUnit\Framework\Attributes\DataProvider;
use XHProf\Tests\Lib\Support\RunFiles;

require_once __DIR__ . '/CliTestCase.php';
require_once __DIR__ . '/../lib/Support/RunFiles.php';

/** The assertions of XHProf\Testing\ProfilesCode, in suites of their own under PHPUnit 9 to 12 and Pest: see testing/. */
final class ProfilesCodeTest extends CliTestCase
{
    private const CASES = __DIR__ . '/testing/cases';
    private const PEST = __DIR__ . '/testing/pest';

    protected function setUp(): void
    {
        parent::setUp();
        self::needExtension();
    }

    /** @return iterable<string, array{string}> */
    public static function runners(): iterable
    {
        foreach (['phpunit-9', 'phpunit-10', 'phpunit-11', 'phpunit-12'] as $runner) {
            yield $runner => [$runner];
        }
    }

    #[DataProvider('runners')]
    public function testTheCases(string $runner): void
    {
        $states = $this->runCases($runner, ['AUTHORS' => '3', 'XHPROF_WRITE_BASELINE' => '1']);
        $wrong = [];
        foreach ($states as $name => [$state, $message]) {
            $expected = str_starts_with($name, 'testFails') || $name === 'testDataOf with data set "five"' ? 'failure' : 'passed';
            $state === $expected ?: $wrong[] = "$name: $state $message";
        }
        self::assertSame([], $wrong);
        self::assertCount(19, $states);
        $texts = [
            'testFailsWithTooManyQueries' => [
                'sql: 7, at most 3', 'In XHProf\Tests\Bin\Testing\Shop::authors', 'Path: PDOStatement::execute ← ',
            ],
            'testFailsWithTooManyCalls' => ['calls: 13, at most 10', 'Shop.php:32'],
            'testFailsWithAMisspeltFunction' => ['did you mean "XHProf\Tests\Bin\Testing\Shop::author"?'],
            'testFailsWithAHighPeak' => ['at most 1.00 MB'],
            'testFailsWithAFinding' => [
                'n-plus-one: 60 queries', 'Each turn of a loop asks the database again', 'Path: PDOStatement::execute ← ',
            ],
            'testFailsWhereTheCodeEndsTheProfile' => ['the code ended its profile itself'],
            'testFailsInAProcessOfItsOwn' => ['sql: 7, at most 3'],
            'testDataOf with data set "five"' => ['sql: 5, at most 4'],
        ];
        foreach ($texts as $name => $parts) {
            foreach ($parts as $part) {
                self::assertStringContainsString($part, $states[$name][1]);
            }
        }
        // The runs of what failed stay, and are those that the messages name.
        $runs = RunFiles::runs("$this->folder/runs");
        self::assertCount(7, $runs);
        $tests = [];
        foreach ($runs as $run) {
            $tests[] = RunFiles::document("$this->folder/runs", $run, 'meta')['meta']['test'] ?? '';
        }
        self::assertContains('XHProf\Tests\Bin\Testing\CodeCases::testDataOf with data set "five"', $tests);
        $message = $states['testFailsWithAFinding'][1];
        self::assertSame(1, preg_match('/Run: xhprof operations ([0-9a-f]{12}) --output-dir=/', $message, $match));
        self::assertStringContainsString('SELECT name FROM author', $this->xhprof(['operations', $match[1] ?? ''])->out);
    }

    #[DataProvider('runners')]
    public function testABaseline(string $runner): void
    {
        $run = fn (int $authors, string $write = '0'): array => $this->runCases($runner, [
            'AUTHORS' => (string) $authors, 'XHPROF_WRITE_BASELINE' => $write,
        ], 'testBaseline');
        self::assertStringContainsString('XHPROF_WRITE_BASELINE=1 adds it', $run(3)['testBaseline'][1]);
        self::assertSame('passed', $run(3, '1')['testBaseline'][0]);
        $written = (string) file_get_contents("$this->folder/xhprof-tests.json");
        self::assertSame(["$this->folder/xhprof-tests.json"], glob("$this->folder/xhprof-tests*"), 'no lock stays');
        self::assertSame('passed', $run(3)['testBaseline'][0]);
        self::assertSame('passed', $run(2)['testBaseline'][0], 'less is no failure');
        [$state, $message] = $run(60)['testBaseline'];
        self::assertSame('failure', $state);
        self::assertStringContainsString('operations: 60, no more than the baseline (was 3, +1 900 %)', $message);
        self::assertStringContainsString('calls: ', $message);
        self::assertStringContainsString('n-plus-one: 60 queries', $message);
        $run(3, '1');
        self::assertSame($written, file_get_contents("$this->folder/xhprof-tests.json"), 'the same work writes the same file');
    }

    #[DataProvider('runners')]
    public function testWithoutTheExtensionTestsAreSkipped(string $runner): void
    {
        if (extension_loaded('xhprof')) {
            self::markTestSkipped('the extension is part of this PHP');
        }
        $states = $this->runCases($runner, ['AUTHORS' => '3'], 'testFailsWithAFinding|testDataOf', false);
        self::assertSame(['skipped', 'skipped', 'skipped'], array_column(array_values($states), 0));
        self::assertStringContainsString('the extension xhprof is not loaded', $this->printed);
    }

    public function testWithinAProfileOfTheWholeProcess(): void
    {
        $runner = self::runner('phpunit-11');
        $arguments = $this->arguments('phpunit-11', 'testFailsWithAFinding');
        $run = [PHP_BINARY, self::program(), 'run', '-q', '--report-to=/dev/null', '--'];
        $result = $this->process([...$run, $runner, ...$arguments], '', ['AUTHORS' => '3']);
        self::assertStringContainsString('xhprof run profiles this process as a whole', $result->out);
        self::assertCount(1, RunFiles::runs("$this->folder/runs"));
    }

    /** An automatic profile gives way, as to any profile of the program. */
    public function testBesideAnAutomaticProfile(): void
    {
        $ini = "\nxhprof.start_with_request=yes\n";
        $states = $this->runCases('phpunit-11', ['AUTHORS' => '3'], 'testFailsWithAFinding|testPassesAndReturns', true, $ini);
        self::assertSame(['passed', 'failure'], array_column(array_values($states), 0));
        self::assertCount(1, RunFiles::runs("$this->folder/runs", 'auto'), 'what it had of the program until then');
    }

    public function testRunsAreKeptAndLinkedWhereAskedFor(): void
    {
        $environment = ['XHPROF_KEEP_RUNS' => '1', 'XHPROF_URL' => 'https://profiles.example.org/'];
        $states = $this->runCases('phpunit-11', $environment, 'testDataOf');
        self::assertCount(2, RunFiles::runs("$this->folder/runs", 'phpunit'));
        $message = $states['testDataOf with data set "five"'][1];
        self::assertStringContainsString('Run: https://profiles.example.org/index.php?run=', $message);
    }

    public function testPestAndItsParallelProcesses(): void
    {
        foreach ([[], ['--parallel', '--processes=2']] as $options) {
            exec('rm -f ' . escapeshellarg("$this->folder/xhprof-tests.json"));
            $printed = '';
            foreach (['3' => '1', '4' => '0'] as $authors => $write) {
                $environment = ['AUTHORS' => (string) $authors, 'XHPROF_WRITE_BASELINE' => $write] + $this->withExtension();
                $result = $this->processIn($this->folder, [
                    PHP_BINARY, self::runner('pest'), '--colors=never', '--configuration=' . self::PEST . '/phpunit.xml',
                    '--test-directory=' . self::PEST . '/tests', ...$options,
                ], $environment + ['BASELINE' => "$this->folder/xhprof-tests.json"]);
                $failed = $write === '1' ? 1 : 2;
                // The parallel one has colours, whatever the option says.
                $out = (string) preg_replace('/\e\[[0-9;]*[A-Za-z]/', '', $result->out);
                self::assertStringContainsString("$failed failed, " . (4 - $failed) . ' passed', $out, implode(' ', $options));
                self::assertStringContainsString('sql: 7, at most 3', $out);
                $printed .= $out;
            }
            self::assertStringContainsString('operations: 4, no more than the baseline (was 3, +33.3 %)', $printed);
            $written = (string) file_get_contents("$this->folder/xhprof-tests.json");
            self::assertStringContainsString('it compares with a baseline', $written);
        }
    }

    private string $printed = '';

    /**
     * @param array<string, string> $environment
     * @param string $ini settings of PHP in addition
     *
     * @return array<string, array{string, string}> test => state, and message
     */
    private function runCases(
        string $runner,
        array $environment,
        string $filter = '',
        bool $isLoaded = true,
        string $ini = '',
    ): array {
        $environment += $isLoaded ? $this->withExtension($ini) : [];
        $command = [PHP_BINARY, self::runner($runner), ...$this->arguments($runner, $filter)];
        $result = $this->processIn($this->folder, $command, $environment);
        $this->printed = $result->out . $result->err;
        $xml = @simplexml_load_file("$this->folder/junit.xml");
        self::assertNotFalse($xml, $this->printed);
        $states = [];
        foreach ($xml->xpath('//testcase') ?: [] as $case) {
            $state = 'passed';
            $message = '';
            foreach (['failure', 'error', 'skipped'] as $kind) {
                if (isset($case->$kind)) {
                    [$state, $message] = [$kind, (string) $case->$kind];
                }
            }
            $states[(string) $case['name']] = [$state, $message];
        }
        self::assertNotSame([], $states, $this->printed);

        return $states;
    }

    /** @return list<string> of PHPUnit */
    private function arguments(string $runner, string $filter): array
    {
        return [
            '--no-configuration', '--bootstrap', self::CASES . '/bootstrap.php', '--log-junit', "$this->folder/junit.xml",
            '--colors=never', ...($filter === '' ? [] : ['--filter', $filter]), self::CASES . '/CodeCases.php',
            $runner === 'phpunit-9' ? '--verbose' : '--display-skipped',
        ];
    }

    /** @return array<string, string> the environment in which PHP has the extension, in processes of tests too */
    private function withExtension(string $ini = ''): array
    {
        $folder = "$this->folder/conf.d";
        is_dir($folder) || mkdir($folder);
        $load = extension_loaded('xhprof') ? '' : 'extension=' . realpath(self::ROOT . '/extension/modules/xhprof.so');
        file_put_contents("$folder/90-xhprof.ini", $load . $ini);
        $scanned = (string) getenv('PHP_INI_SCAN_DIR');

        return ['PHP_INI_SCAN_DIR' => ($scanned === '' ? '' : $scanned) . ":$folder"];
    }

    private static function runner(string $name): string
    {
        $file = self::ROOT . "/build/testing/$name/vendor/bin/" . ($name === 'pest' ? 'pest' : 'phpunit');
        if (!is_file($file)) {
            self::markTestSkipped("$name is not installed (tools/testing.sh)");
        }

        return (string) realpath($file);
    }

    /**
     * @param list<string> $command
     * @param array<string, string> $environment
     */
    private function processIn(string $folder, array $command, array $environment): ProcessResult
    {
        $shell = 'cd ' . escapeshellarg($folder) . ' && exec ' . implode(' ', array_map(escapeshellarg(...), $command));

        return $this->process(['sh', '-c', $shell], '', $environment);
    }
}
