<?php

declare(strict_types=1);

namespace XHProf\Tests\Tools;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use XHProf\Tests\Lib\Support\TemporaryFolder;
use XHProf\Tools\Check\Runner;
use XHProf\Tools\Check\Suite;

require_once __DIR__ . '/../../tools/check/autoload.php';
require_once __DIR__ . '/../lib/Support/TemporaryFolder.php';

/** The suites that make check runs at the same time, and its output for them. */
final class RunnerTest extends TestCase
{
    use TemporaryFolder;

    public function testTwoRunAtATime(): void
    {
        // Each ends only after the other has begun.
        $meet = fn(string $own, string $other): string
            => "touch $this->folder/$own; until test -e $this->folder/$other; do sleep 0.01; done; echo $own has met $other";
        [$out, $code] = $this->check(2, self::suite('a', $meet('a', 'b')) . self::suite('b', $meet('b', 'a')));
        self::assertSame(0, $code, $out);
        self::assertStringEndsWith("\n2 passed, 0 failed\n", $out);
    }

    public function testOneAfterTheOtherWithOneLane(): void
    {
        $alone = "mkdir $this->folder/lock && sleep 0.05 && rmdir $this->folder/lock";
        [$out, $code] = $this->check(1, self::suite('a', $alone) . self::suite('b', $alone) . self::suite('c', $alone));
        self::assertSame(0, $code, $out);
        self::assertMatchesRegularExpression('~^\[1/3\] A \.\.\.\n\n\[1/3\] A\n.*^\[2/3\] B\n.*^\[3/3\] C\n~ms', $out);
    }

    public function testSuitesWithTheSameLockRunOneAtATime(): void
    {
        $alone = "mkdir $this->folder/lock && sleep 0.05 && rmdir $this->folder/lock";
        $suites = '';
        foreach (['a', 'b', 'c', 'd'] as $name) {
            $suites .= self::suite($name, $alone, "lock: 'one'");
        }
        [$out, $code] = $this->check(4, $suites);
        self::assertSame(0, $code, $out);
        self::assertStringEndsWith("\n4 passed, 0 failed\n", $out);
    }

    public function testWhatComesAfterWaitsAlsoForWhatFails(): void
    {
        [$out, $code] = $this->check(
            3,
            self::suite('late', "test -e $this->folder/built", "after: ['first', 'not run here']")
            . self::suite('first', "sleep 0.1; touch $this->folder/built; exit 1"),
        );
        self::assertSame(1, $code);
        self::assertStringContainsString("late               1 passed, 0 failed", $out);
        self::assertStringEndsWith("\n1 passed, 1 failed\n", $out);
    }

    /** @return array<string, array{string, string}> what the build does, and what is counted then */
    public static function buildsThatMakeNothing(): array
    {
        return [
            'failed' => ['exit 1', "3 skipped\n1 passed, 1 failed\n"],
            'cannot be made here' => ['exit 77', "4 skipped\n1 passed, 0 failed\n"],
        ];
    }

    #[DataProvider('buildsThatMakeNothing')]
    public function testWithoutItsBuildASuiteDoesNotBegin(string $shell, string $counts): void
    {
        foreach ([1, 3] as $lanes) {
            [$out] = $this->check(
                $lanes,
                self::suite('tests', "touch $this->folder/begun", "needs: ['built']")
                . self::suite('more', "touch $this->folder/begun", "needs: ['sources', 'built']")
                . self::suite('last', "touch $this->folder/begun", "needs: ['more', 'not run here']")
                . self::suite('built', $shell)
                . self::suite('sources', 'true'),
            );
            self::assertFileDoesNotExist("$this->folder/begun");
            self::assertStringContainsString("tests              not begun: it needs built\n", $out);
            self::assertStringContainsString("more               not begun: it needs built\n", $out);
            self::assertStringContainsString("last               not begun: it needs more\n", $out);
            self::assertStringEndsWith("\n$counts", $out);
        }
    }

    public function testEachLineHasTheTimeOfItsOwnProcessor(): void
    {
        $works = escapeshellarg(PHP_BINARY) . " -n -r 'while (getrusage()[\"ru_utime.tv_sec\"] < 1);'";
        [$out] = $this->check(2, self::suite('idle', 'sleep 0.3') . self::suite('works', "$works; exit 0"));
        preg_match_all('/^(idle|works) .* \([0-9]+ s, ([0-9]+) s of CPU\)$/m', $out, $lines);
        self::assertSame(['idle', 'works'], $lines[1], $out);
        self::assertSame('0', $lines[2][0]);
        self::assertGreaterThanOrEqual(1, (int) $lines[2][1]);
    }

