<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use XHProf\Exception\InvalidCheck;
use XHProf\Format\JsonReader;

/** JSON that people write, with the lines of its values. */
final class JsonReaderTest extends TestCase
{
    private const TEXTS = [
        '{"a": [1, -2.5, 1e3, true, false, null, "x\u00e4\"\\/\n"], "b": {}, "c": []}',
        " [ ] ",
        '"only a text"',
        '{"1": {"2": {"3": "four"}}}',
        '12345678901234',
    ];

    public function testValuesAreThoseOfJsonDecode(): void
    {
        foreach (self::TEXTS as $text) {
            self::assertSame(json_decode($text, true), JsonReader::read($text, 'f')->plain(), $text);
        }
        self::assertSame(['a' => 1], JsonReader::read("\xEF\xBB\xBF{\"a\": 1}", 'f')->plain());
    }

    public function testLinesAreThoseOfKeysAndItems(): void
    {
        $top = JsonReader::read("\n{\n  \"a\": 1,\r\n  \"b\":\n    [\n      true,\n\n      \"x\"\n    ]\n}\n", 'f.json');
        self::assertSame([2, 3, 4], [$top->line, $top->members['a']->line, $top->members['b']->line]);
        self::assertSame([6, 8], array_column($top->members['b']->members, 'line'));
        self::assertSame('f.json:4', $top->members['b']->place());
    }

    /** @return iterable<string, array{string, non-empty-string}> */
    public static function mistakes(): iterable
    {
        yield 'empty' => ['', 'f:1: a value is missing before the end'];
        yield 'comma at the end' => ["{\n\"a\": 1,\n}", 'f:3: there is a comma before }'];
        yield 'comma at the end of a list' => ["[\n1,\n]", 'f:3: there is a comma before ]'];
        yield 'no comma' => ["{\"a\": 1\n\"b\": 2}", 'f:2: a comma or } is missing before ""b": 2}"'];
        yield 'no colon' => ['{"a" 1}', 'f:1: a colon is missing behind "a"'];
        yield 'twice' => ["{\"a\": 1,\n\"a\": 2}", 'f:2: the key "a" stands here twice, first on line 1'];
        yield 'a comment' => ["{\n// no\n}", 'f:2: a key in double quotes is missing before "// no"'];
        yield 'single quotes' => ["{'a': 1}", 'f:1: a key in double quotes is missing before'];
        yield 'a text without end' => ["{\"a\": \"b\n\"}", 'f:1: a text has no end on its line'];
        yield 'a namespace' => ['{"App\Cart": 1}', 'f:1: a text has a \ before what has no such form'];
        yield 'more' => ['{} {}', 'f:1: there is something behind the end: "{}"'];
        yield 'a word' => ['[nul]', 'f:1: a value is missing before "nul]"'];
        yield 'a number' => ['[01]', 'f:1: a comma or ] is missing before "1]"'];
        yield 'not UTF-8' => ["\"\xff\"", 'f:1: the file is not UTF-8'];
        yield 'deep' => [str_repeat('[', 40) . str_repeat(']', 40), 'f:1: it is nested too deeply'];
    }

    /** @param non-empty-string $message */
    #[DataProvider('mistakes')]
    public function testMistakesAreNamedWithTheirLine(string $text, string $message): void
    {
        try {
            JsonReader::read($text, 'f');
            self::fail('it was read');
        } catch (InvalidCheck $e) {
            self::assertStringStartsWith($message, $e->getMessage());
        }
    }

    /** Whatever is read is what json_decode() reads, and the other way round. */
    public function testDamagedTextsAreRefusedAsByJsonDecode(): void
    {
        mt_srand(7);
        foreach (self::TEXTS as $text) {
            for ($i = 0; $i < 300; $i++) {
                $damaged = substr_replace($text, chr(mt_rand(32, 126)), mt_rand(0, strlen($text) - 1), mt_rand(0, 1));
                $expected = json_decode($damaged, true);
                $isDamaged = json_last_error() !== JSON_ERROR_NONE;
                try {
                    self::assertSame($expected, JsonReader::read($damaged, 'f')->plain(), $damaged);
                } catch (InvalidCheck $e) {
                    $isTwice = str_contains($e->getMessage(), 'stands here twice');
                    self::assertTrue($isTwice || $isDamaged, $damaged);
                }
            }
        }
    }
}
