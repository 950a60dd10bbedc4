<?php

declare(strict_types=1);

namespace XHProf\Tests\Html;

use PHPUnit\Framework\Attributes\DataProvider;
use XHProf\Run\Exemplars;
use XHProf\Run\RunId;
use XHProf\Store\RunFolder;
use XHProf\Store\RunQuery;
use XHProf\Tests\Lib\Support\AutomaticRuns;
use XHProf\Tests\Lib\Support\WindowFiles;

require_once __DIR__ . '/AutomaticRunsTestCase.php';
require_once __DIR__ . '/../lib/Support/WindowFiles.php';

/** The page of requests: what was triggered, what is slow, and what the windows counted. */
final class RequestsPageTest extends AutomaticRunsTestCase
{
    private const SLOWEST = '//section[@aria-labelledby="slowest"]//tbody/tr';
    private const ROUTES = '//section[@aria-labelledby="routes"]//tbody/tr';

    public function testRequestsThatWaitToBeSavedAreSaid(): void
    {
        $spool = self::$runs . '/.xhprof-aggregate.auto.0.60-10000-wall.spool';
        file_put_contents($spool, WindowFiles::spool([2, 5]));
        try {
            foreach ([self::REQUESTS, 'index.php'] as $url) {
                $words = implode(' ', self::open($url)->texts('//p'));
                self::assertStringContainsString('7 requests wait to be saved: ', $words, $url);
            }
        } finally {
            unlink($spool);
        }
        self::assertStringNotContainsString('to be saved', self::open(self::REQUESTS)->text('//main'));
    }

    /** What the windows counted: the sum of all windows, over time and by route. */
    public function testAllRequests(): void
    {
        $page = self::open(self::REQUESTS);
        $all = '//section[@aria-labelledby="all"]';
        $picture = $page->attributes("$all//figure//svg", 'aria-label')[0];
        self::assertStringStartsWith('26 550 requests, at most 37.9 per second', $picture);
        self::assertStringEndsWith('; 17 failed', $picture);
        foreach (['p50', 'p95', 'p99'] as $line) {
            // The oldest window has no distributions: eleven are drawn.
            $path = $page->attributes("$all//path[@class=\"curve $line\"]", 'd')[0];
            self::assertSame([11, 1, 0], [substr_count($path, 'H'), substr_count($path, 'M'), strpos($path, 'M')]);
        }
        self::assertSame(12, substr_count($page->attributes("$all//path[@class=\"requests\"]", 'd')[0], 'M'));
        self::assertSame('GET /search', self::open($page->attributes("$all//tbody/tr[1]/th/a", 'href')[0])->text('//h1'));
        $none = self::open(self::REQUESTS . '&only=live');
        self::assertSame([], $none->texts($all));
    }

    /** Figures of a route open the requests that the window with the slowest one has kept. */
    public function testSingleRequestsOfRoutes(): void
    {
        $page = self::open(self::REQUESTS);
        $of = static fn (string $head, string $route = 'GET /search'): string
            => self::below($page, '//table[contains(@class, "latencies")]', $head, $route);
        $slowest = $page->attributes($of('Slowest') . '//a', 'href')[0];
        self::assertStringContainsString('-slowest-', $slowest);
        $flame = self::open($slowest);
        self::assertMatchesRegularExpression('~^GET /search \(slowest of \d+\)$~', $flame->text('//h1'));
        self::assertSame(
            ['Its window', 'Mean of all', 'One by chance', 'Difference from the mean'],
            $flame->texts('//p[contains(@class, "origin")]/a'),
        );
        foreach ($flame->attributes('//p[contains(@class, "origin")]/a', 'href') as $url) {
            self::open($url);
        }
        foreach ($flame->attributes('//nav[@aria-label="Views of this run"]/a', 'href') as $url) {
            self::open($url);
        }
        $difference = $page->attributes($of('p99') . '//a', 'href')[0];
        self::assertStringContainsString('run1=', $difference);
        self::assertP99IsNearest($difference);
        $sides = self::open($difference)->texts('//div[@class="versus"]//span[contains(@class, "side")]');
        self::assertSame(['A mean', 'B this request'], $sides, 'it is no run after another');
        $heads = self::open(str_replace('view=flame', '', $difference))->texts('//table[contains(@class, "compare")]//th');
        self::assertContains('This request', $heads);
        self::assertNotContains('Before', $heads);
        self::assertStringContainsString('-random-', $page->attributes($of('Median') . '//a', 'href')[0]);
        // Another route has none.
        self::assertSame([], $page->texts($of('Slowest', 'POST /cart') . '//a'));
        $window = self::open(self::runUrl(AutomaticRuns::window(9), '', 'traffic'));
        self::assertCount(3, $window->texts('//table[contains(@class, "latencies")]//td[not(contains(@class, "links"))]//a'));
        self::open(self::runUrl(AutomaticRuns::window(9) . '-slowest-000000000000', '', 'traffic'), 404);
    }