    /** Minutes that were over before make check began count, and what begins late may not hang until the machine is ended. */
    public function testABudgetCountsWhatWasSpentBefore(): void
    {
        $suites = self::usual('usual') . str_replace("'g'", "'zts'", self::suite('more', 'true'));
        [$out] = $this->check(1, $suites, '35, 1.0, 2099');
        self::assertStringEndsWith("\n2 passed, 0 failed\n", $out);
        [$out] = $this->check(1, $suites, '35, 1.0, 2101');
        self::assertStringContainsString("more               not begun: 35 minutes were over\n", $out);
        $more = new Suite('more', 'zts', 'More', ['true'], timeout: 3600);
        $usual = new Suite('usual', 'test', 'Usual', ['true'], timeout: 3600);
        self::assertSame(3600, Runner::limit($more, 2100, 1));
        self::assertSame(2760, Runner::limit($more, 60, 1));
        self::assertSame(2760, Runner::limit($more, 60, 2));
        self::assertSame(36000, Runner::limit($more, INF, 10));
        self::assertSame(7200, Runner::limit($usual, 60, 2));
    }

    public function testAfterItsMinutesOnlyTheUsualSuitesBegin(): void
    {
        $suites = self::suite('first', 'sleep 0.1') . str_replace("'g', 'More'", "'zts', 'More'", self::suite('more', 'exit 1'));
        [$out, $code] = $this->check(1, str_replace("'g'", "'test'", $suites) . self::usual('last'), '0.001');
        self::assertSame(0, $code, $out);
        self::assertStringContainsString("more               not begun: 0.001 minutes were over\n", $out);
        self::assertStringEndsWith("\n1 skipped\n2 passed, 0 failed\n", $out);
        [$out] = $this->check(1, str_replace("'g'", "'test'", $suites), 'INF');
        self::assertStringEndsWith("\n1 passed, 1 failed\n", $out);
    }

    /** @return array<string, array{int, list<string>, int}> lanes, what three suites need, and how many of them begin at once */
    public static function shares(): array
    {
        return [
            'two that wait' => [2, ['processors: 0.4', 'processors: 0.3', ''], 3],
            'one that waits' => [2, ['', 'processors: 0.4', ''], 3],
            'none' => [2, ['', '', ''], 2],
            'half a lane too much' => [2, ['', '', 'processors: 0.6'], 2],
            'one after the other' => [1, ['processors: 0.1', 'processors: 0.1', 'processors: 0.1'], 1],
        ];
    }

    /** @param list<string> $needs */
    #[DataProvider('shares')]
    public function testSuitesThatWaitShareAProcessor(int $lanes, array $needs, int $atOnce): void
    {
        $suites = '';
        foreach ($needs as $i => $need) {
            $suites .= self::suite("suite$i", 'true', $need);
        }
        [$out] = $this->check($lanes, $suites);
        $begun = preg_match_all('/^\[[1-3]\/3\] /m', explode('1 passed, 0 failed', $out)[0]);
        // The first that has ended is named once more.
        self::assertSame($atOnce + 1, $begun, $out);
    }

    public function testTheSumIsInTheOrderOfTheList(): void
    {
        [$out] = $this->check(2, self::suite('slow', 'sleep 0.2; echo slow speaks; exit 3') . self::suite('fast', 'true'));
        self::assertMatchesRegularExpression('~^slow  .*\nfast  .*\nfailed: slow: ~m', $out);
        self::assertMatchesRegularExpression('~^\[1/2\] Slow\n    \| slow speaks\n    failed with exit code 3~m', $out);
    }

    public function testOutputWithoutAnEndOfLineAndAfterTheEndIsRead(): void
    {
        $late = "(until test -e $this->folder/go; do sleep 0.01; done; touch $this->folder/gone) & exit 1";
        [$out] = $this->check(2, self::suite('a', 'printf "one\ntwo"; exit 1') . self::suite('b', $late));
        touch("$this->folder/go");
        while (!file_exists("$this->folder/gone")) {
            usleep(1000);
            clearstatcache();
        }
        self::assertStringContainsString("    | one\n    | two\n", $out);
        self::assertStringContainsString('left a process behind that still runs', $out);
    }

    private static function suite(string $name, string $shell, string $more = ''): string
    {
        return "new Suite('$name', 'g', '" . ucfirst($name) . "', ['sh', '-c', " . var_export($shell, true) . "], $more),\n";
    }

    private static function usual(string $name): string
    {
        return str_replace("'g'", "'test'", self::suite($name, 'true'));
    }

    /** @return array{string, int} its output and exit code */
    private function check(int $lanes, string $suites, string $minutes = 'INF'): array
    {
        file_put_contents("$this->folder/run.php", <<<PHP
            <?php
            namespace XHProf\\Tools\\Check;
            require \$argv[1];
            \$runner = new Runner(\$argv[2], \$argv[2], [], $lanes, $minutes);
            \$counts = \$runner->run([$suites]);
            echo \$counts->verdict(), "\\n";
            exit(\$counts->failed > 0 ? 1 : 0);
            PHP);
        $command = [PHP_BINARY, "$this->folder/run.php", __DIR__ . '/../../tools/check/autoload.php', $this->folder];
        exec(implode(' ', array_map(escapeshellarg(...), $command)) . ' 2>&1', $out, $code);
        return [implode("\n", $out) . "\n", $code];
    }
}
