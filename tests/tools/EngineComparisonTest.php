<?php

declare(strict_types=1);

namespace XHProf\Tests\Tools;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use XHProf\Tools\Check\EngineComparison;
use XHProf\Tools\Check\EngineModes;
use XHProf\Tools\Check\EngineResults;
use XHProf\Tools\Check\EngineRun;
use XHProf\Tools\Check\KnownDifferences;

require_once __DIR__ . '/../../tools/check/autoload.php';

/** How make check-engine-all judges the outcomes of the engine's tests. */
final class EngineComparisonTest extends TestCase
{
    private string $file;

    protected function setUp(): void
    {
        $this->file = (string) tempnam(sys_get_temp_dir(), 'xhprof-engine-');
    }

    protected function tearDown(): void
    {
        unlink($this->file);
    }

    /** @return iterable<string, array{string, string|null, bool}> result without the profiler, with it, whether it is worse */
    public static function outcomes(): iterable
    {
        yield 'passes' => ['PASSED', 'PASSED', false];
        yield 'fails' => ['PASSED', 'FAILED', true];
        yield 'has no result' => ['PASSED', null, true];
        yield 'is not run' => ['PASSED', 'SKIPPED', true];
        yield 'leaks' => ['PASSED', 'LEAKED', true];
        yield 'fails in both' => ['FAILED', 'FAILED', false];
        yield 'fails only without' => ['FAILED', 'PASSED', false];
        yield 'is not run in both' => ['SKIPPED', 'SKIPPED', false];
        yield 'is run and fails' => ['SKIPPED', 'FAILED', true];
        yield 'is run and passes' => ['SKIPPED', 'PASSED', false];
        yield 'fails as expected' => ['XFAILED', 'XFAILED', false];
        yield 'fails as expected no more' => ['XFAILED', 'PASSED', false];
        yield 'fails another way' => ['XFAILED', 'FAILED', true];
    }

    #[DataProvider('outcomes')]
    public function testWhatIsWorseDiffers(string $plain, ?string $profiled, bool $worse): void
    {
        $with = $profiled === null ? [] : ['a.phpt' => $profiled];
        self::assertSame($worse ? ['a.phpt'] : [], EngineComparison::suspects(['a.phpt' => $plain], $with));
        $comparison = new EngineComparison(['a.phpt' => $plain], $with, 'exact', self::known(''));
        self::assertSame($worse ? 0 : 1, $comparison->same);
        self::assertSame($worse ? ['a.phpt'] : [], array_keys($comparison->unknown));
    }

    public function testKnownDifferencesAreOfTheirModeAndTest(): void
    {
        $known = self::known("# why\n\nexact,jit  a.phpt  it counts objects\n*\tb.phpt\tany reason\n");
        $plain = ['a.phpt' => 'PASSED', 'b.phpt' => 'PASSED', 'c.phpt' => 'PASSED', 'd.phpt' => 'PASSED'];
        $failed = ['a.phpt' => 'FAILED', 'b.phpt' => 'FAILED', 'c.phpt' => 'FAILED', 'd.phpt' => 'PASSED'];
        $exact = new EngineComparison($plain, $failed, 'exact', $known);
        self::assertSame(['a.phpt' => 'it counts objects', 'b.phpt' => 'any reason'], $exact->known);
        self::assertSame(['c.phpt' => 'PASSED without the profiler, FAILED with it'], $exact->unknown);
        self::assertSame([1, []], [$exact->same, $exact->mended]);
        $heap = new EngineComparison($plain, $failed, 'heap', $known);
        self::assertSame(['a.phpt', 'c.phpt'], array_keys($heap->unknown));
    }

    public function testWhatNoLongerDiffersIsNamedWhereItWasRun(): void
    {
        $known = self::known("exact  a.phpt  once\nexact  elsewhere.phpt  in another part\n");
        $comparison = new EngineComparison(['a.phpt' => 'PASSED'], ['a.phpt' => 'PASSED'], 'exact', $known);
        self::assertSame(['a.phpt'], $comparison->mended);
        self::assertSame(1, $comparison->same);
    }

