<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use XHProf\Exception\DamagedRun;
use XHProf\Exception\NotOfMean;
use XHProf\Exception\RunNotFound;
use XHProf\Exception\StoreError;
use XHProf\Profile\CallTree;
use XHProf\Profile\TimeRange;
use XHProf\Run\ChangedRun;
use XHProf\Run\Exemplars;
use XHProf\Run\MadeRun;
use XHProf\Run\MeanRun;
use XHProf\Run\PartOfRun;
use XHProf\Run\Run;
use XHProf\Run\RunFileWriter;
use XHProf\Run\RunId;
use XHProf\Run\RunMeta;
use XHProf\Store\RunFolder;
use XHProf\Tests\Lib\Support\AutomaticRuns;
use XHProf\Tests\Lib\Support\MemoryRun;
use XHProf\Tests\Lib\Support\OperationsRun;
use XHProf\Tests\Lib\Support\RunFiles;
use XHProf\Tests\Lib\Support\Runs;
use XHProf\Tests\Lib\Support\TemporaryFolder;

require_once __DIR__ . '/Support/AutomaticRuns.php';
require_once __DIR__ . '/Support/MemoryRun.php';
require_once __DIR__ . '/Support/OperationsRun.php';
require_once __DIR__ . '/Support/RunFiles.php';
require_once __DIR__ . '/Support/Runs.php';
require_once __DIR__ . '/Support/TemporaryFolder.php';

/** Each kind of run answers the same questions in the same way, and its parts agree with each other. */
final class RunTest extends TestCase
{
    use TemporaryFolder;

    private const PARTS = [Run::TREE, Run::TIMELINE, Run::SAMPLES, Run::MEMORY, Run::OPERATIONS];

    private const TREE = [
        'n' => 4, 'names' => ['main()', 'a', 'b', 'job'], 'fn' => [0, 1, 2, 3], 'depth' => [0, 1, 2, 1], 'ct' => [1, 2, 3, 1],
        'function_kind' => [0, 0, 0, 0], 'self' => ['wt' => [10000, 20500, 30000, 40000]],
    ];

    /** A call of a with b in it from 10 to 40 µs, job from 45 to 60 µs, a again from 70 to 90 µs. */
    private const TIMELINE = [
        'duration' => 100500, 'asked_threshold' => 5000, 'threshold' => 5000,
        't' => [10000, 20000, 45000, 70000], 'd' => [30000, 10500, 15000, 20000], 'node' => [1, 2, 3, 1],
    ];

    private const META = [
        'command' => 'php job.php', 'ts' => 1763680000.5, 'totals' => ['ct' => 7, 'wt' => 100],
        'overhead' => ['user' => ['callee' => 10, 'caller' => 5], 'internal' => ['callee' => 1, 'caller' => 1]],
    ];

    private const SAMPLES = [
        '1763680000.000000' => 'main()==>a', '1763680000.100000' => 'main()==>a==>b', '1763680000.200000' => 'main()==>a==>b',
        '1763680000.300000' => 'main()==>d', '1763680000.400000' => 'main()',
    ];

    private const NAMES = ['a' => 'A\First', 'b' => 'B\Second'];

    private function saved(string $id = 'whole'): Run
    {
        RunFiles::write($this->folder, "$id.x", ['meta' => self::META, 'tree' => self::TREE, 'timeline' => self::TIMELINE]);

        return (new RunFolder($this->folder))->open(RunId::fromStrings($id, 'x'));
    }

    private function pecls(): Run
    {
        $store = new RunFolder($this->folder);

        return $store->open($store->saveClassic(Runs::small(), 'x', 'edges'));
    }

    private function sampled(): Run
    {
        $store = new RunFolder($this->folder);

        return $store->open($store->saveSamples(self::SAMPLES, 'x', 'samples'));
    }

    private function kept(): Run
    {
        AutomaticRuns::build($this->folder);
        $window = RunId::fromStrings(AutomaticRuns::window(9), 'traffic');
        $id = Exemplars::id($window, Exemplars::SLOWEST, 'GET /search') ?? self::fail('it has no id');

        return (new RunFolder($this->folder))->open($id);
    }

    private function mean(): MeanRun
    {
        $this->saved('one');
        RunFiles::write($this->folder, 'two.x', [
            'meta' => self::META,
            'tree' => ['self' => ['wt' => [30000, 20500, 50000, 60000]]] + self::TREE,
        ]);
        $mean = (new RunFolder($this->folder))->named('one,two');
        self::assertInstanceOf(MeanRun::class, $mean);

        return $mean;
    }

