<?php

declare(strict_types=1);

namespace XHProf\Tests\Html;

use PHPUnit\Framework\Attributes\DataProvider;
use XHProf\Format\Units;
use XHProf\Profile\CallTree;
use XHProf\Store\Exemplars;
use XHProf\Store\RunId;
use XHProf\Store\RunQuery;
use XHProf\Store\RunStore;
use XHProf\Tests\Lib\Support\AggregateFiles;
use XHProf\Tests\Lib\Support\AutomaticRuns;

require_once __DIR__ . '/PagesTestCase.php';
require_once __DIR__ . '/../lib/Support/AggregateFiles.php';
require_once __DIR__ . '/../lib/Support/AutomaticRuns.php';

/** Runs that settings started: the page of requests, and the pages of such runs. */
final class RequestsPageTest extends PagesTestCase
{
    private const REQUESTS = 'index.php?view=requests';
    private const TRIGGERED = '//section[@aria-labelledby="triggered"]//tbody/tr';
    private const SLOWEST = '//section[@aria-labelledby="slowest"]//tbody/tr';
    private const ROUTES = '//section[@aria-labelledby="routes"]//tbody/tr';

    public static function setUpBeforeClass(): void
    {
        self::$runs = self::folder();
        AutomaticRuns::build(self::$runs);
        self::$server = new PageServer(self::ROOT, self::$runs);
    }

    private static function runUrl(string $id, string $more = '', string $source = AutomaticRuns::SOURCE): string
    {
        return "index.php?run=$id&source=$source$more";
    }

    public function testTriggeredOnesFirstThenTheSlowest(): void
    {
        $page = self::open(self::REQUESTS);
        self::assertSame(['All requests 26 550', 'Triggered', 'Slowest', 'By route and job'], array_map(
            static fn (string $head): string => trim((string) preg_replace('/ (by|all|8|from).*$/', '', $head)),
            $page->texts('//h2'),
        ));
        $ids = $page->attributes(self::TRIGGERED . '/th/a', 'title');
        self::assertSame([AutomaticRuns::TRIGGERED, AutomaticRuns::HOSTILE, AutomaticRuns::SAMPLED, AutomaticRuns::CPU], $ids);
        self::assertStringContainsString('503', $page->text(self::TRIGGERED . '/td[1]'));
        $slowest = $page->attributes(self::SLOWEST . '/th/a', 'title');
        self::assertCount(15, $slowest);
        self::assertSame([AutomaticRuns::TRIGGERED, AutomaticRuns::CPU, AutomaticRuns::SAMPLED], array_slice($slowest, 0, 3));
        self::assertStringContainsString('All requests (60 s)', $page->text('//p[@class="note"]'));
        self::assertSame(['Runs', 'Requests'], $page->texts('//nav[@aria-label="Lists"]/a'));
        self::assertSame(['Requests'], $page->texts('//nav[@aria-label="Lists"]/a[@aria-current]'));
        self::assertSame('Requests', self::open('index.php')->text('//nav[@aria-label="Lists"]/a[2]'));
    }

