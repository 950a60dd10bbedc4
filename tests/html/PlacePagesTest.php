<?php

declare(strict_types=1);

namespace XHProf\Tests\Html;

use PHPUnit\Framework\Attributes\DataProvider;
use XHProf\Profile\CallTree;
use XHProf\Store\RunFolder;
use XHProf\Tests\Lib\Support\RunFiles;

require_once __DIR__ . '/PagesTestCase.php';
require_once __DIR__ . '/../lib/Support/RunFiles.php';

/** Files and lines on the pages of a run, links into the editor, and the source of a function. */
final class PlacePagesTest extends PagesTestCase
{
    private const SOURCE = <<<'PHP'
        <?php
        function order(array $items)
        {
            $sum = price($items); // <b>
            return strlen("$sum");
        }
        function price($items) { return 3; }
        PHP;

    private static string $app;

    public static function setUpBeforeClass(): void
    {
        self::$app = (string) realpath(self::folder());
        self::$runs = self::folder();
        file_put_contents(self::$app . '/shop.php', self::SOURCE);
        file_put_contents(self::$app . '/secret.txt', 'no code');
        $store = new RunFolder(self::$runs);
        $tree = CallTree::fromArray([
            'names' => ['main()', 'order', 'price', 'strlen', 'other'],
            'files' => [self::$app . '/shop.php', 'ext:Core', self::$app . '/secret.txt', '/elsewhere/<i>.php'],
            'file' => [3, 0, 0, 1, 2],
            'line' => [1, 2, 7, 0, 1],
            'last_line' => [5, 6, 7, 0, 1],
            'fn' => [0, 1, 2, 3, 4],
            'depth' => [0, 1, 2, 2, 1],
            'ct' => [1, 2, 2, 2, 1],
            'call_line' => [0, 3, 4, 5, 4],
            'self' => ['wt' => [1000, 20000, 3000, 4000, 5000]],
        ]);
        $store->save($tree->toEdges(), 'shop', 'placed', ['ts' => time() + 3600], $tree);
        $store->save($tree->toEdges(), 'shop', 'early', ['ts' => 1000], $tree);
        $lines = [[4, 5], [5, 2], [4, 1]];
        $samples = [
            'interval_us' => 1000, 'clock' => 'wall', 'start_us' => 1763680000000000,
            't' => [1, 6, 8], 'n' => array_column($lines, 1), 'node' => [1, 3, 1], 'line' => array_column($lines, 0),
        ];
        $store->save($tree->toEdges(), 'shop', 'sampled', ['samples' => 8, 'sample_interval_us' => 1000], $tree);
        RunFiles::put(self::$runs, 'sampled.shop', ['samples' => $samples]);
        self::borrowed($store, $tree, $samples);
        $old = CallTree::fromArray(array_diff_key($tree->toArray(), ['files' => 0, 'call_line' => 0]));
        $store->save($old->toEdges(), 'shop', 'old', [], $old);
        $store->save($old->toEdges(), 'shop', 'bare');
        $settings = ['SOURCE_ROOTS' => self::$app, 'EDITOR' => 'phpstorm', 'EDITOR_MAP' => '/elsewhere>/here'];
        foreach ($settings as $name => $value) {
            putenv("XHPROF_$name=$value");
        }
        self::$server = new PageServer(self::ROOT, self::$runs);
        foreach ($settings as $name => $_) {
            putenv("XHPROF_$name");
        }
    }

