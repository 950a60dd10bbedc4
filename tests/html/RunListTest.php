<?php

declare(strict_types=1);

namespace XHProf\Tests\Html;

use PHPUnit\Framework\Attributes\DataProvider;
use XHProf\Tests\Lib\Support\RunFiles;

require_once __DIR__ . '/PagesTestCase.php';
require_once __DIR__ . '/../lib/Support/RunFiles.php';

/** index.php without a run. */
final class RunListTest extends PagesTestCase
{
    private const ROWS = '//table[contains(@class, "runs")]/tbody/tr';

    public function testPagesLeadToTheNextOneAndTheLastIsShownBeyondIt(): void
    {
        $next = self::open(self::open('index.php')->attributes('//a[@rel="next"]', 'href')[0]);
        self::assertCount(18, $next->find(self::ROWS));
        self::assertSame([], $next->find('//a[@rel="next"]'));
        self::assertCount(18, self::open('index.php?page=999')->find(self::ROWS));
    }

    /** @return array<string, array{string, int}> */
    public static function filters(): array
    {
        return [
            'by URL, in any case' => ['q=/API/V2', 14],
            'by host' => ['q=' . urlencode('<b>host'), 1],
            'by revision' => ['q=3f9a2c1d', 1],
            'by release' => ['q=2.0-RC1', 1],
            'by source' => ['only=shop-cli', 1],
            'by both' => ['only=shop&q=yearly', 1],
            'nothing' => ['q=no-such-run', 0],
        ];
    }

    #[DataProvider('filters')]
    public function testFilter(string $query, int $runs): void
    {
        $page = self::open("index.php?$query");
        self::assertCount($runs, $page->find(self::ROWS));
        if ($runs === 0) {
            self::assertStringStartsWith('No run matches.', $page->text('//p[@class="empty"]'));
        }
    }

    public function testSortsByWallTimeBothWays(): void
    {
        $walls = function (string $url): array {
            $titles = self::open($url)->attributes(self::ROWS . '/td[contains(@class, "m-wt")]', 'title');

            return array_map(static fn (string $title): int => (int) preg_replace('/\D/', '', $title), $titles);
        };
        $down = $walls('index.php?sort=wt');
        $sorted = $down;
        rsort($sorted);
        self::assertSame($sorted, $down);
        self::assertGreaterThan(0, end($down));
        $up = array_values(array_filter($walls('index.php?sort=wt&dir=asc')));
        $sorted = $up;
        sort($sorted);
        self::assertSame($sorted, $up);
        self::assertSame('descending', self::open('index.php?sort=%27;--')->attributes('//th[@aria-sort]', 'aria-sort')[0]);
    }

    public function testDamagedRunsAreListedWithTheirError(): void
    {
        $page = self::open('index.php?q=d000');
        $lines = $page->texts(self::ROWS . '/th');
        $file = preg_quote(RunFiles::file(Fixtures::CUT_OFF . '.shop'));
        self::assertMatchesRegularExpression("/^damaged $file: its section edges\.\w+ is damaged$/", $lines[0]);
        self::assertSame('damaged ' . RunFiles::file(Fixtures::EMPTY_FILE . '.shop') . ': the file is empty', $lines[1]);
        self::assertSame('damaged ' . RunFiles::file(Fixtures::BAD_META . '.shop') . ': its head is not JSON', $lines[2]);
        self::assertCount(3, $page->find(self::ROWS . '//input[@type="checkbox"]'), 'they can be deleted');

        $run = self::open('index.php?run=' . Fixtures::BAD_META . '&source=shop', 500);
        self::assertStringContainsString('its head is not JSON', $run->text('//p[@class="empty"]'));
    }

