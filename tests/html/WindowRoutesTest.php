<?php

declare(strict_types=1);

namespace XHProf\Tests\Html;

use XHProf\Format\Units;
use XHProf\Profile\CallTree;
use XHProf\Requests\Web\Histogram;
use XHProf\Run\RouteFigures;
use XHProf\Stats\Buckets;
use XHProf\Store\RunFolder;
use XHProf\Tests\Lib\Support\AutomaticRuns;

require_once __DIR__ . '/AutomaticRunsTestCase.php';

/** Windows of all requests: their pages, the requests that they have kept, and trends of them. */
final class WindowRoutesTest extends AutomaticRunsTestCase
{
    /** A request that a window has kept shows what it allocated, and how that differs from the mean. */
    public function testAllocationsOfSingleRequests(): void
    {
        $window = self::open(self::runUrl(AutomaticRuns::window(9), '', 'traffic'));
        $cells = static fn (Page $page): string => self::below($page, '//table[contains(@class, "latencies")]', 'Slowest');
        $slowest = $window->attributes($cells($window) . '//a', 'href')[0];
        $run = (string) parse_url($slowest, PHP_URL_QUERY);
        $tree = json_decode(self::$server->get("api.php?get=tree&$run")->body, true);
        self::assertIsArray($tree);
        self::assertSame([0, 1 << 20, 100 << 20, 2 << 20], $tree['self']['allocated_bytes'] ?? null);
        self::assertSame([0, 0, 7 << 20, 1 << 20], $tree['self']['peak_bytes'] ?? null);
        $folded = self::$server->get("api.php?get=export&format=folded&metric=allocated_bytes&$run");
        self::assertStringContainsString('App\Kernel::handle ' . (100 << 20), $folded->body);
        $older = self::open(self::runUrl(AutomaticRuns::window(5), '', 'traffic'));
        $slowest = $older->attributes($cells($older) . '//a', 'href')[0];
        $tree = json_decode(self::$server->get('api.php?get=tree&' . parse_url($slowest, PHP_URL_QUERY))->body, true);
        self::assertSame(['wt'], array_keys($tree['self'] ?? []));
    }

    public function testAWindowByTheCpuClock(): void
    {
        $folder = self::folder();
        $tree = CallTree::fromArray([
            'names' => ['main()', 'GET /', 'work'], 'fn' => [0, 1, 2], 'depth' => [0, 1, 2], 'ct' => [0, 0, 4],
            'self' => ['cpu' => [0, 0, 4000000]],
        ]);
        AutomaticRuns::write($folder, 'window', [
            'ts' => 1763680000.0, 'start' => 'aggregate', 'mode' => 'aggregate', 'duration_us' => 4000, 'samples' => 4,
            'sample_interval_us' => 1000, 'sampling' => ['clock' => 'cpu', 'taken' => 4], 'totals' => ['wt' => 4000, 'cpu' => 4000],
            'aggregate' => ['seconds' => 60, 'from' => 1763680000, 'to' => 1763680060, 'requests' => 7, 'processes' => 1,
                'routes' => ['GET /' => ['requests' => 7, 'samples' => 4, 'wall_us' => 21000, 'max_us' => 9000]]],
        ], $tree, ['interval_us' => 1000, 'clock' => 'cpu'], null);
        $store = new RunFolder($folder);
        foreach (['live' => 'asked', 'other' => 'alone'] as $source => $id) {
            $edges = ['main()' => ['ct' => 1, 'wt' => 9]];
            $store->save($edges, $source, $id, ['start' => 'trigger', 'url' => '/', 'route' => 'GET /']);
        }
        $server = new PageServer(self::ROOT, $folder);
        // A request links to all requests of its route, where its source has windows.
        $link = '//p[contains(@class, "origin")]//a[.="Trend of this route"]';
        $links = $server->get('index.php?run=asked&source=live')->attributes($link, 'href');
        self::assertSame(['index.php?view=trend&source=live&start=aggregate&route=GET%20%2F'], $links);
        self::assertSame('GET /', $server->get($links[0])->text('//h1'));
        self::assertSame([], $server->get('index.php?run=alone&source=other')->find($link));
        // The time of its requests is not CPU time, and samples are not calls.
        $trend = $server->get('index.php?view=trend&source=live&start=aggregate');
        self::assertSame(['Wall time', 'CPU time'], $trend->texts('//nav[@aria-label="Metric"]/a'));
        self::assertSame('21.0 ms', $trend->text('//table//tbody/tr[1]/td[1]'));
        self::assertSame('4.00 ms', $server->get('index.php?view=trend&source=live&start=aggregate&metric=cpu')
            ->text('//table//tbody/tr[1]/td[1]'));
        unset($server);
        self::remove($folder);
    }