    /** Of the requests of the route that any window has kept, the one nearest to p99. */
    private static function assertP99IsNearest(string $url): void
    {
        $store = new RunFolder(self::$runs);
        $totals = $store->catalog()->requestTotals(new RunQuery(start: 'aggregate', requests: false));
        $p99 = $totals->figures('GET /search')->wallQuantile(0.99) ?? self::fail('no p99');
        $away = [];
        for ($number = 1; $number <= AutomaticRuns::WINDOWS; $number++) {
            $window = RunId::fromStrings(AutomaticRuns::window($number), 'traffic');
            foreach ([Exemplars::SLOWEST, Exemplars::RANDOM] as $kind) {
                $id = Exemplars::id($window, $kind, 'GET /search') ?? self::fail('it has no id');
                $wall = $store->exemplarWall($id);
                $away += $wall === null ? [] : [$id->id => abs($wall - $p99)];
            }
        }
        parse_str((string) parse_url($url, PHP_URL_QUERY), $query);
        self::assertGreaterThan(1, count($away));
        asort($away);
        self::assertSame(reset($away), $away[is_string($query['run2'] ?? null) ? $query['run2'] : ''] ?? null);
    }

    /** Memory has a table of its own: what is not known is not 0. */
    public function testMemoryOfRoutes(): void
    {
        $page = self::open(self::REQUESTS);
        $table = '//section[@aria-labelledby="all"]//table[contains(@class, "route-memory")]';
        $row = static fn (Page $page, string $route): array
            => $page->texts("//table[contains(@class, \"route-memory\")]/tbody/tr[th[normalize-space()=\"$route\"]]/td");
        self::assertSame(['-', '-', '-', '-'], array_slice($row($page, 'GET /orders/{id}'), 2));
        // Those figures open who allocates, and who holds.
        $links = $page->attributes("$table/tbody/tr[th[normalize-space()=\"GET /search\"]]/td//a", 'href');
        self::assertCount(2, $links);
        foreach (['allocated_bytes', 'peak_bytes'] as $i => $metric) {
            self::assertStringContainsString("&view=flame&metric=$metric", $links[$i]);
            self::assertMatchesRegularExpression('~^GET /search \(mean of \d+\)$~', self::open($links[$i])->text('//h1'));
        }
        $tree = json_decode(self::$server->get('api.php?get=tree&' . parse_url($links[0], PHP_URL_QUERY))->body, true);
        self::assertIsArray($tree);
        self::assertContains(40 << 20, $tree['self']['allocated_bytes'] ?? []);

        $window = self::open(self::runUrl(AutomaticRuns::window(9), '', 'traffic'));
        self::assertSame(['40.0 MB', '12.0 MB'], array_slice($row($window, 'GET /search'), 2, 2));
        $older = self::open(self::runUrl(AutomaticRuns::window(5), '', 'traffic'));
        self::assertSame(
            ['Route or job', 'Peak, median', 'Peak, p99', 'Kept'],
            $older->texts('//table[contains(@class, "route-memory")]/thead/tr/th'),
        );
        $oldest = self::open(self::runUrl(AutomaticRuns::window(1), '', 'traffic'));
        self::assertSame([], $oldest->find('//table[contains(@class, "route-memory")]'), 'nothing is known');
    }

