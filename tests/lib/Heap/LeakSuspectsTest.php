<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib\Heap;

use PHPUnit\Framework\TestCase;
use XHProf\Heap\HeapIndex;
use XHProf\Heap\LeakSuspects;
use XHProf\Tests\Lib\Support\HeapFixture;
use XHProf\Tests\Lib\Support\HeapFolder;

require_once __DIR__ . '/../Support/HeapFixture.php';
require_once __DIR__ . '/../Support/HeapFolder.php';

/**
 * Candidates of leaks are listed under the container that a developer would look at.
 */
final class LeakSuspectsTest extends TestCase
{
    use HeapFolder;

    private const ROW = 400;

    private HeapFixture $fixture;

    /** An array of strings. */
    private function strings(int $count, int $bytes = self::ROW): int
    {
        $array = $this->fixture->add('array', '', 56, 56, ['n' => $count]);
        for ($i = 0; $i < $count; $i++) {
            $this->fixture->refer($array, $i, $this->fixture->add('string', '', $bytes));
        }

        return $array;
    }

    /** An object that holds such an array. */
    private function listener(int $rows): int
    {
        $listener = $this->fixture->add('object', 'Listener', 40);
        $this->fixture->refer($listener, 'rows', $this->strings($rows));

        return $listener;
    }

    /** @param array<int|string, int> $elements */
    private function listOf(array $elements): int
    {
        $array = $this->fixture->add('array', '', 56, 56, ['n' => count($elements)]);
        $this->fixture->refer($array, 'table', $this->fixture->add('array table', '', 320), 'p');
        foreach ($elements as $key => $element) {
            $this->fixture->refer($array, $key, $element);
        }

        return $array;
    }

    private function variable(string $name, int $node): void
    {
        $this->fixture->refer($this->fixture->root('global_variables'), $name, $node);
    }

    /** @return list<array{string, int, string, list<string>}> path, count, contents, the parts' paths */
    private function accumulating(HeapIndex $index, int $limit = 20): array
    {
        $found = [];
        foreach ($index->suspects($limit) as $suspect) {
            if ($suspect['kind'] === 'accumulates') {
                $parts = array_map(static fn (array $part): string
                    => LeakSuspects::pathWithin($part['path'], $suspect['path']), $suspect['parts']);
                $found[] = [$suspect['path'], $suspect['count'], $suspect['type'], $parts];
            }
        }

        return $found;
    }

    protected function build(): HeapIndex
    {
        return $this->open($this->fixture->text());
    }

    public function testPartsOfOneListAreListedUnderIt(): void
    {
        $this->fixture = new HeapFixture();
        $class = $this->fixture->add('class', 'Registry', 400);
        $this->fixture->refer($this->fixture->root('class_table'), 'registry', $class);
        $listeners = $this->listOf(array_map($this->listener(...), [60, 61, 62, 63, 64, 65, 66]));
        $this->fixture->refer($class, '$listeners', $listeners);
        $this->variable('log', $this->strings(100));
        $index = $this->build();
        self::assertSame([
            ['Registry::$listeners', 7, 'Listener', array_map(static fn (int $i): string => "...[$i]->rows", range(6, 0))],
            ["\$GLOBALS['log']", 100, 'string', []],
        ], $this->accumulating($index));
        [$suspect] = $index->suspects();
        self::assertSame(['0x' . dechex($listeners), 7], [$suspect['node']->hex(), $suspect['part_count']]);
        self::assertSame($suspect['node']->retained, $suspect['bytes'], 'it alone holds them');
        self::assertSame([66, 'string', 56 + 66 * self::ROW], [
            $suspect['parts'][0]['count'], $suspect['parts'][0]['type'], $suspect['parts'][0]['bytes'],
        ]);
        self::assertCount(1, $this->accumulating($index, 1), 'the limit counts containers');
    }

