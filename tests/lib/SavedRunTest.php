<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use XHProf\Exception\DamagedRun;
use XHProf\Exception\InvalidProfile;
use XHProf\Findings\Evidence;
use XHProf\Profile\CallTree;
use XHProf\Profile\EdgeColumns;
use XHProf\Profile\Profile;
use XHProf\Run\Run;
use XHProf\Run\RunFile;
use XHProf\Run\RunFileWriter;
use XHProf\Run\RunId;
use XHProf\Run\SavedRun;
use XHProf\Store\RunFolder;
use XHProf\Store\RunQuery;
use XHProf\Tests\Lib\Support\RunFiles;
use XHProf\Tests\Lib\Support\TemporaryFolder;

require_once __DIR__ . '/Support/RunFiles.php';
require_once __DIR__ . '/Support/TemporaryFolder.php';

/** What the documents of a run file mean. */
final class SavedRunTest extends TestCase
{
    use TemporaryFolder;

    private const TREE = [
        'n' => 3, 'names' => ['main()', 'f'], 'files' => ['/a.php'], 'file' => [-1, 0], 'line' => [0, 3], 'last_line' => [0, 4],
        'fn' => [0, 1, 1], 'depth' => [0, 1, 2], 'ct' => [1, 2, 3], 'self' => ['wt' => [1500, 700, 900], 'mu' => [1, -2, 3]],
    ];

    /** @param array<string, array<mixed>> $documents */
    private static function saved(array $documents): SavedRun
    {
        return new SavedRun(null, 'a.x.run', RunFile::fromBytes(RunFileWriter::bytes($documents), 'a.x.run'));
    }

    public function testARunHasTheEdgesOfItsCallTree(): void
    {
        $run = self::saved(['meta' => [], 'tree' => self::TREE]);
        self::assertSame(CallTree::fromArray(self::TREE)->toProfile()->edges(), $run->profile()->edges());
        self::assertSame(CallTree::fromArray(self::TREE)->toEdges()->edges(), $run->profile()->recorded()->edges());
        self::assertSame(
            ['f==>f@1' => ['ct' => 3, 'wt' => 0.9, 'mu' => 3], 'main()==>f' => ['ct' => 2, 'wt' => 1.6, 'mu' => 1]],
            array_slice($run->profile()->edges(), 0, 2),
        );
    }

    /** Another tool writes its columns in an order of its own, and some that no list has. */
    public function testTheOrderOfColumnsIsOneHoweverAFileHasThem(): void
    {
        $column = [1, 2, 3];
        $files = [['mu', 'zz', 'wt', 'aa'], ['allocated_bytes', 'samples', 'allocated', 'cpu'], ['zz', 'allocated_bytes', 'wt']];
        foreach ($files as $names) {
            $tree = ['self' => array_fill_keys($names, $column)] + self::TREE;
            $read = self::saved(['meta' => [], 'tree' => $tree]);
            self::assertSame(CallTree::fromArray($tree)->toProfile()->edges(), $read->profile()->edges());
            self::assertSame($read->tree()?->toProfile()->edges(), $read->profile()->edges());
            self::assertSame(array_keys($read->profile()->totals()), ['ct', ...$read->profile()->metrics()]);
        }
    }

    public function testFiguresThatNoColumnHoldsAreOfTheRun(): void
    {
        foreach ([['mem.aa' => [1, 2, 3]], ['wt' => [(1 << 53) + 1, 2, 3]]] as $figures) {
            $tree = ['self' => $figures + self::TREE['self']] + self::TREE;
            $read = self::saved(['meta' => [], 'tree' => $tree]);
            self::assertSame(CallTree::fromArray($tree)->toProfile()->edges(), $read->profile()->edges());
            self::assertSame($read->tree()?->metrics(), $read->profile()->metrics());
        }
    }

