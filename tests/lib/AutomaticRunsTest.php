<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use XHProf\Exception\DamagedRun;
use XHProf\Exception\InvalidProfile;
use XHProf\Export\Formats;
use XHProf\File\Folder;
use XHProf\Functions\FunctionLines;
use XHProf\Profile\CallTree;
use XHProf\Profile\SampleColumns;
use XHProf\Profile\TimeRange;
use XHProf\Run\OriginText;
use XHProf\Run\RequestWindow;
use XHProf\Run\RouteFigures;
use XHProf\Run\Run;
use XHProf\Run\RunId;
use XHProf\Run\RunMeta;
use XHProf\Stats\Buckets;
use XHProf\Store\FolderFiles;
use XHProf\Store\Retention;
use XHProf\Store\RouteRuns;
use XHProf\Store\RunCatalog;
use XHProf\Store\RunEntry;
use XHProf\Store\RunFolder;
use XHProf\Store\RunQuery;
use XHProf\Tests\Lib\Support\AutomaticRuns;
use XHProf\Tests\Lib\Support\ExportRuns;
use XHProf\Tests\Lib\Support\RunFiles;
use XHProf\Tests\Lib\Support\TemporaryFolder;

require_once __DIR__ . '/Support/ExportRuns.php';
require_once __DIR__ . '/Support/RunFiles.php';
require_once __DIR__ . '/Support/TemporaryFolder.php';
require_once __DIR__ . '/Support/AutomaticRuns.php';

/** Runs that settings started: their metadata, logs of samples, and queries for them. */
final class AutomaticRunsTest extends TestCase
{
    use TemporaryFolder;

    private const TREE = [
        'names' => ['main()', 'f', 'g'],
        'fn' => [0, 1, 2],
        'depth' => [0, 1, 2],
        'ct' => [1, 5, 2],
        'self' => ['wt' => [1000000, 5000000, 2000000]],
    ];

    private const LOG = [
        'interval_us' => 1000, 'clock' => 'wall', 'start_us' => 1763680000000000,
        't' => [2, 5, 9], 'n' => [3, 2, 1], 'node' => [1, 2, 0], 'line' => [17, 20, 0],
    ];

    private static function id(string $id, string $source = AutomaticRuns::SOURCE): RunId
    {
        return RunId::fromStrings($id, $source);
    }

    private function store(): RunFolder
    {
        AutomaticRuns::build($this->folder);

        return new RunFolder($this->folder);
    }

    /** @param array<string, mixed> $log replaces members of LOG */
    private static function samples(array $log, CallTree $tree): SampleColumns
    {
        return SampleColumns::fromLog($log + self::LOG, $tree) ?? self::fail('it has no samples');
    }

    public function testARangeOfALogHasTheSamplesOfItsTime(): void
    {
        $samples = self::samples([], CallTree::fromArray(self::TREE));
        // f from 0 to 3 ms, g to 5 ms, nothing to 7 ms, main() to 8 ms.
        foreach ([[0, 8000, [1, 3, 2]], [600, 4400, [0, 2, 1]], [0, 400, [0, 0]], [7500, 9000, [1]]] as [$from, $to, $calls]) {
            $part = $samples->part(new TimeRange($from * 1000, $to * 1000));
            self::assertSame($calls, $part->tree()->ct, "from $from to $to µs");
            self::assertSame(array_sum($calls), $part->count());
        }
    }

    public function testALogOfSamplesIsReadBesideItsTree(): void
    {
        $tree = CallTree::fromArray(self::TREE);
        $columns = self::samples([], $tree);
        self::assertSame(1763680000002000, $columns->start);
        self::assertSame([3000, 2000, 2000, 1000], $columns->t, 'two intervals without a sample');
        self::assertSame([1, 2, -1, 0], $columns->stack);
        self::assertSame([17, 20, 0, 0], $columns->line);
        self::assertSame([6, 8000, 'wt'], [$columns->count(), $columns->duration(), $columns->metric]);
        self::assertSame([[0, 1, 2], [-1, 0, 1]], [$columns->fn, $columns->parent]);
        self::assertSame([1, 3, 2], $columns->tree()->ct);
        self::assertSame([1000000, 3000000, 2000000], $columns->tree()->exclusive('wt'));

        $cpu = self::samples(['clock' => 'cpu', 'line' => null], $tree);
        self::assertSame(['cpu', null], [$cpu->metric, $cpu->line]);
        self::assertSame(['cpu'], $cpu->tree()->metrics());
    }

