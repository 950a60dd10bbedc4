<?php

declare(strict_types=1);

namespace XHProf\Tests\Bin\Testing;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\Attributes\RunInSeparateProcess;
use PHPUnit\Framework\TestCase;
use XHProf\Testing\ProfilesCode;

/** Cases for PHPUnit 9 to 12: those whose names begin with testFails must fail, and so on. See ../../ProfilesCodeTest.php. */
final class CodeCases extends TestCase
{
    use ProfilesCode;

    public function testPassesAndReturnsTheValue(): void
    {
        $shop = new Shop();
        self::assertSame([false, false, false], $this->assertOperationsAtMost(3, static fn (): array => $shop->authors(3), 'sql'));
        self::assertSame('', $this->assertOperationsAtMost(0, static fn (): string => ''));
        self::assertSame(5, $this->assertCallsAtMost(0, static fn (): int => 2 + 3));
        self::assertSame([false], $this->assertCallsAtMost(1, static fn (): array => $shop->authors(1), Shop::class . '::author'));
        self::assertSame(10, $this->assertPeakAtMost('4M', static fn (): int => $shop->keep(10)));
        self::assertSame([false], $this->assertNoFindings(static fn (): array => $shop->authors(1)));
        $this->assertOperationsAtMost(0, static fn (): array => $shop->authors(9), 'http');
        $this->assertOperationsAtMost(0, static fn (): array => $shop->authors(2), 'sql in loops');
        $this->assertCallsAtMost(0, static fn (): array => $shop->authors(2), 'Shop\Mailer::send');
        $this->assertCallsAtMost(1, static fn (): int => $shop->keep(1), Shop::class . '::*');
    }

    public function testPassesThoughAClassIsLoaded(): void
    {
        $this->assertCallsAtMost(1, static fn (): Late => new Late());
    }

    public function testFailsWithTooManyQueries(): void
    {
        $shop = new Shop();
        $this->assertOperationsAtMost(3, static fn (): array => $shop->authors(7), 'sql');
    }

    public function testFailsWithTooManyCalls(): void
    {
        $shop = new Shop();
        $this->assertCallsAtMost(10, static fn (): array => $shop->authors(3));
    }

    public function testFailsWithAMisspeltFunction(): void
    {
        $shop = new Shop();
        $this->assertCallsAtMost(9, static fn (): array => $shop->authors(3), Shop::class . '::autor');
    }

    public function testFailsWithAHighPeak(): void
    {
        $shop = new Shop();
        $this->assertPeakAtMost(1 << 20, static fn (): int => $shop->keep(8 << 20));
    }

    public function testFailsWithAFinding(): void
    {
        $shop = new Shop();
        $this->assertNoFindings(static fn (): array => $shop->authors(60));
    }

    public function testFailsWhereTheCodeEndsTheProfile(): void
    {
        $this->assertCallsAtMost(9, static fn (): ?array => xhprof_disable());
    }

    public function testPassesAnExceptionOnAndProfilesAgain(): void
    {
        $shop = new Shop();
        try {
            $this->assertOperationsAtMost(3, static fn (): mixed => $shop->lookUp('nobody'));
            self::fail('the exception is lost');
        } catch (\DomainException $e) {
            self::assertSame('no such author', $e->getMessage());
        }
        self::assertNull(xhprof_disable(), 'no profile is left running');
        $this->assertOperationsAtMost(1, static fn (): array => $shop->authors(1));
    }

    public function testPassesANestedAssertionOnAsAnError(): void
    {
        try {
            $this->assertCallsAtMost(99, fn (): mixed => $this->assertCallsAtMost(99, static fn (): int => 1));
            self::fail('it was taken');
        } catch (\LogicException $e) {
            self::assertStringContainsString('stands within the code of another one', $e->getMessage());
        }
        self::assertSame(1, $this->assertCallsAtMost(0, static fn (): int => 1));
    }

    public function testPassesAndLeavesTheProfileOfOthersAlone(): void
    {
        xhprof_enable();
        $why = '';
        try {
            $this->assertCallsAtMost(99, static fn (): int => 1);
        } catch (\Throwable $e) {
            $why = $e->getMessage();
        }
        $edges = xhprof_disable();
        self::assertSame('XHProf: another profile runs, and an assertion would end it', $why);
        self::assertIsArray($edges);
        self::assertArrayHasKey('main()', $edges);
    }

    public function testPassesWithOperationsThatAreOff(): void
    {
        ini_set('xhprof.collect_additional_info', '0');
        $shop = new Shop();
        $this->assertOperationsAtMost(2, static fn (): array => $shop->authors(2), 'sql');
        self::assertSame('0', ini_get('xhprof.collect_additional_info'));
        ini_restore('xhprof.collect_additional_info');
    }

    public function testRefusesWhatIsNoKind(): void
    {
        $this->expectException(\InvalidArgumentException::class);
        $this->expectExceptionMessage('unknown figure "sqll"; did you mean "sql"?');
        $this->assertOperationsAtMost(2, static fn (): int => 1, 'sqll');
    }

    public function testRefusesWhatIsNoRule(): void
    {
        $this->expectException(\InvalidArgumentException::class);
        $this->expectExceptionMessage('unknown rule of findings "n-plus-on"; did you mean "n-plus-one"?');
        $this->assertNoFindings(static fn (): int => 1, ['n-plus-on']);
    }

    public function testRefusesWhatIsNoSize(): void
    {
        $this->expectException(\InvalidArgumentException::class);
        $this->assertPeakAtMost('much', static fn (): int => 1);
    }

    /** @return array<string, array{int}> */
    public static function counts(): array
    {
        return ['two' => [2], 'five' => [5]];
    }

    /** @dataProvider counts */
    #[DataProvider('counts')]
    public function testDataOf(int $count): void
    {
        $shop = new Shop();
        self::assertCount($count, $this->assertOperationsAtMost(4, static fn (): array => $shop->authors($count), 'sql'));
    }

    /** @runInSeparateProcess */
    #[RunInSeparateProcess]
    public function testFailsInAProcessOfItsOwn(): void
    {
        $shop = new Shop();
        $this->assertOperationsAtMost(3, static fn (): array => $shop->authors(7), 'sql');
    }

    public function testBaseline(): void
    {
        $shop = new Shop();
        $count = (int) getenv('AUTHORS');
        self::assertCount($count, $this->assertNotMoreThanBaseline(static fn (): array => $shop->authors($count)));
    }
}
