<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\TestCase;
use XHProf\Check\Pattern;

/** The patterns of budgets. */
final class CheckPatternTest extends TestCase
{
    public function testStarsStandForAnyText(): void
    {
        $matching = [
            'a' => ['a'], 'a*' => ['a', 'ab', "a\n*"], '*a' => ['a', 'ba'], 'a*a' => ['aa', 'aba'], '*' => ['', 'x'],
            '*b*' => ['b', 'abc'], 'a*b*c' => ['abc', 'abbc', 'a-b-b-c'], 'App\*::find' => ['App\Orders::find'],
            'SELECT * FROM t WHERE (id = ?)' => ['SELECT a, b FROM t WHERE (id = ?)'], '/^a/' => ['abc'], '/B/i' => ['abc'],
            '/srv/*' => ['/srv/x'],
        ];
        $others = [
            'a' => ['A', 'aa', ''],
            'a*' => ['ba'], 'a*a' => ['a', 'ab'], '*b*' => ['ac'], 'a*b*c' => ['ac', 'acb'], 'a**c' => ['ab'],
            '/^a/' => ['ba'], '/B/' => ['abc'],
        ];
        foreach ([[$matching, true], [$others, false]] as [$patterns, $isMatching]) {
            foreach ($patterns as $pattern => $texts) {
                $parsed = Pattern::parse((string) $pattern);
                self::assertInstanceOf(Pattern::class, $parsed);
                foreach ($texts as $text) {
                    self::assertSame($isMatching, $parsed->matches($text), "$pattern $text");
                }
            }
        }
    }

    public function testAPathIsNoExpression(): void
    {
        $path = Pattern::parse('/blog/', true);
        self::assertInstanceOf(Pattern::class, $path);
        self::assertSame([true, false], [$path->matches('/blog/'), $path->matches('/blog/x')]);
        $path = Pattern::parse('/^.blog/', true);
        self::assertInstanceOf(Pattern::class, $path);
        self::assertTrue($path->matches('/blog/x'));
    }

    /** As by a regular expression, and without its limits. */
    public function testStarsAsRegularExpressions(): void
    {
        mt_srand(11);
        $word = static fn (string $letters, int $length): string => implode('', array_map(
            static fn (): string => $letters[mt_rand(0, strlen($letters) - 1)],
            range(1, $length),
        ));
        for ($i = 0; $i < 2000; $i++) {
            [$pattern, $text] = [$word('ab*', mt_rand(1, 6)), $word('ab', mt_rand(1, 8))];
            $parsed = Pattern::parse($pattern);
            self::assertInstanceOf(Pattern::class, $parsed);
            $expected = preg_match('~\A' . str_replace('*', '.*', $pattern) . '\z~', $text) === 1;
            self::assertSame($expected, $parsed->matches($text), "$pattern $text");
        }
        $long = Pattern::parse(str_repeat('*a', 30) . '*b');
        self::assertInstanceOf(Pattern::class, $long);
        self::assertFalse($long->matches(str_repeat('a', 5000)));
        self::assertTrue($long->matches(str_repeat('a', 5000) . 'b'));
    }
}