    /**
     * Two programs, a route and a command, in two releases, whose sampled runs have other lines.
     *
     * @param array<string, mixed> $samples
     */
    private static function borrowed(RunFolder $store, CallTree $tree, array $samples): void
    {
        $route = ['url' => '/order?id=1', 'method' => 'GET', 'route' => 'GET /order'];
        $job = ['command' => 'php report.php', 'sapi' => 'cli'];
        $runs = [
            'exact-1' => [1000, $route + ['release' => '1']],
            'exact-2' => [1001, $route + ['release' => '2']],
            'exact-3' => [1002, $route + ['release' => '3']],
            'exact-any' => [1003, $route],
            'exact-job' => [1004, $job + ['git' => 'aaaaaaa']],
            'exact-other' => [1005, ['command' => 'php other.php', 'sapi' => 'cli']],
            'met-1' => [2000, $route + ['release' => '1'], 4],
            'met-2-old' => [2001, $route + ['release' => '2'], 3],
            'met-2-new' => [2002, $route + ['release' => '2'], 5],
            'met-job' => [2003, $job + ['git' => 'aaaaaaa'], 6],
            'met-job-later' => [2004, $job + ['git' => 'bbbbbbb'], 3],
            // Newer than all, of another program whose command contains that of the job.
            'met-newest' => [3000, ['command' => 'php report.php --all', 'sapi' => 'cli'], 2],
        ];
        // Functions of these stand where those of the others do, but for one that has moved.
        $moved = CallTree::fromArray(['line' => [1, 1, 7, 0, 1]] + $tree->toArray());
        $runs['met-2-moved'] = [2900, $route + ['release' => '2'], 2];
        foreach ($runs as $id => $run) {
            [$ts, $meta, $line] = $run + [2 => null];
            $of = $id === 'met-2-moved' ? $moved : $tree;
            $meta += ['ts' => $ts, 'start' => 'auto'] + ($line === null ? [] : ['samples' => 8, 'sample_interval_us' => 1000]);
            $store->save($of->toEdges(), 'lend', $id, $meta, $of);
            if ($line !== null) {
                RunFiles::put(self::$runs, "$id.lend", ['samples' => ['line' => [$line, $line, $line]] + $samples]);
            }
        }
    }

    /** @return array<string, array{string, ?string, ?int}> */
    public static function lenders(): array
    {
        return [
            'the same release' => ['exact-1', 'met-1', 4],
            'the newest of several, where the function has not moved' => ['exact-2', 'met-2-new', 5],
            'none of this release' => ['exact-3', null, null],
            'the newest of any release, where that is not known' => ['exact-any', 'met-2-new', 5],
            'the same command, of the same revision' => ['exact-job', 'met-job', 6],
            'no sampled run of this program' => ['exact-other', null, null],
        ];
    }

    #[DataProvider('lenders')]
    public function testAnExactRunHasTheLinesOfASampledOneOfTheSameProgram(string $run, ?string $from, ?int $line): void
    {
        $page = self::open("index.php?run=$run&source=lend&symbol=order");
        $heads = $page->texts('//table[contains(@class, "code")]//th[@scope="col"]');
        $note = '//section[.//table[contains(@class, "code")]]/p[contains(., "newest sampled run")]';
        if ($from === null) {
            self::assertSame(['Line', 'Code', 'Callees'], $heads);
            self::assertSame([], $page->find($note));

            return;
        }
        self::assertSame(['Line', 'Wall time', 'Code', 'Callees'], $heads);
        self::assertSame(["index.php?run=$from&source=lend&symbol=order"], $page->attributes("$note/a", 'href'));
        self::assertSame([(string) $line], $page->texts('//table[contains(@class, "code")]//tr[@class="matters"]/th'));
        $lender = self::open("index.php?run=$from&source=lend&symbol=order");
        self::assertSame([], $lender->find($note), 'its lines are its own');
        $times = '//table[contains(@class, "code")]//td[contains(@class, "num")]';
        self::assertSame($lender->texts($times), $page->texts($times));
    }

    public static function tearDownAfterClass(): void
    {
        self::remove(self::$runs);
        self::remove(self::$app);
    }

    public function testEveryFunctionHasItsPlaceBelowItsName(): void
    {
        $page = self::open('index.php?run=placed&source=shop&sort=fn');
        $app = basename(self::$app);
        self::assertSame(
            ['elsewhere/<i>.php:1', "$app/shop.php:2", "$app/secret.txt:1", "$app/shop.php:7", 'ext-Core'],
            $page->texts('//tbody//*[@class="place"]'),
        );
        $links = $page->attributes('//tbody//*[@class="place"]/a', 'href');
        self::assertContains('phpstorm://open?file=/here/%3Ci%3E.php&line=1', $links);
        self::assertContains('phpstorm://open?file=' . self::$app . '/shop.php&line=7', $links);
        self::assertCount(4, $links);
    }

