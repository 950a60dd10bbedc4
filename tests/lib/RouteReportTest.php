<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\TestCase;
use XHProf\Report\Column;
use XHProf\Report\Order;
use XHProf\Report\Table;
use XHProf\Requests\RouteReport;
use XHProf\Run\RequestWindow;
use XHProf\Run\RouteFigures;
use XHProf\Run\RunId;
use XHProf\Stats\Buckets;
use XHProf\Store\RouteRuns;

/** What `xhprof requests`, the page of requests and that of a window have in common. */
final class RouteReportTest extends TestCase
{
    /** @param array<string, array<string, mixed>> $routes */
    private static function of(array $routes): RouteReport
    {
        $window = RequestWindow::fromMeta(
            ['seconds' => 60, 'from' => 1763680000, 'to' => 1763680060, 'requests' => 9, 'processes' => 1, 'routes' => $routes],
        );
        self::assertNotNull($window);

        return RouteReport::ofWindow($window);
    }

    /** @return list<string> */
    private static function keys(Table $table): array
    {
        return array_map(static fn (Column $column): string => $column->key, $table->columns);
    }

    /** @return array<string, string> texts of a row by column */
    private static function texts(Table $table, int $row): array
    {
        $texts = [];
        foreach ($table->columns as $column) {
            $texts[$column->key] = $column->text($table->rows[$row]);
        }

        return $texts;
    }

    public function testColumnsOfWhichNothingIsKnownAreLeftOut(): void
    {
        $bare = ['requests' => 3, 'samples' => 4, 'wall_us' => 6000, 'max_us' => 3000];
        $table = self::of(['a' => $bare])->timesTable();
        self::assertSame(['route', 'requests', 'rate', 'mean', 'max', 'total', 'samples'], self::keys($table));
        self::assertSame(
            ['a', '3', '0.050', '2 ms', '3 ms', '6 ms', '4'],
            array_values(array_map(static fn (string $text): string => str_replace('.00', '', $text), self::texts($table, 0))),
        );
        self::assertSame([], self::of(['a' => $bare])->memoryTable()->rows);
        $full = self::of(['a' => $bare, 'b' => [
            'failed' => 1, 'aborted' => 2, 'wall' => Buckets::fromValues([1000, 2000, 3000])->toSteps(), 'waits' => ['sql' => 2],
            'early' => 1, 'after_us' => 500, 'cut' => 1, 'mixed' => 1, 'unsampled' => ['requests' => 1, 'us' => 9],
            'suspended' => ['requests' => 1, 'us' => 700], 'peak' => Buckets::fromValues([1 << 20])->toSteps(),
            'kept' => ['requests' => 2, 'bytes' => -1024],
        ] + $bare]);
        self::assertSame([
            'route', 'requests', 'rate', 'failed', 'aborted', 'p50', 'p90', 'p95', 'p99', 'p999', 'max', 'shape', 'where', 'total',
            'waits', 'suspended', 'after', 'cut', 'mixed', 'unsampled', 'samples',
        ], array_values(array_diff(self::keys($full->timesTable()), ['cpu'])));
        self::assertSame(['route', 'peak_median', 'peak', 'kept'], self::keys($full->memoryTable()));
        self::assertSame(['b'], array_column($full->memoryTable()->rows, 'route'), 'of the other one no memory is known');
        $texts = [self::texts($full->timesTable(), 0), self::texts($full->timesTable(), 1)];
        $b = $texts[0]['route'] === 'b' ? 0 : 1;
        // A count of 0 is no news; a time that is not known is not 0.
        self::assertSame(['1', ''], [$texts[$b]['failed'], $texts[1 - $b]['failed']]);
        self::assertSame(['44.2 %', '-', '-'], [$texts[$b]['waits'], $texts[1 - $b]['waits'], $texts[1 - $b]['p99']]);
        self::assertSame('-512 B', self::texts($full->memoryTable(), 0)['kept']);
    }

    public function testTheBarOfAllRoutesIsTheSumOfTheirs(): void
    {
        $route = ['requests' => 1, 'wall_us' => 1000, 'cpu_us' => 200, 'samples' => 10];
        $report = self::of(['a' => ['waits' => ['sql' => 5]] + $route, 'b' => ['waits' => []] + $route, 'c' => $route]);
        self::assertSame(
            ['cpu' => 600_000, 'sql' => 500_000, 'not_running' => 1_100_000, 'unknown' => 800_000],
            $report->times()?->ns,
        );
        self::assertNull(self::of([])->times());
    }

    public function testWhatIsNotKnownIsLastInEachOrder(): void
    {
        $wall = static fn (int $us): array
            => ['requests' => 1, 'wall_us' => $us, 'max_us' => $us, 'wall' => Buckets::fromValues([$us])->toSteps()];
        $table = self::of(['slow' => $wall(9000), 'fast' => $wall(10), 'unknown' => ['requests' => 1]])->timesTable();
        $names = static fn (Order $order): array => array_column($table->ordered($order)->rows, 'route');
        self::assertSame(['slow', 'fast', 'unknown'], $names(new Order('p99')));
        self::assertSame(['fast', 'slow', 'unknown'], $names(new Order('p99', false)));
        self::assertSame(['fast', 'slow', 'unknown'], $names(new Order('route')));
    }

    public function testSavedRunsByRouteHaveTheirSumsAndTheirWhole(): void
    {
        $id = RunId::fromStrings('aaaa', 'live');
        $table = RouteReport::saved([new RouteRuns('a', [10, 20], 3, 0, $id), new RouteRuns('b', [100], 1, 1, $id)]);
        self::assertSame(['b', 'a'], array_column($table->rows, 'route'), 'those of most time first');
        self::assertSame([[100, 45], [145, 145]], [array_column($table->rows, 'sum'), array_column($table->rows, 'whole')]);
        self::assertSame(['1', ''], array_column([self::texts($table, 0), self::texts($table, 1)], 'failed'));
    }

    public function testTextsOnFigures(): void
    {
        self::assertSame(['0.500', '-'], [RouteReport::rate(30, 60.0), RouteReport::rate(30, 0.0)]);
        self::assertSame('99.9 % of the requests took at most this', RouteFigures::meaning(0.999));
    }
}