    public function testPicturesHaveTheTimesOfTheTables(): void
    {
        $figures = RouteFigures::fromMeta(
            ['requests' => 1, 'wall_us' => 869153, 'max_us' => 869153, 'wall' => Buckets::fromValues([869153])->toSteps()],
        );
        self::assertStringEndsWith('half of them up to 869 ms, 99 % up to 869 ms', Histogram::draw($figures)['text'] ?? '');
        self::assertStringStartsWith('1 request between ', Histogram::draw($figures)['text'] ?? '');
    }

    public function testAWindow(): void
    {
        $page = self::open(self::runUrl(AutomaticRuns::window(5), '', 'traffic'));
        $rows = '//table[contains(@class, "routes")]/tbody/tr';
        self::assertSame('GET /orders/{id}', $page->text("$rows/th"));
        $cells = $page->texts("{$rows}[1]/td");
        $walls = AutomaticRuns::walls(425, 34200);
        self::assertSame(
            array_map(
                static fn (float $share): string => Units::ofMetric(min(136800, $walls->quantile($share) ?? 0), 'wt'),
                [0.5, 0.9, 0.95, 0.99, 0.999],
            ),
            array_slice($cells, 4, 5),
        );
        $histogram = $page->attributes("{$rows}[1]//svg", 'aria-label')[0];
        self::assertStringStartsWith('425 requests between 20.5 ms and ', $histogram);
        self::assertStringEndsWith(", half of them up to $cells[4], 99 % up to $cells[7]", $histogram);
        $of = static fn (string $head): string
            => self::below($page, '//table[contains(@class, "latencies")]', $head, 'POST /cart');
        self::assertSame('1', $page->text($of('Failed') . '/strong'));
        self::assertSame(['2', '1'], [$page->text($of('Cut')), $page->text($of('Mixed'))]);
        self::assertSame('200 ms', $page->text($of('Without samples')));
        // The oldest window has no distributions.
        $old = self::open(self::runUrl(AutomaticRuns::window(1), '', 'traffic'));
        self::assertSame(
            ['Route or job', 'Requests', 'Per second', 'Mean', 'Slowest', 'Total', 'Samples'],
            $old->texts('//table[contains(@class, "latencies")]/thead/tr/th'),
        );
        $links = $page->attributes('//p[contains(@class, "origin")]//a', 'href');
        self::assertSame([
            self::runUrl(AutomaticRuns::window(4), '', 'traffic'),
            self::runUrl(AutomaticRuns::window(6), '', 'traffic'),
        ], $links);
        $ends = [AutomaticRuns::window(1) => 'next', AutomaticRuns::window(AutomaticRuns::WINDOWS) => 'prev'];
        foreach ($ends as $id => $rel) {
            $end = self::open(self::runUrl($id, '', 'traffic'));
            self::assertSame([$rel], $end->attributes('//p[contains(@class, "origin")]//a', 'rel'));
        }
        self::assertStringContainsString(
            '1 process record could not be read',
            self::open(self::runUrl(AutomaticRuns::window(3), '', 'traffic'))->body,
        );
        // Of a route's own page and of its trend.
        self::assertSame('GET /orders/{id}', self::open($page->attributes("$rows/th/a", 'href')[0])->text('//h1'));
        $timeline = self::open(self::runUrl(AutomaticRuns::window(5), '&view=timeline', 'traffic'), 404);
        self::assertStringContainsString('merges the samples of many requests', $timeline->body);
    }

    /** A program that runs for days counts in its last window: earlier ones have only its samples. */
    public function testAWindowInWhichNoRequestEnded(): void
    {
        $folder = self::folder();
        $tree = CallTree::fromArray([
            'names' => ['main()', 'app/worker.php', 'work'], 'fn' => [0, 1, 2], 'depth' => [0, 1, 2], 'ct' => [0, 0, 4],
            'self' => ['wt' => [0, 0, 4000000]],
        ]);
        AutomaticRuns::write($folder, 'window', [
            'ts' => 1763680000.0, 'start' => 'aggregate', 'mode' => 'aggregate', 'duration_us' => 4000, 'samples' => 4,
            'sample_interval_us' => 1000, 'sampling' => ['clock' => 'wall', 'taken' => 4], 'totals' => ['wt' => 4000],
            'aggregate' => ['seconds' => 60, 'from' => 1763680000, 'to' => 1763680060, 'requests' => 0, 'processes' => 1,
                'routes' => ['app/worker.php' => ['requests' => 0, 'samples' => 4, 'wall_us' => 0, 'max_us' => 0]]],
        ], $tree, ['interval_us' => 1000, 'clock' => 'wall'], null);
        $server = new PageServer(self::ROOT, $folder);
        $page = $server->get('index.php?run=window&source=live');
        $cells = $page->texts('//table[contains(@class, "routes")]/tbody/tr/td');
        self::assertSame(['0', '0.00', '-', '-', '-', '4100.0 %'], array_slice($cells, 0, 6));
        self::assertStringContainsString('work', $page->text('//table[contains(@class, "functions")]/tbody'));
        self::assertSame(200, $server->get('index.php?view=trend&source=live&start=aggregate')->status);
        self::assertSame(200, $server->get('index.php?view=requests')->status);
        unset($server);
        self::remove($folder);
    }