    private static function made(): Run
    {
        $meta = RunMeta::fromArray(['name' => 'made', 'totals' => ['wt' => 100]]);

        return new MadeRun(null, 'a run in memory', $meta, CallTree::fromArray(self::TREE));
    }

    /** @return array<string, array{string, list<string>, float|int|null, string}> name, parts, µs or samples in all, title */
    public static function kinds(): array
    {
        $both = [Run::TREE, Run::SAMPLES];

        return [
            'a file' => ['saved', [Run::TREE, Run::TIMELINE], 100.5, 'php job.php'],
            "PECL's file" => ['pecls', [], 1000, 'edges'],
            "PECL's samples" => ['sampled', $both, 500000, 'samples'],
            'a request that a window has kept' => ['kept', [Run::TREE], 1000000, 'GET /search (slowest of 78)'],
            'a part of a timeline' => ['ofTimeline', [Run::TREE], 30, 'php job.php'],
            'a part of samples' => ['ofSamples', $both, 200000, 'samples'],
            'a mean' => ['mean', [Run::TREE], 130.5, 'Mean of 2 runs'],
            'renamed' => ['renamed', [Run::TREE, Run::TIMELINE], 100.5, 'php job.php'],
            'with corrected times' => ['corrected', [Run::TREE, Run::TIMELINE], 100.5, 'php job.php'],
            'in memory' => ['made', [Run::TREE], 100.5, 'made'],
            'without small paths' => ['above', [Run::TREE], 100.5, 'php job.php'],
        ];
    }

    private function ofKind(string $kind): Run
    {
        return match ($kind) {
            'saved' => $this->saved(),
            'pecls' => $this->pecls(),
            'sampled' => $this->sampled(),
            'kept' => $this->kept(),
            'ofTimeline' => (new PartOfRun($this->saved(), new TimeRange(10000, 40000))),
            'ofSamples' => (new PartOfRun($this->sampled(), new TimeRange(100000000, 300000000))),
            'mean' => $this->mean(),
            'renamed' => ChangedRun::renamed($this->saved(), self::NAMES),
            'corrected' => ChangedRun::corrected($this->saved()) ?? self::fail('it has no corrected times'),
            'above' => ChangedRun::above($this->saved(), 0.35) ?? self::fail('it has no call tree'),
            default => self::made(),
        };
    }

    /** @param list<string> $parts */
    #[DataProvider('kinds')]
    public function testItsPartsAgreeAndHasKnowsThemBefore(string $kind, array $parts, float|int|null $time, string $title): void
    {
        $run = $this->ofKind($kind);
        self::assertSame($parts, array_values(array_filter(self::PARTS, $run->has(...))));
        self::assertSame($title, $run->title());
        self::assertEqualsWithDelta($time, $run->profile()->totals()['wt'], 0.001);
        self::assertSame($run->profile(), $run->profile(), 'it is read once');
        self::assertSame($run->has(Run::TREE), $run->tree() !== null);
        if ($run->tree() !== null) {
            $recorded = static fn (array $row): array => array_diff_key($row, ['corrected_wt' => 0]);
            $edges = array_map($recorded, $run->profile()->edges());
            self::assertEqualsWithDelta($run->tree()->toProfile()->edges(), $edges, 0.001);
            self::assertContains($run->nodes(), [0, $run->tree()->count()]);
            self::assertSame($run->tree(), ChangedRun::withTree($run, $run->tree())->tree());
            self::assertSame([], array_diff($run->treeNames(), $run->tree()->names));
            self::assertSame($run->tree()->names, $run->treeHead()->names ?? $run->tree()->names);
        }
        if ($run instanceof MeanRun) {
            return; // its other parts throw
        }
        self::assertSame($run->has(Run::SAMPLES), $run->samples() !== null);
        self::assertSame($run->has(Run::TIMELINE), $run->timeline() !== null);
        self::assertNull($run->memory() ?? $run->operations());
        self::assertSame($run->samples(), $run->samplesThatFit());
        self::assertSame($run->timeline(), $run->timelineThatFits());
        $hasCorrected = in_array($kind, ['saved', 'renamed', 'corrected', 'above'], true);
        self::assertSame($hasCorrected, ChangedRun::corrected($run)?->profile() !== null);
        self::assertSame(in_array($kind, ['saved', 'sampled', 'renamed', 'corrected'], true), $run->span() !== null);
    }

