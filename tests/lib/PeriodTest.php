<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use XHProf\Format\Period;
use XHProf\Format\QuantityParser;

/** Stretches of time as people name them: one reader for pages and commands. */
final class PeriodTest extends TestCase
{
    private string $zone;

    protected function setUp(): void
    {
        $this->zone = date_default_timezone_get();
        date_default_timezone_set('Europe/Berlin');
    }

    protected function tearDown(): void
    {
        date_default_timezone_set($this->zone);
    }

    private static function at(string $time): float
    {
        return (float) (new \DateTimeImmutable($time))->getTimestamp();
    }

    /** @return array<string, array{string, string, string, string|null, string}> text, now, from, until, label */
    public static function periods(): array
    {
        $noon = '2026-11-30 12:00';

        return [
            'an hour' => ['1h', $noon, '2026-11-30 11:00', null, 'last hour'],
            'two days' => ['2d', $noon, '2026-11-28 12:00', null, 'last 2 days'],
            'in words' => ['last 2 days', $noon, '2026-11-28 12:00', null, 'last 2 days'],
            'a word without a number' => ['last hour', $noon, '2026-11-30 11:00', null, 'last hour'],
            'minutes' => [' 90MIN ', $noon, '2026-11-30 10:30', null, 'last 90 minutes'],
            'a week' => ['1w', $noon, '2026-11-23 12:00', null, 'last week'],
            'today' => ['today', $noon, '2026-11-30 00:00', null, 'today'],
            'yesterday' => ['Yesterday', $noon, '2026-11-29 00:00', '2026-11-30 00:00', 'yesterday'],
            'yesterday at midnight' => ['yesterday', '2026-11-30 00:00', '2026-11-29 00:00', '2026-11-30 00:00', 'yesterday'],
            'yesterday had 23 hours' => ['yesterday', '2026-03-30 12:00', '2026-03-29 00:00', '2026-03-30 00:00', 'yesterday'],
            'yesterday had 25 hours' => ['yesterday', '2026-10-26 12:00', '2026-10-25 00:00', '2026-10-26 00:00', 'yesterday'],
            'a day is 24 hours' => ['1d', '2026-10-25 12:00', '2026-10-24 13:00', null, 'last day'],
        ];
    }

    #[DataProvider('periods')]
    public function testPeriods(string $text, string $now, string $from, ?string $until, string $label): void
    {
        $period = Period::parse($text, self::at($now));
        self::assertNotNull($period);
        self::assertSame(
            [self::at($from), $until === null ? null : self::at($until), $label, false],
            [$period->from, $period->until, $period->label, $period->isRelease()],
        );
    }

    public function testDaysOfTheClockChange(): void
    {
        $hours = static function (string $now): float {
            $day = Period::parse('yesterday', self::at($now));

            return (($day->until ?? 0) - ($day->from ?? 0)) / 3600;
        };
        self::assertSame([23.0, 25.0, 24.0], array_map($hours, ['2026-03-30', '2026-10-26', '2026-07-01']));
    }

    public function testAReleaseIsOneOfTheFolder(): void
    {
        foreach (['release', 'last release', 'since the last release'] as $text) {
            self::assertTrue(Period::parse($text)?->isRelease(), $text);
        }
    }

    public function testWhatIsOfferedIsUnderstood(): void
    {
        foreach (Period::USUAL as $text => $label) {
            $named = Period::parse($text)->label ?? '';
            self::assertContains($named, [$label, 'last 24 hours'], $text);
        }
    }

    public function testOtherTextsAreNone(): void
    {
        $others = ['', '0d', '-2d', '2', 'd', 'h', 'soon', '2x', '1e9d', '999999d', "2d\n3d", 'last', '<b>', '2 fortnights'];
        foreach ($others as $text) {
            self::assertNull(Period::parse($text), $text);
        }
    }

    /** @return array<string, array{string, bool, string|null}> */
    public static function moments(): array
    {
        return [
            'a zone' => ['2026-11-21 14:30Z', false, '2026-11-21 14:30+00:00'],
            'the hour that comes twice, first' => ['2026-10-25 02:30+02:00', false, '2026-10-25 00:30+00:00'],
            'the same, then' => ['2026-10-25 02:30 +0100', false, '2026-10-25 01:30+00:00'],
            'the end of a minute with a zone' => ['2026-11-21T14:30Z', true, '2026-11-21 14:31+00:00'],
            'the end of a second' => ['2026-11-21 14:30:10', true, '2026-11-21 13:30:11+00:00'],
            'a day of 25 hours' => ['2026-10-25', true, '2026-10-25 23:00+00:00'],
            'a day has no zone' => ['2026-11-21Z', false, null],
            'no such zone' => ['2026-11-21 14:30+25:00', false, null],
            'no words behind it' => ['2026-11-21 14:30+01:00 tomorrow', false, null],
        ];
    }

    #[DataProvider('moments')]
    public function testMoments(string $text, bool $isEnd, ?string $expected): void
    {
        self::assertSame($expected === null ? null : self::at($expected), QuantityParser::moment($text, $isEnd));
    }

    public function testDaysInWordsAreMoments(): void
    {
        do {
            $day = date('Y-m-d');
            $found = [
                QuantityParser::moment('today'), QuantityParser::moment('Yesterday', true), QuantityParser::moment('yesterday'),
            ];
        } while ($day !== date('Y-m-d'));
        $midnight = self::at($day);
        self::assertSame([$midnight, $midnight, self::at("$day -1 day")], $found);
    }

    public function testAMomentIsReadAsItIsWritten(): void
    {
        // Each quarter of an hour around both changes of the clocks.
        foreach (['2026-03-29 00:00', '2026-10-25 00:00'] as $day) {
            for ($time = self::at($day); $time < self::at($day) + 5 * 3600; $time += 450) {
                $text = Period::moment($time);
                self::assertSame($time, QuantityParser::moment($text), $text);
            }
        }
        self::assertSame('2026-11-21 14:30', Period::moment(self::at('2026-11-21 14:30')));
        self::assertSame('2026-10-25 02:30:00+02:00', Period::moment(self::at('2026-10-25 00:30+00:00')));
    }

    public function testARangeSaysItsZone(): void
    {
        $text = static fn (string $from, string $until): string => Period::text(self::at($from), self::at($until));
        self::assertSame('2026-11-29 00:00 to 2026-11-30 00:00 (CET)', $text('2026-11-29', '2026-11-30'));
        self::assertSame('2026-10-25 00:00 to 2026-10-26 00:00 (CEST to CET)', $text('2026-10-25', '2026-10-26'));
        self::assertSame('since 2026-07-01 00:00 (CEST)', Period::text(self::at('2026-07-01'), null));
        self::assertSame('until 2026-07-01 00:00 (CEST)', Period::text(null, self::at('2026-07-01')));
        self::assertSame('any time', Period::text(null, null));
    }
}