    public function testOfManyPartsTheLargestAreNamed(): void
    {
        $this->fixture = new HeapFixture();
        $this->variable('all', $this->listOf(array_map($this->listener(...), range(50, 79))));
        [$suspect] = $this->build()->suspects();
        self::assertSame([30, 20, "\$GLOBALS['all'][29]->rows"], [
            $suspect['part_count'], count($suspect['parts']), $suspect['parts'][0]['path'],
        ]);
    }

    public function testElementsByKeyShareAContainerIfTheyAreAlike(): void
    {
        $this->fixture = new HeapFixture();
        $this->variable('services', $this->listOf(['a' => $this->listener(60), 'b' => $this->listener(50)]));
        $this->variable('config', $this->listOf(['lines' => $this->strings(100)]));
        self::assertSame([
            ["\$GLOBALS['services']", 2, 'Listener', ["...['a']->rows", "...['b']->rows"]],
            ["\$GLOBALS['config']['lines']", 100, 'string', []],
        ], $this->accumulating($this->build()));
    }

    public function testALargeElementOfAListIsFoundUnderTheList(): void
    {
        $this->fixture = new HeapFixture();
        $this->variable('few', $this->listOf([$this->listener(1), $this->listener(1), $this->listener(200), $this->listener(1)]));
        $many = array_fill(0, 40, 0);
        $many = array_map(fn (): int => $this->fixture->add('string', '', 100), $many);
        $many[7] = $this->strings(300);
        $this->variable('many', $this->listOf($many));
        $alike = array_map($this->strings(...), array_fill(0, 40, 2));
        $alike[5] = $this->strings(250);
        $this->variable('alike', $this->listOf($alike));
        $this->variable('pair', $this->listOf([$this->fixture->add('string'), $this->strings(100)]));
        self::assertSame([
            ["\$GLOBALS['alike']", 40, 'array', ['...[5]']],
            ["\$GLOBALS['many']", 1, 'array', ['...[7]']],
            ["\$GLOBALS['few']", 4, 'Listener', ['...[2]->rows']],
            ["\$GLOBALS['pair'][1]", 100, 'string', []],
        ], $this->accumulating($this->build()));
    }

    public function testPartsThatOthersHoldTooCountForTheirContainer(): void
    {
        $this->fixture = new HeapFixture();
        $listeners = [$this->listener(60), $this->listener(50), $this->listener(70)];
        $this->variable('list', $this->listOf($listeners));
        foreach ($listeners as $number => $listener) {
            $this->fixture->refer($this->fixture->root('objects_store'), $number, $listener);
        }
        [$suspect] = $this->build()->suspects();
        self::assertSame(["\$GLOBALS['list']", 3], [$suspect['path'], $suspect['part_count']]);
        self::assertSame(180 * self::ROW + 3 * 56, $suspect['bytes']);
        self::assertLessThan($suspect['bytes'], $suspect['node']->retained);
    }

    public function testListsInListsAreUnderTheOutermostThatIsAlike(): void
    {
        $this->fixture = new HeapFixture();
        $inner = fn (int $rows): int => $this->listOf([$this->listener($rows), $this->listener(50)]);
        $this->variable('groups', $this->listOf([$inner(51), $inner(52), $inner(53)]));
        self::assertSame([
            ["\$GLOBALS['groups']", 3, 'array', ['...[2]', '...[1]', '...[0]']],
        ], $this->accumulating($this->build()));
    }

    public function testTheTableOfAnArrayIsNotItsLargestPart(): void
    {
        $this->fixture = new HeapFixture();
        $array = $this->listOf(array_map(fn (): int => $this->fixture->add('string', '', 32), range(1, 1000)));
        $this->fixture->refer($array, 'more', $this->fixture->add('array table', '', 80000), 'p');
        $this->variable('words', $array);
        self::assertSame([["\$GLOBALS['words']", 1000, 'string', []]], $this->accumulating($this->build()));
    }
}