    /** @return array<string, array{array<string, mixed>, string}> */
    public static function wrongLogs(): array
    {
        return [
            'no interval' => [['interval_us' => 0], 'have no interval'],
            'a bad interval' => [['interval_us' => '1000'], 'the interval of the samples is not a valid number'],
            'a huge interval' => [['interval_us' => PHP_INT_MAX], 'the interval of the samples is not a valid number'],
            'no time' => [['start_us' => null], 'the time of the first sample'],
            'columns of two lengths' => [['n' => [3, 2]], '"n" of the samples is missing or of the wrong length'],
            'no columns' => [['node' => 'x'], '"node" of the samples is missing'],
            'a node that is not there' => [['node' => [1, 2, 3]], '"node" of the samples holds a number'],
            'no node' => [['node' => [1, -1, 0]], '"node" of the samples holds values that are not integers'],
            'a run of nothing' => [['n' => [3, 0, 1]], '"n" of the samples holds values that are not integers'],
            'an endless run' => [['n' => [1 << 43, 2, 1]], 'not in the order of time'],
            'a last run without end' => [['n' => [3, 2, 1 << 43]], 'too far apart'],
            'back in time' => [['t' => [5, 2, 9]], 'not in the order of time'],
            'two at a time' => [['t' => [2, 4, 9]], 'not in the order of time'],
            'a negative time' => [['t' => [-2, 5, 9]], '"t" of the samples holds values that are not integers'],
            'no line' => [['line' => [1, 'x', 2]], '"line" of the samples holds values that are not integers'],
            'a line beyond all files' => [['line' => [1, PHP_INT_MAX, 2]], '"line" of the samples holds a number'],
        ];
    }

    /** @param array<string, mixed> $log */
    #[DataProvider('wrongLogs')]
    public function testWrongLogs(array $log, string $why): void
    {
        $this->expectException(InvalidProfile::class);
        $this->expectExceptionMessage($why);
        SampleColumns::fromLog($log + self::LOG, CallTree::fromArray(self::TREE));
    }

    public function testLinesAtTheEndOfClassicSamples(): void
    {
        $lines = SampleColumns::fromSamples(['1.0' => 'main()==>a:17', '1.1' => 'main()==>b::c:20', '1.2' => 'main():3']);
        self::assertSame([17, 20, 3], $lines->line);
        self::assertSame(['main()', 'a', 'b::c'], $lines->names);
        // A name may have such an end too: it is a line only where all samples have one.
        $names = SampleColumns::fromSamples(['1.0' => 'main()==>PDO::query#SELECT 5:17', '1.1' => 'main()==>b']);
        self::assertNull($names->line);
        self::assertSame(['main()', 'PDO::query#SELECT 5:17', 'b'], $names->names);
    }

    public function testASampledRunWithItsLog(): void
    {
        $store = $this->store();
        $id = self::id(AutomaticRuns::SAMPLED);
        $run = $store->open($id);
        $columns = $run->samples();
        self::assertNotNull($columns);
        self::assertTrue($run->has(Run::SAMPLES) && $run->has(Run::TREE));
        self::assertSame($run->meta()->recording->samples, $columns->count());
        self::assertSame($run->tree()?->ct, $columns->tree()->ct);
        self::assertSame(['wt', 481000], [$run->profile()->metrics()[0], $run->profile()->totals()['wt']]);
        self::assertNull($run->recordedSamples(), 'the classic array is not what was saved');
        self::assertSame('wall', $run->meta()->recording->sampling?->clock);

        $before = $store->open($id)->version();
        RunFiles::put($this->folder, $id, ['samples' => ['t' => [1]]]);
        self::assertNotSame($before, $store->open($id)->version());
        $fresh = new RunFolder($this->folder);
        self::assertSame(481000, $fresh->open($id)->profile()->totals()['wt'], 'the figures do not hang on the log');
        $this->expectException(DamagedRun::class);
        $this->expectExceptionMessage(RunFiles::file($id));
        $fresh->open($id)->samples();
    }

