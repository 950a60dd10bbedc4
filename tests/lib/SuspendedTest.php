<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use XHProf\Findings\Evidence;
use XHProf\Findings\Finding;
use XHProf\Findings\Findings;
use XHProf\Profile\Profile;
use XHProf\Report\Order;
use XHProf\Requests\RouteReport;
use XHProf\Run\MadeRun;
use XHProf\Run\MeanRun;
use XHProf\Run\OriginText;
use XHProf\Run\RequestWindow;
use XHProf\Run\RouteFigures;
use XHProf\Run\Run;
use XHProf\Run\RunId;
use XHProf\Run\RunMeta;
use XHProf\Store\RunFolder;
use XHProf\Store\RunQuery;
use XHProf\Store\WaitingRequests;
use XHProf\Tests\Lib\Support\ExportRuns;
use XHProf\Tests\Lib\Support\FiberRuns;
use XHProf\Tests\Lib\Support\PprofDecoder;
use XHProf\Tests\Lib\Support\TemporaryFolder;

require_once __DIR__ . '/Support/ExportRuns.php';
require_once __DIR__ . '/Support/FiberRuns.php';
require_once __DIR__ . '/Support/PprofDecoder.php';
require_once __DIR__ . '/Support/TemporaryFolder.php';

/** The time in which the fiber of a run or of requests was suspended, and what belongs to no request. */
final class SuspendedTest extends TestCase
{
    use TemporaryFolder;

    /** @return iterable<string, array{array<string, mixed>, int|null, string|null}> */
    public static function runs(): iterable
    {
        $why = 'suspended while other fibers ran or the loop waited';
        foreach ([[1, 0], [40, 3], [5000, 5000], [33_000, 12_000], [900, 70_000]] as [$suspended, $cpu]) {
            $own = $cpu + 20;
            $text = static fn (int $us): string => match (true) {
                $us >= 10_000 => sprintf('%.1f ms', $us / 1000), $us >= 1000 => sprintf('%.2f ms', $us / 1000), default => "$us µs",
            };
            $words = "{$text($own + $suspended)} from begin to end: {$text($cpu)} CPU, 20 µs other, {$text($suspended)} $why";
            $known = ['suspended_us' => $suspended, 'duration_us' => $own, 'totals' => ['cpu' => $cpu]];
            yield "$suspended" => [$known + ['elapsed_us' => $own + $suspended], $own + $suspended, $words];
            yield "$suspended, and the profiler's work" => [
                $known + ['elapsed_us' => $own + $suspended + 900], $own + $suspended, $words,
            ];
            yield "$suspended, elapsed unknown" => [$known, $own + $suspended, $words];
        }
        yield 'no CPU time' => [
            ['suspended_us' => 30, 'duration_us' => 20, 'elapsed_us' => 50], 50,
            "50 µs from begin to end: 20 µs running, 30 µs $why",
        ];
        yield 'more CPU than wall time' => [
            ['suspended_us' => 30, 'duration_us' => 20, 'totals' => ['cpu' => 21]], 50,
            "50 µs from begin to end: 21 µs CPU, 0 µs other, 30 µs $why",
        ];
        yield 'no duration' => [['suspended_us' => 30], null, 'suspended for 30 µs while other fibers ran or the loop waited'];
        yield 'never' => [['suspended_us' => 0, 'duration_us' => 50, 'elapsed_us' => 60], 50, null];
        yield 'older' => [['duration_us' => 50, 'elapsed_us' => 60], 50, null];
        foreach ([-1, '5', 1.5, [], PHP_INT_MAX, true] as $i => $wrong) {
            yield "wrong $i" => [['suspended_us' => $wrong, 'duration_us' => 50], 50, null];
        }
    }

    /** @param array<string, mixed> $meta */
    #[DataProvider('runs')]
    public function testFromBeginToEnd(array $meta, ?int $whole, ?string $text): void
    {
        $run = RunMeta::fromArray($meta);
        self::assertSame($whole, $run->totals->wholeUs());
        self::assertSame($whole, $run->wall());
        self::assertSame($text, OriginText::suspended($run));
        self::assertSame($text === null, OriginText::suspension($run) === null);
        self::assertSame($text === null ? [] : ['suspended_us' => $meta['suspended_us']], $run->notes());
        self::assertSame($run->toArray(), RunMeta::fromArray($run->toArray())->toArray());
    }

