<?php

declare(strict_types=1);

namespace XHProf\Tests\Fleet;

use XHProf\Demo\Fleet\Plan;
use XHProf\Demo\Fleet\SentWindow;
use XHProf\Demo\Fleet\Simulation;
use XHProf\Fleet\Question\Functions;
use XHProf\Fleet\Question\OneFunction;
use XHProf\Fleet\Question\ReleaseFigures;
use XHProf\Fleet\Question\Requests;
use XHProf\Fleet\Question\SampledClock;
use XHProf\Fleet\Question\Selection;
use XHProf\Fleet\Report\RoutesReport;
use XHProf\Fleet\Shipment;
use XHProf\Format\Units;
use XHProf\Profile\CallTree;
use XHProf\Report\TimeBar;
use XHProf\Run\RequestWindow;
use XHProf\Run\RunFile;
use XHProf\Run\RunId;
use XHProf\Store\RunFolder;
use XHProf\Tests\Html\Page;
use XHProf\Tests\Html\PageServer;
use XHProf\Tools\Servers\ClickHouse;
use XHProf\Tools\Servers\Folder;
use XHProf\Web\Http\Response;

require_once __DIR__ . '/FleetTestCase.php';
require_once __DIR__ . '/Sums.php';
require_once __DIR__ . '/../html/Page.php';
require_once __DIR__ . '/../html/PageServer.php';

/** The pages of the fleet: their figures are those of the questions, and every link of theirs leads somewhere. */
final class PagesTest extends FleetTestCase
{
    private const ROOT = __DIR__ . '/../../xhprof_html';
    private const ROUTE = 'GET /products/{id}';
    private const FUNCTION = 'PDO::prepare';
    private const FLEET = 'index.php?view=fleet&last=all';
    private const SHOP = self::FLEET . '&service=shop';

    private Folder $folder;
    private ?PageServer $pages = null;

    protected function setUp(): void
    {
        parent::setUp();
        $this->folder = new Folder();
        mkdir("{$this->folder->path}/runs");
    }

