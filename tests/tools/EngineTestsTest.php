<?php

declare(strict_types=1);

namespace XHProf\Tests\Tools;

use PHPUnit\Framework\TestCase;
use XHProf\Tests\Lib\Support\TemporaryFolder;
use XHProf\Tools\Check\EngineTests;

require_once __DIR__ . '/../../tools/check/autoload.php';
require_once __DIR__ . '/../lib/Support/TemporaryFolder.php';

/** The engine's tests that make check counts as broken by the profiler, with a made-up run-tests.php. */
final class EngineTestsTest extends TestCase
{
    use TemporaryFolder;

    private const RUN_TESTS = <<<'PHP'
        <?php
        $profiler = (bool) preg_grep('/^extension=/', $argv);
        $rows = '';
        foreach (preg_grep('/\.phpt$/', $argv) as $test) {
            // Without the profiler and with it; a list is what one run after the other gives.
            [$without, $with] = json_decode(file_get_contents($test), true);
            $given = $profiler ? $with : $without;
            if (is_array($given)) {
                file_put_contents("$test.runs", '.', FILE_APPEND);
                $given = $given[strlen(file_get_contents("$test.runs")) - 1] ?? end($given);
            }
            if ($given !== null) {
                $rows .= "$given\t" . __DIR__ . "/$test\n";
                echo "PASS one [$test]\n";
            }
        }
        file_put_contents($argv[array_search('-W', $argv, true) + 1], $rows);
        PHP;

    protected function setUp(): void
    {
        foreach (['Zend/tests', 'tests/classes', 'tests/lang', 'ext/spl/tests', 'ext/standard/tests/array'] as $tests) {
            mkdir("$this->folder/source/$tests", 0700, true);
        }
        mkdir("$this->folder/source/ext/reflection/tests", 0700, true);
        mkdir("$this->folder/root/tools/engine", 0700, true);
        mkdir("$this->folder/root/build/log", 0700, true);
        file_put_contents("$this->folder/root/tools/engine/shutdown.inc", "<?php\n");
        file_put_contents("$this->folder/source/run-tests.php", self::RUN_TESTS);
    }

    public function testOnlyWhatDiffersEveryTimeCounts(): void
    {
        [$printed, $counts] = $this->checked([
            'passes' => ['PASSED', 'PASSED'],
            'is expected to fail' => ['XFAILED', 'XFAILED'],
            'fails in both' => ['FAILED', 'FAILED'],
            'is not run in both' => ['SKIPPED', 'SKIPPED'],
            'fails once' => ['PASSED', ['FAILED', 'PASSED']],
            'fails' => ['PASSED', 'FAILED'],
            'has no result' => ['PASSED', null],
            'is not run' => ['PASSED', 'SKIPPED'],
            'is run and fails' => ['SKIPPED', 'FAILED'],
            'fails in the second run' => ['PASSED', ['PASSED', 'FAILED']],
        ]);
        preg_match_all('~^FAIL Zend/tests/(.*)\.phpt: ~m', $printed, $failed);
        sort($failed[1]);
        self::assertSame(['fails', 'fails in the second run', 'has no result', 'is not run', 'is run and fails'], $failed[1]);
        self::assertSame([3, 5, 2], $counts);
        self::assertStringContainsString('# of 2 that do not pass without the profiler either, 1 fail', $printed);
    }

    public function testOnceIsEveryTestInOneOfTheTwo(): void
    {
        $tests = ['1 first' => ['PASSED', 'FAILED'], '2 second' => ['PASSED', 'FAILED'], '3 first' => ['PASSED', 'FAILED']];
        $tests += ['4 good' => ['PASSED', 'PASSED'], '5 good' => ['PASSED', 'PASSED']];
        [$printed, $counts] = $this->checked($tests, once: true);
        self::assertSame([2, 3, 0], $counts);
        self::assertStringContainsString("FAIL Zend/tests/1 first.phpt: FAILED when profiled\n", $printed);
        self::assertStringContainsString("FAIL Zend/tests/2 second.phpt: FAILED when profiled and stopped at its end\n", $printed);
        self::assertStringContainsString("FAIL Zend/tests/3 first.phpt: FAILED when profiled\n", $printed);
    }

    public function testNoTestThatPassesIsAFailure(): void
    {
        [$printed, $counts] = $this->checked(['a' => ['FAILED', 'FAILED'], 'b' => ['SKIPPED', 'SKIPPED']]);
        self::assertSame([0, 1, 0], $counts);
        self::assertStringContainsString('FAIL no test of the engine passes here', $printed);
    }

    /**
     * @param array<string, array{mixed, mixed}> $tests name => result without the profiler, with it
     * @return array{string, array{int, int, int}} output; passed, failed, skipped
     */
    private function checked(array $tests, bool $once = false): array
    {
        foreach ($tests as $name => $results) {
            file_put_contents("$this->folder/source/Zend/tests/$name.phpt", (string) json_encode($results));
        }
        ob_start();
        try {
            $engine = new EngineTests("$this->folder/root", PHP_BINARY, 'engine', "$this->folder/source", [], once: $once);
            $counts = $engine->run();
        } finally {
            $printed = (string) ob_get_clean();
        }
        return [$printed, [$counts->passed, $counts->failed, $counts->skipped]];
    }
}
