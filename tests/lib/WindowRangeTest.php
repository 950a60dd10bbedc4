<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\TestCase;
use XHProf\Exception\RunNotFound;
use XHProf\Functions\FlatReport;
use XHProf\Requests\RequestRange;
use XHProf\Run\Run;
use XHProf\Run\RunId;
use XHProf\Run\RunRecording;
use XHProf\Store\RunFolder;
use XHProf\Store\RunQuery;
use XHProf\Store\WindowRange;
use XHProf\Tests\Lib\Support\PlantedWindows;
use XHProf\Tests\Lib\Support\RunFiles;
use XHProf\Tests\Lib\Support\TemporaryFolder;

require_once __DIR__ . '/Support/PlantedWindows.php';
require_once __DIR__ . '/Support/RunFiles.php';
require_once __DIR__ . '/Support/TemporaryFolder.php';

/** The windows of a range of time, added up to one run; and what is said of a range. */
final class WindowRangeTest extends TestCase
{
    use TemporaryFolder;

    private const T = 1790000000;

    private RunFolder $store;

    protected function setUp(): void
    {
        $this->store = new RunFolder($this->folder);
    }

    private function open(int $from, int $until, string $route = '', string $host = ''): Run
    {
        $id = WindowRange::id(PlantedWindows::SOURCE, $from, $until, $route, $host);
        self::assertNotNull($id);

        return (new RunFolder($this->folder))->open($id);
    }

    /** @return array<string, int|float> self time by function */
    private static function selfTimes(Run $run): array
    {
        $rows = FlatReport::compute($run->profile(), true)->rows();
        $times = array_filter(array_map(static fn (array $row): int|float => $row['excl_wt'] ?? 0, $rows));
        ksort($times);

        return $times;
    }

    /** Three windows of two hosts and two routes, with a gap of ten minutes. */
    private function three(): void
    {
        $of = PlantedWindows::requests(...);
        PlantedWindows::write($this->folder, self::T, ['GET /a' => $of(3, 100000, ['a' => 1.0])]);
        PlantedWindows::write($this->folder, self::T, [
            'GET /a' => $of(2, 200000, ['a' => 0.5, 'b' => 0.5]), 'GET /b' => $of(1, 50000, ['b' => 1.0]),
        ], ['host' => 'web-2', 'failed' => 1]);
        PlantedWindows::write($this->folder, self::T + 660, ['GET /b' => $of(4, 100000, ['b' => 1.0])]);
    }

    public function testItIsTheSumOfItsWindows(): void
    {
        $this->three();
        $run = $this->open(self::T, self::T + 700);
        self::assertSame(['a' => 500000, 'b' => 650000], self::selfTimes($run));
        self::assertSame(1150000, $run->total('wt'));
        $window = $run->meta()->window;
        self::assertNotNull($window);
        self::assertSame([10, 3, ['GET /a', 'GET /b']], [$window->requests, $window->windows, $window->routes()]);
        self::assertSame([5, 1], [$window->routeStats('GET /a')?->requests, $window->routeStats('GET /a')?->failed]);
        self::assertSame(120.0, $window->length(), 'two hosts at once, then a gap, then one: two minutes have windows');
        self::assertStringContainsString('(3 windows)', $run->title());
        self::assertTrue($run->has(Run::TREE));
    }

    public function testAWindowCountsWhereItBegins(): void
    {
        $this->three();
        $wall = fn (int $from, int $until): int|float => $this->open($from, $until)->total('wt');
        self::assertSame(1150000, $wall(self::T - 5, self::T + 661), 'the last one ends after the range');
        self::assertSame(750000, $wall(self::T, self::T + 660));
        self::assertSame(400000, $wall(self::T + 1, self::T + 700), 'the first ones began before it');
    }

    public function testOneRouteAndOneHost(): void
    {
        $this->three();
        $route = $this->open(self::T, self::T + 700, 'GET /b');
        self::assertSame(['b' => 450000], self::selfTimes($route));
        self::assertSame(['GET /b'], $route->meta()->window?->routes());
        self::assertStringStartsWith('GET /b, 20', $route->title());
        $host = $this->open(self::T, self::T + 700, '', 'web-2');
        self::assertSame(['a' => 200000, 'b' => 250000], self::selfTimes($host));
        self::assertSame(['b' => 50000], self::selfTimes($this->open(self::T, self::T + 700, 'GET /b', 'web-2')));
        foreach ([['GET /none', ''], ['', 'web-9'], ['GET /a', 'web-9']] as [$route, $host]) {
            $id = WindowRange::id(PlantedWindows::SOURCE, self::T, self::T + 700, $route, $host);
            self::assertFalse($id === null || $this->store->has($id), "$route $host");
        }
    }

