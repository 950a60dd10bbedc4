<?php

declare(strict_types=1);

namespace XHProf\Tests\Tools;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use XHProf\Tools\Check\Failure;
use XHProf\Tools\Check\JUnitReader;
use XHProf\Tools\Check\Reader;
use XHProf\Tools\Check\ReportReader;
use XHProf\Tools\Check\RunTestsReader;
use XHProf\Tools\Check\TapLinesReader;
use XHProf\Tools\Check\TapReader;

require_once __DIR__ . '/../../tools/check/autoload.php';

/** How make check reports failures. */
final class FailuresTest extends TestCase
{
    private string $folder;

    protected function setUp(): void
    {
        $this->folder = sys_get_temp_dir() . '/xhprof-check-' . bin2hex(random_bytes(6));
        mkdir($this->folder, 0700);
    }

    protected function tearDown(): void
    {
        array_map(unlink(...), glob("$this->folder/*") ?: []);
        rmdir($this->folder);
    }

    public function testRunTestsNamesFileAndDifference(): void
    {
        file_put_contents("$this->folder/results", implode("\n", [
            "PASSED\t/root/tests/good.phpt", "FAILED\t/root/tests/bad.phpt", "WARNED\t/root/tests/again.phpt",
            "WARNED\t/root/tests/odd.phpt",
            "LEAKED\t/root/tests/leaks.phpt", "SKIPPED\t/root/tests/other.phpt",
        ]));
        $reader = $this->fed(new RunTestsReader("$this->folder/results"), <<<'OUT'
            PASS Good [tests/good.phpt]
            ========DIFF========
                 invariants: ok
            002- busy: ok
            002+ busy: 7 is not within 1..5
                 FAIL [of no test]
            ========DONE========
            FAIL Bad, with [brackets] [tests/bad.phpt]
            WARN Again [tests/again.phpt]  (warn: Test passed on retry attempt)
            WARN Odd [tests/odd.phpt]  (warn: XFAIL section but test passes)
            ========DIFF========
            001+ output
            ========DONE========
            LEAK&FAIL Leaks [tests/leaks.phpt]
            SKIP Other [tests/other.phpt] reason: no
            OUT);
        self::assertSame([2, 3, 1], $this->counts($reader, 1));
        self::assertSame(['tests/again.phpt'], $reader->counts(1)->again);
        self::assertSame([
            'tests/bad.phpt' => ['002- busy: ok', '002+ busy: 7 is not within 1..5'],
            'tests/odd.phpt' => ['(warn: XFAIL section but test passes)'],
            'tests/leaks.phpt' => ['LEAK'],
        ], $this->named($reader));
    }

    public function testJUnit(): void
    {
        file_put_contents("$this->folder/report.xml", <<<'XML'
            <?xml version="1.0"?>
            <testsuites><testsuite name="all">
              <testcase name="testGood" class="A\GoodTest"/>
              <testcase name="testBad with data set #1" class="A\BadTest">
                <failure type="E">A\BadTest::testBad with data set #1&#13;
            Failed asserting that 1 is 2.

            /a/BadTest.php:7</failure>
              </testcase>
              <testcase name="testThrows" class="A\BadTest"><error type="E">A\BadTest::testThrows
            Error: no</error></testcase>
            </testsuite></testsuites>
            XML);
        $reader = $this->fed(new JUnitReader("$this->folder/report.xml"), '.FE');
        self::assertSame([1, 2, 0], $this->counts($reader, 1));
        self::assertSame([
            'A\BadTest::testBad with data set #1' => ['Failed asserting that 1 is 2.', '/a/BadTest.php:7'],
            'A\BadTest::testThrows' => ['Error: no'],
        ], $this->named($reader));
    }

    public function testTapOfPrograms(): void
    {
        $reader = $this->fed(new TapLinesReader(), "ok 1 - a\nnot ok 2 - b - c\n# why\n1..2\nok 1 - of the next\n1..3");
        self::assertSame([2, 2, 0], $this->counts($reader, 1));
        self::assertSame(['b - c' => [], '3 checks of 5 that were planned' => []], $this->named($reader));
        self::assertSame([0, 0, 1], $this->counts($this->fed(new TapLinesReader(), 'skipped: needs root'), 77));
    }

    public function testTapOfNode(): void
    {
        $reader = $this->fed(new TapReader(), <<<'TAP'
            # Subtest: pages
                # Subtest: light
                not ok 1 - light
                  ---
                  duration_ms: 3.2
                  type: 'test'
                  location: '/a/browser.test.mjs:7:3'
                  failureType: 'testCodeFailure'
                  error: |-
                    Expected values to be strictly equal:
                    1 !== 2
                  ...
                # again: TimeoutError: 30 s | at dark.test.mjs:3
                # Subtest: dark
                ok 2 - dark
                1..2
            not ok 1 - pages
              ---
              type: 'suite'
              failureType: 'subtestsFailed'
              ...
            # tests 2
            # pass 1
            # fail 1
            TAP);
        self::assertSame([1, 1, 0], $this->counts($reader, 1));
        self::assertSame(['TimeoutError: 30 s | at dark.test.mjs:3'], $reader->counts(1)->again);
        self::assertSame(['light' => ['Expected values to be strictly equal:', '1 !== 2']], $this->named($reader));
    }

