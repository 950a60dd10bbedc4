<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\TestCase;
use XHProf\Compare\ProfileDiff;
use XHProf\Compare\MachineTime;
use XHProf\Compare\Noise;
use XHProf\Compare\Statistics;
use XHProf\Compare\Verdict;
use XHProf\Profile\OperationFunctions;
use XHProf\Profile\Profile;
use XHProf\Profile\ProfileMean;
use XHProf\Run\RunMeta;

/** What a comparison says first. */
final class VerdictTest extends TestCase
{
    public function testMoreQueriesComeBeforeATimeThatMayBeChance(): void
    {
        $text = self::verdict(
            [self::shop(5, 1000, 700), self::shop(5, 3000, 702), self::shop(5, 1500, 701)],
            [self::shop(1005, 1800, 900), self::shop(1005, 4000, 902), self::shop(1005, 2600, 901)],
        );

        self::assertStringStartsWith('Queries: 5 → 1 005 (+1 000), the most in PDOStatement::execute. ', $text);
        self::assertMatchesRegularExpression('/ \+28\.5 % \(\+200 µs\) CPU time \(p < 0\.001\): /', $text, 'it is certain');
        self::assertMatchesRegularExpression('/ Wall time: \+[0-9.]+ % \(.*\), which may be chance \(p = 0\.[0-9]+\): /', $text);
        self::assertStringNotContainsString(' calls ', $text, 'the queries say it');
        self::assertLessThan(strpos($text, 'Wall time'), strpos($text, 'CPU time'));
    }

    public function testAClearChangeOfTheMetricIsSaidFirst(): void
    {
        $text = self::verdict([self::shop(5, 1000, 700)], [self::shop(5, 1500, 1200)]);

        self::assertStringStartsWith('+50.0 % (+500 µs) wall time: 100 % of it in main().', $text);
    }

    public function testMoreCallsAreSaidToo(): void
    {
        $run = static fn (int $calls, int $wall): Profile => Profile::fromEdges([
            'main()' => ['ct' => 1, 'wt' => $wall],
            'main()==>trim' => ['ct' => $calls, 'wt' => 10],
        ]);

        self::assertSame(
            '+50.0 % (+500 µs) wall time: 100 % of it in main(). +900.0 % (+99) calls: 100 % of it in trim.',
            self::verdict([$run(10, 1000)], [$run(109, 1500)]),
        );
    }

    public function testFewerQueriesAreSaidLast(): void
    {
        $text = self::verdict([self::shop(100, 1000, 1000)], [self::shop(95, 500, 500)]);

        self::assertStringStartsWith('-50.0 % (-500 µs) wall time', $text);
        self::assertStringEndsWith('Queries: 100 → 95 (-5), the most in PDOStatement::execute.', $text);
    }

    public function testSamplesAreNotCalls(): void
    {
        $text = self::verdict([self::shop(5, 1000, 700)], [self::shop(1005, 1000, 700)], isCalls: false);

        self::assertSame('Wall time is the same: no function changed.', $text);
    }

    public function testOperationsAreKnownWithTheirArgumentsAndLevels(): void
    {
        self::assertSame('query', OperationFunctions::kind('PDOStatement::execute#SELECT * FROM t WHERE a = 1'));
        self::assertSame('query', OperationFunctions::kind('mysqli_query@1'));
        self::assertSame('HTTP request', OperationFunctions::kind('curl_exec#https://example.com/'));
        self::assertSame('cache command', OperationFunctions::kind('Redis::get'));
        self::assertNull(OperationFunctions::kind('Redis::connect'));
        self::assertNull(OperationFunctions::kind('App\PDO::query'));
        self::assertSame('queries', OperationFunctions::plural(OperationFunctions::QUERY));
    }

    private static function shop(int $queries, int $wall, int $cpu): Profile
    {
        return Profile::fromEdges([
            'main()' => ['ct' => 1, 'wt' => $wall, 'cpu' => $cpu],
            'main()==>PDOStatement::execute' => ['ct' => $queries, 'wt' => 400, 'cpu' => 100],
        ]);
    }

    /**
     * @param non-empty-list<Profile> $a
     * @param non-empty-list<Profile> $b
     */
    private static function verdict(array $a, array $b, bool $isCalls = true): string
    {
        $side = static fn (array $runs): Profile => count($runs) === 1 ? $runs[0] : ProfileMean::compute($runs);
        $report = ProfileDiff::between($side($a), $side($b), true);
        $statistics = static fn (array $runs): ?Statistics => count($runs) === 1 ? null : Statistics::compute($runs);
        $meta = RunMeta::fromArray(['samples' => $isCalls ? null : 9]);
        $none = static fn (): null => null;
        $machine = MachineTime::compute($report, $meta, $meta, $none, $none);
        $noise = new Noise($report, $statistics($a), $statistics($b), !$isCalls, $machine);

        return Verdict::text(Verdict::sentences($report, $noise, 'wt', $isCalls));
    }
}