    public function testItIsNamedLikeARun(): void
    {
        $this->three();
        $name = sprintf('windows-%d-%d.%s', self::T, self::T + 60, PlantedWindows::SOURCE);
        self::assertSame(750000, $this->store->find($name)->total('wt'));
        self::assertSame(750000, $this->store->find(strstr($name, '.', true) ?: '', PlantedWindows::SOURCE)->total('wt'));
        self::assertTrue($this->store->has(RunId::fromText($name)));
        foreach (['windows-1-2.site', 'windows-5-1.site', sprintf('windows-%d-%d.none', self::T, self::T + 60)] as $none) {
            self::assertFalse($this->store->has(RunId::fromText($none)), $none);
            try {
                $this->store->find($none);
                self::fail($none);
            } catch (RunNotFound) {
                self::assertFalse($this->store->isExemplar(RunId::fromText($none)));
            }
        }
        self::assertNull(WindowRange::id('../etc', 1, 2));
        // A file of such a name is that file.
        $this->store->save(['main()' => ['ct' => 1, 'wt' => 7]], 'site', sprintf('windows-%d-%d', self::T, self::T + 60));
        self::assertSame(7, (new RunFolder($this->folder))->find($name)->total('wt'));
    }

    public function testItsVersionIsThatOfItsWindows(): void
    {
        $this->three();
        $version = fn (): string => $this->open(self::T, self::T + 700)->version();
        $before = $version();
        self::assertSame($before, $version());
        PlantedWindows::write($this->folder, self::T + 60, ['GET /a' => PlantedWindows::requests(1, 100000)]);
        touch($this->folder, time() - 10);
        self::assertNotSame($before, $version());
    }

    public function testADamagedWindowIsLeftOut(): void
    {
        $this->three();
        file_put_contents(RunFiles::path($this->folder, 'torn.' . PlantedWindows::SOURCE), 'no run');
        self::assertSame(1150000, $this->open(self::T, self::T + 700)->total('wt'));
    }

    private function range(?float $from, ?float $until, bool $sinceRelease = false, string $label = ''): ?RequestRange
    {
        return RequestRange::of((new RunFolder($this->folder))->catalog(), new RunQuery(
            from: $from,
            until: $until,
            start: RunRecording::WINDOW,
            sinceRelease: $sinceRelease,
        ), $label);
    }

    public function testARangeWithoutRequestsNamesTheNearest(): void
    {
        $this->three();
        self::assertNull($this->range(null, null));
        self::assertSame(
            ['before' => (float) self::T, 'after' => self::T + 660.0],
            $this->range(self::T + 100, self::T + 200)?->nearest(),
        );
        self::assertSame(['before' => self::T + 660.0, 'after' => null], $this->range(self::T + 800, null)?->nearest());
        self::assertSame(['before' => null, 'after' => (float) self::T], $this->range(null, self::T - 100)?->nearest());
        $sentence = $this->range(self::T + 800, self::T + 900)?->near();
        self::assertSame('The nearest: ' . date('Y-m-d H:i:s', self::T + 660) . ' before it.', $sentence);
    }

    public function testAFolderOfSingleRunsHasNearestOnesToo(): void
    {
        $meta = ['ts' => (float) self::T, 'route' => 'GET /a', 'url' => '/a', 'start' => 'trigger'];
        $this->store->save(['main()' => ['ct' => 1, 'wt' => 5]], 'web', 'single', $meta);
        $range = $this->range(self::T + 100, self::T + 200);
        self::assertSame(['before' => (float) self::T, 'after' => null], $range?->nearest());
    }

    public function testAnEmptyFolderHasNone(): void
    {
        $range = $this->range(self::T, self::T + 9);
        self::assertSame(['before' => null, 'after' => null], $range?->nearest());
        self::assertSame('', $range->near());
    }

    public function testSinceTheReleaseThatWasSeenFirstLast(): void
    {
        $of = PlantedWindows::requests(1, 100000);
        $planted = [
            [0, 'v1', 'web-1'], [60, 'v1', 'web-2'], [120, 'v2', 'web-1'],
            [180, 'v1', 'web-2'], [240, 'v2', 'web-2'], [300, 'v1', 'web-1'],
        ];
        foreach ($planted as [$at, $release, $host]) {
            PlantedWindows::write($this->folder, self::T + $at, ['GET /a' => $of], ['release' => $release, 'host' => $host]);
        }
        $catalog = (new RunFolder($this->folder))->catalog();
        self::assertSame(['name' => 'v2', 'began' => self::T + 120.0], $catalog->lastRelease());
        self::assertNull($catalog->lastRelease('another'));
        $query = new RunQuery(start: RunRecording::WINDOW, sinceRelease: true);
        self::assertSame(4, $catalog->requestTotals($query)->figures()->requests, 'a rollback began no new release');
        self::assertSame(0, $catalog->requestTotals($query->with(['source' => 'another']))->figures()->requests);
        $text = $this->range(null, null, true, 'since the last release')?->text();
        self::assertSame(
            'since the last release, v2, which was seen first at ' . date('Y-m-d H:i:s', self::T + 120) . ' (' . date('T') . ')',
            $text,
        );
    }

    public function testWithoutAReleaseThereIsNoneSinceIt(): void
    {
        $this->three();
        $catalog = (new RunFolder($this->folder))->catalog();
        $query = new RunQuery(start: RunRecording::WINDOW, sinceRelease: true);
        self::assertSame(0, $catalog->requestTotals($query)->figures()->requests);
        self::assertStringContainsString('no run says its release', (string) $this->range(null, null, true, 'since')?->text());
    }
}
