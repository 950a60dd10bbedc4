<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use XHProf\Exception\InvalidProfile;
use XHProf\Profile\EdgeKey;
use XHProf\Profile\Profile;
use XHProf\Tests\Lib\Support\Runs;

require_once __DIR__ . '/Support/Runs.php';

final class ProfileTest extends TestCase
{
    public function testKeepsTheEdgesAsTheyCame(): void
    {
        $profile = Profile::fromEdges(Runs::small());
        self::assertSame(Runs::small(), $profile->edges());
        self::assertSame(['wt', 'cpu', 'mu', 'pmu'], $profile->metrics());
        self::assertSame(['main()', 'a', 'b', 'c', 'b@1'], $profile->symbols());
        self::assertTrue($profile->hasSymbol('b@1'));
        self::assertFalse($profile->hasSymbol('B'));
    }

    public function testTotalsOfAnOrdinaryRunAreThoseOfMain(): void
    {
        $totals = Profile::fromEdges(Runs::small())->totals();
        self::assertSame(['ct' => 13, 'wt' => 1000, 'cpu' => 900, 'mu' => 500, 'pmu' => 300], $totals);
    }

    public function testMainThatStoppedEarlyIsNotTheTotal(): void
    {
        $profile = Profile::fromEdges([
            'main()==>a' => ['ct' => 1, 'wt' => 700, 'mu' => 900],
            'main()==>b' => ['ct' => 1, 'wt' => 200, 'mu' => 50],
            'main()' => ['ct' => 1, 'wt' => 3, 'mu' => 40],
        ]);
        // Time cannot be less than the calls'; memory may have been freed.
        self::assertSame(['ct' => 3, 'wt' => 900, 'mu' => 40], $profile->totals());
    }

    public function testTheHeaviestRootIsTheTotal(): void
    {
        $profile = Profile::fromEdges([
            'main()' => ['ct' => 1, 'wt' => 10],
            'fiber' => ['ct' => 1, 'wt' => 50],
            'orphan==>x' => ['ct' => 1, 'wt' => 30],
            'orphan==>y' => ['ct' => 1, 'wt' => 25],
            'x==>y' => ['ct' => 1, 'wt' => 500],
        ]);
        self::assertSame(['ct' => 5, 'wt' => 55], $profile->totals());
    }

    public function testACycleWithoutRootHasNoTotal(): void
    {
        self::assertSame(['ct' => 2, 'wt' => 0], Profile::fromEdges([
            'a==>b' => ['ct' => 1, 'wt' => 5],
            'b==>a' => ['ct' => 1, 'wt' => 5],
        ])->totals());
    }

    public function testAFunctionCallingItselfDoesNotMakeItselfHeavier(): void
    {
        $profile = Profile::fromEdges(['f' => ['ct' => 1, 'wt' => 10], 'f==>f' => ['ct' => 5, 'wt' => 40]]);
        self::assertSame(10, $profile->totals()['wt']);
    }

    public function testFloatsAreRoundedAndAMissingCountIsNone(): void
    {
        $profile = Profile::fromEdges(['main()' => ['wt' => 1.5, 'mu' => -2.5], 'main()==>a' => ['ct' => 0.4, 'wt' => 1.0]]);
        self::assertSame(
            ['main()' => ['ct' => 0, 'wt' => 2, 'mu' => -3], 'main()==>a' => ['ct' => 0, 'wt' => 1]],
            $profile->edges(),
        );
    }

    public function testTextsOfNumbersAreRead(): void
    {
        $profile = Profile::fromEdges(['main()' => ['ct' => '1', 'wt' => '12.6', 'mu' => '-3']]);
        self::assertSame(['main()' => ['ct' => 1, 'wt' => 13, 'mu' => -3]], $profile->edges());
    }

    public function testMetricsOfOtherToolsComeAfterTheKnown(): void
    {
        $profile = Profile::fromEdges(['main()' => ['mem.na' => 4, 'pmu' => 1, 'ct' => 1, 'wt' => 2]]);
        self::assertSame(['wt', 'pmu', 'mem.na'], $profile->metrics());
        self::assertSame(4, $profile->totals()['mem.na']);
    }

    public function testAsManyMetricsAsAnyToolHas(): void
    {
        $row = array_fill_keys(array_map(static fn (int $i): string => "m$i", range(1, 32)), 1);
        self::assertCount(32, Profile::fromEdges(['main()' => ['ct' => 1] + $row])->metrics());
    }

    public function testNoReferenceReachesIntoAProfile(): void
    {
        $value = 5;
        $edges = ['main()' => ['ct' => 1, 'wt' => &$value]];
        $profile = Profile::fromEdges($edges);
        $value = 6;
        $copy = $profile->edges();
        $copy['main()']['wt'] = 7;
        self::assertSame(5, $profile->edges()['main()']['wt']);
    }