    /** A line is of the innermost PHP code: it includes PHP's own functions called there, but not their callbacks. */
    public function testLinesOfAFunction(): void
    {
        $tree = CallTree::fromArray([
            'names' => ['main()', 'f', 'array_map', '{closure:x.php:9}', 'strlen', 'usort'],
            // main > f > (array_map > (closure > strlen), f > strlen, usort > array_map)
            'fn' => [0, 1, 2, 3, 4, 1, 4, 5, 2],
            'depth' => [0, 1, 2, 3, 4, 2, 3, 2, 3],
            'ct' => array_fill(0, 9, 1),
            'self' => ['wt' => array_fill(0, 9, 1000000)],
        ]);
        $samples = self::samples([
            't' => range(0, 9), 'n' => [1, 1, 1, 1, 1, 1, 1, 1, 1, 1], 'node' => [0, 1, 2, 3, 4, 5, 6, 7, 8, 1],
            'line' => [2, 20, 21, 9, 9, 22, 23, 21, 21, 0],
        ], $tree);
        $lines = FunctionLines::compute($samples, 'f@1');
        self::assertSame([20, 21, 22, 23], array_keys($lines->lines ?? []));
        self::assertSame(['own' => 1, 'called' => 0, 'time' => 1000, 'calls' => []], $lines?->lines[20]);
        // usort() calls array_map(): the line calls usort().
        $calls = ['array_map' => 1, 'usort' => 2];
        self::assertSame(['own' => 0, 'called' => 3, 'time' => 3000, 'calls' => $calls], $lines->lines[21]);
        self::assertSame(['own' => 1, 'called' => 0, 'time' => 1000, 'calls' => []], $lines->lines[22], 'of its recursion');
        self::assertSame([1, 6000], [$lines->unknown, $lines->time()]);
        self::assertSame([9], array_keys(FunctionLines::compute($samples, '{closure:x.php:9}')->lines ?? []));
        self::assertNull(FunctionLines::compute($samples, 'strlen'));
        self::assertNull(FunctionLines::compute($samples, 'nobody'));
        self::assertNull(FunctionLines::compute(SampleColumns::fromSamples(['1.0' => 'main()==>f']), 'f'));
    }

    public function testALogThatIsTooLarge(): void
    {
        $store = $this->store();
        $id = self::id(AutomaticRuns::SAMPLED);
        self::assertFalse($store->open($id)->hasTooManySamples());
        RunFiles::put($this->folder, $id, ['meta' => []]);
        RunFiles::enlarge($this->folder, $id, 'samples.t', (8 << 20) + 8);
        self::assertTrue($store->open($id)->hasTooManySamples());
        // The figures, and an export, do not need it.
        self::assertNull($store->open($id)->meta()->recording->samples);
        self::assertSame([null, 6], [$store->open($id)->samplesThatFit(), $store->open($id)->tree()?->count()]);

        $limit = (string) ini_set('memory_limit', '1G');
        $small = RunId::fromStrings(AutomaticRuns::CPU, AutomaticRuns::SOURCE);
        $isTooMuch = static fn (): bool => $store->open($small)->hasTooManySamples();
        self::assertFalse($isTooMuch());
        RunFiles::enlarge($this->folder, $small, 'samples.t', 5 << 20);
        self::assertTrue($isTooMuch(), 'for 1 GB of memory');
        ini_set('memory_limit', $limit);
        self::assertFalse($limit === '-1' && $isTooMuch());
    }

    /** A run that is shorter than an interval is still a run. */
    public function testALogWithoutSamples(): void
    {
        $store = $this->store();
        $id = self::id(AutomaticRuns::SAMPLED);
        $log = ['t' => [], 'n' => [], 'node' => []] + self::LOG;
        RunFiles::put($this->folder, $id, ['samples' => $log]);
        self::assertTrue($store->open($id)->has(Run::SAMPLES));
        self::assertNull($store->open($id)->samples());
        self::assertNull($store->open($id)->samplesThatFit());
    }

    public function testALogWithoutItsTree(): void
    {
        $store = $this->store();
        $id = self::id(AutomaticRuns::SAMPLED);
        RunFiles::remove($this->folder, $id, 'tree');
        self::assertFalse($store->open($id)->has(Run::TREE));
        self::assertNull($store->open($id)->tree());
        $this->expectExceptionMessage('the call tree of its samples is missing');
        $store->open($id)->samples();
    }

    /** All files of a run are removed, counted and replaced together. */
    public function testTheLogGoesWithTheRun(): void
    {
        $store = $this->store();
        $id = self::id(AutomaticRuns::SAMPLED);
        $names = array_map(basename(...), glob("$this->folder/" . AutomaticRuns::SAMPLED . '.*') ?: []);
        self::assertSame([RunFiles::file($id)], $names);
        $entry = $store->catalog()->entry($id);
        self::assertSame(filesize("$this->folder/$names[0]"), $entry?->size);
        $store->save(['main()' => ['ct' => 1, 'wt' => 5]], AutomaticRuns::SOURCE, AutomaticRuns::SAMPLED);
        self::assertNull(RunFiles::document($this->folder, $id, 'samples'));
        $cpu = self::id(AutomaticRuns::CPU);
        $store->delete($cpu);
        self::assertSame([], glob("$this->folder/" . AutomaticRuns::CPU . '.*'));

        $all = $store->catalog()->ids(new RunQuery());
        $runs = $store->catalog()->find(new RunQuery(), 999)->runs;
        self::assertCount(count($all) - 1, (new Retention(maxRuns: 1))->expired($runs));
    }

