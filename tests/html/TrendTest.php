<?php

declare(strict_types=1);

namespace XHProf\Tests\Html;

use XHProf\Functions\FlatReport;
use XHProf\Profile\Profile;
use XHProf\Stats\Distribution;
use XHProf\Store\RunFolder;

require_once __DIR__ . '/PagesTestCase.php';
require_once __DIR__ . '/CompareFixtures.php';

/** index.php?view=trend. */
final class TrendTest extends PagesTestCase
{
    private const TREND = 'index.php?view=trend&source=nightly&url=%2Forders%3Fpage%3D2';
    private const ROWS = '//table[contains(@class, "trend-runs")]/tbody/tr';

    public static function setUpBeforeClass(): void
    {
        parent::setUpBeforeClass();
        CompareFixtures::build(self::$runs);
    }

    private static function nightly(int $number): Profile
    {
        return self::profile(CompareFixtures::id($number), CompareFixtures::SOURCE);
    }

    /** @return list<int> newest first */
    private static function figures(Page $page): array
    {
        return array_map(
            static fn (string $title): int => (int) str_replace(' ', '', explode(' µs', $title)[0]),
            $page->attributes(self::ROWS . '/td[@title]', 'title'),
        );
    }

    /** The number of figures in the drawing without JavaScript. */
    private static function bars(Page $page): int
    {
        return substr_count(implode('', $page->attributes('//*[@class="strip"]/*[local-name()="path"]', 'd')), 'M');
    }

    public function testWholeRuns(): void
    {
        $page = self::open(self::TREND);
        $expected = array_map(static fn (int $i): int|float => self::nightly($i)->totals()['wt'] ?? 0, range(10, 1));
        self::assertSame($expected, self::figures($page));
        self::assertSame('/orders?page=2', $page->text('//h1'));
        self::assertSame(10, self::bars($page));
        $median = (new Distribution($expected))->quantile(0.5);
        self::assertStringContainsString('median ' . round($median / 1000, 1) . ' ms of 10 runs', $page->text('//p[@class="sum"]'));
        $chart = json_decode($page->attributes('//div[@data-trend]', 'data-trend')[0], true);
        self::assertSame([['at' => 5, 'text' => 'b81e07a']], $chart['marks'], 'another revision begins with the sixth run');
        $calls = self::open(self::TREND . '&metric=ct')->texts(self::ROWS . '/td[1]');
        self::assertSame(['1 504', '1 501'], [$calls[0], $calls[9]]);
    }

    public function testOneFunction(): void
    {
        $page = self::open(self::TREND . '&symbol=PDOStatement::execute&own=1');
        $expected = array_map(
            static fn (int $i): int|float
                => FlatReport::compute(self::nightly($i), true)->rows()['PDOStatement::execute']['excl_wt'] ?? 0,
            range(10, 1),
        );
        self::assertSame($expected, self::figures($page));
        self::assertSame(['Wall time', 'Self'], $page->texts('//main//nav/a[@aria-current]'));
        $added = self::open(self::TREND . '&symbol=' . urlencode(CompareFixtures::ADDED));
        self::assertSame(array_fill(0, 5, 'not called'), array_slice($added->texts(self::ROWS . '/td[1]'), 5));
        self::assertSame(5, self::bars($added));
        self::assertSame('not called', self::open(self::TREND . '&symbol=nobody')->text(self::ROWS . '/td[1]'));
    }

    public function testFromAPointToTheComparisonOfBeforeAndSince(): void
    {
        $page = self::open(self::TREND);
        $since = self::open($page->attributes(self::ROWS . '[5]//a', 'href')[1]);
        self::assertStringContainsString('+22.4 %', $since->text('//p[@class="sum"]'));
        self::assertStringContainsString('67 % of it in PDOStatement::execute', $since->text('//p[@class="sum"]'));
        $halves = self::open($page->attributes('//p[@class="choices"]/a', 'href')[0]);
        self::assertSame($since->text('//p[@class="sum"]'), $halves->text('//p[@class="sum"]'));
        $mean = self::open($page->attributes('//p[@class="choices"]/a', 'href')[1]);
        self::assertSame('Mean of 10 runs', $mean->text('//h1'));
        self::assertCount(1, $page->find(self::ROWS . '[10]//a'), 'nothing was before the first one');
    }

    public function testRunsAndFunctionsLinkToTheirTrend(): void
    {
        $run = 'index.php?run=' . CompareFixtures::id(3) . '&source=nightly';
        $links = [
            self::open($run)->attributes('//a[contains(@href, "view=trend")]', 'href')[0],
            self::open('index.php?only=nightly')->attributes('//td[contains(@class, "c-edit")]/a', 'href')[0],
        ];
        self::assertSame([self::TREND, self::TREND], $links);
        $symbol = self::open("$run&symbol=json_decode")->attributes('//a[contains(@href, "view=trend")]', 'href')[0];
        self::assertSame('json_decode', self::open($symbol)->text('//h1'));
        $mean = self::open('index.php?source=nightly&run=' . CompareFixtures::ids(2, 5));
        self::assertCount(4, self::open($mean->attributes('//a[contains(@href, "view=trend")]', 'href')[0])->find(self::ROWS));
        $foreign = self::open('index.php?run=' . Fixtures::FOREIGN);
        self::assertSame([], $foreign->find('//a[contains(@href, "view=trend")]'), 'it is not known what it is a run of');
    }

    public function testOnlyRunsOfThatUrlAndNotMoreThanWanted(): void
    {
        $store = new RunFolder(self::$runs);
        $meta = ['url' => '/orders?page=21', 'ts' => Fixtures::START];
        $store->save(['main()' => ['ct' => 1, 'wt' => 5]], 'nightly', 'longer', $meta);
        self::assertCount(10, self::open(self::TREND)->find(self::ROWS));
        $few = self::open(self::TREND . '&n=3');
        self::assertCount(3, $few->find(self::ROWS));
        self::assertSame('the newest; show more', $few->text('//h2/small'));
        array_map(unlink(...), glob(self::$runs . '/longer.*') ?: []);
    }

    public function testAnEmptyTrendAndWrongParametersAreExplained(): void
    {
        self::assertStringContainsString('No run matches', self::open('index.php?view=trend&url=nothing')->body);
        self::open('index.php?view=trend&source=nightly&runs=../../etc', 400);
        $name = '<script>alert(1)</script>';
        $hostile = self::open('index.php?view=trend&source=hostile&symbol=' . urlencode($name));
        self::assertSame($name, $hostile->text('//h1'));
        self::open(self::TREND . '&metric=excl_wt&n=0&own=maybe');
    }
}
