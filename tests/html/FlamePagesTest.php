<?php

declare(strict_types=1);

namespace XHProf\Tests\Html;

use DOMElement;
use PHPUnit\Framework\Attributes\DataProvider;
use XHProf\Format\VisibleName;
use XHProf\Functions\SymbolReport;
use XHProf\Profile\CallTree;
use XHProf\Run\RunFile;
use XHProf\Run\RunId;
use XHProf\Store\RunFolder;
use XHProf\Tests\Lib\Support\RunFiles;
use XHProf\Web\Table\TopPaths;
use XHProf\Web\Table\TreeMetric;
use XHProf\Web\Templates;

require_once __DIR__ . '/PagesTestCase.php';
require_once __DIR__ . '/../lib/Support/RunFiles.php';

/** Views of call paths: their pages without JavaScript, and their messages where there is nothing to draw. */
final class FlamePagesTest extends PagesTestCase
{
    private const SMALL = 'aa000000000000000000000000000001';
    private const HOSTILE_TREE = 'aa000000000000000000000000000002';
    private const SAMPLED = 'aa000000000000000000000000000003';
    private const LARGE_TREE = 'aa000000000000000000000000000004';

    private const FLAME = 'index.php?run=' . self::SMALL . '&source=shop&view=flame';
    private const NODES = '//ul[contains(@class, "paths")]//*[self::summary or @class = "leaf"]';

    /** main() 100 ms > handle 90 > (query 40 > wait 10, render 30 > render 20), strlen 5 */
    private const TREE = [
        'names' => ['main()', 'App\Kernel::handle', 'Db\Pdo::query', 'wait', 'App\View::render', 'strlen'],
        'fn' => [0, 1, 2, 3, 4, 4, 5],
        'depth' => [0, 1, 2, 3, 2, 3, 1],
        'ct' => [1, 1, 4, 4, 2, 6, 1200],
        'self' => [
            'wt' => [5000000, 20000000, 30000000, 10000000, 10000000, 20000000, 5000000],
            'mu' => [100, 2000, 500, -300, 4000, -1200, 0],
            'allocated_bytes' => [1024, 0, 0, 2048, 0, 0, 0],
            'peak_bytes' => [0, 512, 0, 0, 0, 3072, 0],
        ],
        'corrected' => ['wt' => [4000000, 19000000, 30000000, 10000000, 10000000, 20000000, 1000000]],
    ];

    public static function setUpBeforeClass(): void
    {
        parent::setUpBeforeClass();
        $store = new RunFolder(self::$runs);
        $tree = CallTree::fromArray(self::TREE);
        $store->save($tree->toEdges(), 'shop', self::SMALL, ['command' => 'php shop.php'], $tree);
        $names = ['main()', ...Fixtures::hostileNames(), Fixtures::longName()];
        $count = count($names);
        $hostile = CallTree::fromArray([
            'names' => $names,
            'fn' => range(0, $count - 1),
            'depth' => range(0, $count - 1),
            'ct' => array_fill(0, $count, 1),
            'self' => ['wt' => array_fill(0, $count, 1000)],
        ]);
        $store->save($hostile->toEdges(), 'hostile', self::HOSTILE_TREE, ['command' => '<b>hostile</b>'], $hostile);
        $samples = [];
        for ($i = 0; $i < 20; $i++) {
            $samples[sprintf('1763680000.%06d', $i * 10000)] = $i < 12 ? 'main()==>App\Job::load==>fread' : 'main()==>App\Job::run';
        }
        $store->saveSamples($samples, 'worker', self::SAMPLED);
        $large = CallTree::fromArray(Workload::tree(5, 60000));
        $store->save($large->toEdges(), 'shop', self::LARGE_TREE, ['command' => 'php large.php'], $large);
    }

    private static function line(DOMElement $line): string
    {
        return trim((string) preg_replace('/\s+/', ' ', $line->textContent));
    }