    public function testARunByTheCpuClockHasNoWallTimes(): void
    {
        $store = $this->store();
        $id = self::id(AutomaticRuns::CPU);
        $profile = $store->open($id)->profile();
        self::assertSame(['cpu'], $profile->metrics());
        $run = $store->open($id);
        foreach (Formats::all() as $format) {
            $text = ExportRuns::written($format::NAME, $run);
            $text = str_starts_with($text, "\x1f\x8b") ? (string) gzdecode($text) : $text;
            self::assertStringContainsString('PDOStatement::execute', $text, $format::NAME);
            if (in_array($format::NAME, ['speedscope', 'callgrind', 'chrome', 'csv'], true)) {
                self::assertDoesNotMatchRegularExpression('/\bwt\b|Wall/', $text, $format::NAME);
            }
        }
        $entry = $store->catalog()->entry($id);
        self::assertSame([501000, 481000], [$entry?->figure('wt'), $entry?->figure('cpu')]);
    }

    public function testMetadataOfARun(): void
    {
        $store = $this->store();
        $part = $store->open(self::id(AutomaticRuns::PART))->meta();
        self::assertSame(['yes', 'xhprof_enable'], [$part->recording->start, $part->recording->endedBy]);
        self::assertSame(200, $part->origin->status);
        self::assertSame(AutomaticRuns::PART, $store->open(self::id(AutomaticRuns::FORK))->meta()->origin->parent);
        $span = $store->open(self::id(AutomaticRuns::SPAN))->meta();
        self::assertSame(['App\Job\SendInvoice', 'App\Job\SendInvoice'], [$span->origin->name, $span->title()]);
        self::assertNull($span->origin->status);
        $some = $store->open(RunId::fromStrings(sprintf('a3%030x', 0), AutomaticRuns::SOURCE))->meta();
        self::assertSame(['sampled', 0.01], [$some->recording->start, $some->recording->sampleRate]);
        self::assertSame('GET /orders/{id}', $some->origin->route);
        self::assertSame(['order' => 4711], $span->meta);
        // The data read equal the data written.
        foreach ($store->list() as $run) {
            $meta = $store->open($run->id)->meta();
            self::assertEquals($meta, RunMeta::fromArray($meta->toArray()), (string) $run->id);
        }
    }

    public function testWhatARunIsAPartOf(): void
    {
        $store = $this->store();
        $id = self::id(AutomaticRuns::PART);
        // From the index, and from the files.
        foreach ([$store->catalog()->find(new RunQuery("report"), 9)->runs, [$store->catalog()->entry($id)]] as $runs) {
            $parts = [];
            foreach ($runs as $run) {
                $parts[(string) $run?->id] = $run?->meta->recording->endedBy;
            }
            self::assertSame('xhprof_enable', $parts[(string) $id]);
        }
        self::assertNull(OriginText::part(''));
        self::assertSame('A part: ended when the process got the signal SIGTERM', OriginText::part('SIGTERM')['title'] ?? '');
        self::assertSame(['part', "A part: ended when \xFF"], array_values(OriginText::part("\xFF") ?? []));
        // It went on afterwards.
        $without = 'part: without what the program profiled itself, and its jobs';
        self::assertSame("A $without", OriginText::part('interruption')['title'] ?? '');
        self::assertStringContainsString("a $without", OriginText::line(RunMeta::fromArray(['ended_by' => 'interruption'])));
    }

    public function testAWindow(): void
    {
        $window = $this->store()->open(self::id(AutomaticRuns::window(1), 'traffic'))->meta()->window;
        self::assertNotNull($window);
        self::assertSame('All requests (60 s)', $window->title());
        self::assertSame([60, 60.0, 8, 0], [$window->seconds, $window->length(), $window->processes, $window->damaged]);
        self::assertSame(['GET /orders/{id}', 'GET /search'], array_slice($window->routes(), 0, 2));
        self::assertSame([907, 997, 9977000, 44000, 0], self::figures($window->routeStats('GET /')));
        self::assertNull($window->routeStats('GET /nowhere'));
        self::assertSame($window->wall(), array_sum(array_map(
            static fn (string $route): int => $window->routeStats($route)->wall ?? 0,
            $window->routes(),
        )));
    }