    public function testWhatARunHasIsKnownWithoutReadingIt(): void
    {
        RunFiles::write($this->folder, 'bad.x', [
            'meta' => self::META,
            'tree' => ['fn' => [0, 1, 2, 9]] + self::TREE,
            'timeline' => ['node' => [1, 2, 3, 9]] + self::TIMELINE,
            'samples' => ['t' => [1]],
            'memory' => ['rows' => 1],
            'operations' => ['rows' => 1],
        ]);
        $run = (new RunFolder($this->folder))->open(RunId::fromStrings('bad', 'x'));
        self::assertSame(self::PARTS, array_values(array_filter(self::PARTS, $run->has(...))));
        self::assertSame([4, 4, 100500], [$run->nodes(), count($run->treeNames()), $run->span()?->duration]);
        self::assertGreaterThan(16, $run->numbers(Run::TREE));
        self::assertSame([self::META['totals']['wt'], ['wt']], [$run->total('wt'), $run->metrics()]);
        $changed = [$run, (new PartOfRun($run, new TimeRange(0, 50000))), ChangedRun::renamed($run, self::NAMES)];
        foreach ($changed as $one) {
            foreach (['profile', 'tree', 'samples'] as $read) {
                try {
                    $read === 'profile' ? $one->profile()->edges() : $one->$read();
                    self::fail("$read() was read");
                } catch (DamagedRun $e) {
                    self::assertStringStartsWith("$this->folder/bad.x.run: ", $e->getMessage());
                }
            }
        }
        foreach (['timeline', 'memory', 'operations'] as $read) {
            try {
                $run->$read();
                self::fail("$read() was read");
            } catch (DamagedRun $e) {
                self::assertStringStartsWith("$this->folder/bad.x.run: ", $e->getMessage());
            }
        }
        file_put_contents("$this->folder/old", 'a:1:{s:6:"main()";');
        $this->expectException(DamagedRun::class);
        $this->expectExceptionMessage("$this->folder/old: ");
        RunFolder::openFile("$this->folder/old")->profile();
    }

    public function testAFileOfPeclsHasItsEdgesOnly(): void
    {
        $run = $this->pecls();
        self::assertSame(Runs::small(), $run->profile()->recorded()->edges());
        self::assertSame(['edges', 'x', (float) filemtime($run->path)], [$run->meta()->id, $run->meta()->source, $run->meta()->ts]);
        self::assertNull($run->span() ?? $run->file() ?? $run->recordedSamples());
        self::assertNull(ChangedRun::corrected($run) ?? ChangedRun::above($run, 0.1));
        self::assertSame([[], [], 0], [$run->requests(), $run->treeNames(), $run->nodes()]);
        copy($run->path, "$this->folder/elsewhere");
        $elsewhere = RunFolder::openFile("$this->folder/elsewhere");
        self::assertSame($run->profile()->edges(), $elsewhere->profile()->edges());
        self::assertSame([null, "$this->folder/elsewhere"], [$elsewhere->id, $elsewhere->name()]);
        self::assertSame('edges (x)', RunFolder::openFile($run->path)->name());
        $this->expectException(StoreError::class);
        RunFolder::openFile("$this->folder/none");
    }

    public function testSamplesOfPeclsHavePartsThatAddUp(): void
    {
        $run = $this->sampled();
        self::assertSame(self::SAMPLES, $run->recordedSamples());
        self::assertSame([5, 100000], [$run->meta()->recording->samples, $run->meta()->recording->sampleInterval]);
        $end = $run->span()->duration ?? 0;
        self::assertSame(500000000, $end);
        self::assertEquals($run->tree(), (new PartOfRun($run, new TimeRange(0, $end)))->tree());
        self::assertSame($run->profile()->edges(), (new PartOfRun($run, new TimeRange(0, $end)))->profile()->edges());
        $parts = [(new PartOfRun($run, new TimeRange(0, 150000000))), (new PartOfRun($run, new TimeRange(150000000, $end)))];
        $sum = static fn (string $metric): int|float => array_sum(array_map(
            static fn (Run $part): int|float => $part->profile()->totals()[$metric],
            $parts,
        ));
        self::assertSame($run->profile()->totals()['wt'], $sum('wt'));
        self::assertNotSame($parts[0]->version(), $parts[1]->version());
        self::assertNull((new PartOfRun($run, new TimeRange(0, 1)))->knownMetrics(), 'the metadata are those of the whole');
        self::assertSame($run->treeNames(), $parts[0]->treeNames());
    }

    public function testAPartOfATimelineHasTheCallsInIt(): void
    {
        $run = $this->saved();
        $part = (new PartOfRun($run, new TimeRange(10000, 40000)));
        self::assertEqualsCanonicalizing(['main()', 'a', 'b'], $part->profile()->symbols());
        self::assertSame([$run->name(), $run->meta()], [$part->name(), $part->meta()]);
        self::assertNull($part->samples() ?? $part->timeline());
        $none = (new PartOfRun(self::made(), new TimeRange(0, 1)));
        self::assertNull($none->tree());
        self::assertFalse($none->has(Run::TREE));
        $this->expectException(DamagedRun::class);
        $this->expectExceptionMessage('a run in memory: the times of its calls are not known');
        $none->profile();
    }