    public function testTheCallTreeHasTheSameTextAndItsOwnIsland(): void
    {
        $flame = self::open(self::FLAME);
        $page = self::open(str_replace('view=flame', 'view=calltree', self::FLAME));
        $lines = static fn ($page): array => array_map(self::line(...), $page->find(self::NODES));
        self::assertSame($lines($flame), $lines($page));
        self::assertNotSame([], $lines($page));
        self::assertSame(['calltree'], $page->attributes('//div[@class="island"]', 'data-view'));
        $trees = static fn ($page): array => $page->attributes('//div[@class="island"]', 'data-tree');
        self::assertSame($trees($flame), $trees($page));
        self::assertSame(['Call tree'], $page->texts('//nav[@class="tabs"]//*[@aria-current]'));
        $without = self::open('index.php?run=' . Fixtures::BEFORE . '&source=shop&view=calltree', 404);
        self::assertSame(['No call tree of this run'], $without->texts('//main/h2'));
    }

    public function testTheHeaviestPathsAsText(): void
    {
        $page = self::open(self::FLAME);
        self::assertCount(4, $page->find('//ul[contains(@class, "paths")]//details[@open]'));
        $symbol = self::open($page->attributes(self::NODES . '//a', 'href')[2]);
        self::assertSame('Db\Pdo::query', $symbol->text('//h1'));
        self::assertSame(['Flame graph'], $page->texts('//nav[@aria-label="Views of this run"]/a[@aria-current]'));
    }

    public function testMetrics(): void
    {
        $first = static fn (string $metric, int $line): string
            => self::line(self::open(self::FLAME . "&metric=$metric")->find(self::NODES)[$line]);
        self::assertSame('94.0 ms 100.0 % main() self 4.00 ms, 1 call', $first('corrected_wt', 0));
        self::assertSame('3.00 KB 100.0 % main() self 1.00 KB, 1 call', $first('allocated_bytes', 0));
        self::assertSame('3.50 KB 100.0 % main() self 0 B, 1 call', $first('peak_bytes', 0));
        self::assertSame('3.00 KB 85.7 % App\View::render self 3.00 KB, 6 calls', $first('peak_bytes', 3));
        self::assertSame('1 218 100.0 % main() self 1, 1 call', $first('ct', 0));
        // Memory freed below does not affect the order, but it counts in the figures.
        self::assertSame('2.73 KB 54.9 % App\View::render self 3.91 KB, 2 calls', $first('mu', 2));
        self::assertSame($first('wt', 1), $first('nonsense', 1));
    }

    public function testThePictureGetsItsData(): void
    {
        $page = self::open(self::FLAME);
        $island = $page->find('//div[@data-view="flame"]')[0];
        $answer = self::$server->get($island->getAttribute('data-tree') . '&documents=tree');
        self::assertSame(200, $answer->status);
        self::assertSame(self::TREE['fn'], RunFile::fromBytes($answer->body, 'answer')->document('tree')['fn']);
        $both = 'index.php?run1=' . self::SMALL . '&run2=' . self::LARGE_TREE . '&source=shop';
        self::assertSame(['sandwich', 'flame-diff', 'calltree-diff', 'sandwich-diff', 'samples'], array_map(
            static fn (string $url): string => self::open($url)->attributes('//div[@data-view]', 'data-view')[0],
            [
                'index.php?run=' . self::SMALL . '&source=shop&view=sandwich',
                "$both&view=flame",
                "$both&view=calltree",
                "$both&view=sandwich",
                'index.php?run=' . self::SAMPLED . '&source=worker&view=timeline',
            ],
        ));
    }

    public function testAPathIsNeverShownWithoutItsCallersAndComesAfterAllThatCostMore(): void
    {
        $tree = (new RunFolder(self::$runs))->open(RunId::fromStrings(Fixtures::CORRECTED, 'api'))->tree();
        self::assertNotNull($tree);
        $metric = TreeMetric::of('wt');
        $parents = $tree->parents();
        $inclusive = $tree->inclusive('wt');
        $count = static function (array $node) use (&$count): int {
            return 1 + array_sum(array_map($count, $node['children']));
        };
        foreach ([1, 7, 200, 5000] as $limit) {
            $expected = $inclusive;
            arsort($expected);
            $least = array_slice(array_values(array_filter($expected)), 0, $limit);
            $root = (new TopPaths($tree, $metric, []))->root($limit);
            self::assertSame(count($least), $count($root), "limit $limit");
            $shown = [];
            $walk = static function (array $node) use (&$walk, &$shown): void {
                $shown[] = $node['figure'];
                $figures = array_column($node['children'], 'share');
                array_map($walk, $node['children']);
                self::assertNotContains('', $figures);
            };
            $walk($root);
            self::assertSame(self::sorted(array_map($metric->text(...), $least)), self::sorted($shown), "limit $limit");
        }
        self::assertSame(-1, $parents[0]);
    }