    /** Edges are read beside the call tree: whatever byte is damaged, both are refused, or say the same. */
    public function testADamagedByteIsRefusedOrHasOneAnswer(): void
    {
        $tree = ['self' => ['wt' => [1500, 700, 70000], 'cpu' => [1, 2, 3], 'mu' => [1, -2, 3], 'zz' => [9, 9, 9]]] + self::TREE;
        $bytes = RunFileWriter::bytes(['meta' => ['time' => 1], 'tree' => $tree]);
        $answers = ['refused' => 0, 'equal' => 0];
        for ($at = 0; $at < strlen($bytes); $at++) {
            foreach ([0, 0x31, 0x58, 0x7F, 0xFF, ord($bytes[$at]) ^ 1] as $value) {
                try {
                    $run = new SavedRun(null, 'a.run', RunFile::fromBytes(substr_replace($bytes, chr($value), $at, 1), 'a.run'));
                    self::assertSame($run->tree()?->toProfile()->edges(), $run->profile()->edges(), "byte $at is $value");
                    $answers['equal']++;
                } catch (DamagedRun) {
                    $answers['refused']++;
                }
            }
        }
        self::assertGreaterThan(100, min($answers));
    }

    /** A function of many nodes is looked for in the edges of all: its own nodes take longer. */
    public function testEdgesOfAFunctionAreThoseOfTheRunHoweverManyNodesItHas(): void
    {
        // main() calls step() 3,000 times, which calls hot(), and rare() now and then.
        [$fn, $depth] = [[0], [0]];
        for ($i = 0; $i < 3000; $i++) {
            array_push($fn, 1, 2, ...($i % 600 === 0 ? [3, 2] : []));
            array_push($depth, 1, 2, ...($i % 600 === 0 ? [2, 3] : []));
        }
        $self = array_map(static fn (int $node): int => $node * 7 % 1000, array_keys($fn));
        $tree = [
            'names' => ['main()', 'step', 'hot', 'rare'], 'fn' => $fn, 'depth' => $depth, 'ct' => array_fill(0, count($fn), 2),
            'self' => ['wt' => $self],
        ];
        $run = self::saved(['meta' => [], 'tree' => $tree]);
        $all = CallTree::fromArray($tree)->toProfile()->edges();
        $of = static fn (string $name): array => array_filter(
            $all,
            static fn (string $key): bool => in_array($name, explode('==>', $key), true),
            ARRAY_FILTER_USE_KEY,
        );
        $evidence = new Evidence($run->profile(), $run->meta(), static fn (): null => null, static fn (): null => null);
        foreach (['rare' => false, 'hot' => true, 'step' => true, 'nope' => true] as $name => $isFolded) {
            self::assertSame($of($name), $run->profile()->around($name)->edges());
            self::assertSame($isFolded, $run->profile()->isFolded(), $name);
            $callers = [];
            foreach ($of($name) as $key => $row) {
                [$from, $to] = explode('==>', $key) + [1 => ''];
                $callers += $to === $name ? [$from => $row] : [];
            }
            self::assertSame($callers, $evidence->callers($name));
        }
    }

    /** What sums may reach before they lose nanoseconds goes by the tree, wherever it comes from. */
    public function testTimesAreToTheNanosecondInAFileAsInMemory(): void
    {
        foreach ([[20, 8], [255, 8], [256, 16], [300, 16]] as [$depth, $bits]) {
            foreach ([0, 1] as $more) {
                $ct = array_fill(0, $depth + 1, 1);
                $sum = (1 << 61 - $bits) + $more;
                $self = [intdiv($sum, $depth + 1) + $sum % ($depth + 1), ...array_fill(0, $depth, intdiv($sum, $depth + 1))];
                $tree = ['names' => ['main()', 'f'], 'fn' => [0, ...array_fill(0, $depth, 1)], 'depth' => range(0, $depth)];
                $tree += ['ct' => $ct, 'self' => ['wt' => $self]];
                $exact = [
                    self::saved(['meta' => [], 'tree' => $tree])->profile()->isExact(),
                    CallTree::fromArray($tree)->toProfile()->isExact(),
                ];
                self::assertSame([$more === 0, $more === 0], $exact, "depth $depth");
            }
        }
    }

    public function testCorrectedTimesComeFromTheCosts(): void
    {
        $overhead = ['user' => ['callee' => 10, 'caller' => 5], 'internal' => ['callee' => 1, 'caller' => 1]];
        $run = self::saved(['meta' => ['overhead' => $overhead], 'tree' => ['function_kind' => [0, 0]] + self::TREE]);
        self::assertSame(['wt' => [1490, 665, 870]], $run->tree()?->corrected);
        self::assertSame([], self::saved(['meta' => [], 'tree' => ['function_kind' => [0, 0]] + self::TREE])->tree()?->corrected);
    }

