<?php

declare(strict_types=1);

namespace XHProf\Tests\Tools;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use XHProf\Tests\Lib\Support\TemporaryFolder;
use XHProf\Tools\Check\Outcome;
use XHProf\Tools\Check\Report;

require_once __DIR__ . '/../../tools/check/autoload.php';
require_once __DIR__ . '/../lib/Support/TemporaryFolder.php';

/** How make check reports failures. */
final class FailuresTest extends TestCase
{
    use TemporaryFolder;

    public function testRunTestsNamesFileAndDifference(): void
    {
        $outcome = $this->outcome(Report::JUnit, '', 1, <<<XML
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuites name="php"><testsuite name="php.tests">
            <testcase name='tests/good.phpt (Good)' time='0.1'>
            </testcase>
            <testcase name='tests/bad.phpt (Bad, with (brackets))' time='0.1'>
            <failure type='FAILED' message=''>     invariants: ok
            002- busy: ok
            002+ busy: 7 is not within 1..5
                 FAIL [of no test]</failure>
            </testcase>
            <testcase name='tests/again.phpt (Again)' time='0.1'>
            <warning>(warn: Test passed on retry attempt)</warning>
            </testcase>
            <testcase name='tests/odd.phpt (Odd)' time='0.1'>
            <warning>(warn: XFAIL section but test passes)</warning>
            </testcase>
            <testcase name='tests/leaks.phpt (Leaks)' time='0.1'>
            <error type='LEAKED' message=''></error>
            </testcase>
            <testcase name='tests/other.phpt (Other)' time='0'>
            <skipped>no \x1b[1m</skipped>
            </testcase>
            </testsuite></testsuites>
            XML);
        self::assertSame([2, 3, 1], $this->counts($outcome));
        self::assertSame(['tests/again.phpt'], $outcome->counts->again);
        self::assertSame([
            ['tests/bad.phpt', ['002- busy: ok', '002+ busy: 7 is not within 1..5']],
            ['tests/odd.phpt', ['(warn: XFAIL section but test passes)']],
            ['tests/leaks.phpt', ['LEAKED']],
        ], $outcome->failures);
    }

    public function testPhpUnit(): void
    {
        $outcome = $this->outcome(Report::JUnit, '.FE', 1, <<<'XML'
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
              <testcase name="testNot" class="A\BadTest"><skipped/></testcase>
            </testsuite></testsuites>
            XML);
        self::assertSame([1, 2, 1], $this->counts($outcome));
        self::assertSame([
            ['A\BadTest::testBad with data set #1', ['Failed asserting that 1 is 2.', '/a/BadTest.php:7']],
            ['A\BadTest::testThrows', ['Error: no']],
        ], $outcome->failures);
    }

    /** @return iterable<string, array{string|null}> */
    public static function broken(): iterable
    {
        yield 'none' => [null];
        yield 'an empty one' => [''];
        yield 'half of one' => ['<testsuites><testsuite name="all"><testcase name="testGood" class="A"/>'];
    }

    #[DataProvider('broken')]
    public function testARunnerThatLeavesNoWholeReportHasRunNoTest(?string $xml): void
    {
        foreach ([0, 1, 77, 255] as $exitCode) {
            self::assertSame([0, 0, 0], $this->counts($this->outcome(Report::JUnit, "...\nOK\n", $exitCode, $xml)));
        }
        [$out, $code] = $this->check("new Suite('x', 'g', 'X', ['echo', 'OK'], Report::JUnit),");
        self::assertSame(1, $code);
        self::assertStringEndsWith("failed: x: ran no test; exit code 0\n0 passed, 1 failed\n", $out);
    }

    public function testTapOfPrograms(): void
    {
        $outcome = $this->outcome(Report::Tap, "ok 1 - a\nnot ok 2 - b - c\n# why\n1..2\nok 1 - of the next\n1..3", 1);
        self::assertSame([2, 2, 0], $this->counts($outcome));
        self::assertSame([['b - c', []], ['3 checks of 5 that were planned', []]], $outcome->failures);
        self::assertSame([0, 0, 1], $this->counts($this->outcome(Report::Tap, 'skipped: needs root', 77)));
        self::assertSame([0, 0, 0], $this->counts($this->outcome(Report::Tap, 'Segmentation fault', 139)));
    }

    public function testTapOfNode(): void
    {
        $outcome = $this->outcome(Report::Tap, <<<'TAP'
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
            TAP, 1);
        self::assertSame([1, 1, 0], $this->counts($outcome));
        self::assertSame(['TimeoutError: 30 s | at dark.test.mjs:3'], $outcome->counts->again);
        self::assertSame([['light', ['Expected values to be strictly equal:', '1 !== 2']]], $outcome->failures);
    }

    public function testScriptsAndAnotherMakeCheck(): void
    {
        $outcome = $this->outcome(Report::Totals, "# one\n.\nFAIL Zend/a.phpt: FAILED when profiled\n3 passed, 1 failed", 1);
        self::assertSame([3, 1, 0], $this->counts($outcome));
        self::assertSame([['Zend/a.phpt: FAILED when profiled', []]], $outcome->failures);
        self::assertSame([0, 0, 0], $this->counts($this->outcome(Report::Totals, "# one\nFAIL a\n3 skipped\n", 1)));
        self::assertSame([0, 0, 1], $this->counts($this->outcome(Report::Totals, 'skipped: no sources', 77)));

        $outcome = $this->outcome(Report::Totals, <<<'OUT'
            [1/1] Tests
                FAIL Bad [tests/bad.phpt]
                again: late
                3 passed, 1 failed (2.0 s)

            phpt             3 passed, 1 failed (2 s)
            again: phpt: tests/again.phpt
            failed: phpt: tests/bad.phpt
                001+ output
            2 skipped
            3 passed, 1 failed
            OUT, 1);
        self::assertSame([3, 1, 2], $this->counts($outcome));
        self::assertSame(['phpt: tests/again.phpt'], $outcome->counts->again);
        self::assertSame([['phpt: tests/bad.phpt', []]], $outcome->failures);
    }

    public function testNoMoreThanAFewLinesOfEach(): void
    {
        $text = implode("\n", ['', str_repeat('y', 500), '2', ' ', '3', '4', '5']);
        $outcome = $this->outcome(Report::JUnit, '', 1, "<a><testcase name='x'><failure>$text</failure></testcase></a>");
        self::assertSame([['x', [str_repeat('y', 160) . ' ...', '2', '3', '4']]], $outcome->failures);
    }

    public function testTheRunClosesWithAllNames(): void
    {
        [$out, $code] = $this->check(<<<PHP
            new Suite('good', 'g', 'Good', ['true']),
            new Suite('lint', 'g', 'Broken', ['sh', '-c', 'exit 3']),
            new Suite('tap', 'g', 'TAP', ['printf', 'ok 1 - a\\nnot ok 2 - b\\n1..2\\n'], Report::Tap),
            new Suite('slow', 'g', 'Slow', ['sh', '-c', 'echo ok 1 - a; echo 1..1; exec sleep 9'], Report::Tap, [], 1),
            new Suite('no', 'g', 'Skipped', ['sh', '-c', 'exit 77']),
            new Suite('again', 'g', 'Again', ['printf', 'again: late\\n1 passed, 0 failed\\n'], Report::Totals),
            new Suite('report', 'g', 'Report', ['printf', 'FAIL a: why\\n1 passed, 3 failed\\n'], Report::Totals),
            PHP);
        self::assertSame(1, $code);
        $list = (string) strstr($out, 'again: again: ');
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
        [$out] = $this->check("new Suite('tap', 'g', 'TAP', ['printf', '$lines\\n1..45\\n'], Report::Tap),");
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
        $test = "<testcase name='a.phpt (A)'><failure>001+ output</failure></testcase>";
        file_put_contents("$this->folder/phpt.xml", '<a>' . str_repeat($test, $many ? 11 : 10) . '</a>');
        [$out] = $this->check("new Suite('phpt', 'g', 'T', ['false'], Report::JUnit),");
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

    private function outcome(Report $report, string $output, int $exitCode, ?string $xml = null): Outcome
    {
        file_put_contents("$this->folder/log", $output);
        file_exists("$this->folder/xml") && unlink("$this->folder/xml");
        $xml === null || file_put_contents("$this->folder/xml", $xml);
        return Outcome::read($report, $exitCode, "$this->folder/log", "$this->folder/xml");
    }

    /** @return array{int, int, int} */
    private function counts(Outcome $outcome): array
    {
        return [$outcome->counts->passed, $outcome->counts->failed, $outcome->counts->skipped];
    }
}
