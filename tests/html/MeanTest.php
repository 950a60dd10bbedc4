<?php

declare(strict_types=1);

namespace XHProf\Tests\Html;

use XHProf\Compare\Statistics;
use XHProf\Functions\FlatReport;
use XHProf\Profile\ProfileMean;
use XHProf\Stats\Distribution;

require_once __DIR__ . '/PagesTestCase.php';
require_once __DIR__ . '/CompareFixtures.php';

/** index.php?run=A,B,C: the mean of several runs. */
final class MeanTest extends PagesTestCase
{
    private const TABLE = '//table[contains(@class, "mean")]';

    public static function setUpBeforeClass(): void
    {
        parent::setUpBeforeClass();
        CompareFixtures::build(self::$runs);
    }

    private static function all(string $more = ''): string
    {
        return 'index.php?run=' . CompareFixtures::ids(1, 10) . '&source=' . CompareFixtures::SOURCE . $more;
    }

    private static function statistics(): Statistics
    {
        $statistics = new Statistics([], true);
        foreach (range(1, 10) as $run) {
            $statistics->add(self::profile(CompareFixtures::id($run), CompareFixtures::SOURCE));
        }

        return $statistics;
    }

    public function testEveryKindOfFigure(): void
    {
        $statistics = self::statistics();
        foreach (Distribution::KINDS as $kind) {
            $page = self::open(self::all("&agg=$kind&all=1"));
            self::assertCount(count($statistics->functions()), $page->find(self::TABLE . '/tbody/tr'));
            foreach ($page->find(self::TABLE . '/tbody/tr') as $row) {
                $name = $page->texts('th//*[@class="fn"]', $row)[0];
                $shown = [];
                foreach ($page->find('td[@title][contains(@title, "mean")]', $row) as $cell) {
                    self::assertSame(1, preg_match("/\\b$kind (-?[0-9 .]+)/", $cell->getAttribute('title'), $match));
                    $shown[] = (float) str_replace(' ', '', $match[1] ?? '');
                }
                $expected = array_map(
                    static fn (string $column): float => round($statistics->distribution($name, $column)->statistic($kind), 3),
                    ['ct', 'excl_wt', 'wt'],
                );
                self::assertEqualsWithDelta($expected, $shown, 0.0011, "$kind of $name");
            }
        }
    }

    public function testOrders(): void
    {
        $first = static fn (string $more): string => self::open(self::all($more))->text(self::TABLE . '//*[@class="fn"]');
        self::assertSame('main()', $first('&sort=wt&agg=median'));
        self::assertSame(CompareFixtures::ADDED, $first('&sort=n&dir=asc'));
        self::assertSame(CompareFixtures::ADDED, $first('&sort=cv_excl_wt'));
        self::assertSame('json_decode', $first('&sort=cv_excl_wt&q=json_decode'));
        $metric = self::open(self::all('&metric=cpu&sort=excl_cpu'));
        self::assertSame('CPU time', $metric->text('//nav[@aria-label="Metric"]/a[@aria-current]'));
        self::assertSame('5/10', self::open(self::all('&q=Audit'))->text(self::TABLE . '/tbody//td'));
    }

    public function testOutliersAmongTheRunsAreMarked(): void
    {
        $page = self::open(self::all());
        self::assertCount(10, $page->find('//table[contains(@class, "parts")]/tbody/tr'));
        self::assertSame('Mean of 10 runs', $page->text('//h1'));
        $statistics = self::statistics();
        $wall = $page->attributes('//dl[contains(@class, "totals")]/div[dt="Wall time"]/dd[1]', 'title')[0];
        self::assertStringContainsString('median ' . self::number($statistics->total('wt')->statistic('median')), $wall);
        // None of the runs before the change, and the one after it that was made under load.
        $after = 'index.php?run=' . CompareFixtures::ids(6, 10) . '&source=' . CompareFixtures::SOURCE;
        $marked = '//table[contains(@class, "parts")]//th[span[@class="badge bad"]]';
        $odd = self::open($after)->texts("{$marked}/span[@class='id']");
        self::assertSame([CompareFixtures::id(CompareFixtures::OUTLIER)], $odd);
        $without = self::open(self::open($after)->attributes('//details/p/a', 'href')[0]);
        self::assertSame('Mean of 4 runs', $without->text('//h1'));
        self::assertStringNotContainsString(CompareFixtures::id(CompareFixtures::OUTLIER), $without->body);
        self::assertSame([], $without->find('//details/p/a'));
    }

    public function testAStripHasABarPerRun(): void
    {
        $page = self::open(self::all('&q=Audit'));
        $path = $page->attributes(self::TABLE . '/tbody/tr/td[contains(@class, "strip")][1]//*[local-name()="path"]', 'd')[0];
        self::assertSame(10, preg_match_all('/M[0-9.]+ ([0-9.]+)h5\.1v([0-9.]+)h-5\.1z/', $path, $bars));
        self::assertSame(array_fill(0, 5, '0'), array_slice($bars[2], 0, 5), 'before it was there');
        self::assertSame('16', $bars[2][9]);
    }

    public function testAWeightedMean(): void
    {
        $mean = ProfileMean::compute([self::profile(Fixtures::BEFORE), self::profile(Fixtures::AFTER)], [1, 3]);
        $row = FlatReport::compute($mean, true)->rows()['PDOStatement::execute'];
        $run = 'index.php?run=' . Fixtures::BEFORE . ',' . Fixtures::AFTER . '&wts=1,3&source=shop';
        $page = self::open($run);
        $exact = $page->attributes(self::TABLE . '//tr[th//*[.="PDOStatement::execute"]]/td[@title][2]', 'title')[0];
        self::assertStringContainsString('mean ' . number_format($row['excl_wt'] ?? 0, 1, '.', ' ') . ' µs', $exact);
        self::assertSame([' × 1', ' × 3'], self::weights($page));
        self::assertSame('PDOStatement::execute', self::open("$run&symbol=PDOStatement::execute")->text('//h1'));
    }

    public function testARunNamedTwiceCountsTwice(): void
    {
        $run = static fn (string $ids, string $weights = ''): Page => self::open("index.php?run=$ids&source=shop&wts=$weights");
        [$a, $b] = [Fixtures::BEFORE, Fixtures::AFTER];
        $page = $run("$a,$b,$b,$b");
        self::assertSame('Mean of 2 runs', $page->text('//h1'));
        self::assertSame([' × 1', ' × 3'], self::weights($page));
        $same = $run("$a,$b", '1,3');
        self::assertSame($same->attributes(self::TABLE . '//td', 'title'), $page->attributes(self::TABLE . '//td', 'title'));
        self::assertSame([' × 5', ' × 2'], self::weights($run("$a,$b,$a", '4,2,1')));

        $once = $run("$a,$a,$a", '1,2,3');
        self::assertSame('GET /orders?page=2&sort=date', $once->text('//h1'));
        self::assertStringNotContainsString('wts=', $once->attributes('//table//a', 'href')[0]);
        self::open("index.php?run=$a,$a,$b&source=shop&wts=1000000,1,1", 400);
        $swap = self::open("index.php?run1=$a,$b,$a&run2=$b&source=shop")->attributes('//a[@class="swap"]', 'href')[0];
        self::assertStringContainsString("run2=" . urlencode("$a,$a,$b"), $swap);
    }

    /** @return list<string> the texts after the runs' ids */
    private static function weights(Page $page): array
    {
        return array_map(
            static fn (string $text): string => (string) preg_replace('/^.*[0-9a-f]{32}/', '', $text),
            $page->texts('//table[contains(@class, "parts")]/tbody/tr/th'),
        );
    }
}