    public function testTheFunctionsAreReadWithoutTheNodes(): void
    {
        $head = self::saved(['tree' => array_diff_key(self::TREE, ['fn' => 0, 'depth' => 0, 'ct' => 0])])->treeHead();
        self::assertSame(['main()', 'f'], $head?->names);
        self::assertSame('/a.php:3', $head->places->at(1)?->text());
        self::assertTrue(self::saved(['tree' => ['names' => ['main()']]])->treeHead()?->places->isEmpty());
        self::assertNull(self::saved(['meta' => []])->treeHead());
    }

    /** @return iterable<string, array{array<string, array<mixed>>, string, string}> documents, what is read, the message */
    public static function damages(): iterable
    {
        $with = static fn (array $tree): array => ['tree' => $tree + self::TREE];
        yield 'another number of nodes' => [$with(['n' => 4]), 'tree', 'the number of nodes differs from the announced one'];
        yield 'calls of another number' => [$with(['n' => 4]), 'profile', 'the number of nodes differs from the announced one'];
        foreach (['ct', 'fn', 'depth', 'name', 'excl_wt'] as $name) {
            $taken = $with(['self' => [$name => [1, 2, 3]] + self::TREE['self']]);
            yield "a metric $name" => [$taken, 'profile', 'a column of the call tree has no valid name'];
            yield "a metric $name of the tree" => [$taken, 'tree', 'a column of the call tree has no valid name'];
        }
        yield 'a column too short' => [$with(['ct' => [1, 2]]), 'profile', 'are not equally long'];
        yield 'a column missing' => [['tree' => array_diff_key(self::TREE, ['ct' => 0])], 'profile', 'it has no column tree.ct'];
        yield 'no parent' => [$with(['depth' => [0, 2, 2]]), 'profile', 'a node of the call tree has no parent'];
        yield 'a second root' => [$with(['depth' => [0, 0, 1]]), 'profile', 'a node of the call tree has no parent'];
        yield 'no name' => [$with(['fn' => [0, 2, 1]]), 'profile', 'a node of the call tree has no name'];
        yield 'negative calls' => [$with(['ct' => [1, -1, 1]]), 'profile', 'has calls below 0'];
        yield 'no metrics' => [$with(['self' => []]), 'profile', 'the call tree has no metrics'];
        yield 'no nodes' => [
            $with(['fn' => [], 'depth' => [], 'ct' => [], 'self' => ['wt' => []]]), 'profile', 'the call tree has no nodes',
        ];
        $large = array_fill(0, 300, 1 << 53);
        $deep = ['fn' => array_fill(0, 300, 1), 'depth' => range(0, 299), 'ct' => $large, 'self' => ['wt' => $large]];
        $many = $with(['n' => 300] + $deep);
        yield 'sums that are too large' => [$many, 'profile', 'the values of the column "ct" of the call tree are too large'];
        yield 'neither a tree nor edges' => [['meta' => []], 'profile', 'the run has no list of names'];
        yield 'memory without a tree' => [['memory' => ['marks' => 0]], 'memory', 'the call tree of its call paths is missing'];
        yield 'samples without a tree' => [['samples' => ['t' => [1, 2]]], 'samples', 'the call tree of its samples is missing'];
        $endless = $with([]) + ['timeline' => ['t' => [1]]];
        yield 'a timeline without an end' => [$endless, 'span', 'the duration of the timeline is not a valid'];
    }

    /** @param array<string, array<mixed>> $documents */
    #[DataProvider('damages')]
    public function testDamageNamesTheFile(array $documents, string $read, string $message): void
    {
        try {
            $made = self::saved($documents)->$read();
            if ($made instanceof Profile) {
                // A tree is read when its figures are.
                $made->edges();
            }
            self::fail('It was read.');
        } catch (DamagedRun $e) {
            self::assertStringStartsWith('a.x.run: ', $e->getMessage());
            self::assertStringContainsString($message, $e->getMessage());
        }
    }

    public function testADocumentThatDoesNotFitIntoMemoryIsRefused(): void
    {
        $tree = CallTree::fromArray(self::TREE);
        $run = (new RunFolder($this->folder))->save($tree->toEdges(), 'x', null, [], $tree);
        RunFiles::enlarge($this->folder, $run, 'tree.ct', 100 << 20);
        $limit = (string) ini_set('memory_limit', (string) (memory_get_usage() + (64 << 20)));
        try {
            (new RunFolder($this->folder))->open($run)->tree();
            self::fail('It was read.');
        } catch (DamagedRun $e) {
            self::assertStringContainsString('too large for the memory of this PHP', $e->getMessage());
        } finally {
            ini_set('memory_limit', $limit);
        }
    }