    /** @return list<int|null> */
    private static function figures(?RouteFigures $route): array
    {
        return [$route?->requests, $route?->samples, $route?->wall, $route?->max, $route?->walls->count()];
    }

    /** Several windows add up exactly, with and without an index. */
    public function testTheRequestsOfAllWindows(): void
    {
        $query = new RunQuery(start: 'aggregate', requests: false);
        $expected = ['GET /search' => RouteFigures::none(), 'POST /cart' => RouteFigures::none()];
        foreach (range(1, AutomaticRuns::WINDOWS) as $number) {
            $window = $this->store()->open(self::id(AutomaticRuns::window($number), 'traffic'))->meta()->window;
            foreach ($expected as $route => $sum) {
                $expected[$route] = $sum->plus($window?->routeStats($route) ?? RouteFigures::none());
            }
        }
        foreach ([true, false] as $indexed) {
            $catalog = $indexed ? $this->store()->catalog() : self::withoutIndex($this->store());
            self::assertSame($indexed, $catalog->isIndexed());
            $totals = $catalog->requestTotals($query);
            foreach ($expected as $route => $sum) {
                self::assertEquals($sum, $totals->figures($route));
            }
            self::assertSame(0, $totals->figures('GET /nowhere')->requests);
            self::assertSame(['from' => AutomaticRuns::START - 720, 'to' => AutomaticRuns::START], $totals->covered());
            self::assertCount(12, $totals->overTime(100));
            self::assertCount(5, $totals->routes());
            $halves = $totals->overTime(2);
            self::assertSame([360, 360], array_column($halves, 'seconds'));
            self::assertSame(
                $totals->figures()->requests,
                $halves[0]['figures']->requests + $halves[1]['figures']->requests,
            );
            self::assertFalse($totals->isCut());
            $late = new RunQuery(start: 'aggregate', from: (float) (AutomaticRuns::START - 60));
            self::assertCount(1, $catalog->requestTotals($late)->overTime(100));
            self::assertNull($catalog->requestTotals(new RunQuery(start: 'span'))->covered());
        }
    }

    public function testTimeWithoutWindowsIsNoTimeOfRequests(): void
    {
        $this->store();
        foreach (range(4, 8) as $number) {
            array_map(unlink(...), glob("$this->folder/" . AutomaticRuns::window($number) . '.*') ?: []);
        }
        $store = new RunFolder($this->folder);
        foreach ([$store->catalog(), self::withoutIndex($store)] as $catalog) {
            $totals = $catalog->requestTotals(new RunQuery(start: 'aggregate', requests: false));
            self::assertSame(['from' => AutomaticRuns::START - 720, 'to' => AutomaticRuns::START], $totals->covered());
            self::assertSame(60 * (AutomaticRuns::WINDOWS - 5), $totals->seconds());
        }
        // Windows of two hosts at one time, and one that reaches into the next.
        $second = 0;
        $window = static function (int $from, int $seconds, string $host) use (&$second, $store): void {
            $store->save(['main()' => ['ct' => 1, 'wt' => 1]], 'hosts', sprintf('c%031x', $second++), [
                'ts' => (float) $from, 'start' => 'aggregate', 'host' => $host,
                'aggregate' => ['seconds' => $seconds, 'from' => $from, 'to' => $from + $seconds, 'requests' => 1, 'processes' => 1,
                    'routes' => ['GET /' => ['requests' => 1, 'samples' => 1, 'wall_us' => 1, 'max_us' => 1]]],
            ]);
        };
        foreach ([[1000, 60, 'a'], [1000, 60, 'b'], [1030, 60, 'c'], [5000, 10, 'a']] as [$from, $seconds, $host]) {
            $window(1763000000 + $from, $seconds, $host);
        }
        $of = new RunQuery(source: 'hosts', start: 'aggregate');
        self::assertSame(100, (new RunFolder($this->folder))->catalog()->requestTotals($of)->seconds());
    }