    /**
     * @param list<string> $texts
     * @return list<string>
     */
    private static function sorted(array $texts): array
    {
        sort($texts);

        return $texts;
    }

    public function testALargeTreeIsTextOnlyWhenAskedFor(): void
    {
        $url = 'index.php?run=' . self::LARGE_TREE . '&source=shop&view=flame';
        $page = self::open($url);
        self::assertSame([], $page->find(self::NODES));
        $link = $page->attributes('//section[contains(@class, "without-script")]//a', 'href')[0];
        self::assertSame("$url&paths=1", $link);
        $asked = self::open($link);
        self::assertCount(Templates::TOP, $asked->find(self::NODES));
        self::assertNotSame([], $asked->find('//li[@class="more"]'));
    }

    public function testTheTextOfAMean(): void
    {
        $store = new RunFolder(self::$runs);
        $times = [5000000, 20000000, 90000000, 10000000, 10000000, 20000000, 5000000];
        $slower = CallTree::fromArray(['self' => ['wt' => $times]] + self::TREE);
        $id = 'aa000000000000000000000000000005';
        $store->save($slower->toEdges(), 'shop', $id, ['command' => 'php shop.php'], $slower);
        $url = 'index.php?run=' . self::SMALL . ",$id&source=shop&view=flame";
        $link = self::open($url)->attributes('//section[contains(@class, "without-script")]//a', 'href')[0];
        $lines = array_map(self::line(...), self::open($link)->find(self::NODES));
        self::assertSame('130 ms 100.0 % main() self 5.00 ms, 1 call', $lines[0]);
        self::assertSame('70.0 ms 53.8 % Db\Pdo::query self 60.0 ms, 4 calls', $lines[2]);
    }

    public function testHostileNamesAreText(): void
    {
        foreach (['flame' => '', 'sandwich' => '&sel_hash=%3Cscript%3E', 'calltree' => ''] as $view => $more) {
            $page = self::open('index.php?run=' . self::HOSTILE_TREE . "&source=hostile&view=$view$more");
            self::assertSame([], $page->find('//img | //b | //u | //i'));
            self::assertSame(['app', $view, 'share'], $page->modules());
            if ($view === 'sandwich') {
                continue;
            }
            $shown = implode(' ', $page->texts('//*[@class="fn"]'));
            self::assertStringContainsString('<script>alert(1)</script>', $shown);
            self::assertStringContainsString(VisibleName::text("right\u{202E}ot-left\u{2066}isolate\u{200B}zero\u{FEFF}"), $shown);
            self::assertStringNotContainsString(Fixtures::longName(), $page->body);
        }
        foreach (Fixtures::hostileNames() as $name) {
            $url = 'index.php?run=' . self::HOSTILE_TREE . '&source=hostile&view=sandwich&sel=' . rawurlencode($name);
            $page = self::open($url);
            self::assertSame([], $page->find('//img | //b | //u | //i'));
            self::assertSame(['app', 'sandwich', 'share'], $page->modules());
            self::assertStringNotContainsString('<script>alert', $page->body);
        }
    }