    public function testRequestsThatWaitToBeSavedAreSaid(): void
    {
        $spool = self::$runs . '/.xhprof-aggregate.auto.0.60-10000-wall.spool';
        file_put_contents($spool, AggregateFiles::spool([2, 5]));
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

    /** What the aggregates counted: the sum of all windows, over time and by route. */
    public function testAllRequests(): void
    {
        $page = self::open(self::REQUESTS);
        $all = '//section[@aria-labelledby="all"]';
        self::assertSame(
            ['GET /search', 'GET /orders/{id}', 'GET /', 'POST /cart', 'GET /api/products/{id}'],
            $page->texts("$all//table[contains(@class, \"latencies\")]/tbody/tr/th"),
        );
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
        $one = self::open(self::REQUESTS . '&route=' . rawurlencode('GET /search'));
        self::assertSame(['GET /search', 'GET /search'], $one->texts("$all//tbody/tr/th"), 'times, and memory');
        $none = self::open(self::REQUESTS . '&only=live');
        self::assertSame([], $none->texts($all));
    }

    /** Figures of a route open the requests that the window with the slowest one has kept. */
    public function testSingleRequestsOfRoutes(): void
    {
        $page = self::open(self::REQUESTS);
        $row = '//section[@aria-labelledby="all"]//tbody/tr[th[normalize-space()="GET /search"]]';
        $waits = $page->attributes("$row/td[contains(@class, \"k-waits\")]", 'title')[0];
        self::assertStringStartsWith('SQL 6', $waits);
        self::assertStringContainsString('Garbage collection', $waits);
        self::assertSame(['48.0 KB'], $page->texts("$row/td[contains(@class, \"k-kept\")]"));
        self::assertSame([''], $page->texts("$row/td[contains(@class, \"k-after\")]"));
        $cart = '//section[@aria-labelledby="all"]//tbody/tr[th[normalize-space()="POST /cart"]]/td[contains(@class, "k-after")]';
        self::assertSame(['19.3 s'], $page->texts($cart));
        $title = $page->attributes($cart, 'title')[0];
        self::assertMatchesRegularExpression('~^\d+ of [\d ]+ requests went on, for [\d.]+ ms on average$~u', $title);
        $slowest = $page->attributes("$row/td[contains(@class, \"k-max\")]/a", 'href')[0];
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
        foreach ($flame->attributes('//nav[@aria-label="Views of this run"]//a', 'href') as $url) {
            self::open($url);
        }
        $difference = $page->attributes("$row/td[contains(@class, \"k-p99\")]/a", 'href')[0];
        self::assertStringContainsString('run1=', $difference);
        self::assertP99IsNearest($difference);
        $sides = self::open($difference)->texts('//div[@class="versus"]//span[contains(@class, "side")]');
        self::assertSame(['A mean', 'B this request'], $sides, 'it is no run after another');
        $heads = self::open(str_replace('view=flame', '', $difference))->texts('//table[contains(@class, "compare")]//th');
        self::assertContains('This request', $heads);
        self::assertNotContains('Before', $heads);
        self::assertStringContainsString('-random-', $page->attributes("$row/td[contains(@class, \"k-p50\")]/a", 'href')[0]);
        // Another route has none.
        $other = '//section[@aria-labelledby="all"]//tbody/tr[th[normalize-space()="POST /cart"]]';
        self::assertSame([], $page->texts("$other/td[contains(@class, \"k-max\")]/a"));
        $window = self::open(self::runUrl(AutomaticRuns::window(9), '', 'traffic'));
        self::assertCount(3, $window->texts('//table[contains(@class, "latencies")]//td[not(contains(@class, "k-trend"))]/a'));
        self::open(self::runUrl(AutomaticRuns::window(9) . '-slowest-000000000000', '', 'traffic'), 404);
    }

    /** Of the requests of the route that any window has kept, the one nearest to p99. */
    private static function assertP99IsNearest(string $url): void
    {
        $store = new RunStore(self::$runs);
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

    public function testTheRunListIsOfSingleRunsAndAFilterShowsTheWindows(): void
    {
        $rows = '//table[contains(@class, "runs")]/tbody/tr';
        foreach (['index.php', 'index.php?sort=wt', 'index.php?only=traffic'] as $url) {
            $page = self::open($url);
            self::assertSame([], $page->find("$rows//*[normalize-space()='aggregate']"), $url);
            self::assertStringContainsString(
                AutomaticRuns::WINDOWS . ' windows of all requests are not in this list of single runs',
                $page->text('//div[@id="results"]'),
            );
        }
        self::assertStringContainsString('No single run is here.', self::open('index.php?only=traffic')->body);
        $windows = self::open('index.php?start=aggregate');
        self::assertCount(AutomaticRuns::WINDOWS, $windows->find($rows));
        self::assertStringNotContainsString('are not in this list', $windows->body);
    }

    /** Memory has a table of its own: what is not known is not 0. */
    public function testMemoryOfRoutes(): void
    {
        $page = self::open(self::REQUESTS);
        $table = '//section[@aria-labelledby="all"]//table[contains(@class, "route-memory")]';
        self::assertSame(
            ['Route or job', 'Peak, median', 'Peak, p99', 'Allocated', 'Held at the peak', 'Allocated by all', 'Kept'],
            $page->texts("$table/thead/tr/th"),
        );
        $row = static fn (Page $page, string $route): array
            => $page->texts("//table[contains(@class, \"route-memory\")]/tbody/tr[th[normalize-space()=\"$route\"]]/td");
        $search = $row($page, 'GET /search');
        self::assertSame(['40.0 MB', '12.0 MB'], [$search[2], $search[3]]);
        self::assertMatchesRegularExpression('~^(3\.9|4\.0)\d MB$~', $search[0], 'the middle of a bucket');
        self::assertSame('48.0 KB', $search[5]);
        $cart = $row($page, 'POST /cart');
        self::assertSame(['5.00 MB', '0 B', '-512 B'], [$cart[2], $cart[3], $cart[5]]);
        self::assertSame(['-', '-', '-', '-'], array_slice($row($page, 'GET /orders/{id}'), 2));
        $first = $row($page, 'GET /');
        self::assertSame(['3.00 MB', '1.00 MB', '0 B'], [$first[2], $first[3], $first[5]]);
        $unknown = "$table/tbody/tr[th[normalize-space()=\"GET /orders/{id}\"]]/td[contains(@class, \"k-allocated\")]";
        self::assertSame(['not known'], $page->attributes($unknown, 'title'));
        // Those figures open who allocates, and who holds.
        $links = $page->attributes("$table/tbody/tr[th[normalize-space()=\"GET /search\"]]/td/a", 'href');
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

    /** A request that an aggregate has kept shows what it allocated, and how that differs from the mean. */
    public function testAllocationsOfSingleRequests(): void
    {
        $window = self::open(self::runUrl(AutomaticRuns::window(9), '', 'traffic'));
        $slowest = $window->attributes('//table[contains(@class, "latencies")]//td[contains(@class, "k-max")]/a', 'href')[0];
        $run = (string) parse_url($slowest, PHP_URL_QUERY);
        $tree = json_decode(self::$server->get("api.php?get=tree&$run")->body, true);
        self::assertIsArray($tree);
        self::assertSame([0, 1 << 20, 100 << 20, 2 << 20], $tree['self']['allocated_bytes'] ?? null);
        self::assertSame([0, 0, 7 << 20, 1 << 20], $tree['self']['peak_bytes'] ?? null);
        $folded = self::$server->get("api.php?get=export&format=folded&metric=allocated_bytes&$run");
        self::assertStringContainsString('App\Kernel::handle ' . (100 << 20), $folded->body);
        $older = self::open(self::runUrl(AutomaticRuns::window(5), '', 'traffic'));
        $slowest = $older->attributes('//table[contains(@class, "latencies")]//td[contains(@class, "k-max")]/a', 'href')[0];
        $tree = json_decode(self::$server->get('api.php?get=tree&' . parse_url($slowest, PHP_URL_QUERY))->body, true);
        self::assertSame(['wt'], array_keys($tree['self'] ?? []));
    }

    public function testRoutes(): void
    {
        $page = self::open(self::REQUESTS);
        self::assertSame(
            ['GET /search', 'POST /cart', 'GET /orders/{id}', 'App\Job\SendInvoice', 'GET /'],
            array_slice($page->texts(self::ROUTES . '/th'), 0, 5),
        );
        $cart = $page->texts(self::ROUTES . '[th[normalize-space()="POST /cart"]]/td');
        self::assertSame(['13', '2'], array_slice($cart, 0, 2));
        self::assertSame(['812 ms', 'Trend'], [$cart[4], $cart[6]]);
        $slowest = $page->attributes(self::ROUTES . '[th[normalize-space()="POST /cart"]]/td[5]/a', 'href');
        self::assertSame([self::runUrl(AutomaticRuns::TRIGGERED)], $slowest);

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
        $failed = $page->attributes(self::ROUTES . '[th[normalize-space()="POST /cart"]]/td[2]/a', 'href')[0];
        self::assertCount(2, self::open($failed)->find('//table//tbody/tr'));
        $trend = $page->attributes(self::ROUTES . '[th[normalize-space()="POST /cart"]]/td[7]/a', 'href')[0];
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

    public function testTheEmptyListExplainsHowToTurnProfilingOn(): void
    {
        $folder = self::folder();
        try {
            $server = new PageServer(self::ROOT, $folder);
            $page = $server->get(self::REQUESTS);
            self::assertSame(200, $page->status);
            self::assertSame('No requests yet', $page->text('//h2'));
            foreach (['xhprof.start_with_request=trigger', 'xhprof.sample_rate=0.01', 'xhprof.mode=aggregate'] as $line) {
                self::assertStringContainsString($line, implode("\n", $page->texts('//pre')));
            }
        } finally {
            unset($server);
            self::remove($folder);
        }
    }

    /** @return array<string, array{string, string}> id, text of its head */
    public static function origins(): array
    {
        return [
            'triggered' => [AutomaticRuns::TRIGGERED, 'triggered answered 503'],
            'sampled' => [sprintf('a3%030x', 0), 'chosen by rate: 1 of 100 answered 200'],
            'part' => [AutomaticRuns::PART, 'automatic answered 200 A part: ended when the program started its '
                . 'own profile with xhprof_enable()'],
            'fork' => [AutomaticRuns::FORK, 'automatic answered 200 fork of run a10000000000'],
            'job' => [AutomaticRuns::SPAN, 'job in php bin/console messenger:consume'],
            'hostile' => [AutomaticRuns::HOSTILE, 'triggered answered 200 in /<img src=x onerror=alert(1)>\u{202E}\x07 A part: '
                . 'ended when <b>ended</b>'],
        ];
    }

    #[DataProvider('origins')]
    public function testHowARunCameAbout(string $id, string $says): void
    {
        foreach (['', '&view=export'] as $view) {
            $page = self::open(self::runUrl($id, $view));
            self::assertSame($says, $page->text('//p[contains(@class, "origin")]'));
            self::assertSame('exact', $page->text('(//p[@class="sub"])[1]/span[contains(@class, "start")]'));
        }
    }

    public function testTheListHasRoutesThatFilterIt(): void
    {
        $routes = '//td[contains(@class, "c-route")]/a';
        $page = self::open('index.php');
        $links = array_combine($page->texts($routes), $page->attributes($routes, 'href'));
        self::assertGreaterThan(1, count($links));
        foreach (array_slice($links, 0, 2, true) as $route => $url) {
            self::assertSame([$route], array_values(array_unique(self::open($url)->texts($routes))));
        }
    }

    public function testAForkLeadsToItsParent(): void
    {
        $links = self::open(self::runUrl(AutomaticRuns::FORK))->attributes('//p[contains(@class, "origin")]//a', 'href');
        self::assertSame([self::runUrl(AutomaticRuns::PART)], $links);
    }

    /** @return array<string, array{string, string}> */
    public static function views(): array
    {
        $cases = [];
        $ids = ['sampled' => AutomaticRuns::SAMPLED, 'CPU clock' => AutomaticRuns::CPU, 'hostile' => AutomaticRuns::HOSTILE];
        $views = ['', '&view=graph', '&view=flame', '&view=sandwich', '&view=timeline', '&view=export', '&symbol=main()'];
        foreach ($ids as $name => $id) {
            foreach ($views as $view) {
                $cases["$name $view"] = [$id, $view];
            }
        }

        return $cases;
    }

    #[DataProvider('views')]
    public function testSampledRunsHaveAllViews(string $id, string $view): void
    {
        $page = self::open(self::runUrl($id, $view));
        $says = $page->text('//p[@class="warning"]');
        if ($view === '&view=graph') {
            self::assertNotSame([], $page->find('//*[@data-view="graph"]'));
        } elseif ($id === AutomaticRuns::SAMPLED) {
            self::assertSame(
                'Note: Sampled every 1.00 ms of wall time: times are estimates, short functions may be missing.',
                $says,
            );
            if ($view === '') {
                $sampling = $page->text('//details//dl/div[dt="Sampling"]/dd');
                self::assertStringContainsString('481 samples, one per 1.00 ms of wall time; 330 fell into calls that', $sampling);
            }
        } elseif ($id === AutomaticRuns::CPU) {
            self::assertStringContainsString('Sampled every 1.00 ms of CPU time', $says);
            self::assertSame([], array_values(array_filter(
                $page->texts('//table//th[@class!="text"] | //dt'),
                static fn (string $text): bool => str_contains($text, 'Wall'),
            )));
        }
    }

    /** The edges of a sampled run have a call each, and a function that only calls others no sample of its own. */
    public function testTheSamplesOfFunctionsAddUp(): void
    {
        foreach ([AutomaticRuns::SAMPLED, AutomaticRuns::CPU] as $id) {
            $page = self::open(self::runUrl($id));
            $samples = $page->texts('//table//tbody/tr/td[contains(@class, "m-ct")]');
            self::assertCount(6, $samples);
            self::assertSame(481, array_sum(array_map(intval(...), $samples)));
            $functions = json_decode(self::$server->get("api.php?get=functions&run=$id&source=live")->body, true);
            self::assertIsArray($functions);
            self::assertSame(481, array_sum($functions['m']['ct']));
        }
    }

    public function testAnAggregateByTheCpuClock(): void
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
        $store = new RunStore($folder);
        foreach (['live' => 'asked', 'other' => 'alone'] as $source => $id) {
            $edges = ['main()' => ['ct' => 1, 'wt' => 9]];
            $store->save($edges, $source, $id, ['start' => 'trigger', 'url' => '/', 'route' => 'GET /']);
        }
        $server = new PageServer(self::ROOT, $folder);
        // A request links to all requests of its route, where its source has aggregates.
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

    public function testARunByTheCpuClockBesideOthers(): void
    {
        $two = AutomaticRuns::CPU . ',' . AutomaticRuns::TRIGGERED;
        self::open(self::runUrl($two));
        $diff = 'index.php?source=live&run1=' . AutomaticRuns::CPU . '&run2=';
        self::open($diff . AutomaticRuns::TRIGGERED);
        foreach (['', '&view=graph', '&view=flame', '&symbol=PDOStatement::execute'] as $view) {
            self::open($diff . AutomaticRuns::CPU . $view);
        }
        foreach (['functions', 'edges', 'tree', 'samples', 'symbol&symbol=main()'] as $get) {
            $answer = self::$server->get("api.php?get=$get&run=" . AutomaticRuns::CPU . '&source=live');
            self::assertSame(200, $answer->status, $get);
        }
        $page = self::open(self::runUrl(AutomaticRuns::CPU, '&symbol=' . rawurlencode('App\Kernel::handle')));
        self::assertStringContainsString('CPU time', $page->text('//th[@aria-sort]'));
    }

    public function testLinesOfAFunction(): void
    {
        $page = self::open(self::runUrl(AutomaticRuns::SAMPLED, '&symbol=' . rawurlencode('App\Twig\Engine::render')));
        $rows = '//section[@aria-labelledby="lines"]//tbody/tr';
        self::assertSame(['112', '113', '114', '115', '118'], $page->texts("$rows/th"));
        self::assertSame(['41.0 ms22.8 %', '41', '', ''], $page->texts($rows . '[2]/td'));
        self::assertSame(['30.0 ms16.7 %', '', '30', 'strlen'], $page->texts($rows . '[5]/td'));
        self::assertCount(5, $page->find("$rows//*[name()='svg']"));
        // PHP's own functions have no lines, and neither have functions without samples.
        $own = self::open(self::runUrl(AutomaticRuns::SAMPLED, '&symbol=strlen'));
        self::assertSame([], $own->find($rows));
        self::assertSame([], self::open(self::runUrl(AutomaticRuns::TRIGGERED, '&symbol=main()'))->find($rows));
    }

    public function testADamagedLogOfSamples(): void
    {
        $folder = self::folder();
        AutomaticRuns::sampled($folder, 'damaged', 'wall');
        file_put_contents("$folder/damaged.live.samples.json", '{"v":1,"kind":"samples","t":[');
        $server = new PageServer(self::ROOT, $folder);
        $page = $server->get('index.php?run=damaged&source=live&symbol=main()');
        self::assertSame(200, $page->status);
        self::assertStringContainsString('the lines cannot be read: damaged.live.samples.json', $page->body);
        self::assertSame(200, $server->get('index.php?run=damaged&source=live')->status);
        $samples = $server->get('api.php?get=samples&run=damaged&source=live');
        self::assertSame(500, $samples->status);
        self::assertStringNotContainsString($folder, $samples->body . $page->body);
        // The page reports a log that is too large for a timeline, and does not read it.
        $log = fopen("$folder/damaged.live.samples.json", 'wb');
        self::assertNotFalse($log);
        ftruncate($log, 65 << 20);
        fclose($log);
        self::assertSame(413, $server->get('api.php?get=samples&run=damaged&source=live')->status);
        $timeline = $server->get('index.php?run=damaged&source=live&view=timeline');
        self::assertSame(404, $timeline->status);
        self::assertStringContainsString('more samples than a timeline can show', $timeline->body);
        unset($server);
        self::remove($folder);
    }

    public function testAnAggregate(): void
    {
        $page = self::open(self::runUrl(AutomaticRuns::window(5), '', 'traffic'));
        self::assertSame('All requests (60 s)', $page->text('//h1'));
        self::assertStringContainsString('Requests/s36.0', implode(' ', $page->texts('//dl[@class="tiles"]/div')));
        $rows = '//table[contains(@class, "routes")]/tbody/tr';
        self::assertSame('GET /orders/{id}', $page->text("$rows/th"));
        self::assertSame(
            ['Route or job', 'Requests', 'Per second', 'Failed', 'Aborted', 'Median', 'p90', 'p95', 'p99', 'p99.9', 'Slowest']
                + [11 => 'Times', 12 => 'Total', 13 => 'Waiting', 14 => 'After the answer']
                + [15 => 'Cut + mixed', 16 => 'Without samples', 17 => 'Samples'],
            $page->texts('//table[contains(@class, "latencies")]/thead/tr/th'),
        );
        $cells = $page->texts("{$rows}[1]/td");
        self::assertSame(['425', '7.08', '', ''], array_slice($cells, 0, 4));
        $walls = AutomaticRuns::walls(425, 34200);
        self::assertSame(
            array_map(
                static fn (float $share): string => Units::of(min(136800, $walls->quantile($share) ?? 0), 'wt'),
                [0.5, 0.9, 0.95, 0.99, 0.999],
            ),
            array_slice($cells, 4, 5),
        );
        self::assertSame(['137 ms', '14.5 s30.2 %'], [$cells[9], $cells[11]]);
        self::assertStringStartsWith(
            '425 requests between 20.5 ms and ',
            $page->attributes("{$rows}[1]//svg", 'aria-label')[0],
        );
        self::assertSame('1', $page->text('//table[contains(@class, "latencies")]//td[contains(@class, "k-failed")]/span'));
        $of = "//table[contains(@class, 'latencies')]//tr[th[normalize-space()='POST /cart']]/td";
        self::assertSame('2 + 1', $page->text("{$of}[contains(@class, 'k-cut')]"));
        self::assertStringContainsString('another fiber', $page->attributes("{$of}[contains(@class, 'k-cut')]", 'title')[0]);
        self::assertSame('200 ms', $page->text("{$of}[contains(@class, 'k-unsampled')]"));
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
        self::assertSame(['0', '0.00', '', '', '', '4 100.0 %'], array_slice($cells, 0, 6));
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
        $href = $window->attributes('//a[@aria-label="Trend of GET /search"]', 'href')[0];
        $page = self::open($href);
        self::assertSame('GET /search', $page->text('//h1'));
        self::assertSame(
            [
                'Mean per request', 'Median', 'p90', 'p95', 'p99', 'p99.9', 'Slowest request', 'Allocated per request',
                'Held at the peak, per request', 'Failed requests',
                'Share of the time, %', 'Requests per second', 'Requests',
            ],
            $page->texts('//nav[@aria-label="Metric"]/a'),
        );
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

    /** Requests have URLs of their own: trends are by route. */
    public function testTheTrendOfARequestIsThatOfItsRoute(): void
    {
        $trend = 'index.php?view=trend&source=live&route=POST%20%2Fcart';
        $run = self::open(self::runUrl(AutomaticRuns::TRIGGERED));
        self::assertSame([$trend], $run->attributes('//div[@class="head"]//a[.="Trend"]', 'href'));
        self::assertCount(13, self::open($trend)->find('//table//tbody/tr'));
        $function = self::open(self::runUrl(AutomaticRuns::TRIGGERED, '&symbol=PDOStatement::execute'));
        $href = $function->attributes('//div[@class="head"]//a[.="Trend"]', 'href')[0];
        self::assertSame("$trend&symbol=PDOStatement%3A%3Aexecute", $href);
        self::assertSame('PDOStatement::execute', self::open($href)->text('//h1'));
        $list = self::open('index.php?start=span');
        self::assertSame(['index.php?view=trend&source=live&route=App%5CJob%5CSendInvoice'], $list->attributes(
            '//table//tbody//td[@class="c-edit"][1]/a',
            'href',
        ));
    }

    public function testTheListMarksWhatIsOnlyAPart(): void
    {
        $part = '//table//tbody/tr/th[span[contains(@class, "part")]]';
        $page = self::open('index.php?q=report');
        self::assertSame([AutomaticRuns::PART], $page->attributes("$part/a[@title]", 'title'), 'and not its fork');
        self::assertSame(['part'], $page->texts("$part/span[contains(@class, 'part')]"));
        $title = 'A part: ended when the program started its own profile with xhprof_enable()';
        self::assertSame([$title], $page->attributes("$part/span[contains(@class, 'part')]", 'title'));
        $hostile = self::open('index.php?start=trigger')->attributes("$part/span[contains(@class, 'part')]", 'title');
        self::assertSame(['A part: ended when <b>ended</b>'], $hostile);
        $slowest = '//section[@aria-labelledby="slowest"]//th/span[@class="badge part"]';
        self::assertSame(['part'], self::open('index.php?view=requests&q=report')->texts($slowest));
    }

    public function testTheListShowsWhatStartedEachRun(): void
    {
        $page = self::open('index.php?start=trigger');
        self::assertCount(4, $page->find('//table//tbody/tr'));
        self::assertStringContainsString('503 exact triggered', $page->text('//table//tbody/tr/th'));
        self::assertSame('trigger', $page->attributes('//select[@name="start"]/option[@selected]', 'value')[0] ?? '');
        $runs = json_decode(self::$server->get('api.php?get=runs&start=span')->body, true);
        self::assertIsArray($runs);
        self::assertSame(
            [['span'], ['App\Job\SendInvoice'], ['App\Job\SendInvoice'], [null]],
            [$runs['runs']['start'], $runs['runs']['name'], $runs['runs']['route'], $runs['runs']['status']],
        );
    }

    public function testHowEachRunWasRecordedIsSaid(): void
    {
        $folder = self::folder();
        $server = new PageServer(self::ROOT, $folder);
        try {
            $modes = ['exact' => 'exact', 'alloc' => 'allocations', 'sample' => 'sampled', 'aggregate' => 'aggregate'];
            foreach (array_keys($modes) as $i => $mode) {
                $meta = ['ts' => 1000.0 - $i, 'mode' => $mode, 'command' => "php $mode.php"];
                (new RunStore($folder))->save(['main()' => ['ct' => 1, 'wt' => 1]], 'modes', null, $meta);
            }
            // Requested twice: the second answer is from the index of runs.
            foreach ([1, 2] as $time) {
                $page = $server->get('index.php');
                self::assertSame(array_values($modes), $page->texts('//th[@scope="row"]/span[contains(@class, "badge")]'), "$time");
                self::assertContains('Calls / samples', $page->texts('//thead//th'));
            }
        } finally {
            unset($server);
            self::remove($folder);
        }
    }

    public function testTheFlameGraphOfAnAggregateOpensWithTheWidestFirst(): void
    {
        $merged = '//div[@data-view="flame"][@data-merged]';
        self::assertCount(1, self::open(self::runUrl(AutomaticRuns::window(1), '&view=flame', 'traffic'))->find($merged));
        self::assertCount(0, self::open(self::runUrl(AutomaticRuns::SAMPLED, '&view=flame'))->find($merged));
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