    public function testEdgesComeBackAsTheyWere(): void
    {
        $edges = [
            'main()==>f' => ['ct' => 2, 'wt' => 1 << 40, 'mu' => -5], 'f==>g' => ['ct' => 1, 'wt' => 0],
            'f==>f@1' => ['ct' => 1, 'mu' => 7], 'main()' => ['ct' => 1, 'wt' => 3, 'a.b' => 9],
        ];
        $id = (new RunFolder($this->folder))->save($edges, 'x');
        self::assertEquals($edges, (new RunFolder($this->folder))->open($id)->profile()->edges());
        self::assertSame(array_keys($edges), (new RunFolder($this->folder))->open($id)->profile()->keys());
    }

    public function testMembersThatAreNoColumnsAreOfALaterVersion(): void
    {
        $edges = ['names' => ['main()', 'f'], 'caller' => [-1, 0], 'callee' => [0, 1], 'ct' => [1, 2], 'wt' => [5, 3]];
        $read = self::saved(['edges' => $edges + ['unit' => 'us', 'later' => true]])->profile()->edges();
        self::assertSame(['main()' => ['ct' => 1, 'wt' => 5], 'main()==>f' => ['ct' => 2, 'wt' => 3]], $read);
    }

    public function testNamesThatBecomeTheSameAreAddedUp(): void
    {
        $edges = ["main()==>a\xFF" => ['ct' => 1, 'wt' => 2], 'main()==>a\xFF' => ['ct' => 3, 'wt' => 4]];
        $edges['main()'] = ['ct' => 1, 'wt' => 9];
        $id = (new RunFolder($this->folder))->save($edges, 'x');
        self::assertSame(['ct' => 4, 'wt' => 6], (new RunFolder($this->folder))->open($id)->profile()->edges()['main()==>a\xFF']);
    }

    public function testAMetricCannotHaveTheNameOfAnotherColumn(): void
    {
        foreach (['names', 'caller', 'callee', 'missing'] as $name) {
            try {
                EdgeColumns::toArray(Profile::fromEdges(['main()' => ['ct' => 1, $name => 2]]));
                self::fail("$name was taken");
            } catch (InvalidProfile $e) {
                self::assertStringContainsString("\"$name\"", $e->getMessage());
            }
        }
    }

    /** Of one name there is one run: the file of the extension, or of this library. */
    public function testARunIsOneFile(): void
    {
        $store = new RunFolder($this->folder);
        $store->saveClassic(['main()' => ['ct' => 1, 'wt' => 1]], 'x', 'a');
        self::assertSame([RunFiles::classicFile('a.x')], $this->files());
        $store->save(['main()' => ['ct' => 1, 'wt' => 2]], 'x', 'a');
        self::assertSame([RunFiles::file('a.x')], $this->files());
        $store->saveClassic(['main()' => ['ct' => 1, 'wt' => 3]], 'x', 'a');
        self::assertSame([RunFiles::classicFile('a.x')], $this->files());
        $store->saveSamples(['1700000000.5' => 'main()==>f'], 'x', 'a');
        self::assertSame([RunFiles::classicFile('a.x')], $this->files());
        $id = RunId::fromStrings('a', 'x');
        self::assertTrue($store->open($id)->has(Run::SAMPLES));
        RunFiles::write($this->folder, $id, ['meta' => [], 'tree' => self::TREE]);
        $run = $store->open($id);
        self::assertSame([false, 3100], [$run->has(Run::SAMPLES), array_sum($run->tree()->self['wt'] ?? [])]);
        self::assertCount(1, $store->list());
        self::assertSame(1, $store->catalog()->find(new RunQuery(), 9)->total);
        self::assertSame('a.x', (string) $store->identify('a'));
        $store->delete($id);
        self::assertSame([], array_values(array_filter($this->files(), static fn (string $name): bool => $name[0] !== '.')));
    }

    /**
     * @phpstan-impure
     *
     * @return list<string>
     */
    private function files(): array
    {
        return array_values(array_diff(scandir($this->folder) ?: [], ['.', '..']));
    }
}