    public function testRoutesAreReadAddedUpAndWritten(): void
    {
        $a = RouteFigures::fromMeta(['requests' => 5, 'suspended' => ['requests' => 3, 'us' => 1000]]);
        $b = RouteFigures::fromMeta(['requests' => 2, 'suspended' => ['requests' => 1, 'us' => 0]]);
        $none = RouteFigures::fromMeta(['requests' => 2]);
        self::assertSame([3, 1000, 333], [$a->suspended, $a->suspendedTime, $a->meanSuspended()]);
        $sum = RouteFigures::sum([$a, $none, $b, $a]);
        self::assertSame([14, 7, 2000], [$sum->requests, $sum->suspended, $sum->suspendedTime]);
        self::assertSame(['requests' => 7, 'us' => 2000], $sum->toArray()['suspended'] ?? null);
        self::assertArrayNotHasKey('suspended', $none->toArray());
        self::assertNull($none->meanSuspended());
        self::assertEquals($sum, RouteFigures::fromMeta($sum->toArray()));
        foreach ([null, 7, 'x', [], ['requests' => -3, 'us' => 'y'], ['requests' => 1.5, 'us' => PHP_INT_MAX]] as $wrong) {
            $read = RouteFigures::fromMeta(['requests' => 2, 'suspended' => $wrong]);
            self::assertSame([2, 0, 0], [$read->requests, $read->suspended, $read->suspendedTime]);
        }
    }

    public function testAFolderKnowsItWithoutOpeningRuns(): void
    {
        FiberRuns::build($this->folder);
        $store = new RunFolder($this->folder);
        $texts = [];
        foreach ($store->catalog()->find(new RunQuery(single: true), 10)->runs as $entry) {
            $texts[$entry->id->id] = OriginText::suspended($entry->meta);
            self::assertSame(OriginText::suspended($store->open($entry->id)->meta()), $texts[$entry->id->id]);
        }
        self::assertCount(4, $texts);
        self::assertCount(3, array_filter($texts, is_string(...)));
        self::assertNull($texts[FiberRuns::CUT]);
    }

    public function testAMeanSaysNothingOfOneOfItsRuns(): void
    {
        FiberRuns::build($this->folder);
        $store = new RunFolder($this->folder);
        $open = static fn (string $id): \Closure => static fn (): Run => $store->open(RunId::fromStrings($id, FiberRuns::SOURCE));
        $mean = new MeanRun([$open(FiberRuns::EXACT), $open(FiberRuns::LONG)]);
        self::assertNull(OriginText::suspended($mean->meta()));
        self::assertNotNull(OriginText::suspended($mean->metas()[0]));
    }

    public function testItStaysWithTheRunInOtherFormats(): void
    {
        $small = ExportRuns::small();
        $own = ['suspended_us' => 4321, 'duration_us' => 1000, 'elapsed_us' => 5400];
        $meta = RunMeta::fromArray($own + $small->meta()->toArray());
        $run = new MadeRun($small->id, $small->path, $meta, $small->tree(), $small->profile());
        self::assertSame(4321, json_decode(ExportRuns::written('chrome', $run), true)['metadata']['suspended_us']);
        self::assertSame(4321, json_decode(ExportRuns::written('speedscope', $run), true)['suspended_us']);
        self::assertSame(4321, json_decode(ExportRuns::written('json', $run), true)['meta']['suspended_us']);
        self::assertStringContainsString("\ndesc: suspended_us: 4321\n", ExportRuns::written('callgrind', $run));
        self::assertContains('suspended_us: 4321', PprofDecoder::decode(ExportRuns::written('pprof', $run))['comments']);
        self::assertStringContainsString('4.32 ms suspended', ExportRuns::written('html', $run));
        foreach (['chrome', 'speedscope', 'json', 'callgrind', 'html'] as $format) {
            // What "get=kinds" answers names all parts that there are.
            $pattern = '~<style>.*?</style>|<script [^>]*data-answer="[^"]*get=kinds.*?</script>~s';
            $text = preg_replace($pattern, '', ExportRuns::written($format, $small));
            self::assertStringNotContainsString('uspended', (string) $text, $format);
        }
    }