    /** A list of single runs has no sums of many requests, whatever it is sorted by; a filter shows these. */
    public function testWindowsAreNoSingleRuns(): void
    {
        $store = $this->store();
        foreach ([$store->catalog(), self::withoutIndex($store)] as $catalog) {
            $all = $catalog->find(new RunQuery(), PHP_INT_MAX);
            $starts = static fn (RunQuery $query): array => array_count_values(array_map(
                static fn (RunEntry $run): string => $run->meta->recording->start ?? '',
                $catalog->find($query, PHP_INT_MAX)->runs,
            ));
            $single = $catalog->find(new RunQuery(single: true, sort: 'wt'), 5);
            self::assertSame($all->matches - AutomaticRuns::WINDOWS, $single->matches);
            self::assertSame($all->total, $single->total);
            self::assertArrayNotHasKey('aggregate', $starts(new RunQuery(single: true, sort: 'wt')));
            self::assertSame(['aggregate' => AutomaticRuns::WINDOWS], $starts(new RunQuery(start: 'aggregate', single: true)));
            self::assertSame($all->matches, array_sum($starts(new RunQuery())));
        }
        self::assertFalse((new RunQuery(single: true))->isFiltered());
    }

    public function testTheWallTimeOfASampledRunIsThatOfItsSamples(): void
    {
        $store = $this->store();
        $sampled = 0;
        foreach ([$store->catalog(), self::withoutIndex($store)] as $catalog) {
            foreach ($catalog->find(new RunQuery(single: true), PHP_INT_MAX)->runs as $run) {
                if ($run->meta->recording->samples !== null && $run->error === null) {
                    $totals = $store->open($run->id)->profile()->totals();
                    $expected = [$totals['wt'] ?? $run->figure('wt'), $totals['cpu'] ?? null];
                    self::assertSame($expected, [$run->figure('wt'), $run->figure('cpu')], (string) $run->id);
                    $sampled++;
                }
            }
        }
        self::assertGreaterThan(0, $sampled);
        $meta = RunMeta::fromArray([
            'duration_us' => 329_400, 'totals' => ['wt' => 329_400], 'samples' => 330, 'sample_interval_us' => 1000,
            'sampling' => ['clock' => 'wall'],
        ]);
        self::assertSame([330_000, null], [$meta->recording->sampledTotal('wt'), $meta->recording->sampledTotal('cpu')]);
        $none = RunMeta::fromArray(['duration_us' => 5, 'samples' => 0, 'sampling' => ['clock' => 'wall']]);
        self::assertNull($none->recording->sampledTotal('wt'));
    }

    public function testTheWindowsNearestToATime(): void
    {
        $totals = $this->store()->catalog()->requestTotals(new RunQuery(start: 'aggregate', requests: false));
        $store = $this->store();
        $max = static fn (RunId $id): int => $store->open($id)->meta()->window?->routeStats('GET /search')->max ?? 0;
        $all = array_map($max, $totals->nearest('GET /search', 0, 100));
        $sorted = $all;
        sort($sorted);
        self::assertCount(AutomaticRuns::WINDOWS, $all);
        self::assertSame($sorted, $all, 'the shortest are nearest to nothing');
        $near = array_map($max, $totals->nearest('GET /search', $sorted[6], 3));
        self::assertSame($sorted[6], $near[0]);
        self::assertCount(3, $near);
        self::assertSame([], $totals->nearest('GET /nowhere', 5, 3));
    }

    public function testKeptMemoryOfAllWindows(): void
    {
        foreach ([$this->store()->catalog(), self::withoutIndex($this->store())] as $catalog) {
            $totals = $catalog->requestTotals(new RunQuery(start: 'aggregate', requests: false));
            foreach (array_keys(AutomaticRuns::ROUTES) as $route) {
                $figures = $totals->figures($route);
                self::assertSame(AutomaticRuns::KEPT[$route] ?? null, $figures->keptMean(), $route);
                self::assertSame($figures->kept, $figures->keptRequests * (AutomaticRuns::KEPT[$route] ?? 0), $route);
            }
        }
        $kept = static fn (mixed $kept): RouteFigures => RouteFigures::fromMeta(['requests' => 3, 'kept' => $kept]);
        foreach (
            [null, 5, [], ['requests' => 2], ['requests' => 0, 'bytes' => 5], ['requests' => -1, 'bytes' => 5],
            ['requests' => 2, 'bytes' => 1 << 60], ['requests' => 2, 'bytes' => 0.5]] as $invalid
        ) {
            self::assertNull($kept($invalid)->keptMean());
            self::assertArrayNotHasKey('kept', $kept($invalid)->toArray());
        }
        $least = $kept(['requests' => 2, 'bytes' => -Buckets::LARGEST]);
        self::assertSame(['requests' => 4, 'bytes' => -Buckets::LARGEST], $least->plus($least)->toArray()['kept'] ?? null);
        self::assertSame(-2, $kept(['requests' => 2, 'bytes' => -3])->keptMean());
    }

