<?php

declare(strict_types=1);

namespace XHProf\Tests\Html;

use PHPUnit\Framework\Attributes\DataProvider;
use XHProf\App\Site;
use XHProf\Format\VisibleName;
use XHProf\Memory\MarkRange;
use XHProf\Memory\MemoryReport;
use XHProf\Run\RunId;
use XHProf\Store\RunFolder;
use XHProf\Tests\Lib\Support\MemoryRun;
use XHProf\Tests\Lib\Support\RunFiles;
use XHProf\Web\Http\Request;
use XHProf\Web\Run\PathMark;

require_once __DIR__ . '/PagesTestCase.php';
require_once __DIR__ . '/../lib/Support/RunFiles.php';
require_once __DIR__ . '/../lib/Support/MemoryRun.php';

/** index.php?run=ID&view=memory: the figures are the library's, in the order asked for. */
final class MemoryPageTest extends PagesTestCase
{
    private const TABLE = '//table[contains(@class, "memory")]';
    private const PAGE = 'index.php?run=' . Fixtures::MEMORY . '&source=worker&view=memory';
    private const HOSTILE = 'index.php?run=' . Fixtures::HOSTILE_MEMORY . '&source=hostile&view=memory';

    private static function report(?MarkRange $range = null): MemoryReport
    {
        $memory = (new RunFolder(self::$runs))->open(RunId::fromStrings(Fixtures::MEMORY, 'worker'))->memory();
        self::assertNotNull($memory);

        return new MemoryReport($memory, $range);
    }

    /**
     * @param value-of<MemoryReport::BY> $by
     * @param list<string> $columns
     * @return list<list<int|null>>
     */
    private static function expected(MemoryReport $report, string $by, array $columns): array
    {
        $rows = [];
        foreach ($report->table($by)->sorted($columns[0]) as $number) {
            $rows[] = array_map(static fn (string $column): ?int => $report->table($by)->value($number, $column), $columns);
        }

        return $rows;
    }

    /** @return list<list<int|null>> exact figures of the rows, from left to right */
    private static function shown(Page $page): array
    {
        $rows = [];
        foreach ($page->find(self::TABLE . '/tbody/tr') as $row) {
            $figures = [];
            foreach ($page->find('td[contains(@class, "num")][not(contains(., " of "))]', $row) as $cell) {
                // A count has no exact value in a tooltip: it is one.
                $exact = $page->find('span[@class="p"]', $cell) === [] && !$cell->hasAttribute('title')
                    ? $cell->textContent
                    : $cell->getAttribute('title');
                $figures[] = (int) preg_replace('/,.*|[^0-9]/u', '', $exact);
            }
            $rows[] = $figures;
        }

        return $rows;
    }

    public function testTheJobsOfAWorkerAreShownWithTheirTrend(): void
    {
        $folder = self::folder();
        try {
            $rows = array_map(static fn (int $mark): array => [['run', 'Log::write'], 'string', $mark, 1, 5000], range(0, 19));
            $size = array_map(static fn (int $mark): int => 1_000_000 + 5000 * $mark, range(1, 20));
            $jobs = ['jobs' => ['<b>import</b>'], 'at_marks' => ['job' => array_fill(0, 20, 0), 'size' => $size]];
            $run = MemoryRun::save(new RunFolder($folder), 'worker', null, $rows, 20, [], $jobs);
            $site = new Site(self::ROOT, new RunFolder($folder));
            $get = ['run' => $run->id, 'source' => 'worker', 'view' => 'memory'];
            foreach ([[], ['after' => '1', 'before' => '20']] as $marks) {
                $page = new Page(['HTTP/1.1 200 OK'], $site->index(new Request('GET', $get + $marks))->body);
                $row = $page->text('//table[contains(@class, "jobs")]/tbody/tr');
                self::assertStringContainsString('<b>import</b>', $row);
                self::assertStringContainsString('grows', $row);
                self::assertStringContainsString('4.88 KB', $row, 'per span');
            }
            self::assertStringContainsString('Trend: a leak grows until the last spans', $page->text('//main'));
        } finally {
            self::remove($folder);
        }
    }