    public function testPagesShowWhatWasSent(): void
    {
        $this->init();
        $plan = new Plan(11, hosts: 6, windows: 4, route: self::ROUTE, function: self::FUNCTION, badHosts: 1);
        $runs = self::listed((new Simulation(self::real(), $plan))->runs());
        $runs = [SentWindow::with($runs[0], self::ROUTE, 123456, 1000), ...array_slice($runs, 1)];
        $this->send($runs);
        $this->serve();
        $sums = new Sums($runs);
        $reader = $this->client('reader');
        $all = new Selection(Plan::SERVICE);

        $overview = $this->open(self::FLEET);
        self::assertSame('Fleet', $overview->text('//h1'));
        self::assertSame(Units::count($sums->requests), $overview->text('//dl[@class="tiles"]/div[dt="Requests"]/dd'));
        $row = $overview->texts('//section[@id="services"]//tbody/tr/*');
        self::assertSame(['shop', 'production', '6', Units::count($sums->requests)], array_slice($row, 0, 4));
        self::assertSame('1 function', end($row));
        self::assertSame(self::FUNCTION, $overview->text('//section[@aria-labelledby="slower"]//tbody/tr/th'));
        self::assertCount(2, $overview->find('//figure[contains(@class, "by-line")]'));
        self::assertSame('shop', $overview->text('(//figure)[1]//span[@class="line-key"]'), 'a line for each service');

        $routes = $this->open(self::SHOP . '&show=routes');
        $requests = 0;
        $rows = $routes->find('//section[@aria-labelledby="routes"]//tbody/tr');
        foreach ($rows as $line) {
            $requests += (int) str_replace(' ', '', $routes->texts('td', $line)[1]);
        }
        self::assertSame($sums->requests, $requests);
        self::assertCount(count((new Requests($reader))->routes($all)), $rows);
        self::assertSame(2, count($routes->find('//figure[contains(@class, "by-line")]')));
        self::assertSame(2, count($routes->find('//figure[contains(@class, "by-line")][1]/svg/path')), 'a line for each release');
        $route = $this->open(self::SHOP . '&show=routes&route=' . rawurlencode(self::ROUTE));
        foreach ([[$routes, $all], [$route, $all->ofRoute(self::ROUTE)]] as [$page, $which]) {
            $where = TimeBar::of((new RoutesReport($reader, $which))->times())?->drawn();
            self::assertNotNull($where);
            self::assertSame(array_column($where['pieces'], 'text'), $page->texts('//figure[@class="where"]//li/span[@class="v"]'));
            self::assertSame(['cpu'], array_slice(array_column($where['pieces'], 'key'), 0, 1));
        }

        $functions = $this->open(self::SHOP . '&show=functions&route=' . rawurlencode(self::ROUTE));
        $expected = array_map(
            static fn (ReleaseFigures $one): array => [
                $one->name, Units::us(($one->selfPerRequest() ?? 0) / 1000), Units::us(($one->totalPerRequest() ?? 0) / 1000),
            ],
            (new Functions($reader))->top(new Selection(Plan::SERVICE, route: self::ROUTE), SampledClock::Wall, 10),
        );
        $shown = array_map(static fn (\DOMElement $line): array => [
            $functions->texts('th//span[@class="fn"]', $line)[0], $functions->texts('td[1]/span[@class="v"]', $line)[0],
            $functions->texts('td[2]/span[@class="v"]', $line)[0],
        ], array_slice($functions->find('//section[@id="functions"]//tbody/tr'), 0, 10));
        self::assertSame($expected, $shown);

        $function = $this->open(self::SHOP . '&show=functions&symbol=' . rawurlencode(self::FUNCTION));
        $question = new OneFunction($reader, self::FUNCTION);
        $figures = $question->figures($all, SampledClock::Wall);
        self::assertSame(
            Units::us(($figures?->selfPerRequest() ?? 0) / 1000),
            $function->text('//dl[@class="tiles"]/div[dt="Self per request"]/dd'),
        );
        self::assertSame([Plan::NEW, Plan::OLD], $function->texts('//section[@aria-labelledby="releases"]//tbody/tr/th'));
        self::assertSame(
            array_column($question->callers($all, SampledClock::Wall), 'name'),
            $function->texts('//section[@aria-labelledby="callers"]//tbody/tr/th//span[@class="fn"]'),
        );
        $byRoute = $question->routes($all, SampledClock::Wall);
        self::assertSame(
            array_column($byRoute, 'route'),
            $function->texts('//section[@aria-labelledby="routes"]//tbody/tr/th'),
        );
        self::assertSame([$figures?->total(), $figures?->self()], [
            array_sum(array_column($byRoute, 'total')), array_sum(array_column($byRoute, 'self')),
        ]);
        $odd = '//tr[th/span[@class="badge bad"]]/th/a';
        self::assertSame($plan->bad(), $function->texts("//section[@aria-labelledby='hosts']$odd"));

        $slower = $this->open(self::SHOP . '&show=regressions');
        self::assertSame(
            [self::FUNCTION],
            $slower->texts('//section[@aria-labelledby="slower"]//tbody/tr/th//span[@class="fn"]'),
        );
        self::assertSame([self::ROUTE], $slower->texts('//section[@aria-labelledby="slower"]//tbody/tr/td[1]'));
        $back = $this->open(self::SHOP . '&show=regressions&release=' . Plan::OLD . '&base_release=' . Plan::NEW);
        self::assertStringContainsString('0 got slower, 1 got faster', $back->text('//p[@class="note"]'));

        $hosts = $this->open(self::SHOP . '&show=hosts');
        self::assertSame($plan->bad(), $hosts->texts($odd));
        self::assertSame(6, count($hosts->find('//section[@id="hosts"]//tbody/tr')));

        $releases = $this->open(self::SHOP . '&show=releases');
        self::assertSame([Plan::NEW, Plan::OLD], $releases->texts('//section[@id="releases"]//tbody/tr/th'));

        $data = $this->open(self::FLEET . '&show=data');
        self::assertSame('6', $data->text('//dl[@class="tiles"]/div[dt="Hosts"]/dd'));
        self::assertSame((string) count($runs), $data->text('//dl[@class="tiles"]/div[dt="Runs"]/dd'));

        $values = $this->open(self::FLEET . '&show=data&values=host');
        self::assertCount(6, $values->find('//section[@aria-labelledby="values"]//tbody/tr'));
        self::assertContains('Dropped', $data->texts('//section[@aria-labelledby="hosts"]//th'));

        $this->assertFlameGraphs($sums);
        $this->assertSingleRequest($runs[0]);
        $this->assertLinksLead([$overview, $routes, $functions, $function, $slower, $hosts, $releases, $data]);
    }