    /** What others did meanwhile is neither waiting nor another program's; what its own functions waited is. */
    public function testItIsNoWaitingAndNoOtherProgram(): void
    {
        $edges = static fn (int $wait, string $function): array => [
            'main()' => ['ct' => 1, 'wt' => 30_000 + $wait, 'cpu' => 29_000],
            "main()==>$function" => ['ct' => 1, 'wt' => $wait, 'cpu' => 0],
        ];
        foreach ([1, 20_000, 90_000, 70_000_000] as $suspended) {
            $meta = static fn (int $own): RunMeta => RunMeta::fromArray(
                ['suspended_us' => $suspended, 'duration_us' => $own, 'elapsed_us' => $own + $suspended],
            );
            self::assertSame('', self::waits($edges(0, 'work'), $meta(30_000)));
            self::assertSame('not-running', self::waits($edges(20_000, 'work'), $meta(50_000)));
            self::assertSame('waiting', self::waits($edges(20_000, 'usleep'), $meta(50_000)));
        }
    }

    /** @param array<string, array<string, int>> $edges */
    private static function waits(array $edges, RunMeta $meta): string
    {
        $none = static fn (): null => null;
        $found = Findings::find(new Evidence(Profile::fromEdges($edges), $meta, $none, $none));
        $rules = array_map(static fn (Finding $finding): string => $finding->rule, $found);

        return implode(' ', array_intersect($rules, ['waiting', 'not-running']));
    }

    public function testWhatIsBetweenRequestsIsNoRequestAndNoFinding(): void
    {
        FiberRuns::build($this->folder);
        $store = new RunFolder($this->folder);
        $run = $store->open(RunId::fromStrings(FiberRuns::WINDOW, FiberRuns::SOURCE));
        $window = $run->meta()->window;
        self::assertNotNull($window);
        self::assertNull($window->trendValues(RequestWindow::BETWEEN));
        self::assertSame(240, $window->requests);
        $report = RouteReport::ofWindow($window);
        self::assertSame([240, 414], [$report->all->requests, $report->all->samples]);
        $table = $report->timesTable();
        $rows = array_column($table->rows, null, 'route');
        foreach ($table->columns as $column) {
            $shown = $column->of($rows[RequestWindow::BETWEEN]);
            $isFigure = in_array($column->key, ['route', 'samples', 'waits'], true);
            self::assertSame($isFigure, !in_array($shown, [null, ''], true), $column->key);
        }
        self::assertSame(300, $rows[RequestWindow::BETWEEN]['figures']->samples);
        // Its functions take most of the time: no finding is of them.
        $requests = Findings::withoutBetween($run);
        self::assertNotNull($requests);
        self::assertSame(1_140_000, (int) $requests->totals()['wt']);
        self::assertFalse($requests->hasSymbol('stream_select'));
        self::assertTrue($run->profile()->hasSymbol('stream_select'));
        $older = $store->open(RunId::fromStrings(FiberRuns::OLDER, FiberRuns::SOURCE));
        self::assertNull(Findings::withoutBetween($older));
    }

    public function testRequestsOfAFolderAreSortedByIt(): void
    {
        FiberRuns::build($this->folder);
        $totals = (new RunFolder($this->folder))->catalog()->requestTotals(new RunQuery());
        $table = RouteReport::report($totals, WaitingRequests::in($this->folder), '', new Order('suspended'), 0)->tables[0];
        self::assertSame(['GET /cart', 'GET /feed', RequestWindow::BETWEEN], array_column($table->rows, 'route'));
        self::assertSame(['requests' => 38, 'mean' => 34_736, 'total' => 1_320_000], $table->rows[0]['suspended_us']);
        // Files of older versions: what they say of spans of other fibers stays.
        self::assertSame([7, 30], [$table->rows[0]['cut'], $table->rows[0]['mixed']]);
    }
}
