<?php

declare(strict_types=1);

namespace XHProf\Tests\Html;

use PHPUnit\Framework\Attributes\DataProvider;
use XHProf\Run\RunMeta;
use XHProf\Store\RunFolder;
use XHProf\Tests\Lib\Support\AutomaticRuns;
use XHProf\Tests\Lib\Support\RunFiles;

require_once __DIR__ . '/AutomaticRunsTestCase.php';
require_once __DIR__ . '/../lib/Support/RunFiles.php';

/** Single runs that settings started: in the list, and on pages of their own. */
final class AutomaticRunPagesTest extends AutomaticRunsTestCase
{
    public function testTheRunListIsOfSingleRunsAndAFilterShowsTheWindows(): void
    {
        $rows = '//table[contains(@class, "runs")]/tbody/tr';
        foreach (['index.php', 'index.php?sort=wt', 'index.php?only=traffic'] as $url) {
            $page = self::open($url);
            self::assertSame([], $page->find("$rows//*[normalize-space()='window']"), $url);
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
        $links = array_combine($page->attributes($routes, 'title'), $page->attributes($routes, 'href'));
        self::assertGreaterThan(1, count($links));
        // Of the second one the list shows no route: it is the URL that stands beside it.
        foreach (['Only runs of GET /orders/{id}' => true, 'Only runs of POST /cart' => false] as $title => $isShown) {
            $titles = self::open($links[$title])->attributes($routes, 'title');
            self::assertSame($isShown ? [$title] : [], array_values(array_unique($titles)));
        }
    }

    /** A route says something where the URL has parts that vary; beside the same text stands a sign for it. */
    public function testTheListRepeatsNothing(): void
    {
        $page = self::open('index.php?only=live');
        $shown = [];
        foreach ($page->find('//table[contains(@class, "runs")]/tbody/tr') as $row) {
            $name = trim(implode(' ', [...$page->texts('th/span[@class="method"]', $row), ...$page->texts('th/a[@title]', $row)]));
            $shown[strtok($name, '?') ?: ''] = implode($page->texts('td[contains(@class, "c-route")]', $row));
        }
        self::assertSame('GET /orders/{id}', $shown['GET /orders/17']);
        foreach (['POST /cart', 'GET /report/yearly', 'App\Job\SendInvoice'] as $same) {
            self::assertSame('″', $shown[$same], $same);
        }
        self::assertSame('Only runs of POST /cart', $page->attributes('//a[.="″"]', 'aria-label')[0]);
        foreach ([null, '', '/', '/a?', '/a?x=1&'] as $url) {
            self::assertSame($url, RunMeta::fromArray(['url' => $url])->origin->url, 'what has no trigger stays as it is');
        }

        $folder = self::folder();
        $store = new RunFolder($folder);
        foreach (['/a?XHPROF_TRIGGER=REDACTED', '/a?x=1&XHPROF_TRIGGER=REDACTED&y=2#f', '/a?NOT_XHPROF_TRIGGER=1'] as $i => $url) {
            $meta = ['ts' => 1000.0 - $i, 'url' => $url, 'method' => 'GET', 'host' => 'one.example', 'route' => 'GET /a'];
            $store->save(['main()' => ['ct' => 1, 'wt' => 1]], 'one', "u$i", $meta);
        }
        $server = new PageServer(self::ROOT, $folder);
        try {
            // The second answer is from the index of runs.
            foreach ([1, 2] as $time) {
                $page = $server->get('index.php');
                self::assertSame(['/a', '/a?x=1&y=2#f', '/a?NOT_XHPROF_TRIGGER=1'], $page->texts('//th[@scope="row"]/a'), "$time");
                self::assertSame(
                    ['Run', 'Time (UTC) ▼', 'Wall', 'CPU', 'Process peak', 'Calls / samples', 'Size', 'Trend', 'Label'],
                    array_slice($page->texts('//table[contains(@class, "runs")]/thead//th'), 1),
                    'one source, one host, and routes that the URLs say',
                );
            }
            self::assertStringContainsString('GET /a', $server->get('index.php?run=u0&source=one')->text('//h1'));
            self::assertStringNotContainsString('XHPROF_TRIGGER', $server->get('index.php?run=u0&source=one')->text('//h1'));
        } finally {
            unset($server);
            self::remove($folder);
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
                $text = '481 samples, one per 1.00 ms of wall time, in a run of 501 ms; 330 fell into calls that';
                self::assertStringContainsString($text, $sampling);
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
            $samples = $page->texts('//table[contains(@class, "run-functions")]/tbody/tr/td[1]');
            self::assertCount(6, $samples);
            self::assertSame(481, array_sum(array_map(intval(...), $samples)));
            $functions = json_decode(self::$server->get("api.php?get=functions&run=$id&source=live")->body, true);
            self::assertIsArray($functions);
            self::assertSame(481, array_sum($functions['m']['ct']));
        }
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
        RunFiles::put($folder, 'damaged.live', ['samples' => ['t' => [1]]]);
        $server = new PageServer(self::ROOT, $folder);
        $page = $server->get('index.php?run=damaged&source=live&symbol=main()');
        self::assertSame(200, $page->status);
        self::assertStringContainsString('the lines cannot be read: ' . RunFiles::file('damaged.live'), $page->body);
        self::assertSame(200, $server->get('index.php?run=damaged&source=live')->status);
        $samples = $server->get('api.php?get=samples&run=damaged&source=live');
        self::assertSame(500, $samples->status);
        self::assertStringNotContainsString($folder, $samples->body . $page->body);
        // The page reports a log that is too large for a timeline, and does not read it.
        RunFiles::enlarge($folder, 'damaged.live', 'samples.t', 65 << 20);
        self::assertSame(413, $server->get('api.php?get=samples&run=damaged&source=live')->status);
        $timeline = $server->get('index.php?run=damaged&source=live&view=timeline');
        self::assertSame(404, $timeline->status);
        self::assertStringContainsString('more samples than a timeline can show', $timeline->body);
        unset($server);
        self::remove($folder);
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

    /** The list, its JSON, and the answer for the runs that it had no time for have the same finding. */
    public function testTheFirstFindingOfEachRun(): void
    {
        $page = self::open('index.php?start=span');
        self::assertSame(['30.0 % of the CPU time in Engine::render'], $page->texts('//a[@class="look"]'));
        $link = $page->attributes('//a[@class="look"]', 'href')[0];
        self::assertStringEndsWith('#findings', $link);
        self::assertCount(1, self::open(strstr($link, '#', true) ?: '')->find('//h2[@id="findings"]'));
        $list = json_decode(self::$server->get('api.php?get=runs&start=span')->body, true);
        self::assertIsArray($list);
        self::assertSame([true], $list['runs']['finding_known']);
        self::assertSame('dominant-function', $list['runs']['finding'][0]['rule'] ?? '');
        $span = AutomaticRuns::SPAN . '.live';
        $answer = json_decode(self::$server->get("api.php?get=findings&pick[]=$span&pick[]=gone.live")->body, true);
        self::assertIsArray($answer);
        self::assertSame([0, [$span => $list['runs']['finding'][0], 'gone.live' => null]], [$answer['pending'], $answer['runs']]);
        foreach (['', '&pick[]=..%2Fx', '&pick[]=x'] as $wrong) {
            self::assertSame(400, self::$server->get("api.php?get=findings$wrong")->status, $wrong);
        }
    }

    public function testTheListMarksWhatIsOnlyAPart(): void
    {
        $part = '//table//tbody/tr/th[.//span[contains(@class, "part")]]';
        $page = self::open('index.php?q=report');
        self::assertSame([AutomaticRuns::PART], $page->attributes("$part/a[@title]", 'title'), 'and not its fork');
        self::assertSame(['part'], $page->texts("$part//span[contains(@class, 'part')]"));
        $title = 'A part: ended when the program started its own profile with xhprof_enable()';
        self::assertSame([$title], $page->attributes("$part//span[contains(@class, 'part')]", 'title'));
        $hostile = self::open('index.php?start=trigger')->attributes("$part//span[contains(@class, 'part')]", 'title');
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
            $modes = ['exact' => 'exact', 'alloc' => 'allocations', 'sample' => 'sampled', 'aggregate' => 'window'];
            foreach (array_keys($modes) as $i => $mode) {
                $meta = ['ts' => 1000.0 - $i, 'mode' => $mode, 'command' => "php $mode.php"];
                (new RunFolder($folder))->save(['main()' => ['ct' => 1, 'wt' => 1]], 'modes', null, $meta);
            }
            // Requested twice: the second answer is from the index of runs.
            foreach ([1, 2] as $time) {
                $page = $server->get('index.php');
                $badges = $page->texts('//th[@scope="row"]//span[contains(@class, "badge")]');
                self::assertSame(array_values($modes), $badges, "$time");
                self::assertContains('Calls / samples', $page->texts('//thead//th'));
            }
        } finally {
            unset($server);
            self::remove($folder);
        }
    }
}