    private function assertFlameGraphs(Sums $sums): void
    {
        $page = $this->open(self::SHOP . '&show=flame');
        $tree = $this->tree($page->attributes('//*[@data-view="flame"]', 'data-tree')[0]);
        self::assertSame([$sums->samples, $sums->wall], [array_sum($tree['ct']), array_sum($tree['self']['wt'])]);
        self::assertStringContainsString(Units::count($sums->samples) . ' samples', $page->text('//form[@method="post"]'));

        $diff = $this->open(self::SHOP . '&show=flame&release=' . Plan::NEW . '&base_release=' . Plan::OLD);
        $sides = $diff->find('//*[@data-view="flame-diff"]')[0];
        foreach (['data-a' => Plan::OLD, 'data-b' => Plan::NEW] as $side => $release) {
            $tree = $this->tree($sides->getAttribute($side));
            $which = new Selection(Plan::SERVICE, release: $release);
            $requests = array_sum((new Functions($this->client('reader')))->requests($which));
            $functions = (new Functions($this->client('reader')))->top($which, SampledClock::Wall, 10000);
            $time = array_sum(array_map(static fn (ReleaseFigures $one): int => $one->self(), $functions));
            self::assertEquals($requests, $tree['requests'], $release);
            self::assertEqualsWithDelta($time, array_sum($tree['self']['wt']), 1e-6 * $time, $release);
        }
        self::assertSame(
            ['release ' . Plan::OLD, 'release ' . Plan::NEW],
            $diff->texts('//div[@class="versus"]//strong'),
        );
        $swapped = $this->open($diff->attributes('//a[@class="swap"]', 'href')[0]);
        self::assertSame(
            ['release ' . Plan::NEW, 'release ' . Plan::OLD],
            $swapped->texts('//div[@class="versus"]//strong'),
        );
        $none = $this->open(self::SHOP . '&show=flame&host=nobody');
        self::assertStringContainsString('No samples', $none->text('//p[@class="empty"]'));
        self::assertSame(404, $this->pages()->get('api.php?get=fleet-tree&service=shop&host=nobody&last=all')->status);

        // Saved, it is a run like any other.
        $form = $page->find('//form[@method="post"]')[0];
        $answer = $this->post($form->getAttribute('action'), $page);
        self::assertSame(303, $answer->status, $answer->body);
        $run = (new RunFolder("{$this->folder->path}/runs"))->list()[0]->id;
        self::assertSame('fleet', $run->source);
        $saved = $this->open($answer->headers['location']);
        self::assertSame('shop', $saved->text('//h1'));
        self::assertSame(403, $this->pages()->post($form->getAttribute('action'), 'csrf=x', [])->status);
    }