    public function testTheTabIsThereWhereMemoryWasRecorded(): void
    {
        $tabs = '//nav[@aria-label="Views of this run"]';
        $page = self::open('index.php?run=' . Fixtures::MEMORY . '&source=worker');
        self::assertSame(['Functions'], $page->texts("$tabs/a[@aria-current]"));
        $link = $page->attributes("{$tabs}/a[. = 'Memory']", 'href')[0];
        self::assertSame(self::PAGE, $link);
        $memory = self::open($link);
        self::assertSame(['Memory'], $memory->texts("$tabs/a[@aria-current]"));
        self::assertSame($page->text('//h1'), $memory->text('//h1'));
        $memoryTab = "{$tabs}/a[. = 'Memory']";
        self::assertSame([], self::open('index.php?run=' . Fixtures::BEFORE . '&source=shop')->find($memoryTab));
        $mean = self::open('index.php?run=' . Fixtures::MEMORY . ',' . Fixtures::MEMORY . '&source=worker');
        self::assertCount(1, $mean->find($memoryTab), 'a run named twice is one run');
    }

    public function testEveryFigureIsTheLibrarys(): void
    {
        $own = ['live', 'blocks', 'allocated', 'freed'];
        $report = self::report();
        self::assertSame(self::expected($report, 'path', $own), self::shown(self::open(self::PAGE . '&all=1')));
        $functions = self::open(self::PAGE . '&by=function&all=1');
        $columns = ['live', 'incl', 'blocks', 'allocated', 'freed'];
        self::assertSame(self::expected($report, 'function', $columns), self::shown($functions));
        $types = self::open(self::PAGE . '&by=type&all=1');
        self::assertSame(self::expected($report, 'type', ['live', 'blocks']), self::shown($types));
        self::assertContains('object:App\Pool', $types->texts(self::TABLE . '/tbody/tr/th'));
    }

    public function testTopAndAll(): void
    {
        $page = self::open(self::PAGE);
        self::assertCount(100, $page->find(self::TABLE . '/tbody/tr'));
        self::assertSame('100 of 147 · Show more', $page->text('//p[@class="count"]'));
        $all = self::open($page->attributes('//p[@class="count"]/a', 'href')[0]);
        self::assertCount(147, $all->find(self::TABLE . '/tbody/tr'));
    }

    public function testOrder(): void
    {
        foreach (['live' => 0, 'blocks' => 1, 'allocated' => 2, 'freed' => 3] as $column => $index) {
            $page = self::open(self::PAGE . "&sort=$column");
            $shown = array_column(self::shown($page), $index);
            $sorted = $shown;
            rsort($sorted);
            self::assertSame($sorted, $shown, $column);
            self::assertSame('descending', $page->attributes(self::TABLE . '//th[@aria-sort]', 'aria-sort')[0]);
            $link = $page->attributes(self::TABLE . '//th[@aria-sort]/a', 'href')[0];
            self::assertStringContainsString("?sort=$column&dir=asc&", $link);
            $ascending = array_column(self::shown(self::open($link)), $index);
            sort($sorted);
            self::assertLessThanOrEqual($shown[0], $ascending[0]);
        }
        self::assertSame(self::shown(self::open(self::PAGE)), self::shown(self::open(self::PAGE . '&sort=nonsense&by=nonsense')));
    }

    public function testAPathLeadsToItsFunctions(): void
    {
        $page = self::open(self::PAGE);
        $row = $page->find(self::TABLE . '//tr[contains(th, "array_merge")]')[0];
        $flame = $page->find('th/a[@class="in-flame"]', $row)[0]->getAttribute('href');
        self::assertMatchesRegularExpression('/view=flame&metric=live_bytes&root=\d+-[0-9a-f]+&sel=array_merge$/', $flame);
        $links = $page->find('th//a[not(@class="in-flame")]', $row);
        // the function that allocated, the four that called it, and the others behind a click
        self::assertSame('array_merge', trim($links[0]->textContent));
        self::assertCount(4, $page->find('th/div/a', $row));
        self::assertSame(['59 more'], $page->texts('th//summary', $row));
        self::assertCount(24, $links);
        self::assertStringContainsString('40 more callers', $row->textContent);
        $symbol = self::open($links[1]->getAttribute('href'));
        self::assertSame('Twig\Compiler::subcompile', $symbol->text('//h1'));
    }