    public function testScriptsAndAnotherMakeCheck(): void
    {
        $reader = $this->fed(new ReportReader(), "# one\n.\nFAIL Zend/a.phpt: FAILED when profiled\n3 passed, 1 failed");
        self::assertSame([3, 1, 0], $this->counts($reader, 1));
        self::assertSame(['Zend/a.phpt: FAILED when profiled' => []], $this->named($reader));

        $reader = $this->fed(new ReportReader(), <<<'OUT'
            [1/1] Tests
                FAIL Bad [tests/bad.phpt]
                3 passed, 1 failed (2.0 s)

            phpt             3 passed, 1 failed (2 s)
            again: phpt: tests/again.phpt
            failed: phpt: tests/bad.phpt
                001+ output
            2 skipped
            3 passed, 1 failed
            OUT);
        self::assertSame([3, 1, 2], $this->counts($reader, 1));
        self::assertSame(['phpt: tests/again.phpt'], $reader->counts(1)->again);
        self::assertSame(['phpt: tests/bad.phpt' => []], $this->named($reader));
    }

    public function testNoMoreThanAFewLinesOfEach(): void
    {
        $failure = new Failure('x', ['', str_repeat('y', 500), '2', ' ', '3', '4', '5']);
        self::assertSame([str_repeat('y', 160) . ' ...', '2', '3', '4'], $failure->details);
    }

    public function testTheRunClosesWithAllNames(): void
    {
        [$out, $code] = $this->check(<<<PHP
            new Suite('good', 'g', 'Good', ['true']),
            new Suite('lint', 'g', 'Broken', ['sh', '-c', 'exit 3']),
            new Suite('tap', 'g', 'TAP', ['printf', 'ok 1 - a\\nnot ok 2 - b\\n1..2\\n'], new TapLinesReader()),
            new Suite('slow', 'g', 'Slow', ['sh', '-c', 'echo ok 1 - a; echo 1..1; exec sleep 9'], new TapLinesReader(), [], 1),
            new Suite('no', 'g', 'Skipped', ['sh', '-c', 'exit 77']),
            new Suite('again', 'g', 'Again', ['printf', 'again: late\\n1 passed, 0 failed\\n'], new ReportReader()),
            new Suite('report', 'g', 'Report', ['printf', 'FAIL a: why\\n1 passed, 3 failed\\n'], new ReportReader()),
            PHP);
        self::assertSame(1, $code);
        $list = (string) strstr($out, 'again: ');
        self::assertStringContainsString("\n\ngood ", $out);
        self::assertSame(<<<'OUT'
            again: again: late
            failed: lint: failed with exit code 3; all of its output: build/log/lint.log
            failed: tap: b
            failed: slow: ended for taking longer than 1 s
            failed: report: a: why
            failed: report: failed with exit code 0; all of its output: build/log/report.log
            1 skipped
            5 passed, 6 failed

            OUT, $list);
    }

    public function testTheListIsBounded(): void
    {
        $lines = implode('\n', array_map(static fn(int $i): string => "not ok $i - check $i", range(1, 45)));
        [$out] = $this->check("new Suite('tap', 'g', 'TAP', ['printf', '$lines\\n1..45\\n'], new TapLinesReader()),");
        $list = explode("\n", rtrim((string) strstr($out, 'failed: tap: ')));
        self::assertCount(42, $list);
        self::assertSame('failed: tap: check 40', $list[39]);
        self::assertSame(['failed: and 5 more', '0 passed, 45 failed'], array_slice($list, 40));
    }

    /** @return list<array{bool}> */
    public static function manyOrFew(): array
    {
        return [[false], [true]];
    }

    #[DataProvider('manyOrFew')]
    public function testDetailsUnlessThereAreMany(bool $many): void
    {
        $test = '========DIFF========\n001+ output\n========DONE========\nFAIL A [a.phpt]\n';
        $output = str_repeat($test, $many ? 11 : 10);
        file_put_contents("$this->folder/results", str_repeat("FAILED\ta.phpt\n", $many ? 11 : 10));
        [$out] = $this->check("new Suite('phpt', 'g', 'T', ['printf', '$output'], new RunTestsReader('$this->folder/results')),");
        self::assertSame($many ? 11 : 10, substr_count($out, "failed: phpt: a.phpt\n"));
        self::assertSame($many ? 0 : 10, substr_count($out, "failed: phpt: a.phpt\n    001+ output\n"));
    }

    /**
     * The output and exit code of a run of these suites.
     *
     * @return array{string, int}
     */
    private function check(string $suites): array
    {
        $script = "$this->folder/run.php";
        file_put_contents($script, <<<PHP
            <?php
            namespace XHProf\\Tools\\Check;
            require \$argv[1];
            \$runner = new Runner(\$argv[2], \$argv[2], []);
            \$counts = \$runner->run([$suites]);
            echo \$counts->verdict(), "\\n";
            exit(\$counts->failed > 0 ? 1 : 0);
            PHP);
        $command = [PHP_BINARY, $script, __DIR__ . '/../../tools/check/autoload.php', $this->folder];
        exec(implode(' ', array_map(escapeshellarg(...), $command)) . ' 2>&1', $out, $code);
        return [implode("\n", $out) . "\n", $code];
    }

    /**
     * @template T of Reader
     * @param T $reader
     * @return T
     */
    private function fed(Reader $reader, string $output): Reader
    {
        foreach (explode("\n", $output) as $line) {
            $reader->line($line);
        }
        return $reader;
    }

    /** @return array{int, int, int} */
    private function counts(Reader $reader, int $exitCode): array
    {
        $counts = $reader->counts($exitCode);
        return [$counts->passed, $counts->failed, $counts->skipped];
    }

    /** @return array<string, list<string>> */
    private function named(Reader $reader): array
    {
        return array_column($reader->failures(), 'details', 'name');
    }
}