    private function assertSingleRequest(Shipment $run): void
    {
        $one = $run->exemplars[0];
        $list = $this->open(self::SHOP . '&show=requests');
        self::assertSame([Units::us($one['wall_us'])], $list->texts('//section[@id="kept"]//tbody/tr/th/a'));
        $link = $list->attributes('//section[@id="kept"]//tbody/tr/th/a', 'href')[0];
        $page = $this->open($link);
        $tree = $this->tree($page->attributes('//*[@data-view="flame"]', 'data-tree')[0]);
        self::assertSame($one['tree']->ct, $tree['ct']);
        $slowest = $this->open(self::SHOP . '&show=requests&kept=slowest&route=' . rawurlencode(self::ROUTE));
        self::assertSame(
            $one['tree']->ct,
            $this->tree($slowest->attributes('//*[@data-view="flame"]', 'data-tree')[0])['ct'],
        );
        $none = $this->open(self::SHOP . '&show=requests&kept=slowest&route=none');
        self::assertStringContainsString('No request of this selection was kept', $none->text('//p[@class="empty"]'));
        $answer = $this->post($page->find('//form[@method="post"]')[0]->getAttribute('action'), $page);
        self::assertSame(303, $answer->status, $answer->body);
        parse_str((string) parse_url($answer->headers['location'], PHP_URL_QUERY), $named);
        $store = new RunFolder("{$this->folder->path}/runs");
        self::assertIsString($named['run']);
        $saved = $store->open(RunId::fromStrings($named['run'], 'fleet'))->tree();
        self::assertSame(array_sum($one['tree']->ct), array_sum($saved->ct ?? []));
        self::assertSame(404, $this->pages()->get(self::SHOP . '&show=requests&kept=nothing')->status);
        $other = self::FLEET . '&service=other&show=requests&kept=' . rawurlencode((string) $one['id']);
        self::assertSame(404, $this->pages()->get($other)->status);
    }

    public function testTheOverviewHasALineForEachOfTheMostExpensiveServices(): void
    {
        $this->init();
        $now = (float) time();
        $runs = [];
        foreach (['', 'a', 'b', 'c', 'd', 'e', 'f', 'g'] as $service) {
            foreach ([0, 1200] as $ago) {
                $runs[] = self::run1("$service $ago", $service, 'GET /', 'f', 'web-01', $now - $ago);
            }
        }
        $this->send($runs);
        $this->serve();
        $overview = $this->open(self::FLEET);
        // Each is of an environment of the same name, and they cost the same.
        $keys = array_map('trim', $overview->texts('(//figure)[1]//span[@class="line-key"]'));
        self::assertSame(['(no name)', 'a (a)', 'b (b)', 'c (c)', 'd (d)', 'e (e)'], $keys);
        self::assertSame('2 more services have no line here.', $overview->text('(//figure)[1]/p[@class="count"]'));
        self::assertStringStartsWith('p95 of wall time: (no name) ', $overview->text('(//figure)[1]/svg/title'));
    }

    public function testNamesOfTheStoreAreOnlyText(): void
    {
        $this->init();
        $evil = "<img src=x onerror=alert(1)>\"'&\u{202E}{{7*7}}";
        $this->send([self::one($evil)]);
        $this->serve();
        $own = self::FLEET . '&service=' . rawurlencode($evil);
        $pages = [
            self::FLEET, "$own&show=routes", "$own&show=routes&route=" . rawurlencode($evil), "$own&show=functions",
            "$own&show=functions&symbol=" . rawurlencode($evil), "$own&show=flame&release=" . rawurlencode($evil),
            "$own&show=flame&base_host=*&host=" . rawurlencode($evil), "$own&show=hosts&env=" . rawurlencode($evil),
            "$own&show=releases", "$own&show=requests", "$own&show=regressions", "$own&show=data",
            "$own&show=routes&label=" . rawurlencode("$evil=$evil"),
        ];
        foreach ($pages as $path) {
            $page = $this->open($path);
            self::assertSame([], $page->find('//img'), $path);
            self::assertStringNotContainsString("\u{202E}", strip_tags($page->body), $path);
            self::assertStringContainsString('&lt;img', $page->body, $path);
        }
        $tree = $this->pages()->get("api.php?get=fleet-tree&last=all&service=" . rawurlencode($evil));
        self::assertSame('application/octet-stream', $tree->headers['content-type']);
    }