    public function testTheApiHasThemAsColumns(): void
    {
        $data = json_decode(self::$server->get('api.php?get=functions&run=placed&source=shop')->body, true);
        $places = $data['places'];
        $texts = [];
        foreach ($data['names'] as $i => $name) {
            $file = $places['files'][$places['file'][$i]];
            $texts[$name] = [$file['title'], $places['line'][$i], $file['url']];
        }
        $file = self::$app . '/shop.php';
        self::assertSame([$file, 7, "phpstorm://open?file=$file&line=%l"], $texts['price']);
        self::assertSame(['A function of the extension Core', 0, null], $texts['strlen']);
        $one = json_decode(self::$server->get('api.php?get=symbol&symbol=order&run=placed&source=shop')->body, true);
        self::assertStringEndsWith('/shop.php:2', $one['place']['text']);
    }

    public function testRunsWithoutPlacesLookAsBefore(): void
    {
        foreach (['old', 'bare'] as $run) {
            $page = self::open("index.php?run=$run&source=shop");
            self::assertSame([], $page->find('//*[@class="place"]'), $run);
            $page = self::open("index.php?run=$run&source=shop&symbol=order");
            $places = $page->find('//*[@class="place"] | //*[@id="source"] | //*[contains(@class, "whole-place")]');
            self::assertSame([], $places, $run);
            $data = json_decode(self::$server->get("api.php?get=functions&run=$run&source=shop")->body, true);
            self::assertArrayNotHasKey('places', $data);
        }
    }

    public function testAFunctionHasItsSourceAndWhatItsLinesCall(): void
    {
        $page = self::open('index.php?run=placed&source=shop&symbol=order');
        self::assertSame([self::$app . '/shop.php'], $page->texts('//*[@class="path"]'));
        self::assertSame(
            array_map(ltrim(...), array_slice(explode("\n", self::SOURCE), 1, 5)),
            $page->texts('//table[contains(@class, "code")]//code'),
        );
        self::assertStringContainsString('<code>    $sum = price($items); // &lt;b&gt;</code>', $page->body);
        $rows = $page->texts('//table[contains(@class, "code")]/tbody/tr[td/a]/th');
        self::assertSame(['4', '5'], $rows);
        self::assertSame(['price', 'strlen'], $page->texts('//table[contains(@class, "code")]//td/a'));
        self::assertStringContainsString('called from line 4', implode(' ', $page->texts('//*[@class="place"]')));
        self::assertStringNotContainsString('has changed since', $page->body);
        self::assertStringContainsString('has changed since', self::open('index.php?run=early&source=shop&symbol=order')->body);
    }

    public function testSampledLinesHaveTheirTime(): void
    {
        $page = self::open('index.php?run=sampled&source=shop&symbol=order');
        $time = static fn (int $row): array => $page->texts("//table[contains(@class, 'code')]/tbody/tr[$row]/td[1]/*[@class='v']");
        self::assertSame([[''], [''], ['6.00 ms'], ['2.00 ms'], ['']], array_map($time, range(1, 5)));
    }

    public function testWhatIsNoCodeOrNotThereIsNotShown(): void
    {
        foreach (['other', 'main()', 'strlen'] as $symbol) {
            $page = self::open('index.php?run=placed&source=shop&symbol=' . rawurlencode($symbol));
            self::assertSame([], $page->find('//*[@id="source"]'), $symbol);
            self::assertStringNotContainsString('no code', $page->body);
        }
        self::assertSame(['A function of the extension Core'], $page->texts('//*[contains(@class, "whole-place")]/span'));
    }

    public function testWithoutTheOperatorsLeaveNothingIsReadOrLinked(): void
    {
        $server = new PageServer(self::ROOT, self::$runs);
        $page = $server->get('index.php?run=placed&source=shop&symbol=order');
        self::assertSame(200, $page->status);
        self::assertSame([], $page->find('//*[@id="source"] | //*[@class="place"]/a'));
        self::assertStringNotContainsString('phpstorm', $page->body);
        self::assertStringContainsString('shop.php', $page->body);
    }
}