    public function testTheLatestOfATrendHasEnoughRequests(): void
    {
        $folder = self::folder();
        $tree = CallTree::fromArray([
            'names' => ['main()', 'GET /'], 'fn' => [0, 1], 'depth' => [0, 1], 'ct' => [0, 4], 'self' => ['wt' => [0, 4000000]],
        ]);
        $window = static function (int $number, int $requests, int $mean) use ($folder, $tree): void {
            $from = 1763680000 + 60 * $number;
            AutomaticRuns::write($folder, "w$number", [
                'ts' => (float) $from, 'start' => 'aggregate', 'mode' => 'aggregate', 'duration_us' => 4000, 'samples' => 4,
                'sample_interval_us' => 1000, 'sampling' => ['clock' => 'wall', 'taken' => 4], 'totals' => ['wt' => 4000],
                'aggregate' => ['seconds' => 60, 'from' => $from, 'to' => $from + 60, 'requests' => $requests, 'processes' => 1,
                    'routes' => ['GET /' => ['requests' => $requests, 'samples' => 4, 'wall_us' => $requests * $mean,
                        'max_us' => $mean]]],
            ], $tree, ['interval_us' => 1000, 'clock' => 'wall'], null);
        };
        foreach ([[1, 100, 10000], [2, 110, 10000], [3, 90, 11000], [4, 1, 31490]] as [$number, $requests, $mean]) {
            $window($number, $requests, $mean);
        }
        $server = new PageServer(self::ROOT, $folder);
        $trend = 'index.php?view=trend&source=live&start=aggregate&route=GET+/';
        $sum = $server->get($trend)->text('//p[@class="sum"]');
        self::assertStringContainsString('; latest with 10 requests or more 11.0 ms, +4.8 %.', $sum);
        $window(5, 12, 20000);
        self::assertStringContainsString('; latest 20.0 ms', $server->get($trend)->text('//p[@class="sum"]'));
        unset($server);
        self::remove($folder);
    }

    public function testTheTrendOfARoute(): void
    {
        $window = self::open(self::runUrl(AutomaticRuns::window(5), '', 'traffic'));
        $href = $window->attributes('//a[@aria-label="Trend: GET /search"]', 'href')[0];
        $page = self::open($href);
        self::assertSame('GET /search', $page->text('//h1'));
        self::assertCount(AutomaticRuns::WINDOWS, $page->find('//table//tbody/tr'));
        self::assertSame('513 ms', $page->text('//table//tbody/tr[1]/td[1]'));
        self::assertStringContainsString('of 12 windows', $page->text('//p[@class="sum"]'));
        $allocated = self::open($href . '&metric=request_allocated');
        self::assertStringContainsString('of 5 windows', $allocated->text('//p[@class="sum"]'), 'of others it is not known');
        self::assertSame('40.0 MB', $allocated->text('//table//tbody/tr[1]/td[1]'));
        $share = self::open($href . '&metric=request_share');
        self::assertSame('56.4', $share->text('//table//tbody/tr[1]/td[1]'));
        $none = self::open($href . 'nothing');
        self::assertSame('no requests', $none->text('//table//tbody/tr[1]/td[1]'));
        $all = self::open('index.php?view=trend&source=traffic&start=aggregate');
        self::assertSame('All requests in traffic', $all->text('//h1'));
        self::assertCount(AutomaticRuns::WINDOWS, $all->find('//table//tbody/tr'));
    }

    public function testTheFlameGraphOfAWindowOpensWithTheWidestFirst(): void
    {
        $merged = '//div[@data-view="flame"][@data-merged]';
        self::assertCount(1, self::open(self::runUrl(AutomaticRuns::window(1), '&view=flame', 'traffic'))->find($merged));
        self::assertCount(0, self::open(self::runUrl(AutomaticRuns::SAMPLED, '&view=flame'))->find($merged));
    }
}