    /** @return iterable<string, array{string}> */
    public static function wrongLines(): iterable
    {
        yield 'no reason' => ['exact a.phpt'];
        yield 'no test' => ['exact'];
        yield 'no such mode' => ['exact,fast a.phpt because'];
    }

    #[DataProvider('wrongLines')]
    public function testEachKnownDifferenceHasItsModeTestAndReason(string $line): void
    {
        $this->expectException(\InvalidArgumentException::class);
        $this->expectExceptionMessage('line 2: ');
        self::known("# first\n$line\n");
    }

    public function testTheFileOfKnownDifferencesIsRight(): void
    {
        $text = (string) file_get_contents(__DIR__ . '/../../tools/engine/differences.txt');
        $known = KnownDifferences::parse($text, EngineModes::names());
        $tests = array_merge(...array_map($known->tests(...), EngineModes::names()));
        self::assertSame([], preg_grep('/\.phpt$/', $tests, PREG_GREP_INVERT));
    }

    public function testWithoutAResultToCompareWithNothingIsTheSame(): void
    {
        $plain = ['a.phpt' => 'MISSING', 'b.phpt' => 'MISSING', 'c.phpt' => 'PASSED'];
        $comparison = new EngineComparison($plain, ['b.phpt' => 'PASSED', 'c.phpt' => 'PASSED'], 'exact', self::known(''));
        self::assertSame([1, 2, []], [$comparison->same, $comparison->without, $comparison->unknown]);
    }

    public function testPartsAreAllTestsOnce(): void
    {
        $tests = array_map(strval(...), range(1, 23));
        $all = [];
        for ($part = 1; $part <= 5; $part++) {
            $all = [...$all, ...EngineRun::part($tests, $part, 5)];
        }
        sort($all, SORT_NUMERIC);
        self::assertSame($tests, $all);
    }

    public function testARunGoesOnWhereItWas(): void
    {
        $tests = ['a.phpt', 'b.phpt', 'c.phpt'];
        $results = new EngineResults($this->file, 'key');
        self::assertSame($tests, $results->missing($tests));
        $results->add(['a.phpt' => 'PASSED', 'b.phpt' => 'FAILED']);
        file_put_contents($this->file, "PASSED\tc.ph", FILE_APPEND); // the process was ended here
        $again = new EngineResults($this->file, 'key');
        self::assertSame(['c.phpt'], $again->missing($tests));
        $again->add(['c.phpt' => 'SKIPPED']);
        $again = new EngineResults($this->file, 'key');
        self::assertSame([], $again->missing($tests));
        self::assertSame(['c.phpt' => 'SKIPPED'], $again->of(['c.phpt']));
        self::assertSame(['a.phpt' => 'PASSED'], $again->of(['a.phpt', 'd.phpt']));
    }

    public function testAnotherBuildOrTheOptionBeginsAnew(): void
    {
        $tests = ['a.phpt'];
        (new EngineResults($this->file, 'one build'))->add(['a.phpt' => 'PASSED']);
        self::assertSame([], (new EngineResults($this->file, 'one build'))->missing($tests));
        self::assertSame($tests, (new EngineResults($this->file, 'another'))->missing($tests));
        (new EngineResults($this->file, 'another'))->add(['a.phpt' => 'PASSED']);
        self::assertSame($tests, (new EngineResults($this->file, 'another', true))->missing($tests));
    }

    public function testWhatIsPrependedIsCodeAndDoesNothingWithoutTheExtension(): void
    {
        foreach (EngineModes::names() as $mode) {
            file_put_contents($this->file, EngineModes::prepended($mode, sys_get_temp_dir()));
            exec(escapeshellarg(PHP_BINARY) . ' -n ' . escapeshellarg($this->file) . ' 2>&1', $lines, $status);
            self::assertSame([0, []], [$status, $lines], $mode);
        }
    }

    private static function known(string $text): KnownDifferences
    {
        return KnownDifferences::parse($text, ['exact', 'heap', 'jit']);
    }
}