    public function testPickingTwoRunsLeadsToTheirComparisonWithTheOlderAsBase(): void
    {
        foreach ([[Fixtures::AFTER, Fixtures::BEFORE], [Fixtures::BEFORE, Fixtures::AFTER]] as [$one, $two]) {
            $answer = self::$server->get("index.php?pick[]=$one.shop&pick[]=$two.shop&do=compare");
            self::assertSame(302, $answer->status);
            self::assertSame(
                'index.php?run1=' . Fixtures::BEFORE . '&run2=' . Fixtures::AFTER . '&source=shop&sort=excl_wt',
                $answer->headers['location'],
            );
        }
        $picked = 'pick[]=' . Fixtures::AFTER . '.shop&pick[]=' . Fixtures::LARGE . '.shop-cli';
        $answer = self::$server->get("index.php?$picked&do=compare");
        self::assertStringContainsString('source1=shop-cli&source2=shop', $answer->headers['location']);
        self::open($answer->headers['location']);
    }

    /** @return array<string, array{string, string}> */
    public static function badPicks(): array
    {
        return [
            'none' => ['do=compare', 'Pick exactly two runs to compare; you picked 0.'],
            'one' => ['pick[]=a.shop&do=compare', 'Pick exactly two runs to compare; you picked 1.'],
            'one for a mean' => ['pick[]=a.shop&do=mean', 'Pick at least two runs to see their mean; you picked 1.'],
            'two sources' => ['pick[]=a.x&pick[]=b.y&do=mean', 'A mean is made of runs of one source; you picked x and y.'],
            'elsewhere' => ['pick[]=../../etc/passwd&do=compare', 'A picked run must be named ID.SOURCE.'],
            'outside' => ['pick[]=http://evil.example/&do=compare', 'A picked run must be named ID.SOURCE.'],
        ];
    }

    #[DataProvider('badPicks')]
    public function testAWrongPickIsExplained(string $query, string $sentence): void
    {
        self::assertSame($sentence, self::open("index.php?$query", 400)->text('//p[@class="empty"]'));
    }

    public function testARunOffersItselfForComparisonAndTheSameUrlComesFirst(): void
    {
        $run = self::open('index.php?run=' . Fixtures::BEFORE . '&source=shop');
        $list = self::open($run->attributes('//a[text()="Compare with…"]', 'href')[0]);
        self::assertStringContainsString('GET /orders', $list->text('//p[@class="note"]'));
        $related = '//table[contains(@class, "related-runs")]/tbody/tr';
        $links = $list->attributes("$related//td[contains(@class, 'sides')]/a", 'href');
        self::assertContains('index.php?run1=' . Fixtures::AFTER . '&run2=' . Fixtures::BEFORE . '&source=shop', $links);
        self::assertContains('index.php?run1=' . Fixtures::BEFORE . '&run2=' . Fixtures::AFTER . '&source=shop', $links);
        $row = $related . '[.//a[contains(@href, "' . Fixtures::AFTER . '")]]';
        self::assertMatchesRegularExpression('/^[0-9.]+ ms\+4\.7 %$/', $list->texts("$row/td[contains(@class, 'num')]")[0]);
    }

    public function testSidesAreChosenOneAfterTheOtherInAnyOrder(): void
    {
        $side = static fn (Page $page, string $id, string $letter): string
            => $page->attributes(self::ROWS . "[.//a[contains(@href, 'run=$id')]]//a[text()='$letter']", 'href')[0];
        $list = self::open('index.php?q=orders');
        $a = self::open($side($list, Fixtures::AFTER, 'A'));
        self::assertStringContainsString('Choose B', $a->text('//p[@class="note"]'));
        self::assertSame(
            'index.php?run1=' . Fixtures::AFTER . '&run2=' . Fixtures::BEFORE . '&source=shop',
            $side($a, Fixtures::BEFORE, 'B'),
            'the newer one may be the base',
        );
        $b = self::open($side($list, Fixtures::AFTER, 'B'));
        self::assertSame(
            'index.php?run1=' . Fixtures::BEFORE . '&run2=' . Fixtures::AFTER . '&source=shop',
            $side($b, Fixtures::BEFORE, 'A'),
        );
        self::open('index.php?a=' . urlencode('<b>.shop'));
        self::open('index.php?a=../../x.y&b=.shop&with=gone.shop');
    }