    public function testAllocationsOfAllWindows(): void
    {
        foreach ([$this->store()->catalog(), self::withoutIndex($this->store())] as $catalog) {
            $totals = $catalog->requestTotals(new RunQuery(start: 'aggregate', requests: false));
            foreach (array_keys(AutomaticRuns::ROUTES) as $route) {
                [$allocated, $held] = AutomaticRuns::ALLOCATED[$route] ?? [null, null];
                $of = $totals->figures($route)->allocations;
                self::assertSame([$allocated, $held], [$of->allocatedPerRequest(), $of->heldPerRequest()], $route);
                $requests = 0;
                for ($number = AutomaticRuns::ALLOCATING; $number <= AutomaticRuns::WINDOWS && $allocated !== null; $number++) {
                    $requests += AutomaticRuns::ROUTES[$route][0] + $number * 7 % 30;
                }
                self::assertSame([$requests, $requests * (int) $allocated], [$of->requests, $of->allocated], $route);
                self::assertSame($allocated !== null, $totals->slowestAllocating($route) !== null);
            }
            self::assertLessThan($totals->figures('GET /')->requests, $totals->figures('GET /')->allocations->requests);
        }
        $of = static fn (mixed $values): RouteFigures => RouteFigures::fromMeta(['requests' => 3, 'allocations' => $values]);
        $good = ['requests' => 2, 'allocated_bytes' => 5, 'peak_bytes' => 0];
        self::assertSame([2, 0], [$of($good)->allocations->allocatedPerRequest(), $of($good)->allocations->heldPerRequest()]);
        self::assertSame($good, $of($good)->toArray()['allocations'] ?? null);
        foreach (
            [null, 5, [], ['requests' => 2], array_replace($good, ['requests' => -1]), array_replace($good, ['peak_bytes' => 0.5]),
            array_replace($good, ['allocated_bytes' => 1 << 60]), array_replace($good, ['peak_bytes' => -5])] as $invalid
        ) {
            self::assertNull($of($invalid)->allocations->allocatedPerRequest());
            self::assertArrayNotHasKey('allocations', $of($invalid)->toArray());
        }
        // What goes on in the next window has allocated, and no request has ended.
        $begun = $of(['requests' => 0, 'allocated_bytes' => 7, 'peak_bytes' => 0]);
        self::assertNull($begun->allocations->allocatedPerRequest());
        self::assertSame(6, $begun->plus($of($good))->allocations->allocatedPerRequest());
        $most = $of(['requests' => 1, 'allocated_bytes' => Buckets::LARGEST, 'peak_bytes' => Buckets::LARGEST])->allocations;
        self::assertSame([Buckets::LARGEST, Buckets::LARGEST], [$most->plus($most)->allocated, $most->plus($most)->held]);
    }

    public function testHostileMetadata(): void
    {
        $meta = $this->store()->open(self::id(AutomaticRuns::HOSTILE))->meta();
        self::assertNull($meta->recording->sampleRate);
        self::assertSame(['clock' => 'wall'], $meta->recording->sampling?->toArray());
        $window = $meta->window;
        self::assertSame([0, 0.0, 0.0, 0], [$window?->seconds, $window?->from, $window?->length(), $window?->requests]);
        self::assertSame([3, 2, 3000, 2000, 0], self::figures($window?->routeStats('12')));
        self::assertSame(['12', "<img src=x onerror=alert(1)>\u{202E}\x07"], $window?->routes());
        $odd = RunMeta::fromArray(['start' => 'often', 'mode' => 3, 'status' => 99, 'sample_rate' => -1]);
        self::assertNull($odd->recording->start);
        $routes = [];
        for ($i = 0; $i < 5000; $i++) {
            $routes["GET /$i"] = ['requests' => 1 << 53, 'samples' => 1 << 53, 'wall_us' => 1 << 53, 'max_us' => 1 << 53];
        }
        $large = RequestWindow::fromMeta(['routes' => $routes]);
        self::assertCount(1000, $large?->routes() ?? []);
        self::assertSame(1000 * (1 << 53), $large?->wall());
        self::assertNull(RequestWindow::fromMeta('x'));
    }