    public function testAPathHasTheNameThatTheScriptsGiveIt(): void
    {
        // tests/js/profile.test.mjs expects the same.
        self::assertSame('2-396d5ad4', PathMark::encode(['main()', 'job', 'Registry::keep']));
        self::assertNull(PathMark::encode(['main()']));
        self::assertSame('1-eec22ce0', PathMark::encode(['main()', "caf\u{e9}"]), 'code units are not bytes');
        self::assertSame('1-bf5f22a0', PathMark::encode(['main()', "\u{1F600}x"]), 'a character of two units');
    }

    public function testTheMemoryOverTimeOfARunWithATimeline(): void
    {
        self::assertSame([], self::open(self::PAGE)->find('//figure'));
        $run = Fixtures::MEMORY . '.worker';
        $timeline = [
            'unit' => 'ns', 'duration' => 1_000_000, 'threshold' => 0,
            't' => [0, 100_000], 'd' => [500_000, 200_000], 'node' => [0, 1], 'memory' => [1024, 4096],
            'alloc_marks' => ['t' => [700_000], 'd' => [0], 'mark' => [1]],
        ];
        try {
            RunFiles::put(self::$runs, $run, ['timeline' => $timeline]);
            $page = self::open(self::PAGE);
            self::assertSame('Memory in use, up to 4.00 KB, over 1.00 ms. Timeline', $page->text('//figure/figcaption'));
            $path = '//figure//*[local-name()="path"]';
            self::assertSame(['M0 100H300V0H500V75H1000V100Z', 'M700 0V100'], $page->attributes($path, 'd'));
            RunFiles::put(self::$runs, $run, ['timeline' => ['node' => [0, 1 << 20]] + $timeline]);
            self::assertSame([], self::open(self::PAGE)->find('//figure'));
        } finally {
            RunFiles::remove(self::$runs, $run, 'timeline');
        }
    }

    public function testLeaks(): void
    {
        $page = self::open(self::PAGE);
        $fields = ['after' => '1', 'before' => '4'];
        foreach ($page->find('//form[contains(@class, "marks")]//input') as $input) {
            $fields[$input->getAttribute('name')] = $input->getAttribute('value');
        }
        self::assertSame(['1', '4'], [$fields['after'], $fields['before']]);
        $leaks = self::open('index.php?' . http_build_query($fields) . '&all=1');
        $range = MarkRange::choose(4);
        $shown = array_map(static fn (array $row): array => array_slice($row, 0, 2), self::shown($leaks));
        self::assertSame(self::expected(self::report($range), 'path', ['live', 'blocks']), $shown);
        self::assertStringContainsString('allocated after mark 1 and before mark 4', $leaks->text('//h2/small'));
        $row = $leaks->find(self::TABLE . '//tr[contains(th, "str_repeat")]')[0];
        self::assertContains('3 of 3', $leaks->texts('td', $row));
        // the other views keep the marks
        $types = $leaks->attributes('//nav[@aria-label="Lines of the table"]/a', 'href')[2];
        self::assertStringContainsString('after mark 1 and before mark 4', self::open($types)->text('//h2/small'));
        $everything = self::open(self::PAGE . '&after=0&before=5')->text('//h2/small');
        self::assertStringContainsString('since the tracking began', $everything);
    }

    /** @return array<string, array{string, int, string}> */
    public static function mistakes(): array
    {
        $other = 'index.php?run=' . Fixtures::BEFORE;

        return [
            'mark not made' => [self::PAGE . '&after=7', 400, 'These are not the marks of this run: 4 marks were made'],
            'marks in the wrong order' => [self::PAGE . '&after=3&before=2', 400, 'mark 3 is not before mark 2'],
            'no number' => [self::PAGE . '&after=x', 400, 'The mark (after) must be a whole number.'],
            'a number beyond all' => [self::PAGE . '&before=99999999999999999999', 400, 'The mark (before) must be'],
            'array' => [self::PAGE . '&by[]=x', 400, 'The parameter "by" must be given once, as text.'],
            'array as a mark' => [self::PAGE . '&after[]=x', 400, 'The parameter "after" must be given once'],
            'not recorded' => ["$other&source=shop&view=memory", 404, 'This run has no allocations: record them with '],
            'several runs' => ["$other," . Fixtures::AFTER . '&source=shop&view=memory', 400, 'for one run, not for the mean'],
            'no such run' => ['index.php?run=nope&view=memory', 404, 'There is no run nope'],
        ];
    }

