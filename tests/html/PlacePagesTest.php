<?php

declare(strict_types=1);

namespace XHProf\Tests\Html;

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