    public function testWhatIsNotUnderstoodIsSaid(): void
    {
        $this->init();
        $this->send([self::one('shop')]);
        $this->serve();
        foreach (['last=soon', 'from=yesterdayish', 'to=9999-99-99', 'clock=sun', 'label=team'] as $nonsense) {
            [$name, $value] = explode('=', $nonsense);
            $page = $this->open("index.php?view=fleet&service=shop&show=routes&$nonsense");
            self::assertStringContainsString("\"$value\" is not understood", $page->text('//p[@class="warning"]'), $name);
        }
        $page = $this->open('index.php?view=fleet&service=shop&show=routes&from=2026-02-02&to=2026-02-01');
        self::assertStringContainsString('ends (2026-02-01) before it begins', $page->text('//p[@class="warning"]'));
        $bad = ['show=routes', 'show=functions&fn=x&service=shop', 'service[]=a', 'service=%FF', 'route=' . str_repeat('a', 2001)];
        foreach ($bad as $query) {
            self::assertSame(400, $this->pages()->get("index.php?view=fleet&$query")->status, $query);
        }
        self::assertSame(404, $this->pages()->get('index.php?view=fleet&show=x')->status);
        self::assertSame(404, $this->pages()->get('index.php?view=fleet&service=shop&show=functions&fn=12')->status);
        // Nothing of the last hour: the pages say where to look.
        $none = $this->open('index.php?view=fleet&service=nobody&show=routes');
        self::assertSame(['Last 7 days', 'Any time'], $none->texts('//p[@class="empty"]/a'));
    }

    public function testAStoreThatFailsIsNotQuoted(): void
    {
        // There is a database without tables, and a user who may not ask.
        $this->serve();
        $asked = [self::FLEET, self::SHOP . '&show=routes', self::SHOP . '&show=flame', 'api.php?get=fleet-tree&service=shop'];
        foreach ($asked as $path) {
            $page = $this->pages()->get($path);
            self::assertSame(503, $page->status, $path);
            self::assertStringContainsString('error log of the web server', $page->body, $path);
            self::assertStringNotContainsString((string) self::server()->port, $page->body, $path);
            self::assertStringNotContainsString('DB::', $page->body, $path);
            self::assertStringNotContainsString($this->database, $page->body, $path);
        }
        self::assertStringContainsString($this->database, $this->pages()->log());
        $away = ['XHPROF_FLEET' => 'clickhouse://127.0.0.1:1/fleet'];
        $this->pages = new PageServer(self::ROOT, "{$this->folder->path}/runs", [], $away);
        $page = $this->pages()->get(self::FLEET);
        self::assertSame(503, $page->status);
        self::assertStringNotContainsString('127.0.0.1:1/', $page->body);
        // The other pages need no store.
        self::assertSame(200, $this->pages()->get('index.php')->status);
    }

    public function testWithoutTheSettingNothingIsDifferent(): void
    {
        $this->pages = new PageServer(self::ROOT, "{$this->folder->path}/runs");
        self::assertStringNotContainsString('view=fleet', $this->pages()->get('index.php?view=requests')->body);
        self::assertSame(404, $this->pages()->get(self::FLEET)->status);
        self::assertSame(404, $this->pages()->get('api.php?get=fleet-tree&service=shop')->status);
    }

    public function testThePasswordOfThePagesProtectsThem(): void
    {
        $this->init();
        $this->send([self::one('shop')]);
        $this->serve(['XHPROF_UI_PASSWORD' => 'a long password']);
        foreach ([self::FLEET, self::SHOP . '&show=flame', 'api.php?get=fleet-tree&last=all&service=shop'] as $path) {
            $page = $this->pages()->get($path);
            self::assertSame(401, $page->status, $path);
            self::assertStringNotContainsString('shop', $page->body, $path);
            $allowed = ['Authorization: Basic ' . base64_encode('any:a long password')];
            self::assertSame(200, $this->pages()->get($path, headers: $allowed)->status, $path);
        }
    }

