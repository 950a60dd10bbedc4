<?php

declare(strict_types=1);

namespace XHProf\Tests\Html;

use XHProf\Run\RunId;
use XHProf\Store\RunFolder;

require_once __DIR__ . '/PagesTestCase.php';

/** index.php?run=ID&view=operations: what a run waited for, in the order asked for. */
final class OperationsPageTest extends PagesTestCase
{
    private const TABLE = '//table[contains(@class, "operations")]';
    private const PAGE = 'index.php?run=' . Fixtures::MEMORY . '&source=worker&view=operations';

    /** @return list<string> */
    private static function texts(Page $page): array
    {
        return $page->texts(self::TABLE . '/tbody/tr/th/code');
    }

    public function testTheTabIsThereWhereOperationsWereRecorded(): void
    {
        $tabs = '//nav[@aria-label="Views of this run"]';
        $page = self::open('index.php?run=' . Fixtures::MEMORY . '&source=worker');
        self::assertSame([self::PAGE], $page->attributes("$tabs/a[. = 'Operations']", 'href'));
        self::assertSame(['Operations'], self::open(self::PAGE)->texts("$tabs/a[@aria-current]"));
        $other = self::open('index.php?run=' . Fixtures::BEFORE . '&source=shop');
        self::assertSame([], $other->attributes("$tabs/a[. = 'Operations']", 'href'));
        self::open('index.php?run=' . Fixtures::BEFORE . '&source=shop&view=operations', 404);
        self::open('index.php?run=' . Fixtures::BEFORE . ',' . Fixtures::AFTER . '&source=shop&view=operations', 400);
    }

    public function testRowsAreThoseOfTheLibrary(): void
    {
        $report = (new RunFolder(self::$runs))->open(RunId::fromStrings(Fixtures::MEMORY, 'worker'))->operations();
        self::assertNotNull($report);
        foreach (['total', 'ct', 'max', 'duplicates'] as $sort) {
            $expected = array_map(static fn ($row): string => $row->text, array_slice($report->rows(null, $sort), 0, 50));
            self::assertSame($expected, self::texts(self::open(self::PAGE . "&sort=$sort")));
        }
        $least = array_map(static fn ($row): string => $row->text, array_slice($report->rows(null, 'total', 1, false), 0, 50));
        self::assertSame($least, self::texts(self::open(self::PAGE . '&sort=total&dir=asc')));
        $second = self::open(self::PAGE . '&page=2');
        self::assertCount(count($report->rows()) - 50, self::texts($second));
        self::assertSame(self::texts($second), self::texts(self::open(self::PAGE . '&page=999')));
        $nonsense = self::open(self::PAGE . '&sort=nonsense&kind=nonsense&page=x');
        self::assertSame(self::texts(self::open(self::PAGE)), self::texts($nonsense));
    }

    public function testAKindShowsItsOwnOnly(): void
    {
        $page = self::open(self::PAGE);
        $kinds = '//nav[@aria-label="Kinds of operations"]/a';
        self::assertSame(['All', 'HTTP', 'SQL', 'Cache', 'Files'], $page->texts("$kinds/span"));
        $http = self::open($page->attributes("{$kinds}[span = 'HTTP']", 'href')[0]);
        self::assertSame(['GET prices.example.com/v1/products/{id}'], self::texts($http));
        self::assertStringContainsString('HTTP', $http->texts("{$kinds}[@aria-current]")[0]);
    }

    public function testWhatIsRepeatedInALoopStandsAboveAll(): void
    {
        $repeated = self::open(self::PAGE)->texts('//section[contains(@class, "repeated")]//li');
        self::assertStringContainsString('GET prices.example.com/v1/products/{id}', $repeated[0]);
        self::assertStringContainsString('SELECT p.name, p.price FROM product p WHERE p.id = ?', $repeated[1]);
        self::assertMatchesRegularExpression('/^240 × .* with the same values as before/u', $repeated[1]);
    }

    public function testARowThatIsAskedForIsFoundOnItsPageWithItsCallersOpen(): void
    {
        $report = (new RunFolder(self::$runs))->open(RunId::fromStrings(Fixtures::MEMORY, 'worker'))->operations();
        foreach ([0, 51] as $number) {
            $row = $report?->rows()[$number] ?? null;
            self::assertNotNull($row);
            $page = self::open(self::PAGE . '&operation=' . $row->id());
            $selected = '//tr[.//@id="operation"]';
            self::assertSame([$row->text], $page->texts("$selected//code"));
            self::assertCount(1, $page->find('//table//details[@open]'));
            self::assertCount(1, $page->find("$selected//details[@open]"));
        }
        self::assertSame([], self::open(self::PAGE . '&operation=none')->find('//*[@id="operation"]'));
    }

    public function testACallPathLeadsToItsFunctions(): void
    {
        $page = self::open(self::PAGE . '&kind=http');
        $path = '//ul[@class="paths"]/li[1]/span[@class="path"]/a';
        self::assertNotSame([], $page->texts($path));
        foreach ($page->attributes($path, 'href') as $url) {
            self::open($url);
        }
    }

    public function testHostileTextsAreText(): void
    {
        $page = self::open('index.php?run=' . Fixtures::HOSTILE_MEMORY . '&source=hostile&view=operations');
        self::assertNotSame([], self::texts($page));
        foreach (self::texts($page) as $text) {
            self::assertDoesNotMatchRegularExpression('/[\x00-\x08\x0b-\x1f\x7f]/', $text);
        }
    }
}
