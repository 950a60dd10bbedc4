<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib\Heap;

use PHPUnit\Framework\TestCase;
use XHProf\Heap\HeapNode;
use XHProf\Tests\Lib\Support\HeapFixture;
use XHProf\Tests\Lib\Support\HeapFolder;

require_once __DIR__ . '/../Support/HeapFixture.php';
require_once __DIR__ . '/../Support/HeapFolder.php';

/**
 * Strings of a snapshot are found by a text in their contents.
 */
final class StringSearchTest extends TestCase
{
    use HeapFolder;

    public function testStringsByTheirContents(): void
    {
        $fixture = new HeapFixture();
        $values = ['one text', "a \"quoted\"\n line\\", 'Grüße', 'another text', ''];
        $strings = [];
        foreach ($values as $value) {
            $strings[] = $fixture->add('string', '', 32, 32, ['n' => strlen($value), 'v' => $value]);
        }
        // The text in a name, in a key, and in a line that is longer than a block.
        $object = $fixture->add('object', 'one text');
        for ($i = 0; $i < 60000; $i++) {
            $fixture->refer($object, "a long key with text, number $i", $strings[0]);
        }
        $strings[] = $fixture->add('string', '', 32, 32, ['n' => 9, 'v' => 'last text']);
        $index = $this->open($fixture->text());
        self::assertGreaterThan(3 << 20, filesize($this->snapshot()));
        $found = static function (string $text, int $limit = 50) use ($index, $strings): array {
            [$nodes, $isMore] = $index->stringsWith($text, $limit);
            $numbers = array_map(static fn (HeapNode $node): int => (int) array_search($node->address, $strings, true), $nodes);

            return [$numbers, $isMore];
        };
        self::assertSame([[0, 3, 5], false], $found('text'));
        self::assertSame([[0, 3], true], $found('text', 2));
        self::assertSame([[0, 3, 5], false], $found('text', 3));
        self::assertSame([[0], false], $found('one text'));
        self::assertSame([[1], false], $found("\"quoted\"\n line\\"));
        self::assertSame([[2], false], $found('rüß'));
        self::assertSame([[], false], $found('Text'));
        self::assertSame([[], false], $found('"t":"string"'));
        self::assertSame([[], false], $found("\xff"));
    }
}
