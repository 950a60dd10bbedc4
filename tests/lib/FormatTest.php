<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use XHProf\Format\Text;
use XHProf\Format\Units;

final class FormatTest extends TestCase
{
    /**
     * @return iterable<array{int|float, string}>
     */
    public static function times(): iterable
    {
        yield [0, '0 µs'];
        yield [7, '7 µs'];
        yield [999, '999 µs'];
        yield [1000, '1.00 ms'];
        yield [1234, '1.23 ms'];
        yield [46912, '46.9 ms'];
        yield [999499, '999 ms'];
        yield [999500, '1.00 s'];
        yield [1234567, '1.23 s'];
        yield [61000000, '61.0 s'];
        yield [4000000000, '4 000 s'];
        yield [-1234, '-1.23 ms'];
        yield [0.5, '500 ns'];
        yield [-0.273, '-273 ns'];
        yield [12.34, '12.3 µs'];
    }

    #[DataProvider('times')]
    public function testTimes(int|float $us, string $text): void
    {
        self::assertSame($text, Units::us($us));
    }

    public function testBytes(): void
    {
        self::assertSame('0 B', Units::bytes(0));
        self::assertSame('1 023 B', Units::bytes(1023));
        self::assertSame('0.984 MB', Units::bytes(1008 * 1024));
        self::assertSame('999 KB', Units::bytes(999 * 1024 + 400));
        self::assertSame('1.00 KB', Units::bytes(1024));
        self::assertSame('11.1 MB', Units::bytes(11639194));
        self::assertSame('1.00 MB', Units::bytes(1048575));
        self::assertSame('2.00 GB', Units::bytes(2 << 30));
        self::assertSame('-1.50 KB', Units::bytes(-1536));
        self::assertSame('5 000 TB', Units::bytes(5000 * 1099511627776));
    }

    public function testCountsAndShares(): void
    {
        self::assertSame('41 896', Units::count(41896));
        self::assertSame('2.50', Units::count(2.5));
        self::assertSame('12.3 %', Units::percent(123, 1000));
        self::assertSame('0.0 %', Units::percent(-1, 100000));
        self::assertSame('-50.0 %', Units::percent(-1, 2));
        self::assertSame('-', Units::percent(5, 0));
    }

    public function testGrowth(): void
    {
        self::assertSame('+12.3 %', Units::growth(1000, 1123));
        self::assertSame('-100.0 %', Units::growth(5, 0));
        self::assertSame('+50.0 %', Units::growth(-10, -5), 'less of what is given back is more');
        self::assertSame(['', ''], [Units::growth(0, 9), Units::growth(7, 7)]);
        self::assertSame('+2 000 %', Units::growth(1, 21));
        self::assertSame('-33.3 %', Units::growth(1.5, 1));
    }

    public function testByMetric(): void
    {
        self::assertSame('1.00 ms', Units::ofMetric(1000, 'excl_cpu'));
        self::assertSame('1.00 KB', Units::ofMetric(1024, 'pmu'));
        self::assertSame('1 000', Units::ofMetric(1000, 'ct'));
        self::assertSame('+1.00 ms', Units::signed(1000, 'wt'));
        self::assertSame('-1.00 KB', Units::signed(-1024, 'excl_mu'));
        self::assertSame('0', Units::signed(0, 'ct'));
    }

    /**
     * @return iterable<string, array{string, string}>
     */
    public static function texts(): iterable
    {
        yield 'plain' => ['App\\X::y', 'App\\X::y'];
        yield 'UTF-8' => ['größe→😀', 'größe→😀'];
        yield 'HTML is left to the page' => ['<b>&"', '<b>&"'];
        yield 'control' => ["a\0b\nc\e[31m\x7F", 'a\x00b\x0Ac\x1B[31m\x7F'];
        yield 'C1 control' => ["\u{85}\u{9B}31m", '\xC2\x85\xC2\x9B31m'];
        yield 'writing direction' => ["a\u{202E}b\u{2066}", 'a\xE2\x80\xAEb\xE2\x81\xA6'];
        yield 'line separators' => ["\u{2028}", '\xE2\x80\xA8'];
        yield 'not UTF-8' => ["é\xFFé\xC3", 'é\xFFé\xC3'];
        yield 'overlong' => ["\xC0\xAF", '\xC0\xAF'];
        yield 'surrogate' => ["\xED\xA0\x80", '\xED\xA0\x80'];
        yield 'too high' => ["\xF4\x90\x80\x80", '\xF4\x90\x80\x80'];
        yield 'empty' => ['', ''];
    }

    #[DataProvider('texts')]
    public function testPrintable(string $text, string $expected): void
    {
        self::assertSame($expected, Text::printable($text));
        self::assertSame(1, preg_match('//u', Text::printable($text)));
    }

    /** The same characters as in the extension, whose tests use this table too. */
    public function testUnprintableCharacters(): void
    {
        $unprintable = [];
        $lines = file(dirname(__DIR__, 2) . '/extension/tests/unprintable.tsv', FILE_IGNORE_NEW_LINES);
        foreach ($lines ?: [] as $line) {
            [$first, $last] = explode("\t", $line);
            $unprintable += array_fill_keys(range(hexdec($first), hexdec($last)), true);
        }
        self::assertCount(79, $unprintable);

        $wrong = [];
        for ($code = 0; $code < 0x110000; $code += $code === 0xD7FF ? 0x801 : 1) {
            $character = mb_chr($code, 'UTF-8');
            if ((Text::printable($character) !== $character) !== isset($unprintable[$code])) {
                $wrong[] = sprintf('U+%04X', $code);
            }
        }
        self::assertSame([], $wrong);
    }
}