    public function testNastyNamesSurvive(): void
    {
        $profile = Profile::fromEdges(Runs::nasty());
        self::assertTrue($profile->hasSymbol(Runs::NASTY));
        self::assertSame(Runs::nasty(), $profile->edges());
    }

    /**
     * @return iterable<string, array{array<mixed>, string}>
     */
    public static function wrongShapes(): iterable
    {
        yield 'empty' => [[], 'no calls'];
        yield 'a list' => [[['ct' => 1]], '"0" is not the name of a function'];
        yield 'a number as a function' => [['main()==>12' => ['ct' => 1]], '"12" is not the name of a function'];
        yield 'no callee' => [['main()==>' => ['ct' => 1]], '"" is not the name of a function'];
        yield 'no caller' => [['==>f' => ['ct' => 1]], '"" is not the name of a function'];
        yield 'text for a row' => [['main()' => 'x'], 'is string, not an array'];
        yield 'null for a row' => [['main()' => null], 'is null, not an array'];
        yield 'an object for a row' => [['main()' => new \stdClass()], 'is stdClass, not an array'];
        yield 'text for a figure' => [['main()' => ['ct' => '1x']], 'has string for the metric "ct"'];
        yield 'a huge text' => [['main()' => ['ct' => '1e30']], 'has 1.0E+30'];
        yield 'null for the count' => [['main()' => ['ct' => null]], 'has null for the metric "ct"'];
        yield 'bool for a figure' => [['main()' => ['ct' => 1, 'wt' => true]], 'has bool for the metric "wt"'];
        yield 'not a number' => [['main()' => ['ct' => 1, 'wt' => NAN]], 'has NAN'];
        yield 'endless' => [['main()' => ['ct' => 1, 'wt' => -INF]], 'has -INF'];
        yield 'a huge float' => [['main()' => ['ct' => 1, 'wt' => 1e30]], 'has 1.0E+30'];
        yield 'a huge int' => [['main()' => ['ct' => 1, 'wt' => PHP_INT_MAX]], '"wt" are too large'];
        yield 'the least int' => [['main()' => ['ct' => 1, 'wt' => PHP_INT_MIN]], '"wt" are too large'];
        yield 'a huge sum' => [
            ['main()' => ['ct' => 1, 'wt' => 1 << 60], 'main()==>a' => ['ct' => 1, 'wt' => -(1 << 60) - 1]],
            '"wt" are too large',
        ];
        yield 'figures without names' => [['main()' => [1, 2]], '"0" is not the name of a metric'];
        yield 'HTML as a metric' => [['main()' => ['<b>' => 1]], '"<b>" is not the name of a metric'];
        yield 'an exclusive metric' => [['main()' => ['excl_wt' => 1]], '"excl_wt" is not the name of a metric'];
        $many = array_map(static fn (int $i): array => ["m$i" => 1], range(1, 33));
        yield 'many metrics in one row' => [['main()' => array_merge(...$many)], '"main()" makes it more than 32 metrics'];
        $functions = array_map(static fn (int $i): string => "f$i", range(1, 33));
        yield 'many metrics in many rows' => [array_combine($functions, $many), '"f33" makes it more than 32 metrics'];
        yield 'deeper data' => [['main()' => ['ct' => [1]]], 'has array for the metric "ct"'];
    }

    /**
     * @param array<mixed> $edges
     */
    #[DataProvider('wrongShapes')]
    public function testRefusesWhatIsNoProfile(array $edges, string $message): void
    {
        $this->expectException(InvalidProfile::class);
        $this->expectExceptionMessage($message);
        Profile::fromEdges($edges);
    }

    public function testMessagesStayOnOneShortLine(): void
    {
        try {
            Profile::fromEdges([str_repeat("x\n\x1B[2J", 1000) => 1]);
            self::fail('accepted');
        } catch (InvalidProfile $e) {
            self::assertDoesNotMatchRegularExpression('/[\x00-\x1F\x7F-\xFF]/', $e->getMessage());
            self::assertLessThan(400, strlen($e->getMessage()));
        }
    }

    public function testKeys(): void
    {
        self::assertSame([null, 'main()'], EdgeKey::parse('main()'));
        self::assertSame(['A::b', 'c@1'], EdgeKey::parse('A::b==>c@1'));
        self::assertSame(['f', "PDO::query#select '==>'"], EdgeKey::parse("f==>PDO::query#select '==>'"));
        self::assertSame('a==>b', EdgeKey::build('a', 'b'));
        self::assertSame('main()', EdgeKey::build(null, 'main()'));
        self::assertSame('f', EdgeKey::stripRecursion('f@12'));
        self::assertSame('class@anonymous', EdgeKey::stripRecursion('class@anonymous'));
        self::assertSame("f@1\n", EdgeKey::stripRecursion("f@1\n"));
        self::assertSame('f@1@x', EdgeKey::stripRecursion('f@1@x'));
    }
}