    public function testTheNewestRunOfAMeanStaysTheSame(): void
    {
        $this->saved('one');
        RunFiles::write($this->folder, 'old.x', ['meta' => ['ts' => 1000.0] + self::META, 'tree' => self::TREE]);
        $folder = new RunFolder($this->folder);
        self::assertSame('one', $folder->named('one,latest')->id?->id, 'one run, named twice');
        $mean = $folder->named('old,latest');
        self::assertInstanceOf(MeanRun::class, $mean);
        RunFiles::write($this->folder, 'new.x', ['meta' => ['ts' => 1900000000.0] + self::META, 'tree' => self::TREE]);
        self::assertSame('new', (new RunFolder($this->folder))->find('latest')->id?->id);
        self::assertSame(['old (x)', 'one (x)'], $mean->names());
        $this->expectException(RunNotFound::class);
        (new RunFolder($this->folder))->named('one,none');
    }

    public function testAMeanHasWhatAllRunsHave(): void
    {
        $mean = $this->mean();
        $seen = [];
        $mean->eachProfile(static function ($profile) use (&$seen): void {
            $seen[] = $profile->totals()['wt'];
        });
        self::assertSame(['wt' => [20000, 20500, 40000, 50000]], $mean->tree()?->self);
        self::assertSame([30.5, 130.5], [$mean->profile()->edges()['main()==>a']['wt'] - 30, $mean->profile()->totals()['wt']]);
        self::assertSame([100.5, 160.5], $seen);
        self::assertSame([null, ['one (x)', 'two (x)'], 'mean of 2 runs'], [$mean->id, $mean->names(), $mean->name()]);
        self::assertSame(['runs', 'meta'], array_keys($mean->describe()));
        self::assertSame([self::TREE['names'], 'php job.php'], [$mean->treeNames(), $mean->subject()]);
        $corrected = ChangedRun::corrected($mean)?->profile()?->totals();
        $each = array_map(
            static fn (\Closure $open): int|float => ChangedRun::corrected($open())?->profile()?->totals()['corrected_wt']
                ?? self::fail('it has none'),
            $mean->open,
        );
        self::assertEqualsWithDelta(array_sum($each) / 2, $corrected['corrected_wt'] ?? null, 0.001);
        self::assertEquals($corrected, ChangedRun::corrected(ChangedRun::renamed($mean, self::NAMES))?->profile()?->totals());
        self::assertNull($mean->samplesThatFit() ?? $mean->timelineThatFits());
        $reads = [
            $mean->samples(...), $mean->timeline(...), $mean->memory(...), $mean->operations(...),
            static fn () => (new PartOfRun($mean, new TimeRange(0, 1))),
        ];
        foreach ($reads as $read) {
            try {
                $read();
                self::fail('a mean has it');
            } catch (NotOfMean $e) {
                self::assertMatchesRegularExpression('/one run, not (of|for) the mean of several$/', $e->getMessage());
            }
        }
    }

    public function testAMeanOfRunsOfWhichOneHasNoTree(): void
    {
        $this->saved('one');
        $this->pecls();
        $mean = (new RunFolder($this->folder))->named('one,edges');
        self::assertInstanceOf(MeanRun::class, $mean);
        self::assertFalse($mean->has(Run::TREE));
        self::assertEqualsWithDelta((100.5 + 1000) / 2, $mean->profile()->totals()['wt'], 0.001);
        self::assertSame(['wt'], ChangedRun::corrected($mean)?->profile()->metrics(), 'not all have them');
        $this->expectException(NotOfMean::class);
        $this->expectExceptionMessage('The run edges (x) has no call tree');
        $mean->tree();
    }