    /** Queries have the same results with and without an index. */
    public function testFindingRequests(): void
    {
        $this->store();
        foreach (['.xhprof-folder.live', '.xhprof-aggregate.live.spool', '.xhprof-folder.live.xhprof'] as $own) {
            file_put_contents("$this->folder/$own", 'not a run');
        }
        $catalogs = [
            (new RunFolder($this->folder))->catalog(),
            self::withoutIndex(new RunFolder($this->folder)),
        ];
        foreach ($catalogs as $i => $catalog) {
            self::assertSame($i === 0, $catalog->isIndexed());
            $names = static fn (RunQuery $query): array => array_map(
                static fn (RunEntry $run): string => $run->id->id,
                $catalog->find($query, 5)->runs,
            );
            self::assertSame(79, $catalog->find(new RunQuery(), 1)->total);
            self::assertSame(
                [AutomaticRuns::TRIGGERED, AutomaticRuns::HOSTILE, AutomaticRuns::SAMPLED, AutomaticRuns::CPU],
                $names(new RunQuery(start: 'trigger')),
            );
            self::assertSame([AutomaticRuns::window(12), AutomaticRuns::window(11)], array_slice(
                $names(new RunQuery(start: 'aggregate')),
                0,
                2,
            ));
            self::assertSame(
                [AutomaticRuns::TRIGGERED, AutomaticRuns::CPU, AutomaticRuns::SAMPLED],
                array_slice($names(new RunQuery(requests: true, sort: 'wt')), 0, 3),
            );
            self::assertSame([AutomaticRuns::TRIGGERED], $names(new RunQuery(status: '503')));
            self::assertSame(4, $catalog->find(new RunQuery(status: '4xx'), 1)->matches);
            self::assertSame(5, $catalog->find(new RunQuery(status: '5xx'), 1)->matches);
            self::assertSame(0, $catalog->find(new RunQuery(status: 'nine'), 1)->matches);
            self::assertSame([AutomaticRuns::SPAN], $names(new RunQuery(route: 'App\Job\SendInvoice')));

            $routes = [];
            foreach ($catalog->routes(new RunQuery(requests: true)) as $runs) {
                $routes[$runs->route] = $runs;
            }
            self::assertCount(8, $routes);
            $cart = $routes['POST /cart'];
            self::assertInstanceOf(RouteRuns::class, $cart);
            self::assertSame([13, 2, AutomaticRuns::TRIGGERED], [$cart->count, $cart->failed, $cart->slowest->id]);
            self::assertSame(812000, $cart->wall->max());
            $only = $catalog->routes(new RunQuery(status: '503', requests: true));
            self::assertSame(['POST /cart'], array_map(static fn (RouteRuns $runs): string => $runs->route, $only));
        }
    }

    /** What the extension says counts: a fatal error may come after the status, and the status be an earlier span's. */
    public function testWhetherARunHasFailedIsWhatTheExtensionSaysElseItsEnd(): void
    {
        $store = new RunFolder($this->folder);
        $ends = [
            ['status' => 200],
            ['ended_by' => 'SIGTERM'],
            ['ended_by' => 'xhprof_enable'],
            ['status' => 502],
            ['status' => 200, 'failed' => true],
            ['status' => 500, 'failed' => false],
            ['status' => 500, 'failed' => 'no answer to it'],
        ];
        foreach ($ends as $number => $meta) {
            $meta += ['start' => 'yes', 'route' => 'GET /'];
            $store->save(['main()' => ['ct' => 1, 'wt' => 5]], 'live', "run$number", $meta);
        }
        foreach ([$store->catalog(), self::withoutIndex($store)] as $catalog) {
            [$all] = $catalog->routes(new RunQuery(requests: true));
            self::assertSame([7, 4], [$all->count, $all->failed]);
        }
    }

    public function testRunsThatAnotherFiberCutOrMixedSaySo(): void
    {
        $cut = RunMeta::fromArray(['start' => 'span', 'ended_by' => 'span of another fiber', 'other_fibers' => 3]);
        self::assertSame('cut', OriginText::part($cut->recording->endedBy ?? '')['text'] ?? null);
        self::assertStringContainsString('another fiber began a job', OriginText::line($cut));
        self::assertStringContainsString('other fibers ran 3 times within it', OriginText::line($cut));
        self::assertSame(3, $cut->toArray()['other_fibers'] ?? null);
        self::assertNull(OriginText::mixed(RunMeta::fromArray(['start' => 'span', 'other_fibers' => -1])));
    }

    private static function withoutIndex(RunFolder $store): RunCatalog
    {
        return new RunCatalog(new FolderFiles(new Folder($store->directory())), false);
    }
}
