<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib\Heap;

use PHPUnit\Framework\TestCase;
use XHProf\Heap\HeapDiff;
use XHProf\Heap\HeapGroup;
use XHProf\Heap\HeapIndex;
use XHProf\Heap\HeapNode;
use XHProf\Heap\HeapReference;
use XHProf\Tests\Lib\Support\HeapFixture;
use XHProf\Tests\Lib\Support\HeapFolder;

require_once __DIR__ . '/../Support/HeapFixture.php';
require_once __DIR__ . '/../Support/HeapFolder.php';

/**
 * Queries of heap snapshots with known contents.
 */
final class HeapIndexTest extends TestCase
{
    use HeapFolder;

    /** @var array<string, int> addresses */
    private array $named = [];


    private function worker(int $jobs = 100, string $name = 'a'): HeapIndex
    {
        $fixture = new HeapFixture();
        $this->named = $fixture->worker($jobs);

        return $this->open($fixture->text(), $name);
    }

    private function at(HeapIndex $index, string $name): HeapNode
    {
        $node = $index->node($this->named[$name]);
        self::assertNotNull($node, $name);

        return $node;
    }

    public function testTypesClassesOwners(): void
    {
        $index = $this->worker();
        $figures = static fn (HeapGroup $group): array => [$group->count, $group->bytes, $group->size];
        $classes = array_column(array_map(static fn (HeapGroup $group): array
            => [$group->name, $figures($group)], $index->classes()), 1, 0);
        self::assertSame([100, 8000, 7200], $classes['App\Job']);
        self::assertSame([2, 224, 200], $classes['App\Node']);
        self::assertSame(['App\Job', 'App\Node', 'App\Cache', 'App\Service', 'WeakReference'], array_keys($classes));
        $types = array_column(array_map(static fn (HeapGroup $group): array
            => [$group->type, $figures($group)], $index->types()), 1, 0);
        self::assertSame([105, 8000 + 224 + 64 + 48 + 40, 7200 + 200 + 56 + 48 + 40], $types['object']);
        self::assertSame([13, 0, 0], $types['root']);
        self::assertSame(['libxml2.so'], array_column($index->owners(), 'name'));
        self::assertSame('4711', (string) $index->header()['pid']);
        self::assertSame([], $index->notes());
        $summary = $index->summary();
        self::assertSame(320, $summary['unreachable']['bytes']);
        self::assertSame($summary['usage'], array_sum(array_column($index->types(), 'bytes')));
        self::assertSame(100, $index->group('\app\JOB')?->count);
        self::assertNull($index->group('App\Jo'));
        self::assertSame(['App\Job'], array_column($index->search('jO'), 'name'));
    }

    public function testRetainedBytesOfANode(): void
    {
        $index = $this->worker();
        $names = 0;
        for ($i = 0; $i < 100; $i++) {
            $names += 32 + 8 * intdiv($i, 8);
        }
        // All but the job that a running function also refers to, and the string that all jobs share.
        $lent = 80 + 32 + 8 * intdiv(7, 8);
        self::assertSame(64 + 56 + 1600 + 8000 + $names - $lent, $this->at($index, 'cache')->retained);
        self::assertSame($lent, $this->at($index, 'job7')->retained);
        self::assertSame(112 + 5120, $this->at($index, 'child')->retained);
        self::assertSame(112 + 112 + 5120, $this->at($index, 'parent')->retained, 'garbage keeps garbage');
        self::assertSame([true, false, false], array_map(fn (string $name): bool
            => $this->at($index, $name)->isLive, ['cache', 'parent', 'lost']));
        self::assertSame(8000 + $names, $index->group('App\Job')?->retained);
        self::assertSame(112 + 112 + 5120, $index->group('App\Node')?->retained, 'one within the other counts once');
        self::assertSame(['App\Cache', 'array'], array_map(static fn (HeapNode $node): string
            => $node->title(), array_slice($index->dominators($this->at($index, 'job8')), -2)));
        $top = $index->dominated(null, 0, 1)[0];
        self::assertSame('App\Cache', $top->name, 'which globals and a frame have');
        self::assertSame($this->named['job96'], $index->dominated($index->dominated($top)[0], 1, 1)[0]->address);
    }