    public function testPickedRunsBecomeASide(): void
    {
        $picked = 'pick[]=' . Fixtures::AFTER . '.shop&pick[]=' . Fixtures::BEFORE . '.shop';
        $list = self::$server->get("index.php?$picked&do=a")->headers['location'] ?? '';
        self::assertSame('index.php?a=' . Fixtures::AFTER . '%2C' . Fixtures::BEFORE . '.shop', $list);
        self::assertStringContainsString('and 1 more', self::open($list)->text('//p[@class="note"]'));
        $diff = self::$server->get('index.php?pick[]=' . Fixtures::AFTER . '.shop&do=b&' . explode('?', $list)[1]);
        $page = self::open($diff->headers['location'] ?? '');
        self::assertStringContainsString('Mean of 2 runs', $page->text('//div[@class="versus"]'));
        self::assertSame(400, self::$server->get('index.php?do=a')->status);
        self::assertSame(400, self::$server->get('index.php?pick[]=a.x&pick[]=b.y&do=a')->status);
    }

    /** @return array<string, array{string, int}> */
    public static function moreFilters(): array
    {
        return [
            'host' => ['host=web-1.shop.example&q=orders', 17],
            'words in any order' => ['q=' . urlencode('page=2&sort shop GET'), 2],
            'part of the URL' => ['url=/orders/export', 1],
            'wall time' => ['min=100ms&only=shop', 2],
            'wall time in seconds' => ['min=0.9s', 1],
            'dates' => ['from=2025-11-20&to=' . urlencode('2025-11-20 23:59') . '&url=sort%3Ddate', 2],
            'no tag' => ['tag=none', 0],
            'not pinned at all' => ['pinned=1', 0],
            'dates that are none are left out' => ['from=soon&to=2025-02-31&min=long&q=orders/export', 1],
        ];
    }

    #[DataProvider('moreFilters')]
    public function testMoreFilters(string $query, int $runs): void
    {
        $page = self::open("index.php?$query");
        self::assertCount($runs, $page->find(self::ROWS));
        self::assertCount(str_contains($query, 'soon') ? 3 : 0, $page->find('//p[@class="warning"]'));
        $api = self::$server->get("api.php?get=runs&$query");
        self::assertSame(str_contains($query, 'soon') ? 400 : 200, $api->status);
        if ($api->status === 200) {
            $list = json_decode($api->body, true, 16, JSON_THROW_ON_ERROR);
            self::assertSame([1, 'runs', $runs, 0], [$list['v'], $list['kind'], $list['matches'], $list['pending']]);
            self::assertSame([$runs], array_values(array_unique(array_map(count(...), $list['runs']))));
            $named = static fn (string $id, string $source): string => "$id.$source";
            $picks = array_map($named, $list['runs']['id'], $list['runs']['source']);
            self::assertSame($picks, $page->attributes(self::ROWS . '//input', 'value'));
        }
    }

    public function testTheFilterAndTheOrderStayWithEveryLink(): void
    {
        $page = self::open('index.php?q=o&only=shop&min=1us&sort=cpu&dir=asc');
        $links = [...$page->attributes('//thead//a', 'href'), ...$page->attributes('//nav[@class="pager"]//a', 'href')];
        self::assertGreaterThan(9, count($links));
        foreach ($links as $link) {
            self::assertStringContainsString('q=o&only=shop&min=1us', $link);
        }
        self::assertStringContainsString('sort=cpu&dir=asc', $page->attributes('//a[@rel="next"]', 'href')[0]);
        self::assertSame('q=o&only=shop&min=1us&sort=cpu&dir=asc', $page->attributes('//input[@name="back"]', 'value')[0]);
    }

    public function testAnEmptyFolderExplainsTheFirstRun(): void
    {
        $folder = self::folder();
        $page = (new PageServer(self::ROOT, $folder))->get('index.php');
        self::remove($folder);
        self::assertSame(200, $page->status);
        self::assertSame('No runs yet', $page->text('//h1'));
        self::assertStringContainsString('bin/xhprof run -- your-script.php', $page->body);
        self::assertStringContainsString('xhprof.output_dir', $page->body);
    }

    public function testAMissingFolderIsSaid(): void
    {
        $page = (new PageServer(self::ROOT, self::$runs . '/none'))->get('index.php');
        self::assertSame(500, $page->status);
        self::assertSame('The run folder cannot be read', $page->text('//h1'));
    }
}