    /** @return array<string, array{string, int, string}> */
    public static function nothingToDraw(): array
    {
        $foreign = 'index.php?run=' . Fixtures::FOREIGN . '&source=xhprof';
        $both = 'index.php?run=' . self::SMALL . ',' . Fixtures::BEFORE . '&source=shop';
        $pair = 'index.php?run1=' . Fixtures::BEFORE . '&run2=%s&source=shop&view=flame';

        return [
            'flame' => ["$foreign&view=flame", 404, 'This run was saved without its call tree'],
            'sandwich' => ["$foreign&view=sandwich", 404, 'This run was saved without its call tree'],
            'timeline' => [self::FLAME . '&view=timeline', 404, 'does not record when calls were made'],
            'mean' => ["$both&view=flame", 404, 'Not all runs of this mean have a call tree'],
            'timeline of a mean' => ["$both&view=timeline", 404, 'A timeline shows one run'],
            'comparison' => [sprintf($pair, Fixtures::AFTER), 404, 'Both sides have a run'],
            'call tree of both' => [sprintf("$pair&view=calltree", Fixtures::AFTER), 404, 'Both sides have a run'],
            'sandwich of both' => [sprintf("$pair&view=sandwich", self::SMALL), 404, 'The side before has a run'],
            'half a comparison' => [sprintf($pair, self::SMALL), 404, 'The side before has a run'],
            'unknown' => ['index.php?run=nope&view=flame', 404, 'There is no run nope'],
            'array' => [self::FLAME . '&metric[]=x', 400, 'The parameter "metric" must be given once'],
        ];
    }

    #[DataProvider('nothingToDraw')]
    public function testWhereThereIsNothingToDrawThePageSaysWhy(string $url, int $status, string $sentence): void
    {
        $page = self::open($url, $status);
        self::assertStringContainsString($sentence, $page->text('//p[@class="empty"]'));
        self::assertSame([], $page->find('//div[@data-view]'));
    }

    public function testADamagedTreeIsExplained(): void
    {
        $run = self::SMALL . '.shop';
        $good = RunFiles::documents(self::$runs, $run);
        $name = RunFiles::file($run);
        try {
            $orphan = str_replace('"depth":[0,1', '"depth":[0,3', (string) json_encode($good['tree']));
            foreach (['{}', $orphan] as $bad) {
                RunFiles::write(self::$runs, $run, $good);
                RunFiles::damage(self::$runs, $run, 'tree', $bad);
                $message = self::open(self::FLAME, 500)->text('//p[@class="empty"]');
                self::assertStringStartsWith("This run cannot be read: $name: ", $message);
            }
            RunFiles::damage(self::$runs, $run, 'tree', '');
            $message = self::open(self::FLAME, 500)->text('//p[@class="empty"]');
            self::assertStringStartsWith("This run cannot be read: $name: ", $message);
        } finally {
            RunFiles::write(self::$runs, $run, $good);
        }
    }

    public function testWithoutJavaScriptASandwichLeadsToThePagesThatHaveBothSides(): void
    {
        $link = '//div[@class="without-script"]/p/a';
        $page = self::open('index.php?run=' . self::SMALL . '&source=shop&view=sandwich');
        self::assertSame(['All functions'], $page->texts($link));
        self::open($page->attributes($link, 'href')[0]);
        $page = self::open('index.php?run=' . self::SMALL . '&source=shop&view=sandwich&sel=App%5CView::render');
        self::assertSame('App\View::render', $page->text($link));
        $page = self::open($page->attributes($link, 'href')[0]);
        $report = SymbolReport::compute(self::profile(self::SMALL), 'App\View::render', true);
        $callers = $page->figures('//section[@aria-labelledby="callers"]//table');
        self::assertSame(array_keys($report->parents()), array_keys($callers));
        $hash = hash('sha256', 'wait');
        $page = self::open('index.php?run=' . self::SMALL . "&source=shop&view=sandwich&sel_hash=$hash");
        self::assertSame('wait', self::open($page->attributes($link, 'href')[0])->text('//h1'));
    }

    public function testATimelineHasATabWhereThereAreSamples(): void
    {
        $page = self::open('index.php?run=' . self::SAMPLED . '&source=worker&view=timeline');
        self::assertSame(['Timeline'], $page->texts('//nav[@aria-label="Views of this run"]/a[@aria-current]'));
        $answer = self::$server->get($page->attributes('//div[@data-view]', 'data-columns')[0] . '&documents=stacks');
        self::assertCount(20, RunFile::fromBytes($answer->body, 'samples')->column('stacks.stack'));
        self::assertNotContains('Timeline', self::open(self::FLAME)->texts('//nav[@aria-label="Views of this run"]/a'));
    }
}