    /** A node retains the nodes that are unreachable without it, from several roots, in any graph. */
    public function testRetainedIsWhatIsLostWithoutIt(): void
    {
        for ($seed = 1; $seed <= 40; $seed++) {
            mt_srand($seed);
            $fixture = new HeapFixture();
            $nodes = [];
            for ($i = mt_rand(2, 25); $i > 0; $i--) {
                $nodes[] = $fixture->add(mt_rand(0, 1) === 0 ? 'object' : 'array', '', 8 * mt_rand(1, 9));
            }
            $sources = $nodes;
            array_push($sources, ...array_map($fixture->root(...), ['global_variables', 'call_frames', 'class_table']));
            $strong = array_fill_keys($sources, []);
            for ($i = mt_rand(1, 3 * count($nodes)); $i > 0; $i--) {
                $from = $sources[mt_rand(0, count($sources) - 1)];
                $to = $nodes[mt_rand(0, count($nodes) - 1)];
                $kind = ['', '', 'p', 'w'][mt_rand(0, 3)];
                $fixture->refer($from, mt_rand(0, 1) === 0 ? $i : "name $i", $to, $kind);
                if ($kind !== 'w') {
                    $strong[$from][] = $to;
                }
            }
            $reached = static function (int $without) use ($strong, $nodes): array {
                $seen = [];
                $left = array_diff(array_keys($strong), $nodes);
                while ($left !== []) {
                    foreach ($strong[array_pop($left)] ?? [] as $to) {
                        if ($to !== $without && !isset($seen[$to])) {
                            $seen[$to] = true;
                            $left[] = $to;
                        }
                    }
                }

                return $seen;
            };
            $index = $this->open($fixture->text(), "random$seed");
            $all = $reached(0);
            foreach ($nodes as $address) {
                $node = $index->node($address);
                self::assertNotNull($node);
                self::assertSame(isset($all[$address]), $node->isLive, "graph $seed");
                if (isset($all[$address])) {
                    $lost = array_keys(array_diff_key($all, $reached($address)));
                    $bytes = array_sum(array_map(static fn (int $lost): int => $index->node($lost)->block ?? 0, $lost));
                    self::assertSame($bytes, $node->retained, "graph $seed");
                }
            }
        }
    }

    public function testRetainingPathsAreWrittenAsPhpCode(): void
    {
        $index = $this->worker();
        self::assertSame("\$GLOBALS['cache']->items[12]", $index->path($this->at($index, 'job12'))->text);
        self::assertSame("App\Registry::\$services['mailer']", $index->path($this->at($index, 'service'))->text);
        $paths = array_column($index->paths($this->at($index, 'job7')), 'text');
        self::assertSame(['App\Worker::run() $job', "\$GLOBALS['cache']->items[7]"], $paths);
        $path = $index->path($this->at($index, 'child'));
        self::assertSame(['(App\Node)->child', false], [$path->text, $path->isLive]);
        $steps = $index->path($this->at($index, 'job12'))->steps;
        self::assertSame(['root', 'object', 'array', 'object'], array_map(static fn (array $step): string
            => $step['node']->type, $steps));
        self::assertSame([null, 'cache', 'items', '12'], array_map(static fn (array $step): ?string
            => $step['reference']?->label, $steps));
    }

    public function testRetainersOfAClass(): void
    {
        $index = $this->worker();
        $group = $index->group('App\Job');
        self::assertNotNull($group);
        $holders = array_map(static fn (array $holder): array => [$holder['text'], $holder['count']], $index->retainers($group));
        self::assertSame([["\$GLOBALS['cache']->items[*]", 99], ['App\Worker::run() $job', 1]], $holders);
        self::assertSame($group->retained, array_sum(array_column($index->retainers($group), 'retained')));
        $allocations = $index->allocations($group);
        self::assertSame([['path' => ['main()', 'Worker::run', 'Cache::remember'], 'count' => 100, 'bytes' => 8000]], $allocations);
        self::assertSame(['main()', 'Worker::run'], $index->allocation($this->at($index, 'cache')));
        self::assertCount(2, $index->allocations(null));
    }

    /** Of a group with many nodes the first ones are in the index, and the others are added up when they are asked for. */
    public function testRetainersOfALargeGroup(): void
    {
        $fixture = new HeapFixture();
        for ($i = 0; $i < 80; $i++) {
            $list = $fixture->add('array', '', 56);
            $fixture->refer($fixture->root('global_variables'), "list$i", $list);
            for ($n = 0; $n < 40; $n++) {
                $item = $fixture->add('object', $n % 2 === 0 ? 'Even' : 'Odd', 40);
                $fixture->refer($list, $n, $item);
                $fixture->refer($item, 'name', $fixture->add('string', '', 24 + $i));
            }
        }
        $index = $this->open($fixture->text());
        foreach (['string' => 'name', 'object' => ''] as $type => $property) {
            $group = $index->type($type) ?? self::fail();
            $all = $index->retainers($group, PHP_INT_MAX);
            self::assertCount(80, $all);
            self::assertSame("\$GLOBALS['list79'][*]" . ($property === '' ? '' : "->$property"), $all[0]['text']);
            self::assertSame(40 * (($property === '' ? 40 : 0) + 24 + 79), $all[0]['retained']);
            self::assertEquals(array_slice($all, 0, 30), $index->retainers($group, 30));
            self::assertSame($group->retained, array_sum(array_column($all, 'retained')));
            $members = array_map(static fn (HeapNode $node): int => $node->retained, $index->members($group, 0, $group->count + 9));
            $sorted = $members;
            rsort($sorted);
            self::assertCount(3200, $members);
            self::assertSame($sorted, $members);
            self::assertSame(array_slice($members, 100, 7), array_column($index->members($group, 100, 7), 'retained'));
        }
        self::assertSame([1600, 1600], array_column($index->classes(), 'count'));
        $odd = $index->group('odd') ?? self::fail();
        self::assertSame(['Odd'], array_values(array_unique(array_column($index->members($odd), 'name'))));
    }

