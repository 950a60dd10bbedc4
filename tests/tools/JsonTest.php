<?php

declare(strict_types=1);

namespace XHProf\Tests\Tools;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

/** tools/lint/json.php: an object has each key once. */
final class JsonTest extends TestCase
{
    /** @return iterable<string, array{string, list<string>}> JSON, and the offences as LINE: "KEY" */
    public static function files(): iterable
    {
        yield 'two in a row' => ["{\n\"a\": 1,\n\"a\": 1}", ['3: "a"']];
        yield 'others between' => ["{\"a\": {\"b\": 1},\n\"c\": [1, {\"a\": 2}],\n\"a\": 3}", ['3: "a"']];
        yield 'below, and in an array' => ["{\"x\": [[], {\"b\": \"b\",\n\"b\": 1}]}", ['2: "b"']];
        yield 'three' => ["{\"a\": 1,\n\"a\": 1,\n\"a\": 1}", ['2: "a"', '3: "a"']];
        yield 'written in another way' => ["{\"a/b\": 1,\n\"\\u0061\\/b\" : 1}", ['2: "a/b"']];
        yield 'no name of PHP array keys' => ['{"1": 1, "01": 1, "": 1, "1.0": 1}', []];
        yield 'of another object' => ['{"a": {"a": [{"a": 1}, {"a": 1}]}, "b": {"a": 1}}', []];
        yield 'in a text' => ['{"a": "\"a\": 1, {", "b": "a"}', []];
        yield 'values alike' => ['["a", "a", {"a": "a"}]', []];
        yield 'behind a comment' => ["{\"a\": \"// no\", // \"a\": 1\n/* \"a\":\n 2 */ \"b\": 1,\n\"a\": 1}", ['4: "a"']];
    }

    /** @param list<string> $offences */
    #[DataProvider('files')]
    public function testARepeatedKeyIsNamedWithItsLine(string $json, array $offences): void
    {
        $file = (string) tempnam(sys_get_temp_dir(), 'xhprof-json');
        file_put_contents($file, $json);
        $command = [PHP_BINARY, dirname(__DIR__, 2) . '/tools/lint/json.php', $file];
        exec(implode(' ', array_map(escapeshellarg(...), $command)), $out, $code);
        unlink($file);
        self::assertSame(array_map(static fn(string $which): string => "$file:$which is in its object before", $offences), $out);
        self::assertSame($offences === [] ? 0 : 1, $code);
    }
}