    #[DataProvider('mistakes')]
    public function testMistakesAreExplained(string $url, int $status, string $sentence): void
    {
        self::assertStringContainsString($sentence, self::open($url, $status)->text('//p[@class="empty"]'));
    }

    public function testADamagedProfileIsAnErrorOfThisPageOnly(): void
    {
        $run = Fixtures::MEMORY . '.worker';
        $good = RunFiles::document(self::$runs, $run, 'memory') ?? [];
        try {
            foreach (['{}', '{"types":["<script>"],"allocators":[],"rows":{"node":[-9]}}'] as $bad) {
                RunFiles::damage(self::$runs, $run, 'memory', $bad);
                $page = self::open(self::PAGE, 500);
                $message = $page->text('//p[@class="empty"]');
                $name = RunFiles::file($run);
                self::assertStringStartsWith("This run cannot be read: $name: ", $message);
                self::open('index.php?run=' . Fixtures::MEMORY . '&source=worker');
            }
        } finally {
            RunFiles::put(self::$runs, $run, ['memory' => $good]);
        }
    }

    public function testHostileNamesAreText(): void
    {
        foreach (['path', 'function', 'type'] as $by) {
            $page = self::open(self::HOSTILE . "&by=$by");
            self::assertSame([], $page->find('//img | //b | //u | //i'));
            self::assertSame(['app', 'share'], $page->modules());
            $shown = implode(' ', $page->texts(self::TABLE . '//*[@class="fn"]'));
            self::assertStringContainsString('<script>alert(1)</script>', $shown);
            self::assertStringContainsString(VisibleName::text("right\u{202E}ot-left\u{2066}isolate\u{200B}zero\u{FEFF}"), $shown);
            self::assertStringNotContainsString(Fixtures::longName(), $page->body);
        }
        $page = self::open(self::HOSTILE);
        self::assertSame(['<b>heap</b>', 'zero\x00\u{202E}'], $page->texts('//table[contains(@class, "allocators")]/tbody//th'));
        $notes = implode(' ', $page->texts('//p[@class="note"]'));
        self::assertStringContainsString('Sampled: about one allocation every 1.00 KB', $notes);
        self::assertStringContainsString('Not recorded, as the register was full: 1 allocation of 4.00 KB.', $notes);
        foreach ($page->attributes(self::TABLE . '/tbody/tr/th/a', 'href') as $link) {
            self::open($link);
        }
        self::assertDoesNotMatchRegularExpression('/PHP (Warning|Notice|Deprecated|Fatal)|xhprof_html:/', self::$server->log());
    }

    /** A run that knows who held the memory when it was most. */
    public function testThePeak(): void
    {
        $copy = str_repeat('d', 32);
        RunFiles::copy(self::$runs, Fixtures::MEMORY . '.worker', "$copy.worker");
        $held = ['size' => 5 << 20, 'node' => [1, 3], 'bytes' => [1 << 20, 3 << 20]];
        RunFiles::change(self::$runs, "$copy.worker", 'memory', static fn (array $memory): array => ['peak' => $held] + $memory);
        $url = str_replace(Fixtures::MEMORY, $copy, self::PAGE);
        $links = '//nav[@aria-label="Moment"]/a';
        $page = self::open($url);
        self::assertSame(['At the end', 'At the peak'], $page->texts($links));
        $peak = self::open($page->attributes("{$links}[2]", 'href')[0]);
        self::assertSame(['At the peak'], $peak->texts("{$links}[@aria-current]"));
        self::assertStringContainsString(
            "Held at the peak by 4.00 MB live when PHP's heap had 5.00 MB; the other 1.00 MB",
            $peak->text('//h2'),
        );
        self::assertSame([3 << 20, 1 << 20], array_column(self::shown($peak), 0));
        self::assertSame(['By call path', 'By function'], $peak->texts('//nav[@aria-label="Lines of the table"]/a'));
        self::open("$url&when=peak&by=function");
        self::open("$url&when=peak&by=type");
        self::assertSame([], self::open(self::PAGE . '&when=peak')->texts($links));
        $held['node'][0] = 1 << 30;
        RunFiles::change(self::$runs, "$copy.worker", 'memory', static fn (array $memory): array => ['peak' => $held] + $memory);
        self::open($url, 500);
        RunFiles::delete(self::$runs, "$copy.worker");
    }
}