    public function testReferencesBothWaysInPages(): void
    {
        $index = $this->worker();
        $job = $this->at($index, 'job7');
        $shown = array_map(static fn (HeapReference $reference): array => [
            $reference->kind, $reference->label, $reference->text, $reference->node?->type, $reference->scalar,
        ], $index->references($job));
        self::assertSame([
            ['named', 'name', '->name', 'string', ''],
            ['named', 'kind', '->kind', 'string', ''],
            ['scalar', 'tries', '->tries', null, '7'],
        ], $shown);
        $from = array_map(static fn (HeapReference $reference): array => [
            $reference->kind, $reference->label, $reference->node?->title(),
        ], $index->referrers($job));
        sort($from);
        self::assertSame([
            ['index', '7', 'array'], ['named', 'job', 'frame App\Worker::run'], ['weak', '7', 'root objects_store'],
        ], $from);
        $items = $this->at($index, 'items');
        self::assertSame(101, $items->references);
        $page = $index->references($items, 100, 50);
        self::assertSame([['[99]', $this->named['job99']]], array_map(static fn (HeapReference $reference): array
            => [$reference->text, $reference->node?->address], $page));
        $details = ['refcount' => 1, 'length' => 5, 'value' => 'job 7'];
        $name = $index->references($job, 0, 1)[0]->node;
        self::assertNotNull($name);
        self::assertSame($details, array_intersect_key($index->details($name), $details));
        self::assertNull($index->node(12345));
        self::assertSame([], $index->references($items, 101, 10));
    }

    public function testSuspects(): void
    {
        $index = $this->worker(1000);
        $suspects = array_map(static fn (array $suspect): array => [
            $suspect['kind'], $suspect['count'], $suspect['type'], $suspect['path'], $suspect['bytes'],
        ], $index->suspects());
        $items = $this->at($index, 'items');
        self::assertSame([
            ['accumulates', 999, 'App\Job', "\$GLOBALS['cache']->items", $items->retained],
            ['garbage', 1, 'App\Node', '(App\Node)', 112 + 112 + 5120],
            ['unreachable', 1, 'string?', '(string?)', 320],
        ], $suspects);
    }

    public function testALongListIsAChain(): void
    {
        $fixture = new HeapFixture();
        $before = $fixture->root('global_variables');
        $label = 'list';
        for ($i = 0; $i < 5000; $i++) {
            $node = $fixture->add('object', 'Item', 64);
            $fixture->refer($before, $label, $node);
            [$before, $label] = [$node, 'next'];
        }
        $index = $this->open($fixture->text());
        $suspect = $index->suspects()[0];
        self::assertSame(['chain', 5000, 'Item', 5000 * 64], [
            $suspect['kind'], $suspect['count'], $suspect['type'], $suspect['bytes'],
        ]);
        $group = $index->group('item');
        self::assertNotNull($group);
        self::assertSame(5000 * 64, $group->retained);
        $last = $index->node($before);
        self::assertNotNull($last);
        $path = $index->path($last);
        self::assertCount(81, $path->steps);
        self::assertSame(5001 - 81, $path->omitted);
        self::assertStringContainsString('->next ... 4920 more ... ->next', $path->text);
        self::assertCount(1000, $index->dominators($last), 'not all of them');
        self::assertSame([["\$GLOBALS['list']->next", 4999, 4999 * 64], ["\$GLOBALS['list']", 1, 5000 * 64]], array_map(
            static fn (array $holder): array => [$holder['text'], $holder['count'], $holder['retained']],
            array_reverse($index->retainers($group)),
        ));
        self::assertCount(1, $index->outermost($group));
    }