    /** @param array<string, string> $variables */
    private function serve(array $variables = []): void
    {
        $credentials = "{$this->folder->path}/reader";
        file_put_contents($credentials, "user=reader\npassword=" . ClickHouse::USERS['reader'] . "\n");
        chmod($credentials, 0o600);
        $this->pages = new PageServer(self::ROOT, "{$this->folder->path}/runs", [], $variables + [
            'XHPROF_FLEET' => self::server()->url($this->database), 'XHPROF_FLEET_CREDENTIALS' => $credentials,
        ]);
    }

    private function pages(): PageServer
    {
        self::assertNotNull($this->pages);

        return $this->pages;
    }

    /** A page that is whole. */
    private function open(string $path): Page
    {
        $page = $this->pages()->get($path);
        self::assertSame(200, $page->status, "$path: " . trim(strip_tags($page->body)) . $this->pages()->log());
        self::assertSame(Response::CONTENT_SECURITY_POLICY, $page->headers['content-security-policy'] ?? '', $path);
        self::assertStringEndsWith("</html>\n", $page->body, $path);
        $inline = '//*[@style] | //style | //script[not(@src)] | //@*[starts-with(name(), "on")]/..';
        self::assertSame([], $page->find($inline), $path);
        self::assertCount(1, $page->find('//h1'), $path);
        self::assertDoesNotMatchRegularExpression('/\b(Warning|Notice|Deprecated|Fatal error)\b.* on line /', $page->body, $path);

        return $page;
    }

    private function post(string $action, Page $page): Page
    {
        $token = $page->attributes('//input[@name="csrf"]', 'value')[0];
        preg_match('/[^=;]+=[^;]+/', $page->headers['set-cookie'] ?? '', $cookie);
        $origin = rtrim($this->pages()->url, '/');

        return $this->pages()->post($action, 'csrf=' . rawurlencode($token), ["Origin: $origin", 'Cookie: ' . ($cookie[0] ?? '')]);
    }

    /** @return array<mixed> */
    private function tree(string $url): array
    {
        $answer = $this->pages()->get($url);
        self::assertSame(200, $answer->status, $answer->body);
        self::assertSame('application/octet-stream', $answer->headers['content-type']);

        return RunFile::fromBytes($answer->body, $url)->document('tree');
    }

    /**
     * One link of each shape, for their addresses differ in names only.
     *
     * @param list<Page> $pages
     */
    private function assertLinksLead(array $pages): void
    {
        $links = [];
        foreach ($pages as $page) {
            foreach ($page->attributes('//main//a | //nav//a', 'href') as $href) {
                parse_str((string) parse_url($href, PHP_URL_QUERY), $query);
                $show = is_string($query['show'] ?? null) ? $query['show'] : '';
                $links[$show . ' ' . implode(' ', array_keys($query))] ??= $href;
            }
        }
        self::assertGreaterThan(25, count($links));
        foreach ($links as $href) {
            if (str_contains($href, 'view=fleet')) {
                $this->open($href);
            }
        }
    }

    /** A run whose names are all the same. */
    private static function one(string $name): Shipment
    {
        $now = (float) time();
        $window = RequestWindow::fromMeta([
            'seconds' => 60, 'from' => $now - 60, 'to' => $now, 'requests' => 4, 'processes' => 1,
            'routes' => [$name => ['requests' => 4, 'samples' => 3, 'wall_us' => 40, 'max_us' => 15, 'wall' => [10, 4]]],
        ]);
        $tree = CallTree::fromArray([
            'names' => ['main()', $name, "$name()"], 'fn' => [0, 1, 2, 1], 'depth' => [0, 1, 2, 3], 'ct' => [0, 0, 1, 2],
            'self' => ['wt' => [0, 0, 10000, 20000]],
        ]);

        self::assertNotNull($window);
        $run = SentWindow::shipment("key $name", 'id.auto', $name, $name, $name, $name, $window, $tree, 10, [$name => $name]);

        return SentWindow::with($run, $name, 15, 10);
    }
}