    public function testRoutes(): void
    {
        $page = self::open(self::REQUESTS);
        $byName = self::open(self::REQUESTS . '&sort=route');
        self::assertSame('App\Job\SendInvoice', $byName->text(self::ROUTES . '/th[.//text()[contains(., "Job")]]'));
        self::assertSame('ascending', $byName->attributes('//th[@aria-sort]', 'aria-sort')[0] ?? '');
        $byCount = self::open(self::REQUESTS . '&sort=count');
        self::assertSame('GET /orders/{id}', $byCount->text(self::ROUTES . '/th'));

        // Its link leads to its runs, the slowest first.
        $href = $page->attributes(self::ROUTES . '/th[normalize-space()="POST /cart"]/a', 'href')[0];
        $runs = self::open($href);
        self::assertStringContainsString('Only runs of POST /cart', $runs->text('//p[@class="note"]'));
        self::assertCount(13, $runs->find('//table//tbody/tr'));
        self::assertSame(AutomaticRuns::TRIGGERED, $runs->attributes('//table//tbody/tr/th/a', 'title')[0]);
        $failed = $page->attributes(self::ROUTES . '[th[normalize-space()="POST /cart"]]/td[2]//a', 'href')[0];
        self::assertCount(2, self::open($failed)->find('//table//tbody/tr'));
        $trend = $page->attributes(self::ROUTES . '[th[normalize-space()="POST /cart"]]/td[7]//a', 'href')[0];
        self::assertSame('POST /cart', self::open($trend)->text('//h1'));
        self::assertCount(13, self::open($trend)->find('//table//tbody/tr'));
    }

    /** @return array<string, array{string, list<string>}> filter; ids of the slowest, or none */
    public static function filters(): array
    {
        return [
            'status' => ['status=503', [AutomaticRuns::TRIGGERED]],
            'start' => ['start=span', [AutomaticRuns::SPAN]],
            'words' => ['q=sendinvoice', [AutomaticRuns::SPAN]],
            'least time' => ['min=500ms&status=2xx', [AutomaticRuns::CPU]],
            'time' => ['last=1h', []],
            'other host' => ['host=nowhere', []],
            'other source' => ['only=traffic', []],
        ];
    }

    /** @param list<string> $ids */
    #[DataProvider('filters')]
    public function testFilters(string $filter, array $ids): void
    {
        $page = self::open(self::REQUESTS . "&$filter");
        self::assertSame($ids, $page->attributes(self::SLOWEST . '/th/a', 'title'));
        self::assertSame('index.php?view=requests', $page->attributes('//form//a[.="Clear"]', 'href')[0] ?? '');
        if ($ids === []) {
            self::assertStringContainsString('No request matches.', $page->body);
        }
        $sort = $page->attributes('//section[@aria-labelledby="routes"]//thead//a', 'href')[0] ?? "sort=route&$filter";
        self::assertStringContainsString(explode('&', $filter)[0], $sort, 'the order keeps the filter');
    }

    public function testUnknownFilterValuesAreReported(): void
    {
        $page = self::open(self::REQUESTS . '&status=nine&start=often&last=%3Cb%3E&sort=%00&dir=up');
        self::assertCount(3, $page->find('//p[@class="warning"]'));
        self::assertCount(15, $page->find(self::SLOWEST));
        self::assertSame(400, self::$server->get(self::REQUESTS . '&status[]=1')->status);
    }

    public function testHowABrowserAsksForAProfile(): void
    {
        $folder = self::folder();
        $server = new PageServer(self::ROOT, $folder);
        try {
            $pages = [self::open(self::REQUESTS), $server->get(self::REQUESTS), $server->get('index.php')];
        } finally {
            unset($server);
            self::remove($folder);
        }
        foreach ($pages as $page) {
            $lines = $page->texts('//details[@class="trigger"]/pre');
            self::assertCount(2, $lines);
            foreach ($lines as $line) {
                self::assertMatchesRegularExpression('/^javascript:\(\(\)=>\{.*XHPROF_TRIGGER=.*\}\)\(\)$/', $line);
            }
            // Text to copy, not a link: the page's policy allows no such script.
            self::assertSame([], $page->find('//a[starts-with(@href, "javascript:")]'));
        }
    }
}