    public function testDiffByClassAndAddress(): void
    {
        $a = $this->worker(100);
        $b = $this->worker(130, 'b');
        $diff = new HeapDiff($a, $b);
        self::assertTrue($diff->isOneProcess());
        $changes = array_column($diff->classes(), null, 'name');
        self::assertSame([[100, 130], [8000, 10400], 30, 0], [
            $changes['App\Job']['count'], $changes['App\Job']['bytes'], $changes['App\Job']['new'], $changes['App\Job']['gone'],
        ]);
        self::assertSame('App\Job', $diff->classes()[0]['name'], 'the largest change first');
        $group = $b->group('App\Job');
        self::assertNotNull($group);
        $new = array_column($diff->newObjects($group, 0, 100), 'address');
        sort($new);
        self::assertCount(30, $new);
        self::assertSame($this->named['job100'], $new[0]);
        self::assertSame(array_slice($new, 0, 0), $diff->newObjects($group, 30));
        $other = new HeapFixture(['pid' => 1]);
        $other->worker();
        $diff = new HeapDiff($a, $this->open($other->text(), 'c'));
        self::assertFalse($diff->isOneProcess());
        self::assertNull($diff->classes()[0]['new']);
    }

    public function testTheIndexIsKeptUntilTheFileChanges(): void
    {
        $this->worker();
        $file = $this->snapshot();
        self::assertNotNull(HeapIndex::find($file));
        $kept = glob($this->folder . '/xhprof/*.heap-index') ?: [];
        self::assertCount(1, $kept);
        self::assertSame(0600, fileperms($kept[0]) & 0777);
        file_put_contents($kept[0], 'nonsense');
        self::assertNull(HeapIndex::find($file));
        self::assertSame(100, HeapIndex::open($file)->group('App\Job')?->count, 'it is made again');
        $fixture = new HeapFixture();
        $fixture->worker(90);
        file_put_contents($file, $fixture->text());
        self::assertNull(HeapIndex::find($file));
        self::assertSame(90, HeapIndex::open($file)->group('App\Job')->count);
        HeapIndex::discard($file);
        self::assertNull(HeapIndex::find($file));
        self::assertSame([], glob($this->folder . '/xhprof/*.tmp'));
    }

    public function testAFileThatIsWrittenAnewWhileItIsReadIsReadAgain(): void
    {
        $fixtures = [new HeapFixture(), new HeapFixture()];
        $fixtures[0]->worker(100);
        $fixtures[1]->worker(90);
        file_put_contents($this->snapshot(), $fixtures[0]->text());
        $old = HeapIndex::open($this->snapshot(), function (string $what, int $done, int $of) use ($fixtures): void {
            if ($done === $of && $what === 'Finding out what keeps what') {
                file_put_contents($this->snapshot(), $fixtures[1]->text());
            }
        });
        self::assertSame(100, $old->group('App\Job')?->count);
        self::assertNull(HeapIndex::find($this->snapshot()));
        self::assertSame(90, HeapIndex::open($this->snapshot())->group('App\Job')?->count);
    }

    public function testOnlyTheNewestIndexesAreKept(): void
    {
        for ($i = 0; $i < 15; $i++) {
            $this->open((new HeapFixture())->text(), "snapshot$i");
            foreach (glob("$this->folder/xhprof/*.heap-index") ?: [] as $file) {
                touch($file, (int) filemtime($file) - 10);
            }
        }
        self::assertCount(12, glob("$this->folder/xhprof/*.heap-index") ?: []);
        self::assertNull(HeapIndex::find($this->snapshot('snapshot0')));
        self::assertNotNull(HeapIndex::find($this->snapshot('snapshot14')));
        $open = HeapIndex::open($this->snapshot('snapshot14'));
        HeapIndex::discard($this->snapshot('snapshot14'));
        self::assertCount(13, $open->roots(), 'what is open goes on');
    }

    public function testAnIndexThatIsDamagedLaterIsSaid(): void
    {
        $this->worker();
        $file = (glob($this->folder . '/xhprof/*.heap-index') ?: [''])[0];
        $bytes = (string) file_get_contents($file);
        for ($at = 8; $at < strlen($bytes); $at += 997) {
            $broken = $bytes;
            $broken[$at] = chr(ord($broken[$at]) ^ 0xFF);
            file_put_contents($file, $broken);
            try {
                $index = HeapIndex::open($this->snapshot());
                foreach ($index->classes() as $group) {
                    foreach ($index->members($group, 0, 3) as $node) {
                        $index->path($node);
                        $index->referrers($node);
                    }
                }
                $index->suspects();
            } catch (\XHProf\Exception\XHProfException $error) {
                self::assertStringContainsString('index', $error->getMessage());
            }
        }
        $this->addToAssertionCount(1);
    }

    public function testProgressIsReported(): void
    {
        $fixture = new HeapFixture();
        $fixture->worker();
        file_put_contents($this->snapshot(), $fixture->text());
        $steps = [];
        HeapIndex::open($this->snapshot(), static function (string $what, int $done, int $of) use (&$steps): void {
            $steps[$what] = [$done, $of];
        });
        self::assertSame([8, 8], $steps['Finding out what keeps what']);
    }
}
