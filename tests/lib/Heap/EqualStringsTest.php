<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib\Heap;

use PHPUnit\Framework\TestCase;
use XHProf\Heap\HeapIndex;
use XHProf\Heap\HeapNode;
use XHProf\Tests\Lib\Support\HeapFixture;
use XHProf\Tests\Lib\Support\HeapFolder;
use XHProf\Tests\Lib\Support\HeapProgram;

require_once __DIR__ . '/../Support/HeapFixture.php';
require_once __DIR__ . '/../Support/HeapFolder.php';
require_once __DIR__ . '/../Support/HeapProgram.php';

/**
 * Strings with equal hashes are copies of one content.
 */
final class EqualStringsTest extends TestCase
{
    use HeapFolder;

    /** @return list<array{int, int, list<int>}> count, wasted bytes, addresses of each group */
    private static function groupsOf(HeapIndex $index, int $offset = 0, int $limit = 20): array
    {
        return array_map(static fn (array $group): array => [
            $group['count'],
            $group['bytes'],
            array_map(static fn (HeapNode $node): int => $node->address, $index->equalMembers($group['example'])),
        ], $index->equalStrings($offset, $limit));
    }

    /** @return array{HeapIndex, list<int>} the index, addresses */
    private function mixed(): array
    {
        $fixture = new HeapFixture();
        $root = $fixture->root('global_variables');
        $strings = [];
        foreach (
            [
                // Two of one content, three of another one, and one of which the third is in opcache's memory.
                [64, 'aaaaaaaaaaaaaaaa', 40], [64, 'aaaaaaaaaaaaaaaa', 40],
                [320, 'ffffffffffffffff', 300], [320, 'ffffffffffffffff', 300], [384, 'ffffffffffffffff', 300],
                [48, '0000000000000001', 20], [48, '0000000000000001', 20], [0, '0000000000000001', 20],
                // Another length, another hash, none, and what is no hash.
                [64, 'aaaaaaaaaaaaaaaa', 41], [64, 'aaaaaaaaaaaaaaab', 40], [64, null, 40], [64, null, 40],
                [64, 'xyz', 40], [64, 'xyz', 40], [64, ['a'], 40], [64, 5, 40],
            ] as $number => [$bytes, $hash, $length]
        ) {
            $more = ['n' => $length] + ($hash === null ? [] : ['h' => $hash]);
            $strings[] = $string = $fixture->add('string', '', $length, $bytes, $more);
            $fixture->refer($root, "v$number", $string);
        }

        return [$this->open($fixture->text()), $strings];
    }

    public function testGroupsByWastedBytes(): void
    {
        [$index, $at] = $this->mixed();
        $all = [
            [3, 704, [$at[2], $at[3], $at[4]]],
            [3, 96, [$at[5], $at[6], $at[7]]],
            [2, 64, [$at[0], $at[1]]],
        ];
        self::assertTrue($index->hasStringHashes());
        self::assertSame($all, self::groupsOf($index));
        self::assertSame(['groups' => 3, 'copies' => 5, 'bytes' => 704 + 96 + 64], $index->equalStringSums());
        self::assertSame([$all[1]], self::groupsOf($index, 1, 1));
        self::assertSame([], self::groupsOf($index, 3));
    }

    public function testTheGroupOfAString(): void
    {
        [$index, $at] = $this->mixed();
        $node = static fn (int $number): HeapNode => $index->node($at[$number]) ?? self::fail();
        $group = $index->equalTo($node(4));
        self::assertSame([3, $at[2]], [$group['count'] ?? 0, $group['example']->address ?? 0]);
        self::assertSame([$at[3]], array_column($index->equalMembers($node(2), 1, 1), 'address'));
        foreach ([8, 9, 10, 12, 14] as $alone) {
            self::assertNull($index->equalTo($node($alone)));
            self::assertSame([], $index->equalMembers($node($alone)));
            self::assertSame([], $index->equalRetainers($node($alone)));
        }
        $held = array_column($index->equalRetainers($node(1)), 'count', 'text');
        self::assertSame(["\$GLOBALS['v0']" => 1, "\$GLOBALS['v1']" => 1], $held);
    }

    public function testOfElementsOfAListThePathIsOne(): void
    {
        $fixture = new HeapFixture();
        $list = $fixture->add('array', '', 56, 56, ['n' => 300]);
        $fixture->refer($fixture->root('global_variables'), 'list', $list);
        for ($i = 0; $i < 300; $i++) {
            $fixture->refer($list, $i, $last = $fixture->add('string', '', 64, 64, ['n' => 33, 'h' => str_repeat('c', 16)]));
        }
        $index = $this->open($fixture->text());
        $node = $index->node($last);
        self::assertNotNull($node);
        [$holder] = $index->equalRetainers($node);
        self::assertSame(["\$GLOBALS['list'][*]", 300, 300 * 64], [$holder['text'], $holder['count'], $holder['bytes']]);
        self::assertSame(10, $index->equalRetainers($node, 20, 10)[0]['count']);
    }

    public function testASnapshotWithoutHashesHasNoGroups(): void
    {
        $fixture = new HeapFixture();
        $fixture->worker();
        $index = $this->open($fixture->text());
        self::assertFalse($index->hasStringHashes());
        self::assertSame([], $index->equalStrings());
        self::assertSame(['groups' => 0, 'copies' => 0, 'bytes' => 0], $index->equalStringSums());
        self::assertNull($index->equalTo($index->members($index->type('string') ?? self::fail())[0]));
    }

    public function testStringsOfAProgram(): void
    {
        HeapProgram::take($this->snapshot());
        HeapProgram::take($this->snapshot('redacted'), true);
        foreach (['a', 'redacted'] as $name) {
            $index = HeapIndex::open($this->snapshot($name));
            self::assertTrue($index->hasStringHashes());
            foreach ($index->equalStrings(0, 100) as $group) {
                $contents = $lengths = [];
                foreach ($index->equalMembers($group['example']) as $node) {
                    $contents[] = $index->details($node)['value'] ?? '';
                    $lengths[] = $index->details($node)['length'] ?? 0;
                }
                self::assertCount($group['count'], $contents);
                self::assertCount(1, array_unique($contents));
                self::assertCount(1, array_unique($lengths));
            }
            $found = array_filter($index->equalStrings(0, 1000), static fn (array $group): bool
                => ($index->details($group['example'])['length'] ?? 0) === 20 * 17);
            self::assertSame([2], array_column($found, 'count'), 'the local variable, of which the program has two');
        }
    }
}