    public function testARenamedRunHasTheFiguresOfTheWholeUnderOtherNames(): void
    {
        $run = $this->saved();
        self::assertSame($run, ChangedRun::renamed($run, []));
        $renamed = ChangedRun::renamed($run, self::NAMES);
        $names = ['main()', 'A\First', 'B\Second', 'job'];
        self::assertSame([$names, $names], [$renamed->treeNames(), $renamed->treeHead()?->names]);
        self::assertSame([$names, $names], [$renamed->tree()?->names, $renamed->timeline()?->tree->names]);
        self::assertSame($run->tree()?->self, $renamed->tree()?->self);
        self::assertSame($run->profile()->totals(), $renamed->profile()->totals());
        self::assertEqualsCanonicalizing($names, $renamed->profile()->symbols());
        $corrected = ChangedRun::corrected($run)?->profile();
        self::assertEquals($corrected?->renamed(self::NAMES), ChangedRun::corrected($renamed)?->profile());
        self::assertSame($run->describe(), $renamed->describe());
        self::assertNull($renamed->file(), 'it has the old names');
        $part = (new PartOfRun($renamed, new TimeRange(10000, 40000)));
        self::assertEqualsCanonicalizing(array_slice($names, 0, 3), $part->profile()->symbols());
        self::assertContains('A\First', ChangedRun::renamed($this->sampled(), self::NAMES)->samples()->names ?? []);

        $store = new RunFolder($this->folder);
        $memory = MemoryRun::save($store, 'x', 'memory', MemoryRun::worker(), 4);
        OperationsRun::save($store, $memory);
        $run = $store->open($memory);
        $renamed = ChangedRun::renamed($run, ['Job::handle' => 'Other::handle']);
        self::assertTrue($renamed->has(Run::MEMORY) && $renamed->has(Run::OPERATIONS));
        self::assertContains('Other::handle', $renamed->memory()->tree->names ?? []);
        self::assertNotContains('Job::handle', $renamed->memory()->tree->names ?? []);
        self::assertSame($run->operations(), $renamed->operations());
    }

    public function testCorrectedTimesStandBesideTheRecordedOnes(): void
    {
        $run = $this->saved();
        $corrected = ChangedRun::corrected($run);
        self::assertSame(['wt', 'corrected_wt'], $corrected?->profile()->metrics());
        self::assertSame(['wt'], $run->profile()->metrics());
        self::assertEquals(ChangedRun::corrected($run)?->profile(), $corrected->profile());
        self::assertEquals(ChangedRun::corrected($run)?->profile(), ChangedRun::corrected($corrected)?->profile());
        self::assertSame($run->timeline()?->t, $corrected->timeline()?->t);
        $few = ChangedRun::above($run, 0.35);
        self::assertSame(['wt', 'corrected_wt'], $few?->profile()->metrics());
        self::assertSame($few->tree()?->count(), $few->nodes());
        self::assertLessThan($run->nodes(), $few->nodes());
        self::assertSame($few->tree()?->names, $few->treeHead()?->names);
        self::assertNull($few->span(), 'times are of the paths that were left out too');
    }

    public function testCorrectedMetricsHaveOneNameWhereverARunIs(): void
    {
        $tree = CallTree::fromArray(self::TREE);
        $tree = $tree->withCorrected(['wt' => $tree->self['wt']]);
        $meta = RunMeta::fromArray(['totals' => ['wt' => 1]]);
        $made = new MadeRun(null, 'a run in memory', $meta, $tree);
        self::assertSame(['wt'], $made->correctedMetrics());
        self::assertSame(['wt', 'corrected_wt'], ChangedRun::corrected($made)?->metrics());
    }

    public function testARequestThatAWindowHasKeptIsTheSameAsInItsList(): void
    {
        $run = $this->kept();
        $window = (new RunFolder($this->folder))->open(RunId::fromStrings(AutomaticRuns::window(9), 'traffic'));
        $listed = array_values(array_filter(
            $window->requests(),
            static fn (array $one): bool => (string) $one['id'] === (string) $run->id,
        ));
        self::assertEquals([$run->tree()], array_column($listed, 'tree'));
        self::assertSame([$window->id?->id, 100], [$run->meta()->origin->parent, $run->meta()->recording->samples]);
        self::assertNull($run->span() ?? $run->file());
        self::assertSame([], $run->requests());
        $first = ChangedRun::renamed($window, ['App\Kernel::handle' => 'Renamed'])->requests()[0]['tree']->names;
        self::assertContains('Renamed', $first);
    }

    /** A file that is written over keeps its inode, its size, and within a second its time. */
    public function testARunThatWasWrittenOverIsReadAgain(): void
    {
        $store = new RunFolder($this->folder);
        $id = RunId::fromStrings('whole', 'x');
        foreach ([10000, 20000, 30000] as $time) {
            $bytes = RunFileWriter::bytes(['tree' => ['self' => ['wt' => [$time, 20500, 30000, 40000]]] + self::TREE]);
            file_put_contents(RunFiles::path($this->folder, $id), $bytes);
            self::assertSame($time, $store->open($id)->tree()?->self['wt'][0]);
        }
        touch($store->path($id), time() - 60);
        self::assertSame($store->open($id), $store->open($id), 'one that is older stays open');
    }
}
