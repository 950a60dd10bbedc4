<?php

declare(strict_types=1);

namespace XHProf\Tests\Html;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use XHProf\Format\VisibleName;

final class VisibleNameTest extends TestCase
{
    /** @return array<string, array{string, string}> */
    public static function names(): array
    {
        return [
            'plain' => ['strlen', 'strlen'],
            'HTML is left to the template engine' => ['<b>&amp;', '<b>&amp;'],
            'UTF-8' => ["Caf\u{E9}::\u{65E5}", "Caf\u{E9}::\u{65E5}"],
            'four bytes' => ["\u{1F600}", "\u{1F600}"],
            'stray byte' => ["a\xFFb", 'a\xFFb'],
            'cut character' => ["a\xE2\x82", 'a\xE2\x82'],
            'overlong' => ["\xC0\xAF", '\xC0\xAF'],
            'surrogate' => ["\xED\xA0\x80", '\xED\xA0\x80'],
            'beyond Unicode' => ["\xF4\x90\x80\x80", '\xF4\x90\x80\x80'],
            'controls' => ["\x00\t\n\x7F", '\x00\x09\x0A\x7F'],
            'C1 controls' => ["\u{9B}", '\u{009B}'],
            'direction' => ["a\u{202E}b\u{2069}", 'a\u{202E}b\u{2069}'],
            'zero width' => ["a\u{200B}\u{FEFF}b", 'a\u{200B}\u{FEFF}b'],
            'tags' => ["\u{E0041}", '\u{E0041}'],
            'line separator' => ["\u{2028}", '\u{2028}'],
            'empty' => ['', ''],
        ];
    }

    #[DataProvider('names')]
    public function testText(string $bytes, string $text): void
    {
        self::assertSame($text, VisibleName::text($bytes));
    }

    public function testEveryByteBecomesValidText(): void
    {
        mt_srand(7);
        for ($i = 0; $i < 2000; $i++) {
            $bytes = '';
            for ($length = mt_rand(1, 40); $length > 0; $length--) {
                $bytes .= chr(mt_rand(0, 255));
            }
            foreach ([0, 12] as $limit) {
                $text = VisibleName::text($bytes, $limit);
                self::assertMatchesRegularExpression('/^[^\p{Cc}\p{Cf}]+$/Du', $text, bin2hex($bytes));
            }
        }
    }

    public function testScopes(): void
    {
        $scope = static fn (string $name): string => VisibleName::pieces($name)[0]['kind'] === 'scope'
            ? VisibleName::pieces($name)[0]['text']
            : '';
        self::assertSame('App\Http\\', $scope('App\Http\Router::get'));
        self::assertSame('App\\', $scope('App\helper'));
        self::assertSame('load::', $scope('load::dir/file.php'));
        self::assertSame('App\\', $scope('App\dispatch(App\Event\Placed)'));
        self::assertSame('', $scope('apply_filters(App\content)'));
        self::assertSame('App\\', $scope('App\Bus::dispatch(App\Event\Placed)'));
        self::assertSame('', $scope('strlen'));
        self::assertSame('', $scope('{closure:dir/file.php:12}'));
        self::assertSame('App\\', $scope('App\Foo::{closure:C:\x\y.php:12}'));
    }

    public function testALongNameKeepsItsEndsAndWholeCharacters(): void
    {
        $name = 'start' . str_repeat("\u{20AC}", 500) . 'end';
        $text = VisibleName::text($name, 100);
        self::assertStringStartsWith("start\u{20AC}", $text);
        self::assertStringEndsWith("\u{20AC}end", $text);
        self::assertStringNotContainsString('\x', $text);
        self::assertMatchesRegularExpression('/ … \d+ bytes … /u', $text);
        self::assertLessThan(140, strlen($text));
        self::assertSame($name, VisibleName::text($name));
    }

    public function testLinesBreakAfterSeparators(): void
    {
        self::assertSame(
            [['parts' => ['App\\', 'Http\\'], 'kind' => 'scope'], ['parts' => ['Router::', 'get'], 'kind' => '']],
            VisibleName::breakable('App\Http\Router::get'),
        );
    }
}
